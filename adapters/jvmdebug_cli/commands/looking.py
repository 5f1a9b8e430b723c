# SPDX-License-Identifier: Apache-2.0
"""Commands that inspect: where, frame, disassemble, locals, statics, print, list, threads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.text import Text

import jvmdebug
from jvmdebug_cli import view
from jvmdebug_cli.command import Completes, UsageError, command, count_of
from jvmdebug_cli.printer import indented

if TYPE_CHECKING:
    from jvmdebug_cli.shell import Shell

_TOPIC = "Looking"
_INFO = {
    "breakpoints": "breakpoints",
    "frame": "frame",
    "locals": "locals",
    "stack": "where",
    "statics": "statics",
    "threads": "threads",
}
_SHOWN_CHILDREN = 20
_SHOWN_LENGTH = 2000


@command("where", "bt", "w", "backtrace", "wherei", usage="where [COUNT]", topic=_TOPIC)
async def where(shell: Shell, argument: str) -> None:
    """Show the call stack, topmost frame first; `*` marks the selected one."""
    selected = shell.frame
    try:
        most = view.most_frames(argument.removeprefix("-"))
    except ValueError:
        raise UsageError(f"{argument!r} is not a number of frames") from None
    thread = selected.thread
    total = await thread.frame_count()
    stack = await thread.frames(0, min(most, total))
    shell.console.write(view.frames(stack, selected.depth, total))


@command("origins", usage="origins [off]", topic=_TOPIC)
async def origins(shell: Shell, argument: str) -> None:
    """Show where the task was submitted that the thread runs, and what submitted that task.

    The first time this is switched on: what was submitted before is not known. `off` ends it.
    """
    tracking = shell.session.origins()
    if argument not in {"", "off"}:
        raise UsageError(f"{argument!r} is not `off`; `origins` shows where the task was submitted")
    if argument == "off":
        await tracking.stop()
        return
    is_on = (await tracking.status()).is_running
    if not is_on:
        await tracking.start()
        shell.console.write("tasks that are submitted from now on are known")
    elif shell.has_frame:
        frame = shell.frame
        links = await frame.stop.origins(thread=frame.thread)
        shell.console.write(view.origins(links) or "where this was submitted is not known")


async def _go(shell: Shell, depth: int) -> None:
    thread = shell.frame.thread
    total = await thread.frame_count()
    if depth == -1:
        raise UsageError("this is the topmost frame")
    if depth == total and depth == shell.frame.depth + 1:
        raise UsageError("this is the outermost frame")
    if not 0 <= depth < total:
        raise UsageError(f"there is no frame {depth}: the stack has frames 0 to {total - 1}")
    (chosen,) = await thread.frames(depth, 1)
    shell.select(chosen)
    await _show_frame(shell, chosen)


async def _show_frame(shell: Shell, frame: jvmdebug.FrameHandle) -> None:
    shell.console.write(await view.frame(frame, shell.console))


@command("frame", "f", usage="frame [NUMBER]", topic=_TOPIC)
async def frame(shell: Shell, argument: str) -> None:
    """Select a frame of the call stack by its number, for `print`, `locals` and `list`."""
    if not argument:
        await _show_frame(shell, shell.frame)
    elif argument.isdecimal():
        await _go(shell, int(argument))
    else:
        raise UsageError(f"{argument!r} is not the number of a frame")


@command("disassemble", "dis", topic=_TOPIC)
async def disassemble(shell: Shell, _: str) -> None:
    """Show the bytecode of the selected frame's method, `=>` at the current instruction."""
    shell.console.write(await shell.frame.disassembly())


@command("up", usage="up [COUNT]", topic=_TOPIC)
async def up(shell: Shell, argument: str) -> None:
    """Select the caller of the selected frame, or one further out."""
    depth = shell.frame.depth
    count = await shell.frame.thread.frame_count()
    await _go(shell, max(depth + 1, min(depth + count_of(argument), count - 1)))


@command("down", usage="down [COUNT]", topic=_TOPIC)
async def down(shell: Shell, argument: str) -> None:
    """Select the frame that the selected one has called, or one further in."""
    depth = shell.frame.depth
    await _go(shell, min(depth - 1, max(depth - count_of(argument), 0)))


@command("locals", "vars", usage="locals [NAME]", topic=_TOPIC, completes=Completes.LOCAL)
async def locals_(shell: Shell, argument: str) -> None:
    """Show `this`, the arguments and the local variables of the selected frame, or one of them.

    After an exception or a step out, also the exception or the return value.
    """
    if argument:
        await _show_local(shell, argument)
        return
    for scope in await shell.frame.scopes():
        shown = await scope.variables()
        if scope.kind is jvmdebug.ScopeKind.LOCALS:
            shell.console.write(await view.variables(shown))
        elif scope.kind is not jvmdebug.ScopeKind.STATICS:
            shell.console.write(f"{scope.name}:")
            shell.console.write(await view.variables(shown))


async def _show_local(shell: Shell, name: str) -> None:
    this = await shell.frame.this()
    known = [*([] if this is None else [this]), *await shell.frame.variables()]
    found = [each for each in known if each.name == name]
    if not found:
        names = ", ".join(each.name for each in known) or "none at all"
        raise UsageError(
            f"there is no local variable {name!r} here, but {names}; `print` takes expressions"
        )
    shell.console.write(await view.variables(found))


