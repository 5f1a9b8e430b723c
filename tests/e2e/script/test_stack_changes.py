# SPDX-License-Identifier: Apache-2.0
"""Pop frame, force return and assignments in real VMs."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest

from jvmdebug import EvaluationError, StateError, Stopped, StopReason, UnsupportedError
from tests.support.sessions import compiled, next_stop, stop_at

if TYPE_CHECKING:
    from pathlib import Path

    from jvmdebug import Stop
    from tests.e2e.script.conftest import Launch
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk


async def output_of(launch: Launch, jdk: Jdk, marker: str, value: str | None) -> str:
    """What the program prints after the method at `marker` was made to return `value`."""
    written: list[str] = []
    async with launch(
        "script", "Changes", on_output=lambda piece: written.append(piece.text)
    ) as session:
        stop = await stop_at(session, compiled("script", "Changes", jdk), marker)
        depth = await stop.frame_count()
        returned = await stop.force_return(value)
        assert returned is not None
        assert returned.reason is StopReason.FORCE_RETURN
        assert returned.all_threads
        assert await returned.frame_count() == depth - 1
        assert session.current_stops == (returned,)
        with pytest.raises(StateError):
            await stop.frames()
        await returned.resume()
        assert await session.next_stop(timeout_s=20) is None
        assert session.exit_code == 0
    return "".join(written)


async def test_pop_frame_calls_again(launch: Launch, jdk: Jdk) -> None:
    program = compiled("script", "Changes", jdk)
    async with launch("script", "Changes") as session:
        stops: list[Stop] = []
        stop = await stop_at(session, compiled("script", "Changes", jdk), "inner")
        session.subscribe(
            lambda event: stops.append(event.stop) if isinstance(event, Stopped) else None
        )
        frame = stop.frame
        popped = await stop.pop_frame()
        assert popped.reason is StopReason.POP_FRAME
        assert (popped.frame.method_name, popped.frame.line) == (
            "number",
            program.marker("call-inner"),
        )
        assert not stop.is_current
        with pytest.raises(StateError, match="over"):
            await frame.variables()
        assert stops == [popped]
        assert session.current_stops == (popped,)
        await popped.step_into()
        again = await next_stop(session)
        assert again.frame.line == program.marker("inner")
        two = await again.pop_frame((await again.frames())[1])
        assert two.frame.line == program.marker("call-number")
        await two.step_into()
        stop = await next_stop(session)
        await stop.run_to(f"Changes:{program.marker('inner')}")
        stop = await next_stop(session)
        below = (await stop.frames())[1]
        await below.set("start", "41")
        await stop.restart_frame(below)
        stop = await next_stop(session)
        assert (stop.frame.method_name, stop.frame.line) == ("number", program.marker("number"))
        assert stop.frame.index == 0
        assert await (await stop.frame.get("start")).as_text() == "41"
        written: list[str] = []
        await session.break_at(f"Changes.java:{program.marker('printed')}")
        await stop.resume()
        last = await next_stop(session)
        assert [str(v.value) for v in await last.frame.variables()][1:] != written


async def test_the_outermost_frame_cannot_be_popped(launch: Launch, jdk: Jdk) -> None:
    async with launch("script", "Changes") as session:
        stop = await stop_at(session, compiled("script", "Changes", jdk), "call-number")
        with pytest.raises(Exception, match=r"cannot pop Changes\.main"):
            await stop.pop_frame()
        assert stop.is_current
        assert stop.frame.line is not None


@pytest.mark.parametrize(
    ("marker", "value", "printed"),
    [
        ("inner", "value * 100", "200 3 text 1101\n"),
        ("number", "7", "7 3 text 1000\n"),
        ("boxed", "40", "4 40 text 1101\n"),
        ("boxed", "null", "4 null text 1101\n"),
        ("text", '"forced"', "4 3 forced 1101\n"),
        ("quiet", None, "4 3 text 101\n"),
    ],
)
async def test_force_return(
    launch: Launch, jdk: Jdk, marker: str, value: str | None, printed: str
) -> None:
    assert await output_of(launch, jdk, marker, value) == printed


async def test_force_return_refuses_values_of_other_types(launch: Launch, jdk: Jdk) -> None:
    async with launch("script", "Changes") as session:
        stop = await stop_at(session, compiled("script", "Changes", jdk), "inner")
        with pytest.raises(EvaluationError, match="returns int; give a value"):
            await stop.force_return()
        for value, found in (
            ('"text"', "of type java.lang.String"),
            ("1.5", "of type double"),
            ("null", "no such value"),
        ):
            text = f"returns int: {re.escape(value)} is {found}"
            with pytest.raises(EvaluationError, match=text):
                await stop.force_return(value)
        assert stop.is_current
        assert (await stop.frame.get("value")).name == "value"


@pytest.mark.parametrize(
    ("marker", "value", "text"),
    [
        ("text", "1", "returns java.lang.String: 1 is of type int"),
        ("text", "new Object()", r"returns java.lang.String: .* is of type java.lang.Object"),
        ("boxed", '"text"', r"returns java.lang.Integer: .* is of type java.lang.String"),
    ],
)
async def test_force_return_names_the_wanted_type(
    launch: Launch, jdk: Jdk, marker: str, value: str, text: str
) -> None:
    async with launch("script", "Changes") as session:
        stop = await stop_at(session, compiled("script", "Changes", jdk), marker)
        with pytest.raises(EvaluationError, match=text):
            await stop.force_return(value)
        assert stop.is_current


async def test_force_return_from_main_ends_the_program(launch: Launch, jdk: Jdk) -> None:
    async with launch("script", "Changes") as session:
        stop = await stop_at(session, compiled("script", "Changes", jdk), "call-number")
        assert await stop.force_return() is None
        assert await session.next_stop(timeout_s=20) is None
        assert session.exit_code == 0


async def test_force_return_of_one_thread(launch: Launch, jdk: Jdk) -> None:
    async with launch("script", "Changes", suspend="thread") as session:
        stop = await stop_at(session, compiled("script", "Changes", jdk), "inner")
        returned = await stop.force_return("5")
        assert returned is not None
        assert not returned.all_threads
        await returned.resume()
        assert await session.next_stop(timeout_s=20) is None


@pytest.mark.full_mode_too
@pytest.mark.parametrize("suspend", ["all", "thread"])
async def test_a_forced_return_that_ends_at_a_breakpoint_names_it(
    launch: Launch, jdk: Jdk, suspend: str
) -> None:
    """The caller goes on at the next line: two breakpoints are there, one whose condition fails."""
    program = compiled("script", "Changes", jdk)
    async with launch("script", "Changes", suspend=suspend) as session:
        stop = await stop_at(session, compiled("script", "Changes", jdk), "quiet")
        stops: list[Stop] = []
        session.subscribe(
            lambda event: stops.append(event.stop) if isinstance(event, Stopped) else None
        )
        line = f"Changes.java:{program.marker('printed')}"
        hit = await session.break_at(line)
        passed = await session.break_at(line, condition="number == 0")
        returned = await stop.force_return()
        assert returned is not None
        assert returned.frame.line == program.marker("printed")
        assert (returned.reason, returned.breakpoints) == (StopReason.FORCE_RETURN, (hit,))
        assert returned.reasons == (StopReason.FORCE_RETURN, StopReason.BREAKPOINT)
        assert returned.all_threads is (suspend == "all")
        assert (hit.hits, passed.hits) == (1, 0)
        assert stops == [returned]
        assert session.current_stops == (returned,)
        await returned.resume()
        assert await session.next_stop(timeout_s=20) is None
        assert session.exit_code == 0
        assert hit.hits == 1


async def test_a_breakpoint_for_once_at_the_end_of_a_forced_return_is_removed(
    launch: Launch, jdk: Jdk
) -> None:
    """It holds all threads although the stop before held one."""
    program = compiled("script", "Changes", jdk)
    async with launch("script", "Changes", suspend="thread") as session:
        stop = await stop_at(session, compiled("script", "Changes", jdk), "quiet")
        hit = await session.break_at(
            f"Changes.java:{program.marker('printed')}", once=True, suspend="all", condition="true"
        )
        returned = await stop.force_return()
        assert returned is not None
        assert returned.breakpoints == (hit,)
        assert returned.all_threads
        assert session.breakpoints == ()
        await returned.resume()
        assert await session.next_stop(timeout_s=20) is None


@pytest.mark.full_mode_too
async def test_a_breakpoint_at_a_call_whose_frame_was_popped_is_hit_when_it_calls_again(
    launch: Launch, jdk: Jdk
) -> None:
    program = compiled("script", "Changes", jdk)
    async with launch("script", "Changes") as session:
        stop = await stop_at(session, compiled("script", "Changes", jdk), "quiet")
        at_call = await session.break_at(f"Changes.java:{program.marker('call-quiet')}")
        inside = await session.break_at(f"Changes.java:{program.marker('quiet')}")
        popped = await stop.pop_frame()
        assert (popped.reason, popped.breakpoints) == (StopReason.POP_FRAME, ())
        assert at_call.hits == 0, "the call has not run again"
        await popped.step_into()
        stop = await next_stop(session)
        assert (stop.reason, stop.breakpoints) == (StopReason.BREAKPOINT, (at_call,))
        await stop.step_into()
        stop = await next_stop(session)
        assert (stop.reason, stop.breakpoints) == (StopReason.BREAKPOINT, (inside,))
        assert StopReason.STEP in stop.reasons
        assert (at_call.hits, inside.hits) == (1, 1)


@pytest.mark.full_mode_too
async def test_run_to_a_line_with_a_breakpoint_names_it(launch: Launch, jdk: Jdk) -> None:
    program = compiled("script", "Changes", jdk)
    async with launch("script", "Changes") as session:
        stop = await stop_at(session, compiled("script", "Changes", jdk), "quiet")
        line = f"Changes.java:{program.marker('printed')}"
        hit = await session.break_at(line)
        await stop.run_to(line)
        stop = await next_stop(session)
        assert (stop.reason, stop.breakpoints) == (StopReason.BREAKPOINT, (hit,))
        assert stop.reasons == (StopReason.BREAKPOINT, StopReason.RUN_TO)
        assert session.breakpoints == (hit,)
        assert hit.hits == 1
        await stop.resume()
        assert await session.next_stop(timeout_s=20) is None
        assert hit.hits == 1


async def test_locals_fields_and_elements_are_set(launch: Launch, jdk: Jdk) -> None:
    written: list[str] = []
    async with launch(
        "basics", "Loop", on_output=lambda piece: written.append(piece.text)
    ) as session:
        stop = await stop_at(session, compiled("basics", "Loop", jdk), "add")
        frame = stop.frame
        square = await frame.get("square")
        assert str((await square.set("1000")).value) == "1000"
        assert str((await frame.get("square")).value) == "1000"
        await frame.set("loop.total", "5 + square")
        await frame.set("calls", "9")
        assert str((await frame.evaluate("Loop.calls + loop.total")).value) == "1014"
        with pytest.raises(EvaluationError, match="nothing"):
            await frame.set("nothing", "1")
        with pytest.raises(EvaluationError):
            await frame.set("square", '"text"')
        with pytest.raises(EvaluationError, match="no variable nothing"):
            await frame.get("nothing")
        await stop.resume()
        assert await session.next_stop(timeout_s=20) is None
    assert "".join(written) == f"summing {1005 + 1000 + 1 + 4 + 9 + 16} 120\n"


def changed_chain(program: Debuggee, folder: Path, methods: str) -> Path:
    """The class file of Chain with a new text in each of these methods."""
    content = (program.class_path[0] / "Chain.class").read_bytes()
    for name in methods.split():
        content = content.replace(f"old {name}".encode(), f"new {name}".encode())
    changed = folder / "Chain.class"
    changed.write_bytes(content)
    return changed


@pytest.mark.parametrize(
    ("replaced", "frame", "printed"),
    [
        ("inner", "inner", "old task old outer new inner\n2\n"),
        ("outer", "outer", "old task new outer old inner\n2\n"),
        ("task", "lambda$main$0", "new task old outer old inner\n2\n"),
        ("inner outer", "inner", "old task old outer new inner\n2\n"),
        ("inner outer", "outer", "old task new outer new inner\n2\n"),
    ],
)
async def test_a_frame_restarts_in_new_code(
    launch: Launch, jdk: Jdk, tmp_path: Path, replaced: str, frame: str, printed: str
) -> None:
    """It begins again at once, at its first line; nothing of it runs before."""
    program = compiled("swap", "Chain", jdk)
    changed = changed_chain(program, tmp_path, replaced)
    written: list[str] = []
    async with launch(
        "swap", "Chain", on_output=lambda piece: written.append(piece.text)
    ) as session:
        stop = await stop_at(session, program, "in-inner")
        (done,) = await session.redefine(changed)
        assert done.reason is None
        old = next(each for each in await stop.frames() if each.method_name == frame)
        await stop.restart_frame(old)
        again = await next_stop(session)
        assert (again.frame.method_name, again.frame.index) == (frame, 0)
        assert not again.frame.is_obsolete
        assert await (await again.frame.evaluate("calls")).as_text() == "1"
        await again.resume()
        assert await session.next_stop(timeout_s=20) is None
    assert "".join(written) == printed


@pytest.mark.parametrize("replaced", ["inner", "inner outer"])
async def test_a_frame_whose_code_was_replaced_while_it_ran(
    launch: Launch, jdk: Jdk, tmp_path: Path, replaced: str
) -> None:
    """The method is known by the call in the caller, unless that runs replaced code too."""
    changed = changed_chain(compiled("swap", "Chain", jdk), tmp_path, replaced)
    waiting = asyncio.Event()
    async with launch("swap", "Chain", args=["wait"], on_output=lambda _: waiting.set()) as session:
        await session.resume()
        await asyncio.wait_for(waiting.wait(), 20)
        await session.redefine(changed)
        main = next(each for each in await session.threads() if each.name == "main")
        stop = await main.suspend()
        frames = await stop.frames()
        old = next(each for each in frames if each.is_obsolete)
        if replaced == "inner":
            await stop.restart_frame(old)
            again = await next_stop(session)
            assert (again.frame.method_name, again.frame.index) == ("inner", 0)
            assert not again.frame.is_obsolete
        else:
            reason = "its code and that of its caller were replaced"
            with pytest.raises(UnsupportedError, match=reason):
                await stop.restart_frame(old)
            assert stop.is_current
            assert len(await stop.frames()) == len(frames)
