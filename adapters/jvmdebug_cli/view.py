# SPDX-License-Identifier: Apache-2.0
"""Stops, frames, variables, breakpoints and threads as the prompt shows them.

Knows the public API; does not know the input or the commands. What it makes is text or something
that rich draws; the console makes it safe.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from rich.console import Group
from rich.text import Text

import jvmdebug
from jvmdebug_cli import source_view
from jvmdebug_cli.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import RenderableType

    from jvmdebug_cli.console import Console

CONTEXT: Final = 5
"""Source lines that `list` shows before and after its line."""
_AT_STOP: Final = 2
"""Source lines that a stop shows before and after its line, on a terminal."""
_AT_END: Final = 10
"""Lines of its stack that are shown of an exception that has ended its thread."""
_LONGEST_NAME: Final = 32
"""A longer name of a thread takes more room in its own row only."""
_MAX_FRAMES: Final = 40
_MOST_PLACES: Final = 5
WHERE: Final = "bold"
MINOR: Final = "dim"
NAME: Final = "cyan"

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
    jvmdebug.StopReason.GOTO: "Jumped",
    jvmdebug.StopReason.RECORDING_END: "End of the recording",
    jvmdebug.StopReason.RECORDING_BEGINNING: "Beginning of the recording",
}


def greeting(session: jvmdebug.Session) -> str:
    """The first line of a session."""
    if session.past is not None:
        texts = [jvmdebug.one_line(each) for each in session.past.notes if each]
        notes = "".join(f" {each[0].upper()}{each[1:]}." for each in texts)
        return (
            f"A recording of {session.name or 'a program'}, shown at its end.{notes} `back` and"
            " `reverse-continue` go back; `help` lists the commands."
        )
    agent = "jvmdebug's agent" if session.agent == "jvmdebug" else "the JDK's own agent"
    if session.mode == "late":
        return (
            f"Attached, through {agent}, which was loaded into the program: breakpoints work, "
            "with the variables of the topmost frame, watches of writes, and steps between lines "
            "of methods with breakpoints; watches of reads do not. `help` lists the commands."
        )
    if session.pid is None:
        return f"Attached, through {agent}. `help` lists the commands."
    return (
        f"Process {session.pid}, held before its first instruction, with {agent}. "
        "Set breakpoints, then `run`; `help` lists the commands."
    )


async def stop(
    at: jvmdebug.Stop, selected: jvmdebug.FrameHandle | None, console: Console
) -> RenderableType:
    """Why and where the program stopped, with the source of the selected frame."""
    what = _REASONS.get(at.reason, "")
    if at.breakpoints:
        what = ", ".join(f"Breakpoint {hit.id}" for hit in at.breakpoints)
    if at.exception is not None:
        what = await _thrown(at, at.exception)
        if at.ends_thread:
            return await _end_of_thread(at, what)
    if at.change is not None:
        what = f"{what}, {await at.change.as_text()}"
    if selected is None:
        return f"{what or 'Stopped'}, {thread_name(at.thread)}, {why_no_frame(at.thread)}"
    shown: list[RenderableType] = []
    if at.returned is not None:
        name = jvmdebug.one_line(at.returned.name)
        shown.append(_fold(f"{name} returned {await at.returned.as_text()}"))
    line = _fold(f"{what}, " if what else "")
    shown.append(line.append(at.frame.location, WHERE).append(f", {thread_name(at.thread)}"))
    if selected.depth:
        shown.append(await frame(selected, console))
    elif (source := await _source_at(at.frame, console)) is not None:
        shown.append(source)
    elif at.frame.line is None and not at.frame.is_native and not at.frame.is_obsolete:
        shown.append(await instruction(at.frame))
    return Group(*shown)


def why_no_frame(thread: jvmdebug.ThreadHandle) -> str:
    """Why a stopped thread shows no frame."""
    if thread.runs_evaluation:
        return "still in an evaluation that was given up"
    return "not in Java code"


async def _thrown(at: jvmdebug.Stop, exception: jvmdebug.Variable) -> str:
    kind = "caught" if at.exception_caught else "uncaught"
    what = f"Exception ({kind}) {await exception.as_text()}"
    again = at.first_thrown_at
    return what if again is None else f"{what}, rethrown, first at {again}"


async def _end_of_thread(at: jvmdebug.Stop, what: str) -> RenderableType:
    """The stack of an exception that has left all frames of its thread."""
    thrown = await at.thrown(with_stacks=True)
    stack = () if thrown is None or thrown.stack is None else thrown.stack
    shown = [
        _fold(f"{what} has ended ").append(thread_name(at.thread)).append("; it was thrown in")
    ]
    shown += [_fold(f"    {jvmdebug.one_line(each)}") for each in stack[:_AT_END]]
    if len(stack) > _AT_END:
        shown.append(_fold("    …"))
    return Group(*shown)


async def _source_at(frame: jvmdebug.FrameHandle, console: Console) -> RenderableType | None:
    """The lines around that of the frame; that alone where nobody watches."""
    if not console.is_interactive:
        line = await source_line(frame)
        return None if line is None else f"{frame.line}\t{line}"
    lines = await source_lines(frame)
    if lines is None or frame.line is None or not 0 < frame.line <= len(lines):
        return None
    first, last = max(1, frame.line - _AT_STOP), min(len(lines), frame.line + _AT_STOP)
    return _numbered(frame, lines, first, last, console)


def _numbered(
    frame: jvmdebug.FrameHandle, lines: list[str], first: int, last: int, console: Console
) -> RenderableType:
    return source_view.numbered(
        lines,
        first,
        last,
        current=frame.line,
        name=frame.source_name or "",
        coloured=console.is_coloured,
    )


def thread_name(it: jvmdebug.ThreadHandle) -> str:
    """`thread main`; one that ended before its name was read is called `thread 743` already."""
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
    return None if source is None else source.as_text().splitlines()


async def frame(it: jvmdebug.FrameHandle, console: Console) -> RenderableType:
    """A frame that was selected, with its source."""
    shown: list[RenderableType] = [Text.assemble(f"#{it.depth} ", (it.location, WHERE))]
    if (source := await _source_at(it, console)) is not None:
        shown.append(source)
    return Group(*shown)


async def listing(
    frame: jvmdebug.FrameHandle, centre: int, console: Console
) -> tuple[RenderableType | None, int] | None:
    """Lines around `centre`, with the frame's line marked, and the last line number; None for the
    lines if there are no more.
    """
    lines = await source_lines(frame)
    if lines is None:
        return None
    first = max(1, centre - CONTEXT)
    last = min(len(lines), first + 2 * CONTEXT)
    return (_numbered(frame, lines, first, last, console) if first <= last else None), last


def frames(stack: Sequence[jvmdebug.FrameHandle], selected: int, total: int) -> RenderableType:
    """A call stack, topmost frame first."""
    rows = [
        (
            f"{'*' if frame.depth == selected else ' '} #{frame.depth}",
            Text(frame.location, WHERE if frame.depth == selected else "", overflow="fold"),
        )
        for frame in stack
    ]
    shown: list[RenderableType] = [Rows(("", ""), rows)]
    if total > len(stack):
        shown.append(Text(f"  … {total - len(stack)} more; `where {total}` shows all", MINOR))
    return Group(*shown)


def origins(links: Sequence[jvmdebug.Origin]) -> RenderableType | None:
    """The stacks that submitted tasks, the nearest first; None without any."""
    lines: list[RenderableType] = []
    for link in links:
        lines.append(Text(jvmdebug.one_line(link.label), WHERE, overflow="fold"))
        for each in link.frames[:_MAX_FRAMES]:
            style = MINOR if each.is_plumbing else ""
            lines.append(Text(f"    {jvmdebug.one_line(str(each))}", style, overflow="fold"))
        if len(link.frames) > _MAX_FRAMES:
            lines.append(Text(f"    … {len(link.frames) - _MAX_FRAMES} more", MINOR))
    return Group(*lines) if lines else None


def most_frames(argument: str) -> int:
    """How many frames `where` shows. Raises ValueError if that is not a number."""
    return int(argument) if argument else _MAX_FRAMES


async def variables(shown: Sequence[jvmdebug.Variable]) -> RenderableType:
    """One variable on each line."""
    texts = await asyncio.gather(*(each.as_text() for each in shown))
    lines = [
        named(jvmdebug.one_line(each.name), text) for each, text in zip(shown, texts, strict=True)
    ]
    return Group(*lines) if lines else "no variables here"


def named(name: str, value: str) -> Text:
    """`name = value`."""
    return _fold("").append(name, NAME).append(f" = {value}")


def breakpoint(it: jvmdebug.Breakpoint) -> str:  # noqa: A001 - the field's word
    """A breakpoint on one line."""
    message = f" ({it.message})" if it.locations and it.message else ""
    return jvmdebug.one_line(f"Breakpoint {it.id}: {it.spec} -> {_state(it)}{message}")


def _state(it: jvmdebug.Breakpoint) -> str:
    if it.locations:
        places = sorted({str(location) for location in it.locations})
        more = len(places) - _MOST_PLACES
        shown = ", ".join(places[:_MOST_PLACES])
        return f"{shown} and {more} more places" if more > 0 else shown
    if not it.enabled:
        return it.message or "disabled"
    kind = "pending" if it.is_pending else "not set"
    return f"{kind}, {it.message or 'no class loaded that matches'}"


def breakpoints(
    shown: Iterable[tuple[jvmdebug.Breakpoint, Sequence[str]]],
) -> RenderableType:
    """A table of breakpoints, each with who checks it, and with its commands."""
    rows: list[tuple[str, str, str, str, Text]] = []
    for it, commands in shown:
        thread, instance = it.options.only_thread, it.options.only_object
        state = _fold(jvmdebug.one_line(_state(it)))
        options = [
            f"if {it.condition}" if it.condition else "",
            f"hits {it.hit_condition}" if it.hit_condition else "",
            f"log {it.log_message}" if it.log_message else "",
            f"only thread {thread.id}" if thread is not None else "",
            f"only object @{instance.id:x}" if instance is not None else "",
            "once" if it.once else "",
            f"set by the {it.set_by}" if it.set_by else "",
            (it.message or "") if it.locations else "",
            *(f"event: {why}" for why in dict.fromkeys(at.why_event for at in it.locations) if why),
        ]
        for option in filter(None, options):
            state.append(f"\n{jvmdebug.one_line(option)}", MINOR)
        for command in commands:
            state.append(f"\n> {command}", MINOR)
        how = ", ".join(sorted({at.how for at in it.locations}))
        rows.append((str(it.id), jvmdebug.one_line(str(it.spec)), str(it.hits), how, state))
    return Rows(("#", "breakpoint", "hits", "how", "where"), rows)


async def threads(
    shown: Sequence[jvmdebug.ThreadHandle], current: jvmdebug.ThreadHandle | None
) -> RenderableType:
    """A table of threads, with the topmost frame of those that are stopped."""
    rows = await asyncio.gather(*(_thread_row(each, is_current=each == current) for each in shown))
    return Rows(("  id", "name", "state", "at"), rows, longest=_LONGEST_NAME)


async def _thread_row(it: jvmdebug.ThreadHandle, *, is_current: bool) -> tuple[str, Text, str, str]:
    where = ""
    if it.runs_evaluation:
        where = "in an evaluation that was given up"
    elif it.stop is not None and (top := await it.frames(0, 1)):
        where = top[0].location
    status = await it.status()
    if it.stop is not None and status == "running":
        status = "stopped"  # it would run, and is held
    name = _fold(it.name)
    if is_current:
        name.stylize(WHERE)
    return f"{'*' if is_current else ' '} {it.id}", name, status, where


def error(found: jvmdebug.JvmDebugError) -> RenderableType:
    """An error message, with the position in an expression or the stack of an exception."""
    # Indented, so that a message of the program cannot pass for a line of ours.
    first, *more = jvmdebug.several_lines(str(found)).split("\n")
    shown = [_fold("").append("error:", "red").append(f" {first}")]
    shown += [_fold(f"    {line}") for line in more]
    if isinstance(found, jvmdebug.EvaluationError):
        column, text = found.column, found.expression
        if column is not None and text is not None and "\n" not in text:
            shown += [Text(f"  {text}"), Text(f"  {' ' * column}^")]
    if isinstance(found, jvmdebug.DebuggeeException):
        shown += [
            Text(
                ("    " if line.startswith("\t") else "") + jvmdebug.one_line(line.strip("\t")),
                MINOR,
                overflow="fold",
            )
            for line in found.trace[1:]
        ]
    return Group(*shown)


def _fold(text: str) -> Text:
    return Text(text, overflow="fold")


def what_after_the_end(session: jvmdebug.Session, *, is_ours: bool) -> str:
    """What can be done about a program that has ended."""
    if session.owner is not None and session.is_disconnected:
        return "the session has ended; `jvmdebug sessions` lists those that are open"
    if session.owner is not None:
        return f"the program has ended; the {session.owner} may start it again"
    if not is_ours:
        return "the program has ended; it was not launched from here: start it and attach again"
    return "the program has ended; `run` starts it again"
