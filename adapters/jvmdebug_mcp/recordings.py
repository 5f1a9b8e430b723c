# SPDX-License-Identifier: Apache-2.0
"""The tools that ask recordings: what has become of a value, and where two begin to differ."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_mcp.shared import Shared

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.recording import Moment, Recording, Write

_MOST = 40


class Recordings(Shared):
    """Each method is a tool."""

    async def recording(self, path: str, name: str = "", becomes: str = "") -> str:
        """Ask a recording (`fail.jvmrec`): how it ends; the values of a variable, field or element.

        Without name: the stack and the variables at its end, and how the program ended. name: as
        seen from there, `sum`, `this.total`, `cart.items[0].price`, `shop.Cart.made`; else all
        variables and fields of that simple name. becomes: only where it got this value: `null`,
        `42`, `"text"`; when did this become null. The last ones are shown, with where they were
        written and the stack.
        """
        return await asyncio.to_thread(_answer, path, name, becomes)

    async def compare_recordings(self, passing: str, failing: str, thread: str = "main") -> str:
        """The first call, line or value that differs between two recordings of the same code."""
        return await asyncio.to_thread(_compared, passing, failing, thread)


def _answer(path: str, name: str, becomes: str) -> str:
    with jvmdebug.recording.open(path) as recording:
        end = recording.end
        if not name:
            return _ending(recording, end)
        count = 0
        last: deque[Write] = deque(maxlen=_MOST)
        for each in _writes(recording, end, name, becomes):
            count += 1
            last.append(each)
        if not last:
            return f"no write of {name} was recorded{f' that made it {becomes}' if becomes else ''}"
        shown = [f"{jvmdebug.one_line(each.text)} written in {each.where}" for each in last]
        if count > _MOST:
            shown.insert(0, f"the last {_MOST} of {count} writes:")
        stack = [f"  {each.place}" for each in last[-1].moment.frames]
        return jvmdebug.several_lines("\n".join((*shown, "stack of the last one:", *stack)))


def _writes(recording: Recording, end: Moment | None, name: str, becomes: str) -> Iterable[Write]:
    """The writes of what the name means at the end, else of all that have it, in order."""
    if end is None:
        return recording.writes(name, becomes or None)
    try:
        found = end.values(name)
    except jvmdebug.recording.RecordingError:
        if not name.isidentifier():
            raise
        return recording.writes(name, becomes or None)
    if not becomes:
        return found
    return [each for each in found if each.text in (becomes, f'"{becomes}"')]


def _ending(recording: Recording, end: Moment | None) -> str:
    ending = recording.ending
    how = "its end was not recorded" if ending is None else ending.how
    if ending is not None and ending.exit_code is not None:
        how += f", exit code {ending.exit_code}"
    if ending is not None and ending.exception:
        how += f", {ending.exception}"
    lines = [f"{recording.header.main}: {how}", *recording.notes]
    if end is None:
        return jvmdebug.several_lines("\n".join((*lines, "nothing was recorded in it")))
    lines.append(f"thread {jvmdebug.one_line(end.thread.name)}:")
    lines += (f"  {each.place}" for each in end.frames)
    if end.frames:
        lines += (
            jvmdebug.one_line(f"  {each.name} = {each.text}") for each in end.frames[0].variables()
        )
    return jvmdebug.several_lines("\n".join(lines))


def _compared(passing: str, failing: str, thread: str) -> str:
    from jvmdebug.recording.comparing import first_difference  # noqa: PLC0415 - seldom needed

    with (
        jvmdebug.recording.open(passing) as first,
        jvmdebug.recording.open(failing) as second,
    ):
        found = first_difference(first, second, thread)
        if found is None:
            return "nothing differs"
        lines = []
        for what, text, moment in (
            ("passing", found.first_text, found.first),
            ("failing", found.second_text, found.second),
        ):
            lines.append(f"{what}: {text}")
            if moment is not None:
                lines += (f"  {each.place}" for each in moment.frames)
                if moment.frames:
                    shown = moment.frames[0].variables()
                    lines += (jvmdebug.one_line(f"    {each.name} = {each.text}") for each in shown)
        return jvmdebug.several_lines("\n".join(lines))
