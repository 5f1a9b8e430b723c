# SPDX-License-Identifier: Apache-2.0
"""Commands that change the program: set, pop, return, redefine."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug import one_line
from jvmdebug.platform.paths import words
from jvmdebug_cli.command import Completes, UsageError, command
from jvmdebug_cli.swapped import why_not

if TYPE_CHECKING:
    from jvmdebug import RedefinedClass
    from jvmdebug_cli.shell import Shell

_TOPIC = "Changing"
_ASSIGNMENT = re.compile(r"(?P<target>.+?)\s*(?<![=!<>+\-*/%&|^])=(?!=)\s*(?P<value>.+)")

_COMPOUND = re.compile(r"(?P<target>[^=!<>]+?)\s*(?:[+\-*/%&|^]|<<|>>>?)=(?!=)")


@command("set", usage="set TARGET = EXPRESSION", topic=_TOPIC, completes=Completes.EXPRESSION)
async def set_(shell: Shell, argument: str) -> None:
    """Assign to a local variable, a field or an array element.

    For example `set total = 0`, `set this.name = "x"`, `set prices[2] *= 2`.
    """
    found = _ASSIGNMENT.fullmatch(argument)
    if found is None and (changed := _COMPOUND.match(argument)) is not None:
        variable = await shell.frame.evaluate(argument)
        shell.console.write(f"{changed['target']} = {await variable.as_text()}")
        return
    if found is None:
        raise UsageError("write it as an assignment: `set total = 0`")
    variable = await shell.frame.set(found["target"], found["value"])
    shell.console.write(f"{found['target']} = {await variable.as_text()}")


@command("pop", topic=_TOPIC)
async def pop(shell: Shell, _: str) -> None:
    """Drop the selected frame and those above it, as if the call had not been made.

    The program stops before the call. Side effects of the dropped frames remain.
    """
    frame = shell.frame
    await shell.show_stop(await shell.current_stop().pop_frame(frame))


@command("restart", "reenter", topic=_TOPIC)
async def restart(shell: Shell, _: str) -> None:
    """Start the method of the selected frame again, with the present values of its arguments.

    Side effects remain. To start the program again: `kill`, then `run`.
    """
    await shell.current_stop().restart_frame(shell.frame)
    await shell.wait_for_stop()


@command("jump", "j", usage="jump LINE", topic=_TOPIC)
async def jump(shell: Shell, argument: str) -> None:
    """Go on at another line of the current method, without running what is in between.

    The program stays stopped there. Variables keep their values; what has run is not undone.
    """
    if not argument.isdecimal():
        raise UsageError("give a line of the current method: `jump 42`")
    stop = await shell.current_stop().jump_to(int(argument))
    if stop.unassigned:
        names = jvmdebug.one_line(", ".join(stop.unassigned))
        shell.console.write(f"without a value until they are assigned (0, false or null): {names}")
    await shell.show_stop(stop)


@command("return", usage="return [EXPRESSION]", topic=_TOPIC, completes=Completes.EXPRESSION)
async def return_(shell: Shell, argument: str) -> None:
    """Make the current method return now, with this value (omit it for a void method)."""
    stop = await shell.current_stop().force_return(argument or None)
    if stop is None:
        shell.console.write("That was the outermost frame of the thread.")
        await shell.wait_for_stop()
    else:
        await shell.show_stop(stop)


@command(
    "redefine",
    "hotswap",
    "swap",
    usage="redefine PATH...",
    topic=_TOPIC,
    completes=Completes.FILE,
)
async def redefine(shell: Shell, argument: str) -> None:
    """Replace the code of loaded classes: by class files, the changed ones in a directory, or
    edited sources, which are compiled as the program's project is.

    The program need not be restarted. If the VM refuses a class, it keeps its code, and the reason
    is shown; so do classes that need its new code. Frames that run old code continue with it; `pop`
    starts them again in the new code.
    """
    paths = words(argument)
    if not paths:
        raise UsageError(
            "name sources, class files or directories: `swap src/shop/Cart.java`,"
            " `swap build/classes`"
        )
    sources = [each for each in paths if each.endswith((".java", ".kt"))]
    others = [each for each in paths if each not in sources]
    found: tuple[RedefinedClass, ...] = ()
    if sources:
        compiled = await shell.session.replace_sources(*sources, class_files=others)
        if lines := why_not(compiled):
            raise UsageError("\n".join(lines))
        found = compiled.classes
        if not found and not others:
            shell.console.write("the program has the code of these sources already")
    elif others:
        found = await shell.session.redefine(*others)
    for each in found:
        reason = "" if each.reason is None else f": {each.reason}"
        shell.console.write(one_line(f"{each.outcome}: {each.type_name or each.path}{reason}"))
    if others and not found:
        shell.console.write("no class file has changed since the last time")
    if shell.stop is not None and shell.stop.has_frames:
        shell.select(shell.stop.frame)
