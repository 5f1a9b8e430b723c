# SPDX-License-Identifier: Apache-2.0
"""Our agent, loaded into a JVM that runs and was started without it.

Owns the library as the process sees it (a copy in its `/tmp` where it cannot read ours) and where
the agent listens; the protocol is `attach_protocol`'s. The agent serves one debugger and ends with
it; the VM keeps the library. Blocks: call it in a thread. Called by the session.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.attaching.attach_protocol import (
    LONGEST_ARGUMENT,
    ask,
    attach_target,
    property_of,
)
from jvmdebug.attaching.by_jcmd import load_by_jcmd
from jvmdebug.attaching.files_of_process import remove_left_sockets
from jvmdebug.errors import LaunchError
from jvmdebug.jdwp.transport import UNIX_PREFIX
from jvmdebug.os_errors import reason
from jvmdebug.platform import system
from jvmdebug.platform.binaries import MUSL_LOADER, platform_of, this_platform, with_musl
from jvmdebug.printable import one_line
from jvmdebug.regular_file import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from jvmdebug.attaching.attach_protocol import AttachReply, AttachTarget

ALIVE_MS: Final = 20_000
"""How long an agent without a debugger stays."""
_REFUSED: Final = "jvmdebug.refused"
_LISTENS: Final = "sun.jdwp.listenerAddress"
_STILL_STARTS: Final = "the VM still starts"
"""The beginning of what the agent says of it, too."""
_PAUSE_S: Final = 0.02
_VM: Final = re.compile(r"^\S+ r\S+ \S+ \S+ [1-9]\d* +(/.*/libjvm\.so)$", re.MULTILINE)
"""The VM's library among the files that a process has mapped, in /proc."""
_MOUNT_FIELDS: Final = 4
"""Device, place, type, options."""


def load_agent(
    pid: int,
    library: Callable[[str], Path],
    address: str | None = None,
    *,
    timeout_s: float = 30.0,
) -> str:
    """Load the agent into a process and return where it listens, as `attach` takes it.

    `library` gives the agent for the platform of the process, `linux-musl-x86_64` for example.

    Without an `address` (`HOST:PORT`) that is a UNIX-domain socket that its user alone, and root,
    can connect to. A debugger has to come within 20 seconds, else the agent ends. LaunchError
    says why it cannot be loaded, and what would help.
    """
    if not system.is_linux():
        return load_by_jcmd(pid, library, address, alive_ms=ALIVE_MS, timeout_s=timeout_s)
    until = time.monotonic() + timeout_s
    target = attach_target(pid)
    try:
        path_here = library(platform_of_process(target))
    except LaunchError as error:
        raise LaunchError(f"cannot load the agent into process {pid}: {error}") from error
    if not target.is_contained:  # else the numbers of processes are others
        remove_left_sockets(Path("/tmp"))  # noqa: S108
    own_path = f"/tmp/.jvmdebug-{target.own_pid}-{secrets.token_hex(4)}.sock"  # noqa: S108
    transport = f"unix,address={own_path}" if address is None else f"dt_socket,address={address}"
    options = f"transport={transport},server=y,suspend=n,quiet=y,timeout={ALIVE_MS}"
    with _library_for(target, path_here) as path:
        _load(target, path, options, until)
    if address is None:
        return f"{UNIX_PREFIX}{target.seen_from_here(own_path)}"
    return _tcp_address(target, until)


def platform_of_process(target: AttachTarget) -> str:
    """The platform of the agent that fits into a process: that of the VM that it has loaded, or of
    its program, with the C library that it runs with.
    """
    maps = _read_text(Path("/proc") / str(target.pid) / "maps")
    vm = _VM.search(maps)
    places = [Path("/proc") / str(target.pid) / "exe"]
    if vm is not None:
        places.insert(0, target.seen_from_here(vm[1]))
    found = this_platform()
    for place in places:
        with contextlib.suppress(OSError):
            if (named := platform_of(place)) is not None:
                found = named
                break
    # A program for glibc runs with musl where a layer stands in for glibc.
    return with_musl(found) if MUSL_LOADER in maps else found


def _load(target: AttachTarget, path: str, options: str, until: float) -> None:
    """LaunchError unless the agent was loaded and listens. A VM that still starts is asked again:
    it answers for some time before it takes agents.
    """
    while True:
        left = until - time.monotonic()
        reply = ask(target, "load", path, "true", options, timeout_s=max(1.0, left))
        reason = _refused(target, reply, until)
        if reason is None:
            return
        if _STILL_STARTS not in reason or left <= 0:
            raise LaunchError(f"cannot load the agent into process {target.pid}: {reason}")
        time.sleep(_PAUSE_S)


