# SPDX-License-Identifier: Apache-2.0
"""Hot code replace: jvmdebug/redefineClasses, jvmdebug/replaceSources."""

from typing import TYPE_CHECKING, Final

from jvmdebug_dap.convert.events import redefined_classes
from jvmdebug_dap.models.custom import (
    OldFrameBody,
    RedefineClassesArguments,
    RedefineClassesBody,
    ReplaceSourcesArguments,
    ReplaceSourcesBody,
    SourceProblemBody,
)
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import LIVE, STARTED

if TYPE_CHECKING:
    import jvmdebug

_FRAMES: Final = 50
"""How many frames of a stopped thread are looked at."""


@request(
    "jvmdebug/redefineClasses",
    when=LIVE,
    holds_events=True,
    progress="Replacing classes",
)
async def redefine_classes(
    session: AdapterSession, arguments: RedefineClassesArguments
) -> RedefineClassesBody:
    """One outcome for each class file; a refused class is not an error of the request."""
    paths = [session.positions.to_path(each) for each in arguments.paths]
    found = await session.core.redefine(*paths, changed_only=arguments.changed_only)
    return redefined_classes(session, found)


@request(
    "jvmdebug/replaceSources",
    when=STARTED,
    holds_events=True,
    progress="Compiling and replacing classes",
)
async def replace_sources(
    session: AdapterSession, arguments: ReplaceSourcesArguments
) -> ReplaceSourcesBody:
    """Saved sources of the program; what does not compile is no error of the request."""
    positions = session.positions
    found = await session.core.replace_sources(*map(positions.to_path, arguments.paths))
    return ReplaceSourcesBody(
        classes=redefined_classes(session, found.classes).classes,
        problems=[problem(session, each) for each in found.messages],
        strangers=[positions.to_client_path(each) for each in found.strangers],
        old_frames=await old_frames(session) if found.classes else [],
    )


def problem(session: AdapterSession, found: "jvmdebug.CompilerMessage") -> SourceProblemBody:
    return SourceProblemBody(
        path=session.positions.to_client_path(found.path),
        line=session.positions.to_client_line(found.line),
        column=session.positions.first_column + found.column - 1,
        message=found.text,
        severity="error" if found.is_error else "warning",
    )


async def old_frames(session: AdapterSession) -> list[OldFrameBody]:
    """Frames of old code in the threads that have stopped, the topmost of each thread first."""
    return [
        OldFrameBody(
            frame_id=session.references.add_frame(frame),
            thread_id=session.threads.number(stop.thread),
            name=frame.function,
        )
        for stop in session.core.current_stops
        if stop.has_frames
        for frame in await stop.frames(0, _FRAMES)
        if frame.is_obsolete
    ]
