# SPDX-License-Identifier: Apache-2.0
"""Stops, frames, variables, source lines, breakpoints and threads as text for the prompt.

Knows the public API; does not know the input or the commands.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import jvmdebug

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug_cli.console import Console

_CONTEXT = 5
"""Source lines that `list` shows before and after its line."""
_MAX_FRAMES = 40

_REASONS = {
    jvmdebug.StopReason.ENTRY: "At the start",
    jvmdebug.StopReason.BREAKPOINT: "Breakpoint",
    jvmdebug.StopReason.FUNCTION_BREAKPOINT: "Breakpoint",
    jvmdebug.StopReason.INSTRUCTION_BREAKPOINT: "Breakpoint",
    jvmdebug.StopReason.EXCEPTION: "Exception",
    jvmdebug.StopReason.WATCHPOINT: "Watchpoint",
    jvmdebug.StopReason.PAUSE: "Paused",
    jvmdebug.StopReason.POP_FRAME: "Popped",
    jvmdebug.StopReason.FORCE_RETURN: "Returned",
}


def greeting(session: jvmdebug.Session) -> str:
    """The first line of a session."""
    agent = "jvmdebug's agent" if session.agent == "jvmdebug" else "the JDK's own agent"
    if session.pid is None:
        return f"Attached, through {agent}. `help` lists the commands."
    return (
        f"Process {session.pid}, held before its first instruction, with {agent}. "
        "Set breakpoints, then `run`; `help` lists the commands."
    )


async def stop(at: jvmdebug.Stop, console: Console) -> str:
    """Why and where the program stopped, with the source line."""
    what = _REASONS.get(at.reason, "")
    if at.breakpoints:
        what = ", ".join(f"Breakpoint {hit.id}" for hit in at.breakpoints)
    if at.exception is not None:
        kind = "caught" if at.exception_caught else "uncaught"
        what = f"Exception ({kind}) {await at.exception.text()}"
        if at.first_thrown_at is not None:
            what = f"{what}, rethrown, first at {at.first_thrown_at}"
    if at.change is not None:
        what = f"{what}, {await at.change.text()}"
    if not at.has_frames:
        return f"{what or 'Stopped'}, {thread_name(at.thread)}, not in Java code"
    where = f"{console.bold(at.frame.location)}, {thread_name(at.thread)}"
    lines = [f"{what}, {where}" if what else where]
    if at.returned is not None:
        lines.insert(
            0, f"{jvmdebug.one_line(at.returned.name)} returned {await at.returned.text()}"
        )
    if (source := await source_line(at.frame)) is not None:
        lines.append(f"{at.frame.line}\t{source}")
    elif at.frame.line is None and not at.frame.is_native and not at.frame.is_obsolete:
        lines.append(await instruction(at.frame))
    return "\n".join(lines)


def thread_name(it: jvmdebug.ThreadHandle) -> str:
    """`thread main`; a virtual thread without a name is called `thread 743` already."""
    return it.name if it.name.startswith("thread ") else f"thread {it.name}"


async def instruction(frame: jvmdebug.FrameHandle) -> str:
    """The bytecode instruction where the frame stands."""
    for line in (await frame.disassembly()).splitlines():
        if line.lstrip().startswith("=>"):
            return line
    return f"   => {frame.index}"


async def source_line(frame: jvmdebug.FrameHandle) -> str | None:
    """The text of the frame's line, if its source is found."""
    lines = await source_lines(frame)
    if lines is None or frame.line is None or not 0 < frame.line <= len(lines):
        return None
    return lines[frame.line - 1]


async def source_lines(frame: jvmdebug.FrameHandle) -> list[str] | None:
    """The lines of the frame's source file, None if it is not found."""
    source = await frame.source()
    return None if source is None else source.text().splitlines()


async def listing(
    frame: jvmdebug.FrameHandle, centre: int, console: Console
) -> tuple[str, int] | None:
    """Lines around `centre`, with the frame's line marked, and the last line number, if any."""
    lines = await source_lines(frame)
    if lines is None:
        return None
    first = max(1, centre - _CONTEXT)
    last = min(len(lines), first + 2 * _CONTEXT)
    shown = []
    for number in range(first, last + 1):
        mark = "->" if number == frame.line else "  "
        text = f"{mark} {number:>4}  {lines[number - 1]}".rstrip()
        shown.append(console.bold(text) if number == frame.line else text)
    return "\n".join(shown), last


def frames(
    stack: Sequence[jvmdebug.FrameHandle], selected: int, total: int, console: Console
) -> str:
    """A call stack, topmost frame first."""
    lines = []
    for frame in stack:
        mark = "*" if frame.depth == selected else " "
        text = f"{mark} #{frame.depth:<3} {frame.location}"
        lines.append(console.bold(text) if frame.depth == selected else text)
    if total > len(stack):
        lines.append(console.dim(f"  … {total - len(stack)} more; `where {total}` shows all"))
    return "\n".join(lines)


def most_frames(argument: str) -> int:
    """How many frames `where` shows. Raises ValueError if that is not a number."""
    return int(argument) if argument else _MAX_FRAMES


async def variables(shown: Sequence[jvmdebug.Variable]) -> str:
    """One variable on each line."""
    texts = await asyncio.gather(*(each.text() for each in shown))
    lines = [
        f"{jvmdebug.one_line(each.name)} = {text}" for each, text in zip(shown, texts, strict=True)
    ]
    return "\n".join(lines) if lines else "no variables here"


def breakpoint(it: jvmdebug.Breakpoint) -> str:  # noqa: A001 - the field's word
    """A breakpoint on one line."""
    where = ", ".join(sorted({str(location) for location in it.locations}))
    state = where
    if not where and not it.enabled:
        state = "disabled"
    elif not where:
        kind = "pending" if it.is_pending else "not set"
        state = f"{kind}, {it.message or 'no class loaded that matches'}"
    message = f" ({it.message})" if where and it.message else ""
    return jvmdebug.one_line(f"Breakpoint {it.id}: {it.spec} -> {state}{message}")


async def thread(it: jvmdebug.ThreadHandle, *, current: bool) -> str:
    """A thread on one line, with its topmost frame if it is stopped."""
    mark = "*" if current else " "
    where = ""
    if it.stop is not None and (top := await it.frames(0, 1)):
        where = f" at {top[0].location}"
    status = await it.status()
    if it.stop is not None and status == "running":
        status = "stopped"  # it would run, and is held
    return f"{mark} {it.id:<4} {it.name} ({status}){where}"


def error(found: jvmdebug.JvmDebugError, console: Console) -> str:
    """An error message, with the position in an expression or the stack of an exception."""
    # Indented, so that a message of the program cannot pass for a line of ours.
    first, *more = jvmdebug.several_lines(str(found)).split("\n")
    lines = [f"error: {first}", *(f"    {line}" for line in more)]
    if isinstance(found, jvmdebug.EvaluationError):
        column, text = found.column, found.expression
        if column is not None and text is not None and "\n" not in text:
            lines += [f"  {text}", f"  {' ' * column}^"]
    if isinstance(found, jvmdebug.DebuggeeException):
        lines += [
            console.dim(
                ("    " if line.startswith("\t") else "") + jvmdebug.one_line(line.strip("\t"))
            )
            for line in found.trace[1:]
        ]
    return "\n".join(lines)
