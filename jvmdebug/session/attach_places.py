# SPDX-License-Identifier: Apache-2.0
"""Turns what `attach` is told about the place of a program into what can be connected to.

Owns the notations of a host, and what is done for a container and a pod. Called by `launch`.
"""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from jvmdebug.contained_places import PREFIXES, ContainerPlace, place_in, text_of
from jvmdebug.errors import LaunchError
from jvmdebug.jdwp import transport
from jvmdebug.launch.agent_library import launch_agent_path

if TYPE_CHECKING:
    import socket
    from collections.abc import Awaitable, Callable
    from contextlib import AsyncExitStack

    from jvmdebug.attaching.pods import WayToPod
    from jvmdebug.tls.proofs import Token

_LAST_PORT: Final = 65535
_LOOPBACK: Final = "127.0.0.1"
_FORWARDED_WITHIN_S: Final = 4.0


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """The place of a program, as `attach` is told."""

    host: str
    port: int
    pid: int | None
    container: str | None
    pod: str | None
    main_class: str | None
    debug_image: str | None


@dataclass(frozen=True, slots=True)
class Place:
    """A place that can be connected to."""

    host: str
    port: int
    pid: int | None
    """Of a process of this machine, in place of the two."""
    shown: str
    """For messages."""
    token: Token | None = None
    """Of an agent that was loaded into a pod."""
    way: WayToPod | None = None
    """To a pod."""

    @property
    def has_beats(self) -> bool:
        """Whether the link is watched by us: a relay passes no beats on, and a socket file needs
        none.
        """
        others = (transport.UNIX_PREFIX, transport.TLS_PREFIX)
        return self.pid is None and not self.host.startswith(others)

    def reaching(self, token: Token | None) -> Callable[[], Awaitable[socket.socket]]:
        """A function that connects once more, see `transport.reaching`."""
        if self.way is not None:
            return partial(_reach_pod_again, self.way, token)
        return transport.reaching(self.host, self.port, token)


async def found_place(named: NamedPlace, stack: AsyncExitStack, timeout_s: float) -> Place:
    """The place. What was begun for it, as the forwarding of a port, ends with the stack. Raises
    LaunchError.
    """
    host, port, pid = named.host, named.port, named.pid
    if named.container is not None or named.pod is not None:
        which = named.main_class or ("" if pid is None else str(pid))
        host, pid = text_of(named.container, named.pod, which), None
    if pid is not None:
        return Place(host, port, pid, f"process {pid}")
    if host.startswith(PREFIXES):
        return await _contained_place(host, named.debug_image, stack, timeout_s)
    has_port = not host.startswith((transport.UNIX_PREFIX, transport.TLS_PREFIX))
    name, colon, number = host.rpartition(":")
    if has_port and colon and number.isdigit() and (":" not in name or name.startswith("[")):
        host, port = name.strip("[]"), int(number)
    if has_port and not 0 < port <= _LAST_PORT:
        raise LaunchError(f"cannot attach to {host}:{port}: ports are 1 to {_LAST_PORT}")
    return Place(host, port, None, str(transport.Address(host, port)))


async def _contained_place(
    text: str, image: str | None, stack: AsyncExitStack, timeout_s: float
) -> Place:
    from jvmdebug import attaching  # noqa: PLC0415 - few programs are in containers

    place = place_in(text)
    if isinstance(place, ContainerPlace):
        pid = await asyncio.to_thread(attaching.process_of_place, place)
        return Place("", 0, pid, f"process {pid}")
    assert place is not None
    way = await _opened(
        lambda: attaching.way_to_pod(place, launch_agent_path, image, timeout_s=timeout_s)
    )
    stack.push_async_callback(asyncio.to_thread, way.close)
    return Place(_LOOPBACK, way.port, None, f"the pod {place}", way.token, way)


async def _opened(open_way: Callable[[], WayToPod]) -> WayToPod:
    """What it opens, in a thread; a caller that is cancelled leaves nothing behind."""
    made: list[WayToPod] = []
    is_given_up = threading.Event()

    def work() -> None:
        made.append(open_way())
        if is_given_up.is_set():
            made[0].close()

    try:
        await asyncio.to_thread(work)
    except asyncio.CancelledError:
        is_given_up.set()
        for each in made:  # it was there already
            asyncio.get_running_loop().run_in_executor(None, each.close)
        raise
    return made[0]


async def _reach_pod_again(way: WayToPod, token: Token | None) -> socket.socket:
    """A socket to the agent in a pod. Raises OSError, TokenError."""
    try:
        await asyncio.to_thread(way.open_again, _FORWARDED_WITHIN_S)
    except LaunchError as error:
        raise ConnectionError(str(error)) from error
    return await transport.proved_socket(transport.Address(_LOOPBACK, way.port), token)
