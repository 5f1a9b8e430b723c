# SPDX-License-Identifier: Apache-2.0
"""A recording as a session: back and forward, with the values of each moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import jvmdebug

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.debuggees import Debuggee


async def _stop(session: jvmdebug.Session) -> jvmdebug.Stop:
    stop = await session.next_stop(10)
    assert stop is not None
    return stop


async def _back(session: jvmdebug.Session, stop: jvmdebug.Stop, depth: Any = "over") -> Any:
    assert session.past is not None
    await session.past.step_back(stop, depth)
    return await _stop(session)


async def _locals(stop: jvmdebug.Stop) -> dict[str, str]:
    return {each.name: await each.as_text() for each in await stop.frame.variables()}


async def test_it_opens_at_the_end_and_goes_back(recorded: Path, till: Debuggee) -> None:
    async with jvmdebug.replay(recorded, source_path=[till.source_dir]) as session:
        stop = await _stop(session)
        assert stop.reason is jvmdebug.StopReason.RECORDING_END
        assert stop.frame.line == till.marker("end")
        assert (await _locals(stop))["sum"] == "4"
        lines = []
        while str(stop.reason) != "beginning of the recording":
            assert stop.frame.line is not None
            lines.append(stop.frame.line)
            stop = await _back(session, stop)
        marks = ("last", "caught", "checked", "cleared", "depth", "loop", "called")
        expected = [till.marker(each) for each in marks]
        assert [each for each in lines if each in expected][: len(expected)] == expected
        assert lines[-1] == till.marker("made")
        # Forward again, over the same lines.
        forward = [stop.frame.line]
        while str(stop.reason) != "end of the recording":
            await stop.step_over()
            stop = await _stop(session)
            forward.append(stop.frame.line)
        assert forward[:-1] == lines[::-1]


async def test_a_breakpoint_is_hit_in_both_directions(recorded: Path, till: Debuggee) -> None:
    async with jvmdebug.replay(recorded) as session:
        stop = await _stop(session)
        await session.break_at(f"shop.Till:{till.marker('added')}", condition="price >= 10")
        assert session.past is not None
        found = []
        for _ in range(3):
            await session.past.reverse_continue()
            stop = await _stop(session)
            found.append((stop.reason, (await _locals(stop)).get("price")))
        hit, beginning = jvmdebug.StopReason.BREAKPOINT, jvmdebug.StopReason.RECORDING_BEGINNING
        assert found == [(hit, "20"), (hit, "10"), (beginning, None)]
        await session.resume()
        stop = await _stop(session)
        assert await _locals(stop) == {"price": "10", "before": "0"}
        for text, value in (
            ("total", "0"),
            ("this.total + price", "10"),
            ("prices[1]", "0"),
            ("name", '"a"'),
            ("Till.made", "1"),
            ("name == null", "false"),
        ):
            assert await (await stop.frame.evaluate(text)).as_text() == value, text
        with pytest.raises(jvmdebug.ReadOnlyError, match="the past cannot be run"):
            await stop.frame.evaluate("add(1)")
        await stop.step_out()
        stop = await _stop(session)
        assert stop.frame.line == till.marker("called")
        this = await stop.frame.evaluate("till")
        children = {each.name: await each.as_text() for each in await this.children()}
        assert children["total"] == "10"


async def test_back_into_a_call_and_out_of_it(recorded: Path, till: Debuggee) -> None:
    async with jvmdebug.replay(recorded) as session:
        await _stop(session)
        breakpoint_ = await session.break_at(f"shop.Till:{till.marker('cleared')}")
        assert session.past is not None
        await session.past.reverse_continue()
        stop = await _stop(session)
        await breakpoint_.remove()
        stop = await _back(session, stop, "into")
        assert stop.frame.line == till.marker("deepest")  # the last line that the calls came to
        depth = len(await stop.frames())
        stop = await _back(session, stop, "out")
        assert len(await stop.frames()) == depth - 1


async def test_who_wrote_a_field(recorded: Path, till: Debuggee) -> None:
    async with jvmdebug.replay(recorded) as session:
        stop = await _stop(session)
        await session.watch("shop.Till.total")
        assert session.past is not None
        seen = []
        while stop.reason is not jvmdebug.StopReason.RECORDING_BEGINNING:
            await session.past.reverse_continue()
            stop = await _stop(session)
            if stop.change is not None:
                seen.append((stop.frame.line, await stop.change.as_text()))
        assert [line for line, _ in seen] == [till.marker("added")] * 3
        assert ["10" in seen[0][1], "30" in seen[0][1]] == [True, True], seen


def test_what_is_no_recording_is_refused(tmp_path: Path, recorded: Path) -> None:
    def message(content: bytes) -> str:
        path = tmp_path / "other.jvmrec"
        path.write_bytes(content)
        with pytest.raises(jvmdebug.recording.RecordingError) as refused:
            jvmdebug.recording.open(path)
        return str(refused.value)

    whole = recorded.read_bytes()
    assert "it is not a recording of jvmdebug" in message(b"%PDF-1.4 and so on")
    assert "version 9 of the format" in message(whole[:7] + b"\x09" + whole[8:])
    assert "it is not a recording" in message(b"")
    with pytest.raises(jvmdebug.recording.RecordingError, match="no such file"):
        jvmdebug.recording.open(tmp_path / "none.jvmrec")


@pytest.fixture
def cut(recorded: Path, tmp_path: Path) -> Path:
    """A recording whose writer was killed: without an index, and its last block is not whole."""
    whole = recorded.read_bytes()
    index = int.from_bytes(whole[-16:-8], "little")
    (tmp_path / "cut.jvmrec").write_bytes(whole[: index - 5])
    return tmp_path / "cut.jvmrec"


async def test_a_recording_without_its_end_is_read(cut: Path) -> None:
    async with jvmdebug.replay(cut) as session:
        assert session.past is not None
        assert "was not closed" in session.past.notes[0]
        assert "are an incomplete block" in session.past.notes[0]
        assert (await _stop(session)).reason is jvmdebug.StopReason.RECORDING_END


async def test_it_goes_to_a_line(recorded: Path, till: Debuggee) -> None:
    async with jvmdebug.replay(recorded) as session:
        stop = await _stop(session)
        assert session.past is not None
        with pytest.raises(jvmdebug.recording.RecordingError, match="line 1 was not recorded"):
            await session.past.go_to_line(stop.frame, 1)
        await session.past.go_to_line(stop.frame, till.marker("before"))
        stop = await _stop(session)
        assert stop.reason is jvmdebug.StopReason.GOTO
        assert await _locals(stop) == {"price": "20"}  # the last time that it ran
        await session.past.go_to_line(stop.frame, till.marker("thrown"))  # it ran after that
        assert (await _stop(session)).frame.line == till.marker("thrown")


async def test_exceptions_stop_on_the_way_back(recorded: Path, till: Debuggee) -> None:
    async with jvmdebug.replay(recorded) as session:
        stop = await _stop(session)
        assert session.past is not None
        await session.break_on_exception("java.lang.Throwable", caught=False)  # there is none
        await session.past.reverse_continue()
        assert "beginning" in str((await _stop(session)).reason)
        await session.break_on_exception("java.lang.IllegalStateException")
        await session.resume()
        stop = await _stop(session)
        assert stop.frame.line == till.marker("thrown")
        assert stop.exception is not None
        assert "too much" in await stop.exception.as_text()
        assert stop.exception_caught
