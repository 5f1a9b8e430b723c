# SPDX-License-Identifier: Apache-2.0
"""Unusual values: cyclic, huge, half built, changed while they are read, with unusual names.

Each is shown within the time limit, and no exception is raised.
"""

from __future__ import annotations

import asyncio
import re
import traceback
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import Variable
from jvmdebug.display import libraries
from jvmdebug.display.texts import TEXTS
from jvmdebug.display.views.known import VIEWS
from tests.support.debuggees import debuggee
from tests.support.sessions import launched, next_stop

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

UNUSUAL = debuggee("unusual_values", "unusual.Main")
SHOWN = {
    "ring": 'Object[2] {Object[2], "ring"}',
    "itself": 'ArrayList(2) {"first", ArrayList(2)}',
    "mapped": 'HashMap(1) {"me"=HashMap(1)}',
    "jagged": "int[4][] {int[1], int[0], null, int[3]}",
    "deep": "Object[2][][] {Object[2][], Object[0][]}",
    "letters": r"""char[9] {'\ud800', '\u202e', '\u0000', '\'', '"', '\\', '\u00a0', """
    r"""'\u2028', '\u007f'}""",
    "lone": r'"\ud800x\udc00"',
    "turned": r'"abc\u202ecba\u2066\u200b"',
    "lines": r'"one\r\ntwo\u2028three\u0085"',
    "odd": "double[5] {NaN, -0.0, Infinity, -Infinity, 4.9E-324}",
    "wide": "Wide@ {f0=0, f1=0, f2=0, f3=0, f4=0, …}",
}
_MAX_INSIDE = 12
_STEPS = 40
_MOVED_STATES = 3


