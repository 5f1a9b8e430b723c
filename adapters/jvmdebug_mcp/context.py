# SPDX-License-Identifier: Apache-2.0
"""A stop as one answer: why, where, the source around it, the stack, the variables, and which of
them have changed since the last stop in the same method. Reads only. Called by the tools.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug_mcp.answers import listed

if TYPE_CHECKING:
    from jvmdebug_mcp.investigation import Investigation

_AROUND: Final = 4
_FRAMES: Final = 12
_VARIABLES: Final = 40
_LENGTH: Final = 200
_OUTPUT: Final = 20


async def describe(
    investigation: Investigation, stop: jvmdebug.Stop, frame: jvmdebug.FrameHandle | None = None
) -> str:
    """The stop, seen from its top frame or from another."""
    parts = [await _why(stop)]
    if not stop.has_frames:
        return "\n".join([*parts, "the thread has no Java frames", *recent(investigation)])
    frames = await stop.frames(0, _FRAMES)
    count = await stop.frame_count()
    chosen = frame or frames[0]
    parts += await _source(chosen)
    parts.append("stack:")
    parts += [f"  {each.depth} {each.function} at {each.location}" for each in frames]
    if count > len(frames):
        parts.append(f"  … {count - len(frames)} more frames")
    parts.append(f"variables of frame {chosen.depth}:")
    parts += await _variables(investigation, chosen)
    return "\n".join([*parts, *recent(investigation)])


async def _why(stop: jvmdebug.Stop) -> str:
    names = ", ".join(f"stop point {each.id}" for each in stop.breakpoints)
    what = names or str(stop.reason)
    if stop.exception is not None:
        thrown = await stop.thrown(with_stacks=stop.ends_thread)
        kind = "caught" if stop.exception_caught else "uncaught"
        what += f", {kind} exception {jvmdebug.one_line(str(thrown))}"
        if stop.ends_thread and thrown is not None:
            where = " < ".join(jvmdebug.one_line(each) for each in (thrown.stack or ())[:_AROUND])
            what += f" which has left all frames of the thread; it was thrown in {where}"
    if stop.change is not None:
        what += f", {await stop.change.as_text()}"
    if stop.returned is not None:
        what += f", {jvmdebug.one_line(stop.returned.name)} = {await stop.returned.as_text()}"
    problems = "".join(
        f"\nstop point {each.id}: {each.message}" for each in stop.breakpoints if each.message
    )
    threads = "all threads" if stop.all_threads else "only this thread"
    return f"stopped: {what} in thread {stop.thread.name!r} ({threads} stopped){problems}"


async def _source(frame: jvmdebug.FrameHandle) -> list[str]:
    head = f"at {frame.location}:"
    source = await frame.source()
    if source is None or frame.line is None:
        return [head, "  (no source was found)"]
    lines = source.as_text().splitlines()
    first, last = max(1, frame.line - _AROUND), min(len(lines), frame.line + _AROUND)
    return [
        head,
        *(
            f"{'->' if number == frame.line else '  '} {number:4} "
            f"{jvmdebug.one_line(lines[number - 1], None)}"
            for number in range(first, last + 1)
        ),
    ]


async def _variables(investigation: Investigation, frame: jvmdebug.FrameHandle) -> list[str]:
    variables = (await frame.variables())[:_VARIABLES]
    texts = await asyncio.gather(*(each.as_text(max_length=_LENGTH) for each in variables))
    lines = []
    for variable, text in zip(variables, texts, strict=True):
        place = (frame.function, variable.name)
        before = investigation.seen.get(place)
        changed = f"   (was {before})" if before is not None and before != text else ""
        investigation.seen[place] = text
        lines.append(f"  {jvmdebug.one_line(variable.name)} = {text}{changed}")
    return lines or ["  none"]


def recent(investigation: Investigation) -> list[str]:
    """What was logged and written since the last answer; shown once."""
    parts = _tested(list(investigation.tested))
    investigation.tested.clear()
    for name, kept in (("logged", investigation.logged), ("output", investigation.output)):
        if kept:
            lines = list(kept)
            kept.clear()
            left_out = len(lines) - _OUTPUT
            parts.append(f"{name}:")
            if left_out > 0:
                parts.append(f"  … {left_out} lines before")
            parts += [f"  {each}" for each in listed(lines[-_OUTPUT:], _OUTPUT, "lines")]
    return parts


def _tested(outcomes: list[str]) -> list[str]:
    """How many tests passed, and each that did not."""
    if not outcomes:
        return []
    counts = Counter(each.partition(" ")[0] for each in outcomes)
    others = [each for each in outcomes if not each.startswith("passed ")]
    summary = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    return [f"tests: {summary}", *(f"  {each}" for each in listed(others, _OUTPUT, "tests"))]
