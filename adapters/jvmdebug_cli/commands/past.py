# SPDX-License-Identifier: Apache-2.0
"""Commands of a recording, and of a program that is recorded: record, back, reverse-step,
reverse-finish, reverse-continue, failure, who-wrote, when, values.
"""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from typing import TYPE_CHECKING, TypeVar

import jvmdebug
from jvmdebug_cli import visit
from jvmdebug_cli.argument_types import duration
from jvmdebug_cli.command import Completes, UsageError, command, count_of
from jvmdebug_cli.recorded_views import writes_table

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug_cli.shell import Shell

Answer = TypeVar("Answer")
_TOPIC = "The past"
_FILE = "recording.jvmrec"
_MOST = 1000


def _is_live_recording(shell: Shell) -> bool:
    """Whether this is the present of a program that is recorded."""
    is_live = shell.session.past is None and shell.session.owner is None
    return is_live and shell.session.recorded.recorder is not None


async def _past(shell: Shell) -> jvmdebug.SessionPast:
    """The past; from the present of a program that is recorded, that of its thread."""
    if _is_live_recording(shell):
        await visit.begin(shell)
    past = shell.session.past
    if past is None:
        raise UsageError(
            "only what is recorded has a past: `record` begins that, `jvmdebug replay FILE` opens a"
            " recording"
        )
    return past


async def _asked(
    shell: Shell,
    ask: Callable[[jvmdebug.SessionPast], Awaitable[Answer]],
    *,
    stays: bool = True,
) -> Answer:
    """The answer of the past; without one, or unless it `stays`, the present is shown as before."""
    was_there = shell.visit is not None
    past = await _past(shell)
    has_answer = False
    try:
        answer = await ask(past)
        has_answer = bool(answer)
    finally:
        if shell.visit is not None and not was_there and not (stays and has_answer):
            await shell.visit.end(shell)
    return answer


@command("record", usage="record [FILE] [last SECONDS] | record stop | record keep", topic=_TOPIC)
async def record(shell: Shell, argument: str) -> None:
    """Record what the program does from now on, into recording.jvmrec or FILE, until `record stop`.

    At a stop `back`, `rc` and `who-wrote` go into what was recorded so far; `next` or `continue`
    beyond its end is back in the present. The file is for `jvmdebug replay`.

    `record last 30` keeps the last 30 seconds in memory, for a program that runs long: `record
    keep` writes them into the file, and so does the end.
    """
    if argument in ("stop", "keep"):
        if shell.recorder is None:
            raise UsageError("nothing is recorded")
        if argument == "keep":
            kept = await shell.recorder.keep()
            shell.console.write(f"written: {kept.path} ({kept.records} records)")
            return
        if shell.visit is not None:
            await shell.visit.end(shell)
        await shell.let_go()
        return
    path, last = _recorded(argument)
    if shell.session.past is not None:
        raise UsageError("this is the past: it is recorded already")
    if shell.recorder is not None and shell.recorder.is_open:
        raise UsageError(f"{shell.recorder.path} is recorded: `record stop` ends that first")
    await shell.need_program()
    shell.recorder = await shell.session.record(path, last=last).__aenter__()
    shell.console.write(f"Recording into {path}.")


def _recorded(argument: str) -> tuple[str, float | None]:
    """The file and the seconds of `FILE last 30`."""
    found = re.fullmatch(r"(?:(.*?)\s+|)last\s+(\S+)", argument)
    if found is None:
        return argument or _FILE, None
    try:
        return found[1] or _FILE, duration(found[2])
    except ArgumentTypeError as error:
        raise UsageError(str(error)) from None


@command("back", "reverse-next", "rn", usage="back [COUNT]", topic=_TOPIC)
async def back(shell: Shell, argument: str) -> None:
    """Go back to the line before, over calls; from the first line of a method to its call."""
    count = count_of(argument)
    if _is_live_recording(shell) and await visit.begin(shell):
        await shell.show_stop(shell.current_stop())
        count -= 1
    for _ in range(count):
        await (await _past(shell)).step_back(shell.current_stop())
        if not await shell.step_ended():
            return


