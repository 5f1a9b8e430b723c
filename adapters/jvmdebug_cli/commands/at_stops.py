# SPDX-License-Identifier: Apache-2.0
"""Commands about what stops do: display, undisplay, commands, condition, ignore, monitor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug_cli import view
from jvmdebug_cli.command import Completes, UsageError, command
from jvmdebug_cli.commands.breakpoints import named
from jvmdebug_cli.visit import originals

if TYPE_CHECKING:
    import jvmdebug
    from jvmdebug_cli.shell import Shell

_TOPIC = "At each stop"


@command("display", usage="display [EXPRESSION]", topic=_TOPIC, completes=Completes.EXPRESSION)
async def display(shell: Shell, argument: str) -> None:
    """Show the value of an expression at each stop from now on; what changes stands out.

    Without an expression: all that are shown, now.
    """
    if not argument:
        await displays(shell, "")
        return
    added = shell.displays.add(argument)
    if shell.has_frame:
        shell.console.write(await shell.displays.one(added, shell.frame))
    else:
        shell.console.write(f"{added.number}: {argument}")


@command("displays", topic=_TOPIC)
async def displays(shell: Shell, _: str) -> None:
    """List the expressions that each stop shows, with their values."""
    if not shell.displays.all:
        shell.console.write("nothing is shown at each stop; `display EXPRESSION` adds to it")
    elif shell.has_frame and (shown := await shell.displays.shown(shell.frame)) is not None:
        shell.console.write(shown)
    else:
        for each in shell.displays.all:
            shell.console.write(f"{each.number}: {each.expression}")


@command("undisplay", usage="undisplay [NUMBERS]", topic=_TOPIC)
async def undisplay(shell: Shell, argument: str) -> None:
    """Show these expressions no longer at each stop; without numbers: none."""
    known = {str(each.number): each.number for each in shell.displays.all}
    for word in argument.split():
        if word not in known:
            raise UsageError(f"there is no display {word!r}; `displays` lists them")
    shell.displays.remove({known[word] for word in argument.split() or known})


@command("commands", usage="commands [NUMBER]", topic=_TOPIC, completes=Completes.BREAKPOINT)
async def commands(shell: Shell, argument: str) -> None:
    """Run commands whenever a breakpoint stops: those on the next lines, up to `end`.

    Without a number: those of the breakpoint that was set last. `silent` as the first one: the stop
    is not shown; `continue` as the last one: the program goes on. None at all: only stop again.
    """
    chosen = _one(shell, argument, "commands")
    shell.hit_commands.set(chosen, await shell.read_block())


@command(
    "condition",
    usage="condition NUMBER [EXPRESSION]",
    topic=_TOPIC,
    completes=Completes.BREAKPOINT,
)
async def condition(shell: Shell, argument: str) -> None:
    """Stop at a breakpoint only if the expression is true; without one: always."""
    number, _, expression = argument.partition(" ")
    if not number:
        raise UsageError("which breakpoint? For example `condition 1 total > 100`")
    chosen = _one(shell, number, "condition")
    for each in (chosen, *originals(shell, [chosen])):
        await each.set_condition(expression.strip().removeprefix("if ") or None)
    shell.console.write(view.breakpoint(chosen))


@command("ignore", usage="ignore NUMBER COUNT", topic=_TOPIC, completes=Completes.BREAKPOINT)
async def ignore(shell: Shell, argument: str) -> None:
    """Pass a breakpoint so many times before it stops."""
    number, _, count = argument.partition(" ")
    if not count.strip().isdecimal():
        raise UsageError("ignore which breakpoint how often? For example `ignore 1 99`")
    chosen = _one(shell, number, "ignore")
    await chosen.set_hit_condition(f"> {chosen.hits + int(count)}" if int(count) else None)
    shell.console.write(f"Breakpoint {chosen.id} stops after {int(count)} more hits.")


@command("monitor", usage="monitor COMMAND", topic=_TOPIC, completes=Completes.COMMAND)
async def monitor(shell: Shell, argument: str) -> None:
    """Run a command at each stop, `where` say."""
    if not argument:
        raise UsageError("monitor which command? For example `monitor where 3`")
    number = max(shell.hit_commands.at_each_stop, default=0) + 1
    shell.hit_commands.at_each_stop[number] = argument
    shell.console.write(f"{number}: {argument}")


@command("unmonitor", usage="unmonitor [NUMBER]", topic=_TOPIC)
async def unmonitor(shell: Shell, argument: str) -> None:
    """Run this command no longer at each stop; without a number: none."""
    known = shell.hit_commands.at_each_stop
    if argument and (not argument.isdecimal() or int(argument) not in known):
        raise UsageError(f"there is no monitor {argument!r}")
    for number in [int(argument)] if argument else list(known):
        del known[number]


def _one(shell: Shell, argument: str, doing: str) -> jvmdebug.Breakpoint:
    """The breakpoint with that number; without one the last. Raises UsageError."""
    if not argument and not shell.session.breakpoints:
        raise UsageError(f"{doing} of which breakpoint? None is set")
    return named(shell, argument, doing)[0] if argument else shell.session.breakpoints[-1]