class Looking:
    """Looks at everything, and remembers what went wrong."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.seen = 0

    async def at_variable(self, variable: Variable, levels: int = 1) -> None:
        """What a front end asks about a variable, and about what is below it."""
        self.seen += 1
        try:
            await asyncio.gather(
                variable.as_text(),
                variable.type_name(),
                variable.is_indexed(),
                variable.has_views(),
            )
            count = await variable.child_count()
            inside = await variable.children(0, min(count, _MAX_INSIDE))
            for view in await variable.views():
                if view.kind is jvmdebug.VariableKind.VIEW:
                    inside += await view.children(0, _MAX_INSIDE)
        except Exception:  # noqa: BLE001 - anything here is a mistake
            self.wrong.append(f"{variable}: {traceback.format_exc(limit=-4)}")
            return
        if levels:
            await asyncio.gather(*(self.at_variable(each, levels - 1) for each in inside))

    async def at_frame(self, frame: jvmdebug.FrameHandle, levels: int = 1) -> None:
        for scope in await frame.scopes():
            found = await scope.variables()
            await asyncio.gather(*(self.at_variable(each, levels) for each in found))

    async def at_stack(self, thread: jvmdebug.ThreadHandle) -> None:
        for frame in await thread.frames(0, 12):
            await self.at_frame(frame, 0)


def _unusual(
    jdk: Jdk, agent_kind: AgentKind = "jvmdebug"
) -> AbstractAsyncContextManager[jvmdebug.Session]:
    return launched(UNUSUAL, jdk, agent_kind, args=sorted({*VIEWS, *TEXTS, *libraries.all_names()}))


async def _break_at(session: jvmdebug.Session, marker: str) -> jvmdebug.Breakpoint:
    source, line = UNUSUAL.marked(marker)
    return await session.break_at(f"{source}:{line}")


async def test_every_unusual_value_can_be_displayed(jdk: Jdk, agent_kind: AgentKind) -> None:
    looking = Looking()
    async with _unusual(jdk, agent_kind) as session:
        await _break_at(session, "early")
        reading = await _break_at(session, "reading")
        await _break_at(session, "shown")
        stop = await next_stop(session)
        await _check_early(stop)
        await looking.at_stack(stop.thread)
        await session.resume()
        times = 0
        while (stop := await next_stop(session)).breakpoints == (reading,):
            times += 1
            await looking.at_stack(stop.thread)
            await session.resume()
        assert times == 8
        assert stop.frame.line == UNUSUAL.marker("shown")
        await looking.at_frame(stop.frame)
        for blank in await (await stop.frame.get("unmade")).children():
            await looking.at_variable(blank, 0)
        for thread in await session.threads():
            await looking.at_stack(thread)
        assert not looking.wrong, "\n".join(looking.wrong)
        assert looking.seen > 700
        await _check_texts(stop.frame)
        await _check_wide(stop.frame)
        await _check_expressions(stop.frame)
        await _check_huge(stop.frame)


async def _check_texts(frame: jvmdebug.FrameHandle) -> None:
    found = {
        each.name: re.sub(r"@[0-9a-f]+", "@", await each.as_text()) for each in await frame.locals()
    }
    assert found.items() >= SHOWN.items()
    bottom = await (await frame.get("bottom")).children()
    assert [each.name for each in bottom] == [
        "same",
        "self",
        "nothing",
        "same",
        "name",
        "same",
        "name",
    ]
    assert len({each.evaluate_name for each in bottom}) == len(bottom)
    for each in bottom:
        assert each.evaluate_name is not None
        again = await frame.evaluate(each.evaluate_name)
        assert await again.as_text() == await each.as_text()


async def _check_expressions(frame: jvmdebug.FrameHandle) -> None:
    """Expressions about what has no index, and of entries that no object stands for."""
    identity = 'new java.util.IdentityHashMap(java.util.Map.of("k", 5))'
    for text, expected in (
        (f"{identity}.entrySet()", "5"),
        (f"{identity}.values()", "5"),
        ("new java.util.TreeMap(java.util.Map.of(1, 2, 3, 4)).descendingMap()", "4"),
        ("java.util.BitSet.valueOf(new long[] {32})", "5"),
        ("new java.util.concurrent.ConcurrentSkipListSet(java.util.Set.of(7))", "7"),
        ("java.util.Collections.nCopies(3, 9)", "9"),
        ("mapped", "HashMap(1)"),
    ):
        (child, *_) = await (await frame.evaluate(text)).children()
        assert child.evaluate_name is not None, text
        again = await frame.evaluate(child.evaluate_name)
        assert (await again.as_text()).startswith(expected), child.evaluate_name
        assert (await child.as_text()).startswith(expected), child.evaluate_name


async def _check_wide(frame: jvmdebug.FrameHandle) -> None:
    """A thousand fields come with one request, and names that Java has not have no expression."""
    wide = await frame.get("wide")
    assert await wide.child_count() == 1000
    connection = frame.stop.vm.connection
    before = connection.round_trips
    fields = await wide.children()
    assert connection.round_trips - before <= 2
    assert (fields[-1].name, fields[-1].evaluate_name) == ("f999", "wide.f999")
    strange = await (await frame.get("strange")).children()
    denoted = {each.name: each.evaluate_name for each in strange}
    assert denoted == {
        **dict.fromkeys(("a b", "class", "1x", "<i>", "a-b", "this")),
        "größe": "strange.größe",
        "$": "strange.$",
    }


async def _check_huge(frame: jvmdebug.FrameHandle) -> None:
    """Reads no more of what is huge than is shown."""
    connection = frame.stop.vm.connection
    for name in ("huge", "wideHuge", "builder", "longMessage", "number", "byHuge"):
        variable = await frame.get(name)
        before, received = connection.round_trips, connection.bytes_received
        text = await variable.as_text(max_length=50)
        assert len(text) <= 50
        assert "…" in text
        assert connection.round_trips - before <= 16
        assert connection.bytes_received - received < 20_000, name
    (entry,) = await (await frame.get("byHuge")).children()
    assert len(entry.name) <= 60
    assert len(entry.evaluate_name or "") < 100
    whole = await (await frame.get("huge")).full_text()
    assert len(whole) == 20_000_000


@pytest.mark.slow
async def test_maps_that_grow_while_they_are_read(jdk: Jdk) -> None:
    looking = Looking()
    async with _unusual(jdk) as session:
        await _break_at(session, "full")
        await _check_growing(session, await next_stop(session), looking)
    assert not looking.wrong, "\n".join(looking.wrong)


async def _check_early(stop: jvmdebug.Stop) -> None:
    """An object whose constructor has not begun: `this` is there, with nothing in it."""
    first, constructor, *_ = await stop.frames(0, 3)
    assert [each.name for each in await first.locals()] == []
    this, *_ = await constructor.locals()
    assert (await this.as_text()).startswith("Early@")
    inside = {each.name: await each.as_text() for each in await this.children()}
    assert inside == {"late": "0", "made": "null", "same": "0", "name": "null"}


async def _check_growing(session: jvmdebug.Session, stop: jvmdebug.Stop, looking: Looking) -> None:
    """Line by line through a HashMap and a ConcurrentHashMap that grow."""
    plain = await session.break_at("java.util.HashMap#resize", condition="size > 12", once=True)
    await session.resume()
    stop = await next_stop(session)
    assert stop.breakpoints == (plain,)
    for _ in range(_STEPS):
        await looking.at_frame(stop.frame, 0)
        await stop.step_over()
        stop = await next_stop(session)
    moving = await session.break_at("java.util.concurrent.ConcurrentHashMap#transfer", once=True)
    await session.resume()
    stop = await next_stop(session)
    assert stop.breakpoints == (moving,)
    moved: set[int] = set()
    while len(moved) < _MOVED_STATES:
        assert stop.frame.method_name == "transfer"
        this = await stop.frame.get("this")
        await looking.at_variable(this, 0)
        entries = {each.name: await each.as_text() for each in await this.children()}
        assert entries == {str(each * 7): f'"v{each}"' for each in range(11)} | {
            "1000": '"last"'
        }, stop.frame
        raw = {each.name: each for each in await this.children(raw=True)}
        nodes = [await each.type_name() for each in await raw["table"].children()]
        moved.add(sum("Forwarding" in each for each in nodes))
        await stop.step_over()
        stop = await next_stop(session)
