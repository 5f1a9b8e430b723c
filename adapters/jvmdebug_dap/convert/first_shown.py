# SPDX-License-Identifier: Apache-2.0
"""Tells which frame of a stack an editor opens, so that every stop is seen.

An editor opens the first frame that is not greyed. VS Code reads the topmost frame, then 19 more,
opens one of these and shows the exception there; of a stop whose 20 frames are all greyed it shows
nothing. Called by `stackTrace`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from jvmdebug.together import together
from jvmdebug_dap.convert.frames import is_passed_over, listed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable

    from jvmdebug import FrameHandle

PAGE: Final = 20
"""So many frames an editor reads before it opens one, even if it asks for the topmost first."""
REACH: Final = 200
"""So deep the user's own code is looked for if the editor takes more frames than it asks for."""


class ReadFrames(Protocol):
    """Reads a page of the frames of one stack."""

    def __call__(self, start: int, count: int | None) -> Awaitable[list[FrameHandle]]:
        """Gives at most `count` frames from `start` on; None: all."""


async def first_shown(read: ReadFrames, end: int | None) -> tuple[int, FrameHandle] | None:
    """The first frame of the user's own code before `end`, with a source if there is such a frame,
    else the topmost; with its number. None for an empty stack.
    """
    best: tuple[int, FrameHandle] | None = None
    async for at, frame in _numbered(read, end):
        if best is None:
            best = at, frame
        if frame.is_obsolete or await is_passed_over(frame):
            continue
        if await frame.source() is not None or (at == 0 and await listed(frame) is not None):
            return at, frame
        if best[0] == 0:
            best = at, frame
    return best


async def _numbered(read: ReadFrames, end: int | None) -> AsyncIterator[tuple[int, FrameHandle]]:
    """The frames before `end` with their numbers; the topmost alone first, as it often decides."""
    start, length = 0, 1
    while end is None or start < end:
        page = await read(start, length if end is None else min(length, end - start))
        await together(each.is_library() for each in page)
        for at, frame in enumerate(page, start):
            yield at, frame
        if len(page) < length:
            return
        start, length = start + length, PAGE - 1 if start == 0 else PAGE
