# SPDX-License-Identifier: Apache-2.0
"""Opening a page of a collection: how many round trips, whatever its size and where the page is.

With our agent one command, with the JDK's own a few waves of commands that are sent together.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import pytest

from jvmdebug.display.views import streamed
from jvmdebug.errors import UnsupportedError
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.values import ArrayReference
from tests.support.sessions import DebuggeeSession, compiled, launched

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from jvmdebug import Session, Variable
    from jvmdebug.model.virtual_machine import VirtualMachine
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

KINDS: Final = (
    *("Object[]", "List.of", "ArrayList", "ArrayDeque", "CopyOnWriteArrayList", "LinkedList"),
    *("LinkedBlockingQueue", "ConcurrentLinkedQueue", "Map.of", "HashMap", "LinkedHashMap"),
    *("TreeMap", "Hashtable", "WeakHashMap", "IdentityHashMap", "ConcurrentHashMap"),
    *("ConcurrentSkipListMap", "HashSet", "LinkedHashSet", "TreeSet"),
)
SIZE: Final = 250
PAGE: Final = 50


@asynccontextmanager
async def showing(
    jdk: Jdk, agent: AgentKind, kinds: Sequence[str], sizes: Sequence[int]
) -> AsyncIterator[DebuggeeSession]:
    """A debuggee that will stop with each of these collections in each of these sizes."""
    program = compiled("many", "many.Many", jdk)
    args = [word for kind in kinds for size in sizes for word in (kind, str(size))]
    async with launched(program, jdk, agent, args=args) as session:
        run = DebuggeeSession(session, program)
        await run.break_at("shown")
        yield run
        await session.kill()


async def next_shown(run: DebuggeeSession) -> Variable:
    """The next collection, with what an editor has read before anybody opens it."""
    if run.session.current_stops:
        await run.session.resume()
    stop = await run.next_stop()
    await stop.frames(0, 20)
    it = await stop.frame.get("it")
    await asyncio.gather(it.as_text(), it.child_count(), it.is_indexed())
    return it


async def opened(variable: Variable, start: int, count: int) -> list[tuple[str, str]]:
    """A page as an editor shows it: name and text of each."""
    page = await variable.children(start, count)
    for each in page:
        await asyncio.gather(each.type_name(), each.child_count(), each.is_indexed())
    texts = await asyncio.gather(*(each.as_text() for each in page))
    return [(each.name, text) for each, text in zip(page, texts, strict=True)]


def commands(session: Session) -> int:
    """How many there were so far."""
    return session.vm.connection.round_trips


@pytest.mark.agent
async def test_a_page_of_any_collection_is_one_command(
    jdk: Jdk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page at any place and size, and the same as when it is read node by node."""
    async with showing(jdk, "jvmdebug", KINDS, (SIZE, 4 * SIZE)) as run:
        for kind in KINDS:
            for size in (SIZE, 4 * SIZE):
                it = await next_shown(run)
                assert await it.child_count() == size
                is_counted = kind == "ConcurrentLinkedQueue"  # which has to be done each time
                await opened(it, 0, 2)  # what is asked of a class, once
                for start in (0, size // 2, size - PAGE):
                    before = commands(run.session)
                    found = await opened(it, start, PAGE)
                    assert commands(run.session) - before <= 1 + is_counted, (
                        f"{kind} of {size} at {start}"
                    )
                    assert len(found) == PAGE
                    if is_counted or size > SIZE or start == size // 2:
                        continue
                    with monkeypatch.context() as patch:
                        cannot_page(patch, run.session.vm)
                        assert await opened(it, start, PAGE) == found, f"{kind} at {start}"


def cannot_page(patch: pytest.MonkeyPatch, vm: VirtualMachine) -> None:
    """Acts as if the agent had no pages."""
    can = vm.agent_can
    patch.setattr(vm, "agent_can", lambda which: which != AgentCapability.PAGE and can(which))


@pytest.mark.agent
async def test_opening_a_whole_map_of_a_thousand_is_one_command(jdk: Jdk) -> None:
    async with showing(jdk, "jvmdebug", ("HashMap",), (1000,)) as run:
        it = await next_shown(run)
        await opened(it, 0, 2)
        before = commands(run.session)
        assert len(await opened(it, 0, 1000)) == 1000
        assert commands(run.session) - before == 1


STREAMED: Final = (
    *("HashMap", "LinkedHashMap", "TreeMap", "Hashtable", "IdentityHashMap", "ConcurrentHashMap"),
    *("ConcurrentSkipListMap", "HashSet", "LinkedHashSet", "TreeSet", "Map.of", "LinkedList"),
)


async def test_a_page_far_into_a_collection_is_read_by_its_own_stream(
    jdk: Jdk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The JDK's agent reads one node in a command: not all those before the page."""
    async with showing(jdk, "stock", STREAMED, (SIZE,)) as run:
        for kind in STREAMED:
            it = await next_shown(run)
            expected = await opened(it, SIZE // 2, PAGE)
            with monkeypatch.context() as patch:
                patch.setattr(streamed, "_FAR", 0)
                await opened(it, SIZE // 2, 2)  # the classes of the stream
                before = commands(run.session)
                assert await opened(it, SIZE // 2, PAGE) == expected, kind
                assert commands(run.session) - before < SIZE // 2 + 8 * PAGE, kind
                with pytest.raises(IndexError):  # nothing is behind the end
                    (await it.children(SIZE, PAGE))[0]


async def test_a_page_that_cannot_be_reached_says_why(
    jdk: Jdk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streamed, "_FAR", SIZE // 2)  # behind what the texts of values show
    monkeypatch.setattr(streamed, "_FARTHEST", SIZE // 2)
    kinds = ("HashMap", "LinkedBlockingQueue")
    async with showing(jdk, "stock", kinds, (SIZE,)) as run:
        it = await next_shown(run)
        assert len(await it.children(SIZE // 2, PAGE)) == PAGE
        run.session.vm.connection.is_read_only = True
        with pytest.raises(UnsupportedError, match="read-only session runs no method"):
            await it.children(SIZE // 2, PAGE)
        run.session.vm.connection.is_read_only = False
        it = await next_shown(run)
        with pytest.raises(UnsupportedError, match="no way to it but through all entries"):
            await it.children(SIZE // 2, PAGE)


async def test_a_map_that_was_large_is_not_read_slot_by_slot(jdk: Jdk) -> None:
    kinds = ("emptied HashMap", "emptied LinkedHashMap", "emptied IdentityHashMap")
    async with showing(jdk, "stock", kinds, (400_000,)) as run:
        for kind in kinds:
            it = await next_shown(run)
            await opened(it, 0, PAGE)
            before = commands(run.session)
            assert len(await opened(it, 0, PAGE)) == 30, kind
            assert await it.as_text() != "", kind
            assert commands(run.session) - before < 600, kind


async def test_a_large_array_of_objects_is_read_whole(jdk: Jdk) -> None:
    """The JDK's agent ends the program where more than 65,536 are asked for at once."""
    async with showing(jdk, "stock", ("Object[]",), (70_000,)) as run:
        array = (await next_shown(run)).value
        assert isinstance(array, ArrayReference)
        assert len(await array.get()) == 70_000


class Waves:
    """Counts how often somebody waits for replies: those in flight together are one wave."""

    def __init__(self, session: Session, patch: pytest.MonkeyPatch) -> None:
        self.count = 0
        connection = session.vm.connection
        arrived = connection.buffer_updated
        waiting: list[bytes] = []

        def later() -> None:
            content = b"".join(waiting)
            waiting.clear()
            buffer = connection.get_buffer(-1)
            for at in range(0, len(content), len(buffer)):
                piece = content[at : at + len(buffer)]
                buffer[: len(piece)] = piece
                arrived(len(piece))

        def together(size: int) -> None:
            if not waiting:
                self.count += 1
                asyncio.get_running_loop().call_later(_ROUND_S, later)
            waiting.append(bytes(connection.get_buffer(-1)[:size]))

        patch.setattr(connection, "buffer_updated", together)


_ROUND_S: Final = 0.15
"""Long enough for the agent to answer all that was sent together."""
_FEW: Final = 16


async def test_a_page_takes_a_few_waves_with_any_agent(
    jdk: Jdk, agent_kind: AgentKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counts waves: over a slow network each wave is a delay, however many commands it has."""
    kinds = ("HashMap", "ConcurrentHashMap", "TreeMap", "ArrayList")
    async with showing(jdk, agent_kind, kinds, (SIZE,)) as run:
        for kind in kinds:
            it = await next_shown(run)
            await opened(it, 0, 2)
            with monkeypatch.context() as patch:
                waves = Waves(run.session, patch)
                await opened_together(it, 10, PAGE)
                few = 1 if agent_kind == "jvmdebug" else _FEW
                if kind == "TreeMap" and agent_kind == "stock":
                    few += 2 * SIZE.bit_length()  # a level after the other, and it is this deep
                assert waves.count <= few, kind


async def opened_together(variable: Variable, start: int, count: int) -> None:
    """Does what the adapter does: all that is shown of a child is asked for at once."""
    page = await variable.children(start, count)
    await asyncio.gather(
        *(
            asyncio.gather(each.as_text(), each.type_name(), each.child_count(), each.is_indexed())
            for each in page
        )
    )