@command("info", "i", usage="info breakpoints|frame|locals|stack|statics|threads", topic=_TOPIC)
async def info(shell: Shell, argument: str) -> None:
    """The same as `breakpoints`, `frame`, `locals`, `where`, `statics` or `threads`."""
    what, _, rest = argument.partition(" ")
    asked = [name for name in _INFO if what and name.startswith(what)][:1]
    if len(asked) != 1:
        raise UsageError(f"info about what? {', '.join(_INFO)}")
    await shell.execute(f"{_INFO[asked[0]]} {rest}".strip())


@command("statics", topic=_TOPIC)
async def statics(shell: Shell, _: str) -> None:
    """Show the static fields of the selected frame's class."""
    for scope in await shell.frame.scopes():
        if scope.kind is jvmdebug.ScopeKind.STATICS:
            shell.console.write(await view.variables(await scope.variables()))
            return
    raise UsageError(f"{shell.frame.type_name} has no static fields")


@command(
    "print",
    "p",
    "eval",
    "inspect",
    "call",
    usage="print [/x /r /s /f] EXPRESSION",
    topic=_TOPIC,
    completes=Completes.EXPRESSION,
)
async def print_(shell: Shell, argument: str) -> None:
    """Evaluate a Java expression in the selected frame and show its value and contents.

    `$return` is the result of the method that was just left, `$exception` what was thrown here.
    `/x` writes integers in hexadecimal, `/r` shows the fields of objects that have a logical view
    (a list, a date), `/s` calls toString(), `/f` shows the full value without quotes or cuts.
    """
    flags, expression = _flags(argument)
    if not expression:
        raise UsageError("print what? For example `print total + 1`")
    if "s" in flags:
        variable = await _as_string(shell, expression)
    else:
        variable = await shell.frame.evaluate(expression)
    is_raw, in_hex = "r" in flags, "x" in flags or None
    kind = jvmdebug.one_line(await variable.type_name())
    if kind == "void":
        shell.console.write("(no value: the method is void)")
        return
    if "f" in flags:
        # As it is, so that it can be copied: the terminal folds it.
        text = jvmdebug.several_lines(await variable.full_text(in_hex=in_hex), None)
        shell.console.write_output(f"{text}\n")
        return
    text = await variable.as_text(max_length=_SHOWN_LENGTH, in_hex=in_hex)
    shell.console.write(Text.assemble(text, "  ", (f"({kind})", view.MINOR), overflow="fold"))
    count = await variable.child_count(raw=is_raw)
    for child in await variable.children(0, min(count, _SHOWN_CHILDREN), raw=is_raw):
        name = jvmdebug.one_line(child.name)
        line = view.named(name, await child.as_text(in_hex=in_hex))
        shell.console.write(indented(line, 2))
    if count > _SHOWN_CHILDREN:
        shell.console.write(Text(f"  … {count - _SHOWN_CHILDREN} more", view.MINOR))


async def _as_string(shell: Shell, expression: str) -> jvmdebug.Variable:
    before = "String.valueOf((Object) ("
    try:
        return await shell.frame.evaluate(f"{before}{expression}))")
    except jvmdebug.EvaluationError as error:
        if error.column is not None:  # of what was typed
            error.column, error.expression = max(0, error.column - len(before)), expression
        raise


def _flags(argument: str) -> tuple[str, str]:
    """`/x /r total` → `xr` and `total`."""
    flags = ""
    while found := re.match(r"/([xrsf])(?=[\s/]|$)\s*", argument):
        flags += found[1]
        argument = argument[found.end() :]
    if (unknown := re.match(r"/([a-z])(?=[\s/]|$)", argument)) is not None:
        raise UsageError(f"`print` knows /x, /r, /s and /f, not /{unknown[1]}")
    return flags, argument


@command("list", "l", usage="list [LINE]", topic=_TOPIC)
async def list_(shell: Shell, argument: str) -> None:
    """Show the source around the selected frame or a line; repeated: the following lines."""
    current = shell.frame
    if argument and not argument.isdecimal():
        raise UsageError(f"{argument!r} is not a line number")
    if argument:
        centre = int(argument)
    elif shell.listed is not None:
        centre = shell.listed + 6
    else:
        centre = current.line or 1
    shown = await view.listing(current, centre, shell.console)
    if shown is None:
        name = current.source_path or "a file that the class does not name"
        original = await current.original_source()
        hint = f"; {original} may be the original" if original is not None else ""
        raise UsageError(
            f"the source of {current.type_name} ({name}) was not found{hint}; see --source-path, or"
            " `disassemble`"
        )
    text, shell.listed = shown
    if text is None:
        raise UsageError(f"{current.source_name} has no more lines than {shell.listed}")
    shell.console.write(text)


@command("threads", topic=_TOPIC)
async def threads(shell: Shell, _: str) -> None:
    """List the threads; `*` marks the selected one."""
    current = shell.stop.thread if shell.stop is not None else None
    shell.console.write(await view.threads(await shell.session.threads(), current))


@command("thread", "t", usage="thread NUMBER", topic=_TOPIC, completes=Completes.THREAD)
async def thread(shell: Shell, argument: str) -> None:
    """Select another thread that is stopped."""
    if not argument.isdecimal():
        raise UsageError("thread which? `threads` shows their numbers")
    for each in await shell.session.threads():
        if each.id == int(argument):
            top = await each.frames(0, 1)
            if not top:
                raise UsageError(f"thread {each.name} is in no Java method")
            shell.select(top[0])
            await _show_frame(shell, top[0])
            return
    raise UsageError(f"there is no thread {argument}; `threads` lists them")
