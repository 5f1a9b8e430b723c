# SPDX-License-Identifier: Apache-2.0
"""Commands that measure without stopping: count, time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug_cli.command import Completes, UsageError, command
from jvmdebug_cli.commands.breakpoints import place

if TYPE_CHECKING:
    import jvmdebug
    from jvmdebug_cli.shell import Shell

_TOPIC = "Breakpoints"


@command("count", usage="count [SPEC [if CONDITION]|off]", topic=_TOPIC, completes=Completes.PLACE)
async def count(shell: Shell, argument: str) -> None:
    """Count how often a place is reached, without stopping; alone, show the counts.

    `count shop.Cart:42 if total > 100` counts where the condition holds; `count off` ends all. SPEC
    is as of `break`. The program counts itself.
    """
    if not argument:
        for each in shell.counts:
            await _show(shell, each, f"{await each.read():,}")
        if not shell.counts:
            shell.console.write("nothing is counted; `count shop/Cart.java:42` counts a line")
        return
    if argument == "off":
        while shell.counts:
            await shell.counts.pop().close()
        return
    spec, _, condition = argument.partition(" if ")
    made = shell.session.count(place(shell, spec.strip()), condition=condition.strip() or None)
    await _begin(shell, made)
    shell.counts.append(made)


@command("time", usage="time [SPEC SPEC|off]", topic=_TOPIC, completes=Completes.PLACE)
async def time(shell: Shell, argument: str) -> None:
    """Measure how long threads take from one place to another, without stopping; alone, show it.

    `time shop/Cart.java:42 shop/Cart.java:50`, or `time 42 50` in the file that is shown; `time
    off` ends all. The program measures itself.
    """
    if not argument:
        for each in shell.timings:
            await _show(shell, each, str(await each.read()))
        if not shell.timings:
            shell.console.write("nothing is timed; `time 42 50` times from one line to the other")
        return
    if argument == "off":
        while shell.timings:
            await shell.timings.pop().close()
        return
    words = argument.split()
    if len(words) != 2:
        raise UsageError("time from where to where? `time shop/Cart.java:42 shop/Cart.java:50`")
    made = shell.session.time_between(place(shell, words[0]), place(shell, words[1]))
    await _begin(shell, made)
    shell.timings.append(made)


async def _begin(shell: Shell, made: jvmdebug.LineCount | jvmdebug.LineTiming) -> None:
    await made.arm()
    why = f": {made.message}" if made.message else ""
    shell.console.write(f"{made} begins{why}")


async def _show(shell: Shell, made: jvmdebug.LineCount | jvmdebug.LineTiming, figures: str) -> None:
    why = f" ({made.message})" if made.message else ""
    shell.console.write(f"{made}: {figures}{why}")
