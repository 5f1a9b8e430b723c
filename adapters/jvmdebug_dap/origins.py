# SPDX-License-Identifier: Apache-2.0
"""Shows what submitted a task, below the stack of the thread that runs it.

Switched on by the attribute `origins`, or later by `jvmdebug/origins`. Each link is a frame with
the hint `label`, then the frames of the stack that submitted the task. Those in the JDK and in
libraries have the hint `subtle`: VS Code folds them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.errors import JvmDebugError
from jvmdebug.together import together
from jvmdebug_dap.convert import frames as convert
from jvmdebug_dap.models.generated import types as dap

if TYPE_CHECKING:
    from jvmdebug import Origin, OriginFrame, Stop, ThreadHandle
    from jvmdebug_dap.session import AdapterSession


async def begin(session: AdapterSession) -> None:
    """Switch it on in a new program if the configuration asks for it, or the user did in the one
    before. Says why if that is not possible.
    """
    session.shows_origins = False
    wanted = session.wants_origins
    if wanted is None:
        wanted = session.configuration is not None and session.configuration.origins
    if not wanted:
        return
    try:
        await switch(session, is_on=True)
    except JvmDebugError as error:
        session.tell(f"where tasks were submitted is not shown: {error}", "important")


async def switch(session: AdapterSession, *, is_on: bool) -> None:
    """Switch it on or off. UnsupportedError if the agent cannot do it."""
    tracking = session.core.origins()
    if is_on:
        await tracking.start()
    elif session.shows_origins:
        await tracking.stop()
    session.shows_origins = is_on


async def shown_below(session: AdapterSession, thread: ThreadHandle) -> list[dap.StackFrame]:
    """The frames to show below those of the thread; none while it is off."""
    stop = thread.stop
    if not session.shows_origins or stop is None:
        return []
    shown: list[dap.StackFrame] = []
    for origin in await stop.origins(thread=thread):
        label = dap.StackFrame(
            id=session.references.add_origin(stop, origin),
            name=origin.label,
            line=0,
            column=0,
            presentation_hint="label",
        )
        frames = await together(_frame(session, stop, origin, each) for each in origin.frames)
        shown += [label, *frames]
    return shown


async def _frame(
    session: AdapterSession, stop: Stop, origin: Origin, frame: OriginFrame
) -> dap.StackFrame:
    path = frame.source_path
    file = None if path is None else await stop.find_source(path, frame.line)
    return dap.StackFrame(
        id=session.references.add_origin(stop, origin),
        name=f"{frame.class_name.rpartition('.')[2]}.{frame.method}",
        source=None if file is None else convert.source_file(session, file),
        line=session.positions.to_client_line(frame.line),
        column=session.positions.first_column if frame.line is not None else 0,
        presentation_hint="subtle" if file is None or frame.is_plumbing else None,
    )


async def as_text(session: AdapterSession, stop: Stop) -> str:
    """The same as lines below the stack trace of an exception; empty while it is off."""
    if not session.shows_origins:
        return ""
    lines = []
    for origin in await stop.origins():
        lines += [f"{origin.label}:", *(f"\tat {each}" for each in origin.frames)]
    return "".join(f"{line}\n" for line in lines)