@command("reverse-step", "rs", usage="reverse-step [COUNT]", topic=_TOPIC)
async def reverse_step(shell: Shell, argument: str) -> None:
    """Go back to the line before, into calls from their end."""
    for _ in range(count_of(argument)):
        await (await _past(shell)).step_back(shell.current_stop(), "into")
        if not await shell.step_ended():
            return


@command("reverse-finish", topic=_TOPIC)
async def reverse_finish(shell: Shell, _: str) -> None:
    """Go back to the call that the current method came from."""
    await (await _past(shell)).step_back(shell.current_stop(), "out")
    await shell.wait_for_stop()


@command("reverse-continue", "rc", topic=_TOPIC)
async def reverse_continue(shell: Shell, _: str) -> None:
    """Go back to the nearest breakpoint or watch that was hit before, else to the beginning."""
    shell.current_stop()
    await (await _past(shell)).reverse_continue()
    await shell.wait_for_stop()


@command("failure", usage="failure [TEST]", topic=_TOPIC)
async def failure(shell: Shell, argument: str) -> None:
    """Go to the line that failed a test, `failure CartTest#adds`: where the exception came up.

    Without a test: where the last exception came up that no recorded code has caught.
    """
    shell.current_stop()
    await (await _past(shell)).go_to_failure(argument or None)
    await shell.wait_for_stop()


@command("who-wrote", usage="who-wrote NAME", topic=_TOPIC, completes=Completes.EXPRESSION)
async def who_wrote(shell: Shell, argument: str) -> None:
    """Go back to where a variable, a field or an element got the value that it has here.

    `who-wrote sum`, `who-wrote this.total`, `who-wrote cart.prices[0]`
    """
    if not argument:
        raise UsageError("who wrote what? For example `who-wrote this.total`")
    found = await _asked(shell, lambda past: past.who_wrote(shell.frame, argument))
    if found is None:
        shell.console.write(f"no write of {argument} was recorded before here")
        return
    await _go(shell, found)


@command("when", usage="when NAME == VALUE", topic=_TOPIC, completes=Completes.EXPRESSION)
async def when(shell: Shell, argument: str) -> None:
    """Go back to where a comparison came to hold last: `when sum == 42`, `when name == null`."""
    if not argument:
        raise UsageError("when what? For example `when sum == 42`")
    found = await _asked(shell, lambda past: past.when(shell.frame, argument))
    if found is None:
        shell.console.write(f"{argument} did not come to hold before here")
        return
    await _go(shell, found)


@command("values", usage="values NAME", topic=_TOPIC, completes=Completes.EXPRESSION)
async def values(shell: Shell, argument: str) -> None:
    """List the values that a variable of this frame, a field or an element has had, and where."""
    if not argument:
        raise UsageError("the values of what? For example `values this.total`")
    found = await _asked(shell, lambda past: past.values(shell.frame, argument), stays=False)
    if not found:
        shell.console.write(f"no write of {argument} was recorded")
        return
    shell.console.write(writes_table(found[:_MOST]))
    if len(found) > _MOST:
        shell.console.write(f"... and {len(found) - _MOST:,} more")


async def _go(shell: Shell, found: jvmdebug.recording.Write) -> None:
    text, where = jvmdebug.one_line(found.text), jvmdebug.one_line(found.where)
    shell.console.write(f"{text} was written in {where}")
    for each in found.unordered:
        other, thread = jvmdebug.one_line(each.where), jvmdebug.one_line(each.moment.thread.name)
        shell.console.write(f"thread {thread} wrote it in {other}; which was last is not known")
    shell.current_stop()
    await (await _past(shell)).go_to(found.moment)
    await shell.wait_for_stop()
