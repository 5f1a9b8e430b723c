# SPDX-License-Identifier: Apache-2.0
"""Commands of a recording: back, reverse-step, reverse-finish, reverse-continue, who-wrote, when,
values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_cli.command import Completes, UsageError, command, count_of
from jvmdebug_cli.recorded_views import writes_table

if TYPE_CHECKING:
    from jvmdebug_cli.shell import Shell

_TOPIC = "The past"
_MOST = 1000


def _past(shell: Shell) -> jvmdebug.SessionPast:
    past = shell.session.past
    if past is None:
        raise UsageError("only a recording has a past: open one with `jvmdebug replay FILE`")
    return past


@command("back", "reverse-next", "rn", usage="back [COUNT]", topic=_TOPIC)
async def back(shell: Shell, argument: str) -> None:
    """Go back to the line before, over calls; from the first line of a method to its call."""
    for _ in range(count_of(argument)):
        await _past(shell).step_back(shell.current_stop())
        if not await shell.step_ended():
            return


@command("reverse-step", "rs", usage="reverse-step [COUNT]", topic=_TOPIC)
async def reverse_step(shell: Shell, argument: str) -> None:
    """Go back to the line before, into calls from their end."""
    for _ in range(count_of(argument)):
        await _past(shell).step_back(shell.current_stop(), "into")
        if not await shell.step_ended():
            return


@command("reverse-finish", topic=_TOPIC)
async def reverse_finish(shell: Shell, _: str) -> None:
    """Go back to the call that the current method came from."""
    await _past(shell).step_back(shell.current_stop(), "out")
    await shell.wait_for_stop()


@command("reverse-continue", "rc", topic=_TOPIC)
async def reverse_continue(shell: Shell, _: str) -> None:
    """Go back to the nearest breakpoint or watch that was hit before, else to the beginning."""
    shell.current_stop()
    await _past(shell).reverse_continue()
    await shell.wait_for_stop()


@command("who-wrote", usage="who-wrote NAME", topic=_TOPIC, completes=Completes.EXPRESSION)
async def who_wrote(shell: Shell, argument: str) -> None:
    """Go back to where a variable, a field or an element got the value that it has here.

    `who-wrote sum`, `who-wrote this.total`, `who-wrote cart.prices[0]`
    """
    if not argument:
        raise UsageError("who wrote what? For example `who-wrote this.total`")
    past = _past(shell)
    found = await past.who_wrote(shell.frame, argument)
    if found is None:
        shell.console.write(f"no write of {argument} was recorded before here")
        return
    await _go(shell, past, found)


@command("when", usage="when NAME == VALUE", topic=_TOPIC, completes=Completes.EXPRESSION)
async def when(shell: Shell, argument: str) -> None:
    """Go back to where a comparison came to hold last: `when sum == 42`, `when name == null`."""
    if not argument:
        raise UsageError("when what? For example `when sum == 42`")
    past = _past(shell)
    found = await past.when(shell.frame, argument)
    if found is None:
        shell.console.write(f"{argument} did not come to hold before here")
        return
    await _go(shell, past, found)


@command("values", usage="values NAME", topic=_TOPIC, completes=Completes.EXPRESSION)
async def values(shell: Shell, argument: str) -> None:
    """List the values that a variable of this frame, a field or an element has had, and where."""
    if not argument:
        raise UsageError("the values of what? For example `values this.total`")
    found = await _past(shell).values(shell.frame, argument)
    if not found:
        shell.console.write(f"no write of {argument} was recorded")
        return
    shell.console.write(writes_table(found[:_MOST]))
    if len(found) > _MOST:
        shell.console.write(f"... and {len(found) - _MOST:,} more")


async def _go(shell: Shell, past: jvmdebug.SessionPast, found: jvmdebug.recording.Write) -> None:
    text, where = jvmdebug.one_line(found.text), jvmdebug.one_line(found.where)
    shell.console.write(f"{text} was written in {where}")
    shell.current_stop()
    await past.go_to(found.moment)
    await shell.wait_for_stop()