def _refused(target: AttachTarget, reply: AttachReply, until: float) -> str | None:
    """Why it was not loaded; None if it was."""
    text = reply.text
    returned = re.search(r"^(?:return code: )?(-?\d+)\s*$", text, re.MULTILINE)
    if reply.code == 0 and returned is not None and int(returned[1]) == 0:
        return None
    if (known := known_refusal(text)) is not None:
        return known
    if returned is None:
        return one_line(text.strip() or f"error {reply.code}")
    properties = ask(target, "agentProperties", timeout_s=max(1.0, until - time.monotonic()))
    # While the VM starts no reason can be stored.
    return one_line(property_of(properties, _REFUSED) or _STILL_STARTS)


def known_refusal(text: str) -> str | None:
    """Why the VM has loaded no agent, where it says so itself; None for another text."""
    if "EnableDynamicAgentLoading" in text or "Dynamic agent loading is not enabled" in text:
        return "it was started with -XX:-EnableDynamicAgentLoading; start it without"
    if "only permitted in the live phase" in text:
        return _STILL_STARTS
    return None


def _tcp_address(target: AttachTarget, until: float) -> str:
    properties = ask(target, "agentProperties", timeout_s=max(1.0, until - time.monotonic()))
    listens = property_of(properties, _LISTENS) or ""
    transport, _, where = listens.partition(":")
    if transport != "dt_socket" or not where:
        raise LaunchError(
            f"the agent in process {target.pid} was loaded and does not listen: a debugger was "
            "faster"
        )
    return where if ":" in where else f"127.0.0.1:{where}"


@contextlib.contextmanager
def _library_for(target: AttachTarget, library: Path) -> Iterator[str]:
    """The path of the library for the process: ours, or a copy that is removed again."""
    if not target.is_contained and target.user == os.geteuid() and _fits(str(library)):
        yield str(library)
        return
    content = read_bytes(library)
    # The same content has the same name: the VM then loads it no second time.
    own = f"{_place_for_code(target)}/.jvmdebug-{hashlib.sha256(content).hexdigest()[:16]}.so"
    path = target.seen_from_here(own)
    try:
        with contextlib.suppress(FileNotFoundError):
            path.unlink()  # left by one that was killed
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, 0o644)
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, 0o644)
            file.write(content)
    except OSError as error:
        raise LaunchError(
            f"cannot put the agent's library where process {target.pid} can read it ({path}): "
            f"{reason(error)}"
        ) from error
    try:
        yield own
    finally:
        with contextlib.suppress(OSError):
            path.unlink()


def _place_for_code(target: AttachTarget) -> str:
    """A directory of the process from which it can load a library, as the process names it."""
    home = Path("/proc") / str(target.pid)
    places = ["/tmp", "/var/tmp", "/dev/shm", "/run"]  # noqa: S108
    with contextlib.suppress(OSError):
        places.append(os.readlink(home / "cwd"))  # noqa: PTH115
    mounts = _read_text(home / "mounts")
    refused = [each for each in places if forbids_code(each, mounts)]
    for each in places:
        seen = target.seen_from_here(each)
        if each not in refused and seen.is_dir() and os.access(seen, os.W_OK):
            return each
    raise LaunchError(
        f"cannot load the agent into process {target.pid}: {no_place(places, refused)}; give it a"
        " /tmp without noexec, or start it with the agent: `jvmdebug agent --option`"
    )


def no_place(places: Sequence[str], refused: Sequence[str]) -> str:
    """Why there is no place for the agent among these, of which the `refused` are noexec."""
    barred = ", ".join(each for each in places if each not in refused)
    parts = [f"{', '.join(refused)} cannot have code (mounted noexec)"] if refused else []
    parts += [f"{barred} cannot be written to (a read-only root?)"] if barred else []
    return ", and ".join(parts)


def forbids_code(path: str, mounts: str) -> bool:
    """Whether the file system that holds this path is mounted noexec; `mounts` is as in /proc."""
    longest, options = "", ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < _MOUNT_FIELDS:
            continue
        at = fields[1].replace("\\040", " ").rstrip("/")
        if (path == at or path.startswith(f"{at}/")) and len(at) >= len(longest):
            longest, options = at, fields[3]  # a later line covers an earlier one
    return "noexec" in options.split(",")


def _fits(path: str) -> bool:
    return len(os.fsencode(path)) < LONGEST_ARGUMENT


def _read_text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
