# SPDX-License-Identifier: Apache-2.0
"""What a storm does where a thread has stopped: it looks, evaluates, sets variables to what they
are, steps, runs to other lines, drops frames that may run once more, forces returns and throws
where the program expects that, and lets the thread go.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

import jvmdebug

if TYPE_CHECKING:
    import random

    from tests.stress.storm_targets import StormOutcome, Targets

_STEP_S: Final = 1.0
_WAYS: Final = (
    *("see", "evaluate", "set", "step", "step", "step", "run", "pop", "jump", "into", "alone"),
    *("return", "throw", "others"),
)
_PRIMITIVES: Final = ("int", "long", "boolean", "double")
_EXPRESSIONS: Final = (
    ("Math.abs(-3) + 4", "7"),
    ('"a".concat("b").length()', "2"),
    ("new int[] {1, 2}[1]", "2"),
    ("java.util.List.of(1, 2).stream().mapToInt(n -> n).sum()", "3"),
)
_REFUSALS: Final = (
    jvmdebug.BreakpointError,
    jvmdebug.EvaluationError,
    jvmdebug.StateError,
    jvmdebug.UnsupportedError,
    jvmdebug.VmError,
)


class StopWork:
    """The work at the stops of one session."""

    def __init__(self, session: jvmdebug.Session, targets: Targets, outcome: StormOutcome) -> None:
        self._session = session
        self._targets = targets
        self._outcome = outcome

    async def look(self, stop: jvmdebug.Stop, chance: random.Random) -> None:
        """Some of all that, then let it go."""
        for _ in range(chance.randrange(4)):
            if not stop.is_current:
                break
            way = chance.choice(_WAYS)
            self._outcome.at_stops[way] += 1
            try:
                found = await self._one(stop, way, chance)
            except _REFUSALS as error:
                self._outcome.refused[f"{way}: {type(error).__name__}"] += 1
                found = stop
            if found is None:
                break
            stop = found
        await self.resume(stop)

    async def resume(self, stop: jvmdebug.Stop) -> None:
        """Let it run, unless it does."""
        with contextlib.suppress(jvmdebug.StateError):
            await stop.resume()

    async def stacks(self, chance: random.Random) -> None:
        """The frames of some threads that are suspended; none of them is the agent's."""
        threads = await self._session.threads()
        for thread in chance.sample(threads, min(len(threads), 4)):
            with contextlib.suppress(*_REFUSALS):
                for frame in await thread.frames(0, 30):
                    assert "JvmdebugProbe" not in str(frame), frame

    async def _one(
        self, stop: jvmdebug.Stop, way: str, chance: random.Random
    ) -> jvmdebug.Stop | None:
        """The stop that is current afterwards; None if there is none."""
        if way == "see":
            await self._see(stop)
        elif way == "evaluate":
            await self._evaluate(stop, chance)
        elif way == "set":
            await self._set(stop)
        elif way == "others":
            await self._others(stop)
        elif way == "pop":
            return await self._pop(stop, chance)
        elif way == "jump":
            return await self._jump(stop)
        elif way == "return":
            return await self._return(stop)
        elif way == "throw":
            await self._throw(stop)
        else:
            return await self._go(stop, way, chance)
        return stop

    async def _see(self, stop: jvmdebug.Stop) -> None:
        frames = await stop.frames(0, 20)
        assert all("JvmdebugProbe" not in str(each) for each in frames), frames
        for each in await stop.frame.locals():
            await each.as_text()

    async def _evaluate(self, stop: jvmdebug.Stop, chance: random.Random) -> None:
        text, right = chance.choice(_EXPRESSIONS)
        value = await (await stop.frame.evaluate(text)).as_text()
        assert value == right, f"{text} is {value}"

    async def _set(self, stop: jvmdebug.Stop) -> None:
        for each in await stop.frame.variables():
            if await each.type_name() in _PRIMITIVES:
                await stop.frame.set(each.name, each.name)

    async def _others(self, stop: jvmdebug.Stop) -> None:
        """What is shown and does not change anything."""
        frame = stop.frame
        await stop.fetch()
        await stop.thrown()
        await stop.own_frame()
        await stop.frames_with_inlined(0, 5)
        assert await stop.frame_count() > 0
        await frame.scopes()
        await frame.completions("Str")
        await frame.disassembly()
        await stop.find_source("checked/Fields.java")
        found = await stop.instances(frame.declaring_type.name, 2)
        for each in found.objects:
            number = await each.keep()
            assert number in stop.kept()
            await stop.release(number)

    async def _pop(self, stop: jvmdebug.Stop, chance: random.Random) -> jvmdebug.Stop | None:
        frame = stop.frame
        is_pure = frame.declaring_type.name in self._targets.pure and "<" not in frame.method.name
        if not is_pure or not frame.can_pop:
            return stop
        if chance.random() < 0.5:
            return await stop.pop_frame()
        await stop.restart_frame()
        return await self._following()

    async def _jump(self, stop: jvmdebug.Stop) -> jvmdebug.Stop:
        """Jump to the line where it is, which does nothing where it is possible."""
        frame = stop.frame
        if frame.declaring_type.name not in self._targets.pure or frame.line is None:
            return stop
        try:
            return await stop.jump_to(frame.line)
        except jvmdebug.UnsupportedError:
            return stop

    def _returns_argument(self, stop: jvmdebug.Stop) -> bool:
        """A frame whose result is its argument, in a thread that knows what may be thrown."""
        package, _, name = stop.frame.declaring_type.name.rpartition(".")
        is_own = bool(package) and package == self._targets.returning
        return is_own and not name.startswith("Fresh") and stop.frame.function.endswith("pass(int)")

    async def _return(self, stop: jvmdebug.Stop) -> jvmdebug.Stop | None:
        if not self._returns_argument(stop):
            return stop
        self._outcome.at_stops["returned"] += 1
        return await stop.force_return("n")

    async def _throw(self, stop: jvmdebug.Stop) -> None:
        if self._returns_argument(stop):
            self._outcome.at_stops["thrown"] += 1
            await stop.throw(f"new {self._targets.returning}.Thrown(n)")

    async def _go(
        self, stop: jvmdebug.Stop, way: str, chance: random.Random
    ) -> jvmdebug.Stop | None:
        if way == "run":
            line = stop.frame.line or 1
            await stop.run_to(f"{stop.frame.declaring_type.name}:{line + chance.randrange(3)}")
        elif way == "into":
            targets = await stop.step_in_targets()
            await stop.step_into(target=chance.choice(targets) if targets else None)
        else:
            step = chance.choice((stop.step_over, stop.step_into, stop.step_out))
            granularity: jvmdebug.Granularity = chance.choice(("line", "line", "instruction"))
            await step(granularity, alone=way == "alone")
        return await self._following()

    async def _following(self) -> jvmdebug.Stop | None:
        try:
            return await self._session.next_stop(timeout_s=_STEP_S)
        except TimeoutError:
            return None  # its thread waits, or has ended
