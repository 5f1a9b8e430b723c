# SPDX-License-Identifier: Apache-2.0
"""Many threads, deep stacks, large arrays, deadlocks, virtual threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.sessions import texts

if TYPE_CHECKING:
    from tests.e2e.edge_cases.conftest import StartDebugging

DEPTH = 10_000


async def test_every_one_of_many_threads_stops(debugging: StartDebugging) -> None:
    count = 20
    async with debugging("threads", "ManyThreads", str(count)) as run:
        await run.break_at("work")
        seen = set()
        for _ in range(count):
            stop = await run.expect_stop("work")
            values = await texts(stop.frame)
            assert int(values["square"]) == int(values["number"]) ** 2
            assert stop.thread.name == f"worker-{values['number']}"
            seen.add(values["number"])
            await stop.resume()
        assert len(seen) == count
        assert await run.end() == 0
        assert run.printed.endswith(f"done {count}\n")


async def test_a_deadlock_can_be_looked_at(debugging: StartDebugging) -> None:
    async with debugging("threads", "Deadlock") as run:
        await run.break_at("deadlocked")
        await run.expect_stop("deadlocked")
        threads = {each.name: each for each in await run.session.threads()}
        for name in ("one", "two"):
            assert await threads[name].status() == "monitor"
            (top,) = await threads[name].frames(0, 1)
            # A waiting thread counts as past its monitorenter: perhaps on the first line.
            assert top.line is not None
            assert 0 <= top.line - run.program.marker("blocked") <= 1
        await run.session.kill()


async def test_a_deep_stack_in_pages(debugging: StartDebugging) -> None:
    async with debugging("deep", "DeepStack", str(DEPTH)) as run:
        await run.break_at("bottom")
        stop = await run.expect_stop("bottom")
        total = await stop.frame_count()
        assert total > DEPTH
        first = await stop.frames(0, 20)
        assert [frame.depth for frame in first] == list(range(20))
        (deep,) = await stop.frames(DEPTH - 1, 1)
        assert await texts(deep) == {"left": str(DEPTH - 1)}
        assert len(await stop.frames()) == total
        await stop.step_out()
        stop = await run.next_stop()
        assert await stop.frame_count() == total - 1
        assert await run.end() == 0
        assert run.printed.strip() == str(DEPTH)


async def test_arrays_of_every_size(debugging: StartDebugging) -> None:
    async with debugging("arrays", "Arrays") as run:
        await run.break_at("stop")
        stop = await run.expect_stop("stop")
        frame = stop.frame
        big = await frame.get("big")
        assert await big.child_count() == 10_000_000
        page = await big.children(9_999_990, 10)
        assert page[0].name == "[9999990]"
        assert await page[-1].as_text() == str(9_999_999 * 2)
        values = await texts(frame)
        assert values["words"] == 'String[4] {"zero", "one", null, "three"}'
        assert values["empty"] == "boolean[0] {}"
        assert await (await frame.evaluate("table[0][1] + table[2][0]")).as_text() == "5"
        await frame.set("words[2]", '"two"')
        assert await (await frame.evaluate("words[2]")).as_text() == '"two"'
        assert await (await frame.evaluate("list.size() + map.size()")).as_text() == "500"
        assert await run.end() == 0


async def test_virtual_threads(debugging: StartDebugging) -> None:
    async with debugging("virtual", "VirtualThreads", "3") as run:
        await run.break_at("first", condition="number == 2")
        stop = await run.expect_stop("first")
        assert stop.thread.name == "virtual-2"
        assert await stop.thread.is_virtual()
        assert (await texts(stop.frame))["number"] == "2"
        await stop.step_over()
        stop = await run.expect_stop("second")
        assert (await texts(stop.frame))["doubled"] == "4"
        await stop.step_over()
        stop = await run.expect_stop("third")
        await stop.step_over()
        stop = await run.next_stop()
        assert (await texts(stop.frame))["text"] == '"4/6"'
        assert await run.end() == 0
        assert run.printed.strip() == "done 3"
