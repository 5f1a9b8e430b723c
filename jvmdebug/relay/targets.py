# SPDX-License-Identifier: Apache-2.0
"""The JVMs that a relay is in front of: `HOST:PORT`, `unix:PATH`, a process id or a main class.

Owns how a text becomes a connection to an agent, at the moment when a debugger asks for it: a main
class is looked up among the JVMs that run then. Used by the server.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug import attaching
from jvmdebug.errors import JvmDebugError, LaunchError
from jvmdebug.jdwp import transport
from jvmdebug.launch.agent_library import launch_agent_path
from jvmdebug.os_errors import reason

if TYPE_CHECKING:
    import socket
    from collections.abc import Sequence

    from jvmdebug.tls.proofs import Token

_ADDRESS: Final = re.compile(r"(?:([^:\[\]\s/]+|\[[0-9A-Fa-f:.]+\]):)(\d{1,5})", re.ASCII)
_LAST_PORT: Final = 65535
_LOOPBACK: Final = "127.0.0.1"
_TIMEOUT_S: Final = 20.0
_LISTENS_AGAIN_S: Final = 3.0
"""An agent that has just lost a debugger does not listen for a moment."""
_PAUSE_S: Final = 0.02


@dataclass(frozen=True, slots=True)
class RelayTarget:
    """A JVM that debuggers may ask for by its name."""

    name: str
    text: str
    """`HOST:PORT`, `unix:PATH`, a process id or a main class."""


def relay_target(text: str) -> RelayTarget:
    """`TARGET`, which is its own name, or `NAME=TARGET`. Raises LaunchError for neither."""
    name, equals, target = text.partition("=")
    if not equals or text.startswith(transport.UNIX_PREFIX):
        name = target = text
    found = _ADDRESS.fullmatch(target)
    if found is not None and not 0 < int(found[2]) <= _LAST_PORT:
        raise LaunchError(f"{target!r} has no port that there can be: they are 1 to {_LAST_PORT}")
    if not name or not target or any(each.isspace() for each in name + target):
        raise LaunchError(
            f"{text!r} is no target: write HOST:PORT, unix:PATH, a process id or a main class, or"
            " NAME= and one of them"
        )
    return RelayTarget(name, target)


def chosen(targets: Sequence[RelayTarget], name: str) -> RelayTarget:
    """The target of that name; without a name the only one. Raises LaunchError, which lists the
    names.
    """
    if not name and len(targets) == 1:
        return targets[0]
    for each in targets:
        if each.name == name:
            return each
    names = ", ".join(each.name for each in targets)
    what = f"no program called {name!r}" if name else "more than one program"
    raise LaunchError(f"the relay has {what}: write tls://HOST:PORT/NAME with one of {names}")


async def connected(target: RelayTarget, token: Token | None) -> socket.socket:
    """A socket on which the agent waits for the handshake. `token` is for an agent that asks for
    one. Raises LaunchError.
    """
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            return await _connected(target, token)
    except TimeoutError:
        raise LaunchError(f"{target.name} does not answer") from None
    except ConnectionRefusedError:
        raise LaunchError(
            f"the relay cannot connect to {target.name}: nothing listens there, or another debugger"
            " is connected, where the JDK's agent serves one"
        ) from None
    except (OSError, ValueError) as error:
        raise LaunchError(f"the relay cannot connect to {target.name}: {reason(error)}") from error
    except JvmDebugError as error:
        raise LaunchError(f"the relay cannot connect to {target.name}: {error}") from error


async def _connected(target: RelayTarget, token: Token | None) -> socket.socket:
    loop = asyncio.get_running_loop()
    until = loop.time() + _LISTENS_AGAIN_S
    while True:
        address = await asyncio.to_thread(_address, target)  # one that was loaded may have ended
        try:
            return await transport.proved_socket(_split(address), token)
        except (ConnectionError, FileNotFoundError):
            if loop.time() > until:
                raise
        await asyncio.sleep(_PAUSE_S)


def _address(target: RelayTarget) -> str:
    """`HOST:PORT` or `unix:PATH`. Blocks. Raises LaunchError."""
    text = target.text
    if text.startswith(transport.UNIX_PREFIX) or _ADDRESS.fullmatch(text):
        return text
    pid = int(text) if text.isascii() and text.isdecimal() else _process(text)
    return attaching.address_of_process(pid, launch_agent_path, timeout_s=_TIMEOUT_S / 2)


def _process(main_class: str) -> int:
    found = [each.pid for each in attaching.local_jvms() if each.program == main_class]
    if len(found) == 1:
        return found[0]
    if not found:
        raise LaunchError(f"no JVM runs the class {main_class} now")
    pids = ", ".join(map(str, found))
    raise LaunchError(f"several JVMs run the class {main_class}: the processes {pids}")


def _split(address: str) -> transport.Address:
    if address.startswith(transport.UNIX_PREFIX):
        return transport.Address(address, 0)
    host, _, port = address.rpartition(":")
    return transport.Address(host.strip("[]") or _LOOPBACK, int(port))
