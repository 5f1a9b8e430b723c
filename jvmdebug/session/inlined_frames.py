# SPDX-License-Identifier: Apache-2.0
"""A frame for each inline function that Kotlin's compiler has copied into a method.

The VM knows one frame for the method. Shown are the function at the location and its variables, the
lambda that called it, and so on, down to the method; each at the line where it calls the next. They
are one frame: stepping, popping and returning are those of the method. Called by Stop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.model.location import Location
from jvmdebug.session.frame_handle import FrameHandle
from jvmdebug.sources import InlineCopy, inline_copies, source_line
from jvmdebug.together import together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.session.stop import Stop
    from jvmdebug.session.threads import ThreadHandle


async def frames_with_inlined(
    stop: Stop, start: int, count: int | None, thread: ThreadHandle | None
) -> list[FrameHandle]:
    """A page of the frames of a thread, the inlined ones counted too."""
    wanted = None if count is None else start + count
    found: list[FrameHandle] = []
    depth = 0
    while wanted is None or len(found) < wanted:
        missing = None if wanted is None else wanted - len(found)
        page = await stop.frames(depth, missing, thread=thread)
        found += await with_inlined(page)
        depth += len(page)
        if missing is None or len(page) < missing:
            break
    return found[start:wanted]


async def with_inlined(handles: Sequence[FrameHandle]) -> list[FrameHandle]:
    """The frames, and before each those of the functions that are copied into it."""
    every = await together(_expanded(each) for each in handles)
    return [handle for expanded in every for handle in expanded]


async def _expanded(handle: FrameHandle) -> list[FrameHandle]:
    frame = await handle.frame()
    copies = await inline_copies(frame.location)
    if not copies:
        return [handle]
    method = frame.location.method
    # Each but the innermost is at the instruction before the next one begins.
    places = [Location(method, max(each.start - 1, 0)) for each in copies] + [frame.location]
    lines = await together(source_line(each) for each in places)
    own = handle.function.partition("(")[0]
    names = [handle.function, *(_function(each, own) for each in copies)]
    made = [
        FrameHandle(
            handle.stop,
            handle.thread,
            frame.in_copy(number),
            line,
            handle.source_name,
            function=name,
            inlined=copies[number - 1] if number else None,
        )
        for number, (name, line) in enumerate(zip(names, lines, strict=True))
    ]
    return made[::-1]


def _function(copy: InlineCopy, own: str) -> str:
    """`countAll (inlined)`, `lambda in names (inlined)`"""
    name = f"lambda in {own}" if copy.is_lambda else copy.label
    return f"{name} (inlined)"
