# SPDX-License-Identifier: Apache-2.0
"""Commands about classes and all stacks: classes, class, methods, fields, args, stacks."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_cli import view
from jvmdebug_cli.command import Completes, UsageError, command

if TYPE_CHECKING:
    from jvmdebug_cli.shell import Shell

_TOPIC = "Looking"
_MOST = 200
_WITHOUT_MEMBERS = frozenset(
    ("boolean", "byte", "char", "short", "int", "long", "float", "double", "void", "null")
)


@command("classes", usage="classes [PATTERN]", topic=_TOPIC)
async def classes(shell: Shell, argument: str) -> None:
    """List loaded classes: those whose name has the text in it, or fits a pattern with `*`.

    Without a pattern those of the JDK are left out.
    """
    pattern = argument if "*" in argument else f"*{argument}*"
    platform = () if argument else ("java.", "javax.", "jdk.", "sun.", "com.sun.")
    found = [
        name
        for name in await shell.session.code.names.loaded_classes()
        if fnmatchcase(name, pattern) and not (platform and name.startswith(platform))
    ]
    for name in found[:_MOST]:
        shell.console.write(jvmdebug.one_line(name))
    if len(found) > _MOST:
        shell.console.write(f"  … {len(found) - _MOST} more; `classes PATTERN` shows some")
    if not found:
        shell.console.write("no class with such a name is loaded")


@command("methods", usage="methods CLASS", topic=_TOPIC, completes=Completes.CLASS)
async def methods(shell: Shell, argument: str) -> None:
    """List the methods that a class declares."""
    await _members(shell, argument, "method")


@command("fields", usage="fields CLASS", topic=_TOPIC, completes=Completes.CLASS)
async def fields(shell: Shell, argument: str) -> None:
    """List the fields that a class declares."""
    await _members(shell, argument, "field")


@command(
    "class",
    "ptype",
    "whatis",
    usage="class CLASS|EXPRESSION",
    topic=_TOPIC,
    completes=Completes.CLASS,
)
async def class_(shell: Shell, argument: str) -> None:
    """Show the fields and methods of a class, or of the class of an expression's value."""
    name = argument
    if argument and not await shell.session.code.names.members(argument) and shell.has_frame:
        name = await (await shell.frame.evaluate(argument)).type_name()
    shell.console.write(jvmdebug.one_line(name))
    if name not in _WITHOUT_MEMBERS and not name.endswith("]"):
        await _members(shell, name, "field", "method")


async def _members(shell: Shell, name: str, *kinds: str) -> None:
    if not name:
        raise UsageError("of which class? For example `methods shop.Cart`")
    members = await shell.session.code.names.members(name)
    if not members:
        raise UsageError(
            f"no class {name} is loaded or on the class path; nested ones are shop.Cart$Item"
        )
    for each in members:
        if each.kind in kinds:
            static = "static " if each.is_static else ""
            text = jvmdebug.one_line(f"  {static}{each.type_name} {each}")
            shell.console.write(text)


@command("args", topic=_TOPIC)
async def args(shell: Shell, _: str) -> None:
    """Show the arguments of the selected frame's method."""
    shown = [each for each in await shell.frame.variables() if each.is_argument]
    shell.console.write(await view.variables(shown))


@command("stacks", usage="stacks [COUNT]", topic=_TOPIC)
async def stacks(shell: Shell, argument: str) -> None:
    """Show the call stacks of all threads that are stopped, and what submitted their tasks if
    `origins` has switched that on.
    """
    if argument and not argument.isdecimal():
        raise UsageError(f"{argument!r} is not a number of frames")
    most = int(argument or 10)
    current = shell.current_stop().thread
    has_origins = await _keeps_origins(shell.session)
    for thread in await shell.session.threads():
        if thread.stop is None:
            continue
        total = await thread.frame_count()
        mark = "*" if thread == current else " "
        shell.console.write(f"{mark} {view.thread_name(thread)} ({await thread.status()})")
        if total:
            selected = shell.frame.depth if shell.has_frame and thread == current else -1
            stack = await thread.frames(0, min(most, total))
            shell.console.write(view.frames(stack, selected, len(stack)))
        if has_origins and thread.stop is not None:
            links = view.origins(await thread.stop.origins(thread=thread))
            if links is not None:
                shell.console.write(links)


async def _keeps_origins(session: jvmdebug.Session) -> bool:
    try:
        return (await session.origins().status()).is_running
    except jvmdebug.UnsupportedError:
        return False
