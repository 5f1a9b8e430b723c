# SPDX-License-Identifier: Apache-2.0
"""Launching in two parts: all that can fail before the program is started, and its start.

Owns that the VM starts while most of the core is imported, which takes longer: this module imports
little of it. Called by `opening` and front ends.
"""

from __future__ import annotations

import asyncio
import importlib
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from jvmdebug.session.output import OutputLog
from jvmdebug.session.project_program import program_command
from jvmdebug.session.vm_start import Begun, InTerminal, OwnProcess

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
    from pathlib import Path

    from jvmdebug.breakpoints import Suspend
    from jvmdebug.launch.command_line import JavaCommand, ProgramRequest
    from jvmdebug.launch.debuggee_process import StdinChoice
    from jvmdebug.session.events import Output
    from jvmdebug.session.session import Session
    from jvmdebug.session.vm_start import VmStart


async def prepare(
    request: ProgramRequest, on_progress: Callable[[str], object] | None = None
) -> JavaCommand:
    """All of a launch that can be done without starting the program: find the java and the agent,
    compile a `.java` file or the project. `launch_prepared` starts it, or
    `remove_temporary_files()` drops it. `on_progress` gets lines of the build.

    Raises LaunchError that names what cannot be used, or has the compiler's messages.
    """
    return await program_command(request, on_progress)


@asynccontextmanager
async def launch_prepared(
    command: JavaCommand,
    *,
    source_path: Sequence[str | Path] = (),
    suspend: Suspend = "all",
    stop_on_entry: bool = False,
    stdin: StdinChoice = "null",
    timeout_s: float = 30.0,
    on_output: Callable[[Output], object] | None = None,
    run: Callable[[list[str]], Awaitable[None]] | None = None,
) -> AsyncIterator[Session]:
    """Start what `prepare` has made; otherwise as `launch`.

    With `run` the program is started elsewhere, for example in a terminal: `run` gets the command,
    once more if the VM is to be started again. Directory, environment, input and output are the
    caller's then; the session has no `pid` and no exit code.
    """
    start: VmStart = OwnProcess(OutputLog(on_output), stdin, timeout_s)
    if run is not None:
        start = InTerminal(run, timeout_s)
    async with AsyncExitStack() as stack:
        stack.callback(command.remove_temporary_files)
        begun = Begun(start, command)
        stack.push_async_callback(begun.close)
        await asyncio.to_thread(_import_session)
        from jvmdebug.session.session import Session  # noqa: PLC0415 - see above
        from jvmdebug.session.starting import Launching  # noqa: PLC0415

        launching = Launching(
            begun, command, source_path=source_path, suspend=suspend, stop_on_entry=stop_on_entry
        )
        stack.push_async_callback(launching.close)
        yield Session(await launching.open(), launching, close=launching.close)


def _import_session() -> None:
    for name in ("session", "starting"):
        importlib.import_module(f"jvmdebug.session.{name}")
