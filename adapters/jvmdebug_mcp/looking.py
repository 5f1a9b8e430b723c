# SPDX-License-Identifier: Apache-2.0
"""The tools that ask: none of them changes the program, and few stop it."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import jvmdebug
from jvmdebug_mcp.answers import listed
from jvmdebug_mcp.chains import links
from jvmdebug_mcp.context import describe, recent
from jvmdebug_mcp.shared import Shared, point_text

if TYPE_CHECKING:
    from jvmdebug import Observation

_LONGEST_S: Final = 120.0
_LENGTH: Final = 2000
_MOST_VIRTUAL: Final = 1000


class Looking(Shared):
    """Each method is a tool."""

    async def where(self, thread: str = "", frame: int = 0) -> str:
        """The current stop once more, seen from a frame: source, stack, variables."""
        stop = self._stop(thread)
        return await describe(self._it, stop, await self._frame(thread, frame))

    async def evaluate(
        self, expression: str, thread: str = "", frame: int = 0, children: int = 20
    ) -> str:
        """The value of a Java expression in a stopped frame, and its first children."""
        chosen = await self._frame(thread, frame)
        value = await chosen.evaluate(expression)
        below = await value.children(0, children) if children > 0 else []
        lines = [
            f"  {jvmdebug.one_line(child.name)} = {await child.as_text(max_length=200)}"
            for child in below
        ]
        return "\n".join([f"{expression} = {await value.as_text(max_length=_LENGTH)}", *lines])

    async def which_is_null(self, expression: str, thread: str = "", frame: int = 0) -> str:
        """Find which link of a chain like `a.b().c.d()` is null, with the values of the links
        before.
        """
        chosen = await self._frame(thread, frame)
        lines: list[str] = []
        for link in links(expression):
            try:
                value = await chosen.evaluate(link)
            except jvmdebug.EvaluationError:
                if lines or link == expression:
                    raise
                continue  # the name of a package or class
            text = await value.as_text(max_length=200)
            lines.append(f"{link} = {text}")
            if text == "null":
                return "\n".join([*lines, f"null is {link}"])
        return "\n".join([*lines, "none of them is null"])

    async def trace_calls(
        self, methods: str, condition: str = "", seconds: float = 5.0, limit: int = 50
    ) -> str:
        """The calls of `shop.Cart#add`, `shop.Cart#*` or `shop.*#save` while the program runs on,
        with arguments, results, times; ends after `seconds` or `limit` calls. Stops nothing.
        """
        session = self._it.session
        return await self._observed(
            session.trace(methods, condition=condition or None, limit=limit, duration_s=_s(seconds))
        )

    async def who_sets(
        self, field: str, to: str = "", stack: int = 3, seconds: float = 5.0, limit: int = 50
    ) -> str:
        """Tell who changes the field `shop.Cart.total`: value before and after, thread and stack of
        each write while the program runs on. to: only writes of that value, `null`.
        """
        session = self._it.session
        writes = session.who_sets(
            field, to=to or None, stack=stack, limit=limit, duration_s=_s(seconds)
        )
        return await self._observed(writes, stack=True)

    async def sample(
        self,
        expression: str,
        at: str = "",
        every_s: float = 1.0,
        seconds: float = 5.0,
        limit: int = 50,
    ) -> str:
        """Values of an expression while the program runs on: over static fields each every_s
        seconds, or each time that the line or method `at` is reached.
        """
        session = self._it.session
        samples = session.sample(
            expression,
            every=None if at else every_s,
            at=at or None,
            limit=limit,
            duration_s=_s(seconds),
        )
        return await self._observed(samples)

    async def threads(self, frames: int = 8, name: str = "") -> str:
        """All threads, or those with `name` in their names: stacks, who holds and waits for which
        monitor, deadlocks. The program is suspended for a moment; the answer says how long.
        """
        session = self._it.session
        began = time.perf_counter()
        snapshot = await session.thread_dump(frames=frames, virtual_threads=_MOST_VIRTUAL)
        held_s = snapshot.held_s
        held_s = time.perf_counter() - began if held_s is None else held_s
        deadlocks = [
            f"DEADLOCK: {', '.join(map(repr, each))} wait for each other"
            for each in snapshot.deadlocks
        ] or [
            "no deadlock"
            + " among locks of java.util.concurrent" * (snapshot.monitors_unknown is not None)
        ]
        chosen = [str(each) for each in snapshot.threads if name in each.name]
        head = f"{len(snapshot.threads)} threads, suspended for {held_s * 1000:.0f} ms"
        if snapshot.left_out:
            head += f"; {snapshot.left_out} more virtual threads"
        if snapshot.monitors_unknown:
            head += f"; monitors are not known: {snapshot.monitors_unknown}"
        return "\n".join([head, *deadlocks, "", *chosen])

    async def instances(self, type_name: str, limit: int = 10) -> str:
        """How many objects of exactly that class the program can reach, and at a stop the first
        ones. The program waits for a walk of the heap; the answer says how long.
        """
        session = self._it.session
        began = time.perf_counter()
        counts = await session.instance_counts(type_name)
        cost = f"the walk of the heap took {(time.perf_counter() - began) * 1000:.0f} ms"
        head = f"{type_name}: {counts[type_name]} objects; {cost}"
        if not session.current_stops:
            return f"{head}\n`pause` first to see the objects"
        found = await self._stop("").instances(type_name, limit)
        lines = [f"{each.name} {await each.as_text(max_length=200)}" for each in found.objects]
        return "\n".join([head, *listed(lines, limit, "objects")])

    async def is_code_current(self, class_name: str, class_path: list[str] | None = None) -> str:
        """Whether the VM runs the code of the class file on disk; what differs, by method."""
        found = await self._it.session.compare_code(class_name, *(class_path or ()))
        return "\n".join(map(str, found))

    async def why_not_hit(self, number: int) -> str:
        """Why a stop point was not hit: is its class loaded, is there code at the line, is it the
        code on disk, is the condition in the way.
        """
        session = self._it.session
        point = self._point(number)
        lines = [point_text(point)]
        if not point.enabled:
            lines.append("it is disabled: set it again")
        if point.waits:
            lines.append("the stop point that it is set after was not reached")
        if point.hits:
            return "\n".join([*lines, f"it was hit {point.hits} times"])
        if not point.locations:
            reason = point.message or "no code was found for it"
            hint = "a class that is loaded later can still match" if point.is_pending else ""
            return "\n".join(filter(None, [*lines, f"it is nowhere in the VM: {reason}", hint]))
        for name in dict.fromkeys(each.type_name for each in point.locations):
            with suppress(jvmdebug.JvmDebugError):
                lines += [str(each) for each in await session.compare_code(name)]
        if point.options.condition or point.options.hit_condition:
            lines.append("hits are counted where the condition holds: set it without, to see more")
        lines.append("its code was not reached since it was set: trace what calls it")
        return "\n".join(lines)

    async def stop_points(self) -> str:
        """All stop points: where they are, how often they were hit, why one is not set."""
        points = [point_text(each) for each in self._it.session.breakpoints]
        return "\n".join(points) or "none"

    async def output(self) -> str:
        """What the program wrote and what stop points logged since the last answer."""
        return "\n".join(recent(self._it)) or "nothing new"

    async def report(self) -> str:
        """The whole investigation as Markdown: each question with its answer."""
        return self._it.report()

    async def _observed(self, observation: Observation[Any], *, stack: bool = False) -> str:
        session = self._it.session
        shown: list[str] = []
        async with observation:
            if session.current_stops:
                await session.resume()
            else:
                await session.start()
            while (event := await observation.next()) is not None:
                shown.append(str(event))
                if stack:
                    shown += [f"    from {each}" for each in event.stack[1:]]
        if observation.missed:
            shown.append(f"{observation.missed} more came too fast to be told")
        if not shown:
            shown.append(observation.message or "nothing was seen while it ran")
        stopped = [await describe(self._it, each) for each in session.current_stops]
        return "\n".join([*shown, *stopped, *recent(self._it)])


def _s(seconds: float) -> float:
    return min(max(seconds, 0.1), _LONGEST_S)
