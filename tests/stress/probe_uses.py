# SPDX-License-Identifier: Apache-2.0
"""The other uses of probes under stress, beside breakpoints with conditions: watches of a field and
of an array, filters by thread, counters, times, traces, results, many that are set at once.
`churning` says what must come of them.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, TypeVar

import jvmdebug
from tests.stress.churning import STEP_S, Churning

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine


T = TypeVar("T")

_TOGETHER: Final = ("pass", "pass", "same", "store", "store", "caught")
_FIELD: Final = "churn.Churn$Storing.last"
_A_MOMENT_S: Final = 0.1
_TRACED_S: Final = STEP_S / 4
"""At most. A thread makes a few calls a second where the debugger asks each condition."""


class UsingProbes(Churning):
    """The random work of one session, with all that probes are for."""

    def _possible(self) -> list[tuple[int, Callable[[], Awaitable[None]]]]:
        return [*super()._possible(), *self._uses(), (2, self._return)]

    def _uses(self) -> list[tuple[int, Callable[[], Awaitable[None]]]]:
        """The uses that a late agent has, too."""
        return [
            (2, self._watch_field),
            (2, self._watch_array),
            (2, self._of_one_thread),
            (2, self._set_together),
            (1, self._count),
            (1, self._time),
            (1, self._trace),
        ]

    async def _watch_field(self) -> None:
        every = self._every("field")
        added = await self._session.watch(
            _FIELD,
            condition=self._condition("field", every),
            log_message=self._message("field"),
            suspend="thread",
        )
        self._keep(added, "field", every)

    async def _watch_array(self) -> None:
        stop = await self._stop_in("store")
        element = self._chance.choice(("marks[0]", "marks[*]"))
        every = self._every("element")
        added = await self._session.watch(
            await stop.frame.data_target(element),
            condition=self._condition("element", every),
            log_message=self._message("element"),
            suspend="thread",
        )
        self._keep(added, "element", every)
        await self._session.resume()

    async def _of_one_thread(self) -> None:
        """Two threads come there, and one counts."""
        threads = {each.name: each for each in await self._session.threads()}
        every = self._every("pass")
        added = await self._session.break_at(
            self._spec("pass"),
            condition=self._condition("pass", every),
            log_message=self._message("pass"),
            thread=threads["turns-1"],
        )
        asked = self._keep(added, "pass", every)
        await asyncio.sleep(_A_MOMENT_S)
        self._asked.remove(asked)
        await self._drop(asked)
        assert set(asked.numbers) <= {"1"}, asked.numbers

    async def _set_together(self) -> None:
        """Sets them, and removes them, at once."""
        known = len(self._asked)
        await asyncio.gather(*map(self.add, _TOGETHER))
        together = self._asked[known:]
        del self._asked[known:]
        self._asked += together[:1]
        await asyncio.gather(*map(self._drop, together[1:]))

    async def _count(self) -> None:
        async with self._session.count(self._spec("same")) as count:
            await asyncio.sleep(_A_MOMENT_S)
            first = await count.read()
        assert 0 <= first <= await count.read()

    async def _time(self) -> None:
        between = self._session.time_between(self._spec("tried"), self._spec("caught"))
        try:
            await between.open()
        except jvmdebug.UnsupportedError:
            return  # a thread is in the method just now, or a breakpoint of the VM
        async with between as timing:
            await asyncio.sleep(_A_MOMENT_S)
            found = (await timing.read()).total
        assert sum(each.count for each in found.ranges) == found.count, found

    async def _trace(self) -> None:
        """No call between the first and the last is missing."""
        trace = self._session.trace(
            "churn.Churn$Throwing#thrown", limit=100, duration_s=_TRACED_S, capacity=100_000
        )
        numbers: dict[str, list[int]] = {}
        for call in await self._going_on(trace.collect()):
            numbers.setdefault(call.thread, []).append(int(str(call.argument("n"))))
        for found in numbers.values():
            assert found == list(range(found[0], found[0] + len(found))), found

    async def _going_on(self, waiting: Coroutine[Any, Any, T]) -> T:
        """Awaits it. A thread may have hit a breakpoint before that was removed, and stop."""
        task = asyncio.create_task(waiting)
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=_A_MOMENT_S)
                if self._session.current_stops:
                    await self._session.resume()
            return task.result()
        finally:
            task.cancel()

    async def _return(self) -> None:
        """What a method returns that is stepped out of."""
        stop = await self._stop_in("same")
        name = stop.thread.name
        await stop.step_out()
        stop = await self._next(lambda each: each.thread.name == name)
        self._outcome.stops += 1
        value = await (await stop.frame.evaluate("$return % 500")).as_text()
        assert value == "0", value
        await self._session.resume()

    async def _stop_in(self, marker: str) -> jvmdebug.Stop:
        at = await self._session.break_at(
            self._spec(marker), condition="n % 500 == 0", suspend="thread"
        )
        stop = await self._next(lambda each: at in each.breakpoints)
        self._outcome.stops += 1
        await at.remove()
        return stop
