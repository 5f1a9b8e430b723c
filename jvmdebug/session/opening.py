# SPDX-License-Identifier: Apache-2.0
"""How a session comes to be and goes: `launch`, `attach`, `listen` as async context managers.

Owns the order of opening and closing, and that nothing is left behind when either fails. Processes
are `jvmdebug.launch`'s, the wire `jdwp`'s.
"""

from __future__ import annotations

import asyncio
import contextlib
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from jvmdebug.errors import ConnectionFailed, HandshakeFailed, LaunchError, StateError, WireError
from jvmdebug.events import Router
from jvmdebug.jdwp import transport
from jvmdebug.launch.command_line import JavaCommand, ProgramRequest, java_command
from jvmdebug.launch.debuggee_process import DebuggeeProcess, ProcessPlan, StdinChoice
from jvmdebug.launch.jdk import home_of_version
from jvmdebug.model.virtual_machine import VirtualMachine
from jvmdebug.session.lifecycle import LaunchedProgram
from jvmdebug.session.output import OutputLog
from jvmdebug.session.parts import Parts
from jvmdebug.session.session import Session
from jvmdebug.session.settings import SessionSettings
from jvmdebug.session.state import SessionState
from jvmdebug.session.stop import StopReason
from jvmdebug.sources import MethodSpec, SourceFinder

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from jvmdebug.breakpoints import Suspend
    from jvmdebug.jdwp.connection import Connection
    from jvmdebug.session.events import Output

AgentChoice: TypeAlias = Literal["auto", "jvmdebug", "stock"]
_LOOPBACK = "127.0.0.1"
_GRACE_S = 5.0
"""How long a program may take to end after SIGTERM."""


@asynccontextmanager
async def launch(  # noqa: PLR0913 - what a program can be started with
    main_class: str | None = None,
    *,
    program: str | Path | None = None,
    module: str | None = None,
    class_path: Sequence[str | Path] = (),
    module_path: Sequence[str | Path] = (),
    args: Sequence[str] = (),
    vm_args: Sequence[str] = (),
    cwd: str | Path | None = None,
    env: Mapping[str, str | None] | None = None,
    java: str | Path | None = None,
    source_path: Sequence[str | Path] = (),
    agent: AgentChoice = "auto",
    suspend: Suspend = "all",
    stop_on_entry: bool = False,
    encoding: str | None = None,
    stdin: StdinChoice = "null",
    timeout_s: float = 30.0,
    on_output: Callable[[Output], None] | None = None,
) -> AsyncIterator[Session]:
    """Start a Java program under the debugger; the VM is held until `start`, `stops` or `resume`.

    Exactly one of `main_class`, `program` (a `.java` or `.jar` file) and `module` (`m` or
    `m/main.Class`) says what to run. `env` is laid over this process's environment (None removes a
    name). `java` is a java executable or a JDK's home; otherwise JAVA_HOME, then PATH, then the
    usual places. `encoding` is that of the output; given, it is also set in the VM. Raises
    LaunchError with the program's stderr if the VM does not come up within `timeout_s`. Leaving
    the context terminates the program if it still runs.
    """
    request = ProgramRequest(
        main_class=main_class,
        program=program,
        module=module,
        class_path=class_path,
        module_path=module_path,
        args=args,
        vm_args=vm_args,
        cwd=cwd,
        env=env,
        java=java,
        agent=agent,
        encoding=encoding,
    )
    async with AsyncExitStack() as stack:
        command = await java_command(request)
        stack.callback(command.remove_temporary_files)
        log = OutputLog(on_output)
        plan = ProcessPlan(command.command, command.cwd, command.env, command.encoding, stdin)
        process = await DebuggeeProcess.start(plan, log.write)
        stack.push_async_callback(_close_unless_released, process)
        connection = await _connect_to(process, timeout_s)
        stack.push_async_callback(connection.close)
        launched = LaunchedProgram(process, log)
        parts = await _parts(stack, connection, command, source_path, suspend, launched)
        await _open(parts, is_held=True, entry=command if stop_on_entry else None)
        yield Session(parts)


@asynccontextmanager
async def attach(
    host: str = _LOOPBACK,
    port: int = 5005,
    *,
    source_path: Sequence[str | Path] = (),
    suspend: Suspend = "all",
    timeout_s: float = 30.0,
) -> AsyncIterator[Session]:
    """Connect to a VM whose agent listens. Leaving the context resumes everything and detaches.

    Raises LaunchError if nothing answers the handshake within `timeout_s`.
    """
    async with AsyncExitStack() as stack:
        try:
            connection = await transport.connect(host, port, timeout_s=timeout_s)
        except (ConnectionFailed, HandshakeFailed) as error:
            raise LaunchError(f"cannot attach to {host}:{port}: {error}") from error
        stack.push_async_callback(connection.close)
        parts = await _parts(stack, connection, None, source_path, suspend, None)
        await _open(parts, is_held=False)
        yield Session(parts)


