# SPDX-License-Identifier: Apache-2.0
"""The attach protocol of HotSpot, which the JDK's own tools speak: one command, one connection.

Owns waking the VM's attach listener (a file, then SIGQUIT) and its UNIX-domain socket, in
containers too; says why a process cannot be attached to. Version 1 of the protocol, which all VMs
from 11 on take. Blocks: call it in a thread. Called by `agent_loading`.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import signal
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.attaching.files_of_process import own_number, root_of
from jvmdebug.errors import LaunchError
from jvmdebug.os_errors import reason
from jvmdebug.platform.system import user_name
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_VERSION: Final = "1"
_ARGUMENTS: Final = 3
LONGEST_ARGUMENT: Final = 1024
"""In bytes, that version 1 takes."""
_LONGEST_REPLY: Final = 1 << 20
_LONGEST_THREAD_DUMP: Final = 1 << 26
_FIRST_PAUSE_S: Final = 0.005
_LONGEST_PAUSE_S: Final = 0.1
_AGAIN_S: Final = 5.0
"""Until a VM is woken that was not seen to have started, or that has not made its socket."""
_STARTED_LATE: Final = "Service Thread"
"""HotSpot starts this thread when it is ready to be woken. Before, it takes the signal and writes a
thread dump into the program's output."""
_MOST_WAKINGS: Final = 2
"""A VM that is only slow would write a thread dump for each one more."""
_OPTIONS_OF_ENVIRONMENT: Final = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")


@dataclass(frozen=True, slots=True)
class AttachReply:
    """What the VM answered: 0 and a text, or another code and what was wrong."""

    code: int
    text: str


@dataclass(frozen=True, slots=True)
class AttachTarget:
    """A process, as attaching sees it."""

    pid: int
    own_pid: int
    """The number that the process has for itself: another one in a container."""
    user: int
    """Effective user id, as seen from here."""
    root: Path
    """Its root directory, seen from here."""

    @property
    def is_contained(self) -> bool:
        """Whether it has another view of the files than we have."""
        return self.root != Path("/")

    def seen_from_here(self, path: str) -> Path:
        """A path of the process as one of ours."""
        return self.root / path.lstrip("/")

    @property
    def socket_path(self) -> Path:
        """The place where its attach listener listens once it was woken."""
        return self.seen_from_here(f"/tmp/.java_pid{self.own_pid}")  # noqa: S108 - HotSpot's place


def attach_target(pid: int) -> AttachTarget:
    """The process; LaunchError that says why it cannot be attached to."""
    home = Path("/proc") / str(pid)
    status = _read(home / "status")
    if not status:
        raise LaunchError(f"there is no process {pid} here: `jvmdebug ps` lists the JVMs")
    check_runs(pid)
    user = int(_field(status, "Uid").split()[1])
    _check_user(pid, user)
    target = AttachTarget(pid, int(own_number(home)), user, root_of(home))
    _check_process(target, home, status)
    return target


def thread_dump_text(pid: int, *, timeout_s: float) -> str:
    """The thread dump that the VM itself writes. LaunchError if it does not."""
    reply = ask(attach_target(pid), "threaddump", timeout_s=timeout_s, most=_LONGEST_THREAD_DUMP)
    if reply.code != 0:
        raise LaunchError(f"process {pid} gives no thread dump: {one_line(reply.text)}")
    return reply.text


def ask(
    target: AttachTarget,
    command: str,
    *arguments: str,
    timeout_s: float,
    most: int = _LONGEST_REPLY,
) -> AttachReply:
    """One command. LaunchError if the VM does not listen or does not answer in time.

    `most`: the bytes of the answer that are read.
    """
    until = time.monotonic() + timeout_s
    words = [_VERSION, command, *arguments, *[""] * (_ARGUMENTS - len(arguments))]
    request = b"".join(os.fsencode(word) + b"\0" for word in words)
    with _connected(target, until) as connection:
        try:
            connection.settimeout(max(0.1, until - time.monotonic()))
            connection.sendall(request)
            reply = _all_of(connection, until, most)
        except TimeoutError:
            raise LaunchError(
                f"process {target.pid} does not answer within {timeout_s:g} s: its VM may be busy "
                "or suspended"
            ) from None
        except OSError as error:
            raise LaunchError(
                f"process {target.pid} refuses to be attached to: {reason(error)}"
            ) from error
    code, _, text = reply.partition("\n")
    if not reply:
        check_runs(target.pid)
    if not code.strip().lstrip("-").isdecimal():
        raise LaunchError(
            f"process {target.pid} closed the connection without an answer: its VM refuses user "
            f"{_user_name(os.geteuid())}; run this as {_user_name(target.user)}"
        )
    return AttachReply(int(code), text)


