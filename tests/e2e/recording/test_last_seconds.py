# SPDX-License-Identifier: Apache-2.0
"""The last seconds of a program that runs long: kept when they are wanted, as one file."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import recording
from tests.support.dap_client import local_client
from tests.support.debuggees import debuggee
from tests.support.prompt import ask, ask_process
from tests.support.sessions import launched, next_stop
from tests.support.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

_LAST_S = 0.5
_SLOWLY = ("2000000000", "3")
"""So many legs each time that it sleeps: reading what it records takes longer."""
_LAST_NUMBER = re.compile(r"\d+")


@pytest.fixture
def flight() -> Debuggee:
    return debuggee("flight", "flight.Flight")


def _is_right(path: Path, *, in_flight: bool, lost: int = 0) -> list[int]:
    """Compare what the file says with what the program computes; the numbers of its legs."""
    with recording.open(path) as found:
        last = found.end
        assert last is not None
        calls = [each for each in found.calls() if each.name == "flight.Flight.fly"]
        numbers = [
            int(_LAST_NUMBER.findall(each.arguments[0])[-1]) for each in calls if each.arguments
        ]
        assert lost or numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        for write in list(found.writes("from"))[-20:]:
            assert re.fullmatch(r'"port \d"', write.text), write
        for write in list(found.writes("total"))[-20:]:
            number = int(write.moment.value("number"))
            whole, part = divmod(number + 1, 8)
            assert int(write.text) == 28 * whole + sum(range(part)), number
        if in_flight:  # opened in the middle of the method that was open all the time
            frames = last.frames
            assert frames[-1].method == "main"
            assert "Flight@" in last.value("flight", len(frames) - 1)
            assert last.who_wrote("flight", len(frames) - 1) is None
    return numbers


async def test_they_are_kept_while_the_program_goes_on(
    flight: Debuggee, jdk: Jdk, tmp_path: Path
) -> None:
    path, end = tmp_path / "flight.jvmrec", tmp_path / "end"
    async with launched(flight, jdk, "jvmdebug", args=[str(end), *_SLOWLY]) as session:
        async with session.record(path, last=_LAST_S) as recorder:
            assert path.exists()  # an empty recording, from the beginning on
            with recording.open(path) as found:
                assert not found.threads
            await session.start()
            await until(lambda: recorder.records > 1_000)
            first = await recorder.keep()
            was = await asyncio.to_thread(_is_right, path, in_flight=False, lost=first.lost)
            await until(lambda: recorder.dropped)
            second = await recorder.keep()
            now = await asyncio.to_thread(_is_right, path, in_flight=True, lost=second.lost)
            assert now[0] > was[0]
            assert any("were dropped" in each for each in second.notes)
            with recording.open(path) as found:
                chunks = found.reader.index.chunks
                seconds = (chunks[-1].end_ns - chunks[0].start_ns) / 1e9
                assert _LAST_S <= seconds < 10 * _LAST_S
            assert first.records > 1_000
            end.touch()
            assert await session.wait() == 1
        done = await recorder.stop()
    assert done.records > 0
    with recording.open(path) as found:
        assert found.ending is not None
        assert found.ending.how == "exited"
        assert found.end is not None
        assert found.end.frames[0].place.endswith(f"(Flight.java:{flight.marker('ends')})")
        numbers = _is_right(path, in_flight=False, lost=done.lost)
        assert found.end.value("number") == str(numbers[-1] + 1)


async def test_a_stop_has_them_as_its_past(flight: Debuggee, jdk: Jdk, tmp_path: Path) -> None:
    end = tmp_path / "end"
    path = tmp_path / "flight.jvmrec"
    async with launched(flight, jdk, "jvmdebug", args=[str(end), *_SLOWLY]) as session:
        async with session.record(path, last=_LAST_S) as recorder:
            await session.start()
            await until(lambda: recorder.dropped)
            await session.break_at(f"flight.Flight:{flight.marker('flown')}")
            stop = await next_stop(session)
            number = await (await stop.frame.get("number")).as_text()
            async with session.recorded.look_back(stop) as then:
                here = await next_stop(then)
                assert await (await here.frame.get("number")).as_text() == number
                assert then.past is not None
                await then.past.reverse_continue()  # the breakpoint is in the past too
                here = await next_stop(then)
                assert await (await here.frame.get("number")).as_text() == str(int(number) - 1)
                name = await here.frame.evaluate("this.last.from + leg.number")
                assert await name.as_text() == f'"port {(int(number) - 2) % 10}{int(number) - 1}"'
        await session.kill()


async def test_the_command_keeps_them(flight: Debuggee, jdk: Jdk, tmp_path: Path) -> None:
    file = tmp_path / "flight.jvmrec"
    words: list[str | Path] = ["record", "-o", file, "--last", "200ms", "--java", jdk.home]
    words += ["-cp", flight.class_path[0], "--", "flight.Flight", tmp_path / "end", "30000"]
    code, output, errors = await ask_process(*words)
    assert (code, output) == (1, "legs 30000\n")
    assert "it has the last 0.2 seconds" in errors
    assert _is_right(file, in_flight=False)[-1] == 29_999


async def test_the_prompt_keeps_them(flight: Debuggee, jdk: Jdk, tmp_path: Path) -> None:
    file = tmp_path / "flight.jvmrec"
    words: list[str | Path] = ["launch", "--batch", "--java", jdk.home]
    words += ["-cp", flight.class_path[0]]
    commands = ("record keep", "record last soon", f"record {file} last 0.2", "record keep")
    place = f"flight.Flight:{flight.marker('flown')} if number == 20000"
    more = (f"break {place}", "run", "record keep", "back", "print number", "print name", "kill")
    words += [word for each in (*commands, *more) for word in ("-c", each)]
    code, output, errors = await ask_process(*words, "flight.Flight", tmp_path / "end")
    said = output + errors
    for text in (
        *("nothing is recorded", "'soon' is no time", "(0 records)", "20000  (int)"),
        "<not recorded>  (unknown)",  # it was written before
    ):
        assert text in said, said
    assert code in (1, 143), said


async def test_an_editor_steps_back_into_them(flight: Debuggee, jdk: Jdk, tmp_path: Path) -> None:
    async with local_client() as client:
        starting = await client.begin_debugging(
            "launch",
            mainClass="flight.Flight",
            classPaths=[str(flight.class_path[0])],
            sourcePaths=[str(flight.source_dir)],
            javaExec=str(jdk.java),
            agent="jvmdebug",
            args=[str(tmp_path / "end")],
            recording=str(tmp_path / "flight.jvmrec"),
            recordingLast=0.3,
        )
        place = {"line": flight.marker("flown"), "condition": "number == 20000"}
        source = {"path": str(flight.source("flight/Flight.java"))}
        await client.request("setBreakpoints", {"source": source, "breakpoints": [place]})
        await client.configured(starting)
        stopped = await client.event("stopped", reason="breakpoint")
        await client.request("stepBack", {"threadId": stopped["threadId"]})
        stopped = await client.event("stopped")
        (top, *_) = await client.top_frames(stopped["threadId"])
        assert (await client.locals_of(top))["number"]["value"] == "20000"


@pytest.mark.parametrize("last", [0, -1, float("inf"), "30"])
async def test_what_is_no_time_is_refused(
    flight: Debuggee, jdk: Jdk, tmp_path: Path, last: object
) -> None:
    async with launched(flight, jdk, "jvmdebug") as session:
        with pytest.raises(jvmdebug.ArgumentError, match=r"last is .* a number above 0"):
            session.record(tmp_path / "a.jvmrec", last=last)  # type: ignore[arg-type]
    code, _, errors = await ask("record", "--last", "0", "--", "flight.Flight")
    assert (code, "greater than 0" in errors) == (2, True)
