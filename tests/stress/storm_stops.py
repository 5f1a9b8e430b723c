# SPDX-License-Identifier: Apache-2.0
"""What a storm does where a thread has stopped: it looks, evaluates, sets variables to what they
are, steps, runs to other lines, drops frames that may run once more, and lets the thread go.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

import jvmdebug

if TYPE_CHECKING:
    import random
    from collections import Counter

_STEP_S: Final = 1.0
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

    def __init__(
        self, session: jvmdebug.Session, pure: frozenset[str], refused: Counter[str]
    ) -> None:
        self._session = session
        self._pure = pure
        self._refused = refused

    async def look(self, stop: jvmdebug.Stop, chance: random.Random) -> None:
        """Some of all that, then let it go."""
        for _ in range(chance.randrange(4)):
            if not stop.is_current:
                break
            way = chance.choice(("see", "evaluate", "set", "step", "step", "step", "run", "pop"))
            try:
                found = await self._one(stop, way, chance)
            except _REFUSALS as error:
                self._refused[f"{way}: {type(error).__name__}"] += 1
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
        elif way == "pop":
            return await self._pop(stop)
        else:
            return await self._go(stop, way, chance)
        return stop

    async def _see(self, stop: jvmdebug.Stop) -> None:
        frames = await stop.frames(0, 20)
        assert all("JvmdebugProbe" not in str(each) for each in frames), frames
        for each in await stop.frame.locals():
            await each.text()

    async def _evaluate(self, stop: jvmdebug.Stop, chance: random.Random) -> None:
        text, right = chance.choice(_EXPRESSIONS)
        value = await (await stop.frame.evaluate(text)).text()
        assert value == right, f"{text} is {value}"

    async def _set(self, stop: jvmdebug.Stop) -> None:
        for each in await stop.frame.variables():
            if await each.type_name() in _PRIMITIVES:
                await stop.frame.set(each.name, each.name)

    async def _pop(self, stop: jvmdebug.Stop) -> jvmdebug.Stop | None:
        frame = stop.frame
        is_pure = frame.declaring_type.name in self._pure and "<" not in frame.method.name
        if not is_pure or not frame.can_pop:
            return stop
        return await stop.pop_frame()

    async def _go(
        self, stop: jvmdebug.Stop, way: str, chance: random.Random
    ) -> jvmdebug.Stop | None:
        if way == "run":
            line = stop.frame.line or 1
            await stop.run_to(f"{stop.frame.declaring_type.name}:{line + chance.randrange(3)}")
        else:
            step = chance.choice((stop.step_over, stop.step_into, stop.step_out))
            await step(chance.choice(("line", "line", "instruction")))
        try:
            return await self._session.next_stop(timeout_s=_STEP_S)
        except TimeoutError:
            return None  # its thread waits, or has ended
