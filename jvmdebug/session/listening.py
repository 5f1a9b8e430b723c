# SPDX-License-Identifier: Apache-2.0
"""Waiting for programs that connect to us (`server=n`): one, or any number, each a session.

Owns the listening port of a user's, and what such programs are called. Called by users and front
ends.
"""

from __future__ import annotations

import asyncio
import functools
import re
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import ConnectionFailed, JvmDebugError, LaunchError, TokenError
from jvmdebug.jdwp import link, tokens, transport
from jvmdebug.launch.project_command import program_command
from jvmdebug.session.program import accept

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator, Callable, Sequence
    from pathlib import Path

    from jvmdebug.breakpoints import Suspend
    from jvmdebug.jdwp.connection import Connection
    from jvmdebug.launch.command_line import ProgramRequest
    from jvmdebug.session.services import Services
    from jvmdebug.session.session import Session

LOOPBACK: Final = "127.0.0.1"
_PORT: Final = re.compile(r":\d+\b")


class Listener:
    """A listening port that a VM started with `server=n` connects to; made by `listen`."""

    def __init__(
        self,
        stack: AsyncExitStack,
        listening: transport.Listener,
        *,
        source_path: Sequence[str | Path],
        suspend: Suspend,
        timeout_s: float,
    ) -> None:
        self.host = listening.address.host
        self.port = listening.address.port
        self._stack = stack
        self._listening = listening
        self._refusals: set[str] = set()
        self._source_path = source_path
        self._suspend: Suspend = suspend
        self._timeout_s = timeout_s

    def __repr__(self) -> str:
        return f"Listener({self._listening.address})"

    async def command(self, request: ProgramRequest) -> list[str]:
        """The command that starts a program so that it reports to `session`; as in `launch`. A
        `.java` program is compiled; the class files live as long as the listener.

        The VM is held until the session starts it; its mode cannot change later.
        """
        command = await program_command(request)
        self._stack.callback(command.remove_temporary_files)
        return list(command.connecting_to(str(self._listening.address)))

    async def session(self) -> Session:
        """Wait for a VM to connect; raises LaunchError after the listener's time limit."""
        try:
            connection = await accept(self._listening, self._timeout_s)
        finally:
            self._listening.close()
        services = await self._services(connection, self._stack)
        name = await _name_of(services)
        from jvmdebug.session.session import Session  # noqa: PLC0415 - slow to import

        return Session(services, close=self._stack.aclose, name=name)

    async def sessions(
        self, on_refusal: Callable[[str], object] | None = None
    ) -> AsyncIterator[Session]:
        """Iterate over the programs that connect, without an end: a session each, any number at
        the same time, named by what the program says of itself, `shop.Main (process 4711)`.

        Each is closed with `session.close()`, or with the listener. `on_refusal` is told once why
        peers of a machine are not let in, such as those with another token.
        """
        listening = self._listening.accept_all(functools.partial(self._refused, on_refusal))
        async for connection in listening:
            stack = AsyncExitStack()
            try:
                services = await self._services(connection, stack)
                name = await _name_of(services)
            except JvmDebugError as error:  # it has ended, or is lost
                await stack.aclose()
                self._refused(on_refusal, f"{connection.peer}: {error}")
                continue
            self._stack.push_async_callback(stack.aclose)
            from jvmdebug.session.session import Session  # noqa: PLC0415 - slow to import

            yield Session(services, close=stack.aclose, name=name)

    def _refused(self, on_refusal: Callable[[str], object] | None, why: str) -> None:
        known = _PORT.sub("", why)
        if on_refusal is not None and known not in self._refusals:
            self._refusals.add(known)
            on_refusal(why)

    async def _services(self, connection: Connection, stack: AsyncExitStack) -> Services:
        from jvmdebug.session.services import connected_services  # noqa: PLC0415 - slow to import

        return await connected_services(
            connection,
            stack,
            source_path=self._source_path,
            suspend=self._suspend,
            link=(_unreachable, link.terms(0, holds=False)),
        )


async def _unreachable() -> socket.socket:
    raise ConnectionError("it connects to us, and not we to it")


async def _name_of(services: Services) -> str:
    """The main class and process of a program that has connected to us; its address if it has
    another agent than ours, and is not on this machine.
    """
    watched = services.vm.connection.link
    if watched is not None:
        await watched.is_negotiated()
    process = await asyncio.to_thread(lambda: services.vm.connection.peer_process)
    program = "" if watched is None else watched.program.partition(" ")[0]
    if not program and process is not None:
        program = await asyncio.to_thread(_main_class, process)
    if process is None and watched is not None:
        process = watched.program_process
    name = program or services.vm.connection.peer
    return name if process is None else f"{name} (process {process})"


def _main_class(process: int) -> str:
    from jvmdebug import attaching  # noqa: PLC0415 - seldom needed

    found = attaching.local_jvm(process)
    return "" if found is None else found.program or ""


@asynccontextmanager
async def listen(
    host: str = LOOPBACK,
    port: int = 0,
    *,
    source_path: Sequence[str | Path] = (),
    suspend: Suspend = "all",
    token_file: str | Path | None = None,
    timeout_s: float = 60.0,
) -> AsyncIterator[Listener]:
    """Wait for a VM that connects to us, e.g. one that runs in a terminal of its own.

    The VM is started by the caller, with the command from `Listener.command` or with an agent
    option of their own (`server=n`). Leaving the context resumes everything and detaches. With a
    `token_file` only VMs are let in whose agent has that token (`token-file=`). Raises LaunchError.
    """
    async with AsyncExitStack() as stack:
        try:
            token = None if token_file is None else await tokens.token_of(token_file)
            listening = stack.enter_context(transport.listen(host, port, token=token))
        except (ConnectionFailed, TokenError) as error:
            raise LaunchError(str(error)) from error
        yield Listener(
            stack, listening, source_path=source_path, suspend=suspend, timeout_s=timeout_s
        )
