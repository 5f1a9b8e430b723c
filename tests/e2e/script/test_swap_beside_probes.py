# SPDX-License-Identifier: Apache-2.0
"""Hot swaps of classes that hold probes: frames of methods whose own code stays are left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.sessions import compiled, next_stop, stop_at, texts
from tests.support.warm_javac import javac

if TYPE_CHECKING:
    from pathlib import Path

    import jvmdebug
    from tests.e2e.script.conftest import Launch
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent


def _new_version(program: Debuggee, folder: Path) -> Path:
    """The class with another code of changed(), whose constants come first and move the others."""
    text = program.source("Beside.java").read_text(encoding="utf-8")
    text = text.replace("// new: ", "").replace("    return 0; // @changed\n", "\n")
    (folder / "Beside.java").write_text(text)
    javac([folder / "Beside.java"], folder, "-g", "--release", "11")
    return folder / "Beside.class"


async def _swap(session: jvmdebug.Session, path: Path) -> None:
    (swapped,) = await session.redefine(path)
    assert swapped.reason is None


async def _held_frame(session: jvmdebug.Session) -> jvmdebug.FrameHandle:
    """The frame of the thread that waits in held()."""
    for thread in await session.threads():
        if thread.name == "holder":
            frames = await thread.frames()
            return next(each for each in frames if each.method_name == "held")
    raise LookupError("holder")


@pytest.mark.parametrize("armed", ["armed", "removed", "never"])
async def test_frames_of_unchanged_methods_stay(
    launch_ours: Launch, jdk: Jdk, tmp_path: Path, armed: str
) -> None:
    """Whether a probe is in the method that a thread runs, was there, or is in none."""
    program = compiled("swap_beside", "Beside", jdk)
    swapped = _new_version(program, tmp_path)
    written: list[str] = []
    async with launch_ours(
        "swap_beside", "Beside", on_output=lambda piece: written.append(piece.text)
    ) as session:
        condition = None if armed == "never" else "number == 3"
        at = await session.break_at(f"Beside.java:{program.marker('run')}", condition=condition)
        stop = await next_stop(session)
        if condition is not None:
            assert [each.how for each in at.locations] == ["probe"]
        if armed == "removed":
            await at.remove()
        await _swap(session, swapped)
        number = "0" if condition is None else "3"
        frame = stop.frame
        frames = await stop.frames()
        assert [each.is_obsolete for each in frames] == [False, False]
        assert [each.line for each in frames] == [program.marker("run"), program.marker("loop")]
        shown = await texts(frame)
        assert (shown["number"], shown["doubled"]) == (number, str(2 * int(number)))
        assert (await texts(frames[1]))["number"] == number
        held = await _held_frame(session)
        assert (held.is_obsolete, held.line) == (False, program.marker("held"))
        assert (await texts(held))["own"] == "7"
        if armed == "armed":
            await stop.resume()
            stop = await next_stop(session)
            assert stop.breakpoints == (at,)
            assert (await texts(stop.frame))["number"] == "3"
            assert at.hits == 2
        await at.remove()
        await stop.resume()
        assert await session.wait() == 0
    text = "".join(written)
    assert text.count("total 1090\n") >= 1, text
    assert "held 21" in text


@pytest.mark.parametrize("how", ["step", "break", "pop", "force return"])
async def test_what_a_frame_can_do_after_the_swap(
    launch_ours: Launch, jdk: Jdk, tmp_path: Path, how: str
) -> None:
    program = compiled("swap_beside", "Beside", jdk)
    swapped = _new_version(program, tmp_path)
    written: list[str] = []
    async with launch_ours(
        "swap_beside", "Beside", on_output=lambda piece: written.append(piece.text)
    ) as session:
        at = await session.break_at(f"Beside.java:{program.marker('run')}", condition="number == 3")
        stop = await next_stop(session)
        await _swap(session, swapped)
        match how:
            case "step":
                await stop.step_over()
                stop = await next_stop(session)
                assert stop.frame.line == program.marker("run") + 1
            case "break":
                after = await session.break_at(f"Beside.java:{program.marker('after')}")
                await stop.resume()
                stop = await next_stop(session)
                assert stop.breakpoints == (after,)
                assert (await texts(stop.frame))["number"] == "3"
                await after.remove()
            case "pop":
                stop = await stop.pop_frame()
                assert stop.frame.line == program.marker("loop")
                await stop.resume()
                stop = await next_stop(session)
                assert stop.breakpoints == (at,)
                assert (await texts(stop.frame))["number"] == "3"
            case _:
                forced = await stop.force_return("1000")
                assert forced is not None
                stop = forced
        await at.remove()
        await stop.resume()
        assert await session.wait() == 0
    first = 1790 if how == "force return" else 0
    totals = [each for each in "".join(written).split("\n") if each.startswith("total")]
    assert totals[1:] == ["total 1090", "total 1090"]
    if first:
        assert totals[0] == f"total {90 - 6 + 1000 + 6 * 100}"


async def test_a_frame_of_the_changed_method_is_old(
    launch_ours: Launch, jdk: Jdk, tmp_path: Path
) -> None:
    """The new code is what runs next."""
    program = compiled("swap_beside", "Beside", jdk)
    swapped = _new_version(program, tmp_path)
    async with launch_ours("swap_beside", "Beside") as session:
        await session.break_at(f"Beside.java:{program.marker('run')}", condition="number == 1000")
        stop = await stop_at(session, program, "changed")
        await _swap(session, swapped)
        frames = await stop.frames()
        assert [each.is_obsolete for each in frames] == [True, False, False]
        assert frames[1].line == program.marker("after")
