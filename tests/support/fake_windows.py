# SPDX-License-Identifier: Apache-2.0
"""Makes this process like one on Windows, as far as Python shows it: run before the core is
imported, in a process of its own (`python -c "import tests.support.fake_windows"`).

What Windows lacks is taken from `os`, `signal` and `socket`, modules that it does not have cannot
be imported, and the event loop takes neither pipes nor signals nor descriptors. Paths and the Java
runtimes stay those of this machine: `runtime` has one whose programs end with `.exe`. Jobs are
those of a fake kernel, which records what is asked of it.
"""

from __future__ import annotations

import asyncio
import os
import selectors
import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from pathlib import Path

_OF_OS = (
    *("geteuid", "getuid", "getegid", "getgid", "fchmod", "fchown", "chown", "mkfifo", "killpg"),
    *("getpgid", "setsid", "fork", "pidfd_open", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC"),
    *("O_NOFOLLOW", "WNOHANG", "uname", "getgroups", "sched_getaffinity", "O_DIRECTORY"),
)
_OF_SIGNAL = ("SIGKILL", "SIGCONT", "SIGQUIT", "SIGHUP", "SIGSTOP", "SIGUSR1", "SIGUSR2", "SIGCHLD")
_OF_SOCKET = ("SO_PEERCRED", "TCP_USER_TIMEOUT", "socketpair_of_unix")
_MODULES = ("pwd", "grp", "fcntl", "termios", "resource", "tty", "pty", "readline", "syslog")
_OF_LOOP = (
    *("add_signal_handler", "remove_signal_handler", "add_reader", "add_writer"),
    *("connect_read_pipe", "connect_write_pipe", "create_unix_connection", "create_unix_server"),
)

_OF_POPEN = {"start_new_session", "process_group", "preexec_fn", "pass_fds", "user", "umask"}

kernel_calls: list[tuple[str, tuple[Any, ...]]] = []
"""What was asked of the fake kernel: the function and its arguments."""


class _Kernel:
    """Functions of kernel32 that do nothing and succeed."""

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any) -> int:
            kernel_calls.append((name, arguments))
            return 1

        return call


class _Loop(asyncio.SelectorEventLoop):
    """An event loop that takes sockets and nothing else. Its own wakeups are internal."""

    def __init__(self) -> None:
        super().__init__(selectors.DefaultSelector())


def _refuse(name: str) -> Any:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise NotImplementedError(f"the event loop of Windows has no {name}")

    return refuse


class _Popen(subprocess.Popen[Any]):
    """Takes the arguments of Windows' Popen, and none of POSIX's own."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        if options.keys() & _OF_POPEN:
            raise ValueError(f"Windows' Popen takes none of {_OF_POPEN}")
        options.pop("creationflags", None)
        super().__init__(*arguments, **options)

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, 9)

    def send_signal(self, sig: int) -> None:
        if sig != signal.SIGTERM:
            raise ValueError(f"Windows has no signal {sig} for a process")
        self.kill()


class _Policy(asyncio.DefaultEventLoopPolicy):
    _loop_factory = _Loop


def pretend() -> None:
    """Make this process like one on Windows."""
    for name in _MODULES:
        sys.modules[name] = cast("Any", None)  # an import of it fails
    from jvmdebug.platform import jobs, system  # noqa: PLC0415 - it reads nothing of what is taken

    for module, names in ((os, _OF_OS), (signal, _OF_SIGNAL), (socket, _OF_SOCKET)):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    system.NAME = "win32"
    jobs._kernel32 = _Kernel
    for name in _OF_LOOP:
        setattr(_Loop, name, _refuse(name))
    subprocess.Popen = _Popen  # type: ignore[misc]
    asyncio.set_event_loop_policy(_Policy())


def runtime(real: Path, folder: Path) -> Path:
    """A Java runtime whose programs and agent are named as on Windows, and are those of `real`."""
    made = folder / "jdk"
    (made / "bin").mkdir(parents=True)
    for name in ("java", "javac"):
        (made / "bin" / f"{name}.exe").symlink_to(real / "bin" / name)
    (made / "bin" / "jdwp.dll").touch()
    for name in ("lib", "release"):
        (made / name).symlink_to(real / name)
    return made