def _connected(target: AttachTarget, until: float) -> socket.socket:
    """A connection to the attach listener, which is woken first if it does not listen yet."""
    connection = _connect(target)
    if connection is not None:
        return connection
    _check_place_of_socket(target)
    with _wake_file(target) as create_again:
        pause = _FIRST_PAUSE_S
        wakings = 0
        next_waking = time.monotonic() + _AGAIN_S
        while (now := time.monotonic()) < until:
            is_time = now >= next_waking or (not wakings and _has_started(target.pid))
            if wakings < _MOST_WAKINGS and is_time and _takes_signal(target.pid):
                with contextlib.suppress(OSError):
                    create_again()  # a VM that is starting may have removed it
                _wake(target)
                wakings += 1
                next_waking = now + _AGAIN_S
            time.sleep(pause)
            connection = _connect(target)
            if connection is not None:
                return connection
            pause = min(pause * 2, _LONGEST_PAUSE_S)
            check_runs(target.pid)
    why = "may be suspended or busy" if wakings else "does not take SIGQUIT: it still starts"
    raise LaunchError(
        f"the VM of process {target.pid} opens no attach socket ({target.socket_path}): it {why}; "
        "try again, or start it with -XX:+StartAttachListener"
    )


def _check_place_of_socket(target: AttachTarget) -> None:
    """Raise LaunchError where the VM cannot make its socket, for which it would be waited."""
    place = target.socket_path.parent
    if not place.is_dir() or not os.access(place, os.W_OK):
        why = "cannot be written to" if place.is_dir() else "is not there"
        raise LaunchError(
            f"cannot attach to process {target.pid}: its VM makes a socket in /tmp, which {why}:"
            " give it a /tmp, or start the program with the agent: `jvmdebug agent --option`"
        )


def _connect(target: AttachTarget) -> socket.socket | None:
    path = target.socket_path
    try:
        found = path.lstat()
    except OSError:
        return None
    if found.st_uid not in (target.user, 0):
        raise LaunchError(
            f"{path} belongs to {_user_name(found.st_uid)} and not to the user of process "
            f"{target.pid}: it is not the VM's; remove it"
        )
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(str(path))
    except OSError as error:
        connection.close()
        if isinstance(error, ConnectionRefusedError):
            return None  # of a process before with this number
        raise LaunchError(f"cannot connect to {path}: {reason(error)}") from error
    return connection


@contextlib.contextmanager
def _wake_file(target: AttachTarget) -> Iterator[Callable[[], None]]:
    """HotSpot takes SIGQUIT for a wish to attach if this file is there, else it dumps threads.

    Gives what makes the file once more. It is removed even if the process has ended, of which then
    no path in /proc is left.
    """
    name = f".attach_pid{target.own_pid}"
    for place in (Path("/proc") / str(target.pid) / "cwd", target.seen_from_here("/tmp")):  # noqa: S108
        directories: list[int] = []  # a process that just starts may change its own
        create = functools.partial(_create, name, place, directories)
        try:
            try:
                create()
            except OSError:
                continue
            yield create
            return
        finally:
            for directory in directories:
                with contextlib.suppress(OSError):
                    os.unlink(name, dir_fd=directory)
                os.close(directory)
    raise LaunchError(
        f"cannot attach to process {target.pid}: neither its working directory nor its /tmp can be "
        "written to; start it with -XX:+StartAttachListener"
    )


def _create(name: str, place: Path, directories: list[int]) -> None:
    directories.append(os.open(place, os.O_RDONLY | os.O_DIRECTORY))
    flags = os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW
    os.close(os.open(name, flags, 0o660, dir_fd=directories[-1]))


