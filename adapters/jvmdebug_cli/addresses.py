# SPDX-License-Identifier: Apache-2.0
"""Where a JVM is: `HOST:PORT`, `unix:PATH`, or the id of a process on this machine.

Owns the notation, and what is said of a process that cannot be attached to. Used by `attach` and by
all subcommands that take a TARGET.
"""

from __future__ import annotations

import re
from typing import Final

import jvmdebug
from jvmdebug_cli.exit_codes import WrongUsageError

_UNIX: Final = "unix:"
_MAX_PORT: Final = 65535
_ADDRESS: Final = re.compile(
    r"(?:(?P<host>[^:\[\]\s]+|\[[0-9A-Fa-f:.]+\]):)?(?P<port>\d{1,5})", re.ASCII
)
TARGET_HELP: Final = "HOST:PORT or unix:PATH of a debug agent, or a process id (see `jvmdebug ps`)"


def address(text: str) -> tuple[str, int]:
    """Host and port of `5005`, `host:5005`, `[::1]:5005`, or of the socket `unix:PATH`.

    WrongUsageError for anything else.
    """
    if text.removeprefix(_UNIX) not in (text, ""):
        return text, 0
    found = _ADDRESS.fullmatch(text)
    if found is None or not 0 < int(found["port"]) <= _MAX_PORT:
        raise WrongUsageError(
            f"{text!r} is not an address: write PORT, HOST:PORT, [IPV6]:PORT or unix:PATH"
        )
    return (found["host"] or "localhost").strip("[]"), int(found["port"])


def address_or_process(text: str) -> tuple[str, int]:
    """What `attach` takes: an address, where a number alone is a port unless it can be none, or
    else the id of a Java process. Raises as `target`.
    """
    is_number = text.isascii() and text.isdecimal()
    if is_number and (int(text) > _MAX_PORT or jvmdebug.local_jvm(int(text)) is not None):
        return target(text)
    return address(text)


def target(text: str) -> tuple[str, int]:
    """The same of a TARGET, where a number alone is a process id.

    WrongUsageError for what is neither, LaunchError for a process that does not listen.
    """
    if not (text.isascii() and text.isdecimal()):
        try:
            return address(text)
        except WrongUsageError:
            raise WrongUsageError(
                f"{text!r} is no target: write HOST:PORT, unix:PATH or the id of a process"
            ) from None
    return address(_listening_address(int(text)))


def _listening_address(pid: int) -> str:
    jvm = jvmdebug.local_jvm(pid)
    if jvm is None:
        raise jvmdebug.LaunchError(
            f"there is no Java program with the process id {pid} here: `jvmdebug ps` lists them "
            f"(a port is written localhost:{pid})"
        )
    name = f"process {pid} ({jvm.program or 'unknown program'})"
    agent = jvm.agent
    if agent is None:
        raise jvmdebug.LaunchError(
            f"{name} has no debug agent, and none can be loaded into a JVM that runs: start it "
            "with `java $(jvmdebug agent --option 5005) ...`"
        )
    if agent.connects:
        raise jvmdebug.LaunchError(
            f"the debug agent of {name} connects to a debugger (server=n) and never listens: start "
            "it with `java $(jvmdebug agent --option 5005) ...`"
        )
    if not agent.is_listening or agent.address is None:
        at = "" if agent.address is None else f" at {agent.address}"
        raise jvmdebug.LaunchError(
            f"the debug agent of {name} does not listen{at} now: another debugger is attached, and "
            "has to detach first"
        )
    return agent.address
