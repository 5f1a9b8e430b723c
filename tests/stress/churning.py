# SPDX-License-Identifier: Apache-2.0
"""Probes under stress: breakpoints with conditions that are set, changed and removed at random in a
busy program (tests/debuggees/churn), beside stops, steps, evaluations, exception breakpoints and
hot swaps, in sessions that end well or are lost.

Owns what is done and what must come of it; `probe_uses` does more. The threads of the program
number their passes, and a condition holds for every 5000th, say: a pass that was missed or seen
twice shows in the numbers that are logged.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug import BreakpointLogged

if TYPE_CHECKING:
    import random
    from collections.abc import Awaitable, Callable, Iterator

    from tests.support.debuggees import Debuggee

LINES: Final = {
    "pass": "n",
    "inside": "now",
    "caught": "n",
    "float": "n",
    "same": "n",
    "store": "n",
}
"""Marker → the variable with the number of the pass."""
_NUMBERS: Final = {**LINES, "field": "$new", "element": "$new"}
"""What is asked about, lines and others → what has the number."""
_CONDITIONS: Final = (
    "{n} % {every} == 0",
    "{n} > 0 && {n} % {every} == 0",
    '{n} % {every} == 0 && !"a".equals(String.valueOf({n}))',
    '{n} % {every} == 0 && String.valueOf((Object) "a").length() == 1',
)
_EVERY: Final = {"caught": 300, "float": 3_000}
_EVERY_OTHER: Final = 5_000
_MOST: Final = 8
STEP_S: Final = 60.0
"""How long anything may take."""


@dataclass
class ChurnOutcome:
    """What came of a run."""

    deeds: Counter[str] = field(default_factory=Counter)
    how: Counter[str] = field(default_factory=Counter)
    """Locations by how their conditions were checked, or why by the debugger."""
    logged: int = 0
    stops: int = 0

    def __str__(self) -> str:
        return f"{self.logged} logged, {self.stops} stops, {dict(self.deeds)}, {dict(self.how)}"


@dataclass
class Asked:
    """A breakpoint that logs every so manieth pass of each thread."""

    breakpoint: jvmdebug.Breakpoint
    marker: str
    every: list[int]
    """Before and after its last change."""
    numbers: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def check(self) -> None:
        """Nothing is missing, nothing is twice."""
        for thread, found in self.numbers.items():
            asking = {at for at, every in enumerate(self.every) if found[0] % every == 0}
            for number, following in pairwise(found):
                asking = {at for each in asking for at in self._asking(each, number, following)}
                assert asking, (self.marker, thread, self.every, number, following, found)

    def _asking(self, before: int, number: int, following: int) -> Iterator[int]:
        """Tells which of the conditions may have held for `following`, when `before` did for
        `number`.

        Changes come at any time, several of them between two hits perhaps.
        """
        latest = number + 1  # the first pass that the next condition may have been asked for
        for at, every in enumerate(self.every[before:], start=before):
            first = -(-latest // every) * every
            if following % every == 0 and number < following <= first:
                yield at
            latest = first


class Churning:
    """The random work of one session."""

    def __init__(
        self,
        session: jvmdebug.Session,
        program: Debuggee,
        chance: random.Random,
        outcome: ChurnOutcome,
    ) -> None:
        self._session = session
        self._program = program
        self._chance = chance
        self._outcome = outcome
        self._asked: list[Asked] = []
        self._others: list[jvmdebug.Breakpoint] = []
        self._wrong: list[str] = []
        self._deeds = self._possible()
        session.subscribe(self._note)

    def _possible(self) -> list[tuple[int, Callable[[], Awaitable[None]]]]:
        """What it does, with how likely that is."""
        return [
            (10, self._ask),
            (8, self._change),
            (6, self._forget),
            (6, self._wait),
            (4, self._stop_somewhere),
            (2, self._pause),
            (2, self._toggle_exceptions),
            (2, self._ride),
            (1, self.hot_swap),
        ]

    async def go_on(self, seconds: float) -> None:
        """Random deeds for so long."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while loop.time() < until:
            await asyncio.wait_for(self.deed(), STEP_S)

    async def lose(self) -> None:
        """Hang up while all threads are suspended and a breakpoint is set."""
        await self.add("pass")
        with contextlib.suppress(jvmdebug.JvmDebugError):
            await self._session.suspend()
        await self._session.vm.connection.close()

    async def deed(self) -> None:
        """Do one of them."""
        deeds = [deed for _, deed in self._deeds]
        deed = self._chance.choices(deeds, [weight for weight, _ in self._deeds])[0]
        self._outcome.deeds[deed.__name__.strip("_")] += 1
        await deed()
        self._check()

    def _check(self) -> None:
        assert not self._session.is_disconnected, "the connection was lost"
        assert not self._wrong, self._wrong

    async def rest(self) -> None:
        """Take everything back."""
        while self._asked:
            await self._drop(self._asked.pop())
        while self._others:
            await self._others.pop().remove()
        if self._session.current_stops:
            await self._session.resume()
        self._check()

    def _note(self, event: jvmdebug.SessionEvent) -> None:
        if not isinstance(event, BreakpointLogged):
            return
        self._outcome.logged += 1
        for asked in self._asked:
            if asked.breakpoint is event.breakpoint:
                thread, _, number = event.text.partition(":")
                if number.isdecimal():
                    asked.numbers[thread].append(int(number))
                else:  # nobody hears of an exception in here
                    self._wrong.append(event.text)

    def _spec(self, marker: str) -> str:
        source, line = self._program.marked(marker)
        return f"churn/{source.name}:{line}"

    def _condition(self, marker: str, every: int) -> str:
        return self._chance.choice(_CONDITIONS).format(n=_NUMBERS[marker], every=every)

    def _every(self, marker: str) -> int:
        return _EVERY.get(marker, _EVERY_OTHER) * self._chance.randrange(1, 4)

    async def add(self, marker: str) -> None:
        """A breakpoint that logs."""
        every = self._every(marker)
        added = await self._session.break_at(
            self._spec(marker),
            condition=self._condition(marker, every),
            log_message=self._message(marker),
        )
        self._keep(added, marker, every)

    @staticmethod
    def _message(marker: str) -> str:
        who = "{id}" if marker in ("pass", "inside") else "one"
        return f"{who}:{{{_NUMBERS[marker]}}}"

    def _keep(self, added: jvmdebug.Breakpoint, marker: str, every: int) -> Asked:
        for location in added.locations:
            self._outcome.how[location.why_event or location.how] += 1
        asked = Asked(added, marker, [every])
        self._asked.append(asked)
        return asked

    async def _ask(self) -> None:
        if len(self._asked) >= _MOST:
            await self._forget()
        await self.add(self._chance.choice(list(LINES)))

    async def _change(self) -> None:
        if self._asked:
            asked = self._chance.choice(self._asked)
            asked.every.append(self._every(asked.marker))
            await asked.breakpoint.set_condition(self._condition(asked.marker, asked.every[-1]))

    async def _forget(self) -> None:
        if self._asked:
            await self._drop(self._asked.pop(self._chance.randrange(len(self._asked))))

    async def _drop(self, asked: Asked) -> None:
        await asked.breakpoint.remove()
        asked.check()

    async def _wait(self) -> None:
        await asyncio.sleep(self._chance.random() * 0.3)

    async def _stop_somewhere(self) -> None:
        await self.stop_at(self._chance.choice(("pass", "inside", "caught", "same")))

    async def stop_at(self, marker: str) -> None:
        """A stop at a probe, a few steps, an evaluation."""
        at = await self._session.break_at(
            self._spec(marker),
            condition=f"{LINES[marker]} % 500 == 0",
            suspend=self._chance.choice(("all", "thread")),
        )
        stop = await self._next(lambda each: at in each.breakpoints)
        self._outcome.stops += 1
        assert stop.frame.line == self._program.marker(marker), stop.frame
        value = await (await stop.frame.evaluate(f"{LINES[marker]} % 500")).as_text()
        assert value == "0", value
        frames = await stop.frames()
        assert all("JvmdebugProbe" not in str(each) for each in frames), frames
        await at.remove()
        for _ in range(self._chance.randrange(3)):
            await stop.step_over()
            name = stop.thread.name
            stop = await self._next(lambda each: each.thread.name == name)  # noqa: B023
            assert not stop.breakpoints, stop
            # After a hot swap of any class, frames that are older than a probe count as obsolete.
            assert stop.frame.line or self._outcome.deeds["hot_swap"], stop.frame
        await stop.resume()
        await self._session.resume()

    async def _next(self, is_it: Callable[[jvmdebug.Stop], bool]) -> jvmdebug.Stop:
        """The next such stop. Other threads may have stopped before a breakpoint was removed."""
        while True:
            stop = await self._session.next_stop(timeout_s=STEP_S)
            assert stop is not None
            if is_it(stop):
                return stop
            await stop.resume()

    async def _pause(self) -> None:
        stop = await self._session.suspend()
        for thread in await self._session.threads():
            with contextlib.suppress(jvmdebug.JvmDebugError):
                for frame in await thread.frames():
                    assert "JvmdebugProbe" not in str(frame), frame
        self._outcome.stops += 1
        if self._chance.random() < 0.5:
            await self._ask()  # while everything stands
        await stop.resume()

    async def _toggle_exceptions(self) -> None:
        if self._others and self._chance.random() < 0.6:
            await self._others.pop(0).remove()
            return
        type_name = self._chance.choice(
            ("java.lang.ArithmeticException", "java.lang.IllegalStateException")
        )
        self._others.append(
            await self._session.break_on_exception(
                type_name,
                caught=self._chance.random() < 0.7,  # for others loaded classes are not changed
                condition="$exception == null",
                suspend="thread",
            )
        )
        if len(self._others) > 2:
            await self._others.pop(0).remove()

    async def _ride(self) -> None:
        """Each of the classes that come and go is hit, once."""
        riding = await self._session.break_at(
            self._spec("ride"), condition="stop == 1", log_message="one:{n}"
        )
        asked = Asked(riding, "ride", [1])
        self._asked.append(asked)
        await asyncio.sleep(0.2)
        self._asked.remove(asked)
        await self._drop(asked)

    async def hot_swap(self) -> None:
        """A class gets the code that it has."""
        path = self._program.class_path[0] / "churn" / "Churn$Replaced.class"
        await self._session.redefine(path)