def _has_started(pid: int) -> bool:
    threads = (Path("/proc") / str(pid) / "task").glob("*/comm")
    return any(_read(each).strip() == _STARTED_LATE for each in threads)


def _wake(target: AttachTarget) -> None:
    try:
        os.kill(target.pid, signal.SIGQUIT)
    except PermissionError:
        raise LaunchError(
            f"process {target.pid} may not be signalled: run this as {_user_name(target.user)}"
        ) from None
    except ProcessLookupError:
        raise LaunchError(f"process {target.pid} has ended") from None


def _all_of(connection: socket.socket, until: float, most: int) -> str:
    parts = bytearray()
    while len(parts) < most:
        connection.settimeout(max(0.01, until - time.monotonic()))
        part = connection.recv(1 << 16)
        if not part:
            break
        parts += part
    return parts.decode(errors="replace")


def check_runs(pid: int) -> None:
    """Raise LaunchError for a process that has ended. One that its parent has not waited for still
    has its number, and nothing answers there.
    """
    status = _read(Path("/proc") / str(pid) / "status")
    is_left = _field(status, "State").startswith(("Z", "X")) and _field(status, "Threads") == "1"
    if is_left:
        parent = _field(status, "PPid")
        raise LaunchError(
            f"process {pid} has ended: only its entry in the process table is left, until its"
            f" parent, process {parent}, asks how it ended"
        )
    if not status:
        raise LaunchError(f"process {pid} has ended")


def _check_user(pid: int, user: int) -> None:
    if os.geteuid() not in (0, user):
        raise LaunchError(
            f"process {pid} belongs to {_user_name(user)} and this is {_user_name(os.geteuid())}: "
            f"a JVM lets only its own user and root attach; run this as {_user_name(user)}"
        )


def _check_process(target: AttachTarget, home: Path, status: str) -> None:
    """What would make attaching fail."""
    subject = f"cannot attach to process {target.pid}"
    if "/libjvm.so" not in _read(home / "maps"):
        raise LaunchError(f"{subject}: it is no Java program on HotSpot (it has no libjvm.so)")
    state = _field(status, "State")
    if state.startswith(("T", "t")):
        raise LaunchError(f"{subject}: it is stopped (SIGSTOP or a native debugger); let it run")
    if "-XX:+DisableAttachMechanism" in _options(home):
        raise LaunchError(
            f"{subject}: it was started with -XX:+DisableAttachMechanism; start it without that, "
            "or with the option that `jvmdebug agent --option` prints"
        )


def _takes_signal(pid: int) -> bool:
    """Whether SIGQUIT wakes the VM, rather than ending a process that still starts."""
    status = _read(Path("/proc") / str(pid) / "status")
    return bool(int(_field(status, "SigCgt") or "0", 16) & (1 << (signal.SIGQUIT - 1)))


def _options(home: Path) -> list[str]:
    """The options of the VM, as far as they are on its command line and in its environment."""
    words = _read(home / "cmdline").split("\0")
    for pair in _read(home / "environ").split("\0"):
        name, _, value = pair.partition("=")
        if name in _OPTIONS_OF_ENVIRONMENT:
            words += value.split()
    return words


def _field(status: str, name: str) -> str:
    found = re.search(rf"^{name}:\s*(.*)$", status, re.MULTILINE)
    return "" if found is None else found[1]


def _user_name(number: int) -> str:
    name = user_name(number)
    return f"user id {number}" if name is None else f"user {one_line(name)}"


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def property_of(reply: AttachReply, name: str) -> str | None:
    """One of the properties (java.util.Properties) in a reply; None if it is not there."""
    if reply.code != 0:
        return None
    for line in reply.text.splitlines():
        key, separator, value = line.partition("=")
        if separator and key == name:
            return _unescaped(value)
    return None


def _unescaped(text: str) -> str:
    """A value as java.util.Properties wrote it."""

    def plain(found: re.Match[str]) -> str:
        letter = found[1]
        if len(letter) > 1:
            return chr(int(letter[1:], 16))
        return {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}.get(letter, letter)

    return re.sub(r"\\(u[0-9a-fA-F]{4}|.)", plain, text)
