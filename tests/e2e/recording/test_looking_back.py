# SPDX-License-Identifier: Apache-2.0
"""Looks back from a stop of a program that is recorded, and goes forward again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.sessions import launched

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

REASON = jvmdebug.StopReason


def _line(stop: jvmdebug.Stop | None) -> int | None:
    assert stop is not None
    return stop.frame.line


async def test_a_stop_has_a_past(till: Debuggee, jdk: Jdk, tmp_path: Path) -> None:
    async with launched(till, jdk, "jvmdebug") as session:
        await session.break_at(f"shop.Till:{till.marker('added')}")
        async with session.record(tmp_path / "till.jvmrec"):
            end = await session.break_at(f"shop.Till:{till.marker('deepest')}")
            for _ in range(3):
                stop = await session.next_stop()
                assert stop is not None
                await stop.resume()
            stop = await session.next_stop()
            assert stop is not None
            assert stop.breakpoints == (end,)
            async with session.recorded.look_back(stop) as then:
                past = then.past
                assert past is not None
                here = await then.next_stop()
                assert here is not None
                assert here.thread.name == stop.thread.name
                if not past.is_at_line_before:
                    await past.step_back(here)
                    here = await then.next_stop()
                    assert here is not None
                assert await (await here.frame.get("left")).as_text() == "0"
                assert [each.method.name for each in await here.thread.frames()] == [
                    *["depth"] * 5,
                    "main",
                ]
                await past.reverse_continue()
                here = await then.next_stop()
                assert _line(here) == till.marker("added")
                assert here is not None
                assert await (await here.frame.get("price")).as_text() == "20"
                with pytest.raises(jvmdebug.ReadOnlyError):
                    await here.frame.evaluate("add(1)")
                await here.resume()
                here = await then.next_stop()
                assert here is not None
                assert here.reason in (REASON.BREAKPOINT, REASON.RECORDING_END)
            assert stop.is_current, "the present has not moved"
            assert _line(stop) == till.marker("deepest")
            await session.breakpoints.remove()
            await stop.resume()
            assert await session.wait() == 0
    with jvmdebug.recording.open(tmp_path / "till.jvmrec") as opened:
        assert opened.ending is not None
        assert opened.ending.how == "exited"


async def test_what_is_recorded_later_can_be_looked_back_at_later(
    till: Debuggee, jdk: Jdk, tmp_path: Path
) -> None:
    async with launched(till, jdk, "jvmdebug") as session:
        for each in ("deepest", "last"):
            await session.break_at(f"shop.Till:{till.marker(each)}")
        async with session.record(tmp_path / "till.jvmrec"):
            for sum_ in ("30", "4"):
                stop = await session.next_stop()
                assert stop is not None
                async with session.recorded.look_back(stop) as then:
                    here = await then.next_stop()
                    assert here is not None
                    assert then.past is not None
                    main = (await here.thread.frames())[-1]
                    found = await then.past.who_wrote(main, "sum")
                    assert found is not None
                    assert found.text == sum_
                await stop.resume()
            assert await session.wait() == 0


async def test_without_a_recording_there_is_no_past(
    till: Debuggee, jdk: Jdk, tmp_path: Path
) -> None:
    async with launched(till, jdk, "jvmdebug") as session:
        await session.break_at(f"shop.Till:{till.marker('added')}")
        stop = await session.next_stop()
        assert stop is not None
        with pytest.raises(jvmdebug.recording.RecordingError, match="nothing is recorded"):
            async with session.recorded.look_back(stop):
                pass
        async with session.record(tmp_path / "till.jvmrec", only=["shop.Other"]):
            with pytest.raises(jvmdebug.recording.RecordingError, match="of the thread main"):
                async with session.recorded.look_back(stop):
                    pass