class Listener:
    """A port of ours where a VM started with `server=n` reports; made by `listen`."""

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
        self._source_path = source_path
        self._suspend: Suspend = suspend
        self._timeout_s = timeout_s
        self._command: JavaCommand | None = None

    async def command(self, request: ProgramRequest) -> list[str]:
        """The command that starts a program so that it reports here, for a terminal to run.

        A `.java` program is compiled; the class files live as long as the listener. Directory and
        environment of the request are the caller's to set.
        """
        address = f"{self.host}:{self.port}"
        self._command = await java_command(request, address=address, server=False)
        self._stack.callback(self._command.remove_temporary_files)
        return list(self._command.command)

    async def session(self, *, stop_on_entry: bool = False) -> Session:
        """Wait for the VM to connect; raises LaunchError after the listener's time limit."""
        try:
            connection = await self._listening.accept(self._timeout_s)
        except (ConnectionFailed, HandshakeFailed) as error:
            raise LaunchError(str(error)) from error
        finally:
            self._listening.close()
        self._stack.push_async_callback(connection.close)
        parts = await _parts(
            self._stack, connection, self._command, self._source_path, self._suspend, None
        )
        if stop_on_entry and self._command is None:
            raise StateError("stop_on_entry needs a program that `command` has made")
        entry = self._command if stop_on_entry else None
        await _open(parts, is_held=self._command is not None, entry=entry)
        return Session(parts)


@asynccontextmanager
async def listen(
    host: str = _LOOPBACK,
    port: int = 0,
    *,
    source_path: Sequence[str | Path] = (),
    suspend: Suspend = "all",
    timeout_s: float = 60.0,
) -> AsyncIterator[Listener]:
    """Wait for a VM that connects to us, e.g. one that runs in a terminal of its own.

    The VM is started by others, with what `Listener.command` gives or with an agent option of
    their own (`server=n`). Leaving the context resumes everything and detaches.
    """
    async with AsyncExitStack() as stack:
        try:
            listening = stack.enter_context(transport.listen(host, port))
        except ConnectionFailed as error:
            raise LaunchError(str(error)) from error
        yield Listener(
            stack, listening, source_path=source_path, suspend=suspend, timeout_s=timeout_s
        )


async def _parts(
    stack: AsyncExitStack,
    connection: Connection,
    command: JavaCommand | None,
    source_path: Sequence[str | Path],
    suspend: Suspend,
    program: LaunchedProgram | None,
) -> Parts:
    """The parts of a session on an open connection; the stack closes them."""
    vm = VirtualMachine(connection)
    await vm.initialize()
    roots = () if command is None else command.source_roots
    java_home: Path | None
    if command is not None:
        class_paths, java_home = command.class_paths, command.jdk.home
    else:
        class_paths = await _local_class_paths(vm)
        java_home = await asyncio.to_thread(home_of_version, vm.version.feature_release)
    sources = await asyncio.to_thread(
        SourceFinder, (*source_path, *roots), class_paths, java_home=java_home
    )
    parts = Parts(Router(vm), SessionSettings(suspend=suspend), sources, program)
    stack.push_async_callback(_close, parts, ends_program=program is not None)
    return parts


async def _local_class_paths(vm: VirtualMachine) -> tuple[Path, ...]:
    """The class path of a VM that we did not start, as far as it is on this machine too."""
    reply = await vm.class_paths()
    paths = [Path(reply.base_directory) / path for path in reply.class_paths if path]
    return tuple(await asyncio.to_thread(lambda: [path for path in paths if path.exists()]))


async def _open(parts: Parts, *, is_held: bool, entry: JavaCommand | None = None) -> None:
    """Begin to take events; `is_held`: wait until the VM has said that it is held."""
    parts.life.watch()
    parts.router.start()
    await parts.threads.watch()
    if is_held:
        await parts.life.wait_held()
    else:
        parts.life.assume_running()
    if entry is not None:
        spec = MethodSpec(entry.main_class or "*", "main")
        await parts.set_own_breakpoint(spec, StopReason.ENTRY)


async def _close(parts: Parts, *, ends_program: bool) -> None:
    """Leave the program: end it, or resume everything and detach."""
    if ends_program and parts.keeper.state is not SessionState.ENDED:
        await parts.let_go()
        await parts.life.terminate(_GRACE_S)
    await parts.life.close()


async def _connect_to(process: DebuggeeProcess, timeout_s: float) -> Connection:
    port = await process.port(timeout_s)
    try:
        return await transport.connect(_LOOPBACK, port, timeout_s=timeout_s, retry=False)
    except WireError as error:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                await process.wait()
        raise LaunchError(f"the program did not come up: {error}{process.said()}") from error


async def _close_unless_released(process: DebuggeeProcess) -> None:
    if not process.is_released:
        await process.close()
