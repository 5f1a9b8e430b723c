# SPDX-License-Identifier: Apache-2.0
"""The deeds of a storm that `storm` has not: the rarer operations of a session, and those that need
the program's sources or other code that does the same.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.stress.storm import Storm

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    import jvmdebug

_A_MOMENT_S: Final = 0.1
_EXPRESSIONS: Final = (("1 + 2", "3"), ("Math.max(3, 4)", "4"), ('"ab".length()', "2"))


class EveryDeed(Storm):
    """A storm of all operations."""

    def _all(self) -> list[tuple[int, Callable[[], Awaitable[None]]]]:
        return [
            *super()._all(),
            (3, self._data),
            (3, self._equivalent),
            (1, self._sources),
            (1, self._compare),
            (1, self._evaluated),
            (1, self._gc),
            (1, self._seen),
            (2, self._off_and_on),
            (2, self._options),
            (2, self._filtered),
        ]

    async def _data(self) -> None:
        """A watch of an element, a local variable or the field of one object."""
        spec = await self._line()
        self._say(spec)
        at = await self._session.break_at(spec, suspend="thread")
        try:
            stop = await self._session.next_stop(timeout_s=1)
        except TimeoutError:
            return
        finally:
            await at.remove()
        if stop is not None:
            for target in await self._watchable(stop):
                self._say(str(target))
                self._set.append(await self._session.watch(target, condition=self._never()))
            if stop.is_current:
                await stop.resume()
            await asyncio.sleep(_A_MOMENT_S)
            await self._remove()

    async def _watchable(self, stop: jvmdebug.Stop) -> list[jvmdebug.DataTarget]:
        found = []
        variables = await stop.frame.variables()
        for each in self._chance.sample(variables, min(2, len(variables))):
            is_array = (await each.type_name()).endswith("]")
            name = f"{each.name}[{self._chance.choice('0*')}]" if is_array else each.name
            found.append(await stop.frame.data_target(name))
        return found

    async def _equivalent(self) -> None:
        """Some classes get other code that does the same, and a moment later their own."""
        names = sorted({self._type() for _ in range(self._chance.choice((1, 1, 3)))})
        self._say(" ".join(names))
        other = {each: self._targets.equivalent(each) for each in names}
        with tempfile.TemporaryDirectory() as folder:
            for kind in ("other", "own", "other", "own"):
                paths = []
                for number, name in enumerate(names):
                    content = self._targets.class_file(name) if kind == "own" else other[name]
                    if content is not None and other[name] is not None:
                        paths.append(Path(folder, f"{number}.class"))
                        paths[-1].write_bytes(content)
                if paths:
                    self._outcome.swapped.update(f"{each}.class" for each in names)
                    await self._session.redefine(*paths, changed_only=False)
                    if self._chance.random() < 0.5:
                        await self._condition()
                    await asyncio.sleep(self._chance.random() * _A_MOMENT_S)

    async def _sources(self) -> None:
        """A source as it is, compiled anew."""
        source = self._targets.source(self._type())
        if source is not None:
            self._say(source.name)
            outer = self._targets.outer_name(source)
            self._outcome.swapped.update(
                f"{each}.class" for each in self._names if each.partition("$")[0] == outer
            )
            await self._session.replace_sources(source)

    async def _compare(self) -> None:
        name = self._type()
        self._say(name)
        await self._session.compare_code(name, *self._targets.class_path[:1])
        await self._session.code.listing(name)

    async def _evaluated(self) -> None:
        text, right = self._chance.choice(_EXPRESSIONS)
        value = await self._session.evaluate(text)
        assert value.text == right, f"{text} is {value}"

    async def _gc(self) -> None:
        async with self._session.gc_events(limit=3, duration_s=0.3) as pauses:
            await self._going_on(pauses.collect())

    async def _seen(self) -> None:
        await self._session.snapshot(frames=10)
        await self._session.find_source("checked/Fields.java")

    async def _off_and_on(self) -> None:
        if self._set:
            one = self._chance.choice(self._set)
            await one.disable()
            await asyncio.sleep(self._chance.random() * _A_MOMENT_S)
            await one.enable()

    async def _options(self) -> None:
        if self._set:
            one = self._chance.choice(self._set)
            await one.set_log_message(None)
            await one.set_condition(self._never())
            await one.set_hit_condition(self._chance.choice((None, "% 100", ">= 7")))

    async def _filtered(self) -> None:
        """Hits of one thread count, or those after another one; once."""
        threads = await self._session.threads()
        options: dict[str, Any] = self._chance.choice(
            ({"thread": self._chance.choice(threads)}, {"once": True})
        )
        await self._add(await self._line(), condition=self._never(), **options)
