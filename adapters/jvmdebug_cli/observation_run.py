# SPDX-License-Identifier: Apache-2.0
"""An observation from its beginning to its end: events are shown as they come.

Owns the end: at a limit, with the program, or at Ctrl-C, which is no failure. What is observed is
the session's, how it shows the view's. Called by the subcommands `trace`, `who-sets`, `sample`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Protocol

import jvmdebug
from jvmdebug_cli.exit_codes import DONE, FAILED, WrongUsageError
from jvmdebug_cli.interrupts import Interrupts
from jvmdebug_cli.near_names import near_class
from jvmdebug_cli.subcommands.asking import printers

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncIterator, Callable

    from jvmdebug_cli.options import Opening
    from jvmdebug_cli.printer import Printer

    Observation = jvmdebug.Trace | jvmdebug.FieldWrites | jvmdebug.Samples


_SPECS: Final = ("pattern", "field", "place")
"""The arguments that name a class, of the commands that observe."""
_MOST_REASONS: Final = 5
"""Why calls stop, of so many methods."""


class View(Protocol):
    """How the events of an observation are shown as they come."""

    def show(self, event: jvmdebug.ObservedEvent) -> None:
        """One more."""

    def pause(self) -> None:
        """Has no further observation come for a moment."""

    def end(self) -> None:
        """There are no more."""


PAUSE_S = 0.3


async def observe(
    parsed: argparse.Namespace,
    opening: Opening,
    make: Callable[[jvmdebug.Session], Observation],
    view: Callable[[Printer], View],
) -> int:
    """Open the program, observe, show; the exit code."""
    out, beside = printers(parsed)
    interrupts = Interrupts()
    async with opening as session:  # until then Ctrl-C ends the command, as it does any other
        with interrupts.handled():
            unsubscribe = session.subscribe(lambda event: _pass_on(event, parsed, out, beside))
            observation = _made(make, session)
            async with observation:
                waits_for = observation.message if parsed.at is not None else None
                if waits_for is not None:
                    beside.write(f"Waiting: {waits_for}{await _hint(session, parsed)}")
                showing = asyncio.create_task(_show(observation, view(out)), name="showing")
                interrupted = await interrupts.come_during(showing)
                if interrupted:
                    showing.cancel()
                await asyncio.gather(showing, return_exceptions=True)
                if not showing.cancelled() and (error := showing.exception()) is not None:
                    raise error
            if observation.message not in (None, waits_for) and not observation.count:
                hint = await _hint(session, parsed)
                beside.write(f"Nothing was observed: {observation.message}{hint}")
            if observation.missed:
                beside.write(f"{observation.missed} were not recorded: they came too fast.")
            for method, why in _why_stopped(observation):
                beside.write(f"Each call of {method} stopped for a moment: {why}.")
            unsubscribe()
            if parsed.at is None and session.is_disconnected and not interrupted:
                # The program has ended by itself: whether it has failed is our end, too.
                return FAILED if await session.wait() else DONE
            return DONE


def _made(
    make: Callable[[jvmdebug.Session], Observation], session: jvmdebug.Session
) -> Observation:
    """Makes it without arming it: what is wrong with it now is wrong in any program."""
    try:
        return make(session)
    except jvmdebug.BreakpointError as error:
        raise WrongUsageError(str(error)) from None


async def _hint(session: jvmdebug.Session, parsed: argparse.Namespace) -> str:
    spec = next((vars(parsed)[name] for name in _SPECS if vars(parsed).get(name)), None)
    found = None if spec is None else await near_class(session, spec)
    return "." if found is None else f"; did you mean {jvmdebug.one_line(found)}?"


def _why_stopped(observation: Observation) -> list[tuple[str, str]]:
    """Says why calls of some methods stop; nothing if those of all do, as they always did."""
    if not isinstance(observation, jvmdebug.Trace) or observation.all_stop:
        return []
    return list(observation.why_stopped.items())[:_MOST_REASONS]


def _pass_on(
    event: jvmdebug.SessionEvent, parsed: argparse.Namespace, out: Printer, beside: Printer
) -> None:
    if isinstance(event, jvmdebug.Output):
        stream = beside if event.stream == "stderr" or parsed.json else out
        stream.write_output(event.text)


async def _show(observation: Observation, view: View) -> None:
    """Show events until there are no more; at the end also when this is cancelled."""
    events: AsyncIterator[jvmdebug.ObservedEvent]
    events = observation.events() if isinstance(observation, jvmdebug.Trace) else aiter(observation)
    following: asyncio.Task[jvmdebug.ObservedEvent] | None = None
    try:
        while True:
            following = following or asyncio.create_task(_next(events), name="next event")
            await asyncio.wait((following,), timeout=PAUSE_S)
            if not following.done():
                view.pause()
                await asyncio.wait((following,))
            try:
                view.show(following.result())
            except StopAsyncIteration:
                return
            following = None
    finally:
        if following is not None:
            following.cancel()
        view.end()


async def _next(events: AsyncIterator[jvmdebug.ObservedEvent]) -> jvmdebug.ObservedEvent:
    return await anext(events)
