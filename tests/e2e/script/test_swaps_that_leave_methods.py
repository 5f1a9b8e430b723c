# SPDX-License-Identifier: Apache-2.0
"""Hot swaps that leave a method as it is, and then one that does not, before a breakpoint in it.

Up to JDK 16 HotSpot writes the breakpoint into the version that was left alone, too, as long as
that one is not gone: see native/agent/code/renewing_redefinition.h.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.matrix import is_whole
from tests.support.sessions import STOP_TIMEOUT_S, compiled, next_stop, stop_at
from tests.support.warm_javac import javac

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.script.conftest import Launch
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

_ROUNDS = 8 if is_whole() else 3
_ORDERS = ("same longer", "same longer same longer", "longer same", "longer longer same same")


def _longer(program: Debuggee, folder: Path) -> Path:
    return _other(program, folder, "/*+*/", "if (passes == -9) { passes++; }")


def _other(program: Debuggee, folder: Path, old: str, new: str) -> Path:
    text = program.source("Kept.java").read_text(encoding="utf-8")
    (folder / "Kept.java").write_text(text.replace(old, new))
    classes = folder / "other"
    javac([folder / "Kept.java"], classes, "-g", "--release", "11")
    return classes


@pytest.mark.parametrize("order", _ORDERS)
async def test_a_breakpoint_after_swaps_leaves_values_right(
    launch_ours: Launch, jdk: Jdk, tmp_path: Path, order: str
) -> None:
    """The methods are those that threads call all the time."""
    program = compiled("kept_values", "Kept", jdk)
    folders = {"same": program.class_path[0], "longer": _longer(program, tmp_path)}
    written: list[str] = []
    async with launch_ours(
        "kept_values", "Kept", on_output=lambda piece: written.append(piece.text)
    ) as session:
        stop = await stop_at(session, program, "passes")
        await session.resume()
        for each in order.split():
            files = [folders[each] / f"Kept${name}.class" for name in ("Held", "Point", "Shuttle")]
            swapped = await session.redefine(*files, changed_only=False)
            assert [one.reason for one in swapped] == [None] * 3
        for marker in ("value", "point", "name", "two", "back"):
            try:
                await session.break_at(f"Kept.java:{program.marker(marker)}", condition="false")
            except jvmdebug.UnsupportedError as error:
                # A thread was in the method when a swap left it as it was.
                if jdk.version >= 17 or "may still run an older version" not in str(error):
                    raise
        stop = await stop_at(session, program, "passes")  # threads came by the others
        await stop.frame.evaluate("Kept.over = true")
        await session.breakpoints.remove()
        await session.resume()
        assert await session.wait() == 0, written
    assert "WRONG" not in "".join(written)


@pytest.mark.parametrize("refused", [False, True], ids=["", "others refused"])
async def test_no_swap_leaves_the_only_method_of_a_class_alone(
    launch_ours: Launch, jdk: Jdk, tmp_path: Path, *, refused: bool
) -> None:
    """The VM tells when it sets a breakpoint in an older version: such a class has none.

    The checks of conditions make the operand stack deeper, and go again before the next swap. One
    that the VM refuses, in between, changes nothing.
    """
    if jdk.version < 17:
        pytest.skip("up to JDK 16 hot swaps have to leave methods alone")
    program = compiled("kept_values", "Kept", jdk)
    file = program.class_path[0] / "Kept$Lone.class"
    another = "interface Lone {", "interface Lone { static int other() { return 1; }"
    wrong = _other(program, tmp_path, *another) / file.name
    log = tmp_path / "redefinitions.log"
    lone, more = (f"Kept.java:{program.marker(each)}" for each in ("lone", "more"))

    what = "redefine+class+breakpoint=debug,redefine+class+load=info"
    async with launch_ours("kept_values", "Kept", vm_args=[f"-Xlog:{what}:file={log}"]) as session:
        await stop_at(session, program, "passes")
        await session.resume()
        for round_ in range(_ROUNDS):
            (swapped,) = await session.redefine(file, changed_only=False)
            assert swapped.reason is None
            if refused:
                (swapped,) = await session.redefine(wrong)
                assert swapped.reason is not None
            at = await session.break_at(lone)
            await next_stop(session)
            await at.remove()
            await session.resume()
            for place in (lone, more)[: round_ % 3]:
                condition = await session.break_at(place, condition="n == -5")
                await condition.remove()
            async with session.trace("Kept$Lone#*", limit=10) as calls:
                async for _ in calls:
                    pass
        stop = await stop_at(session, program, "passes")
        await stop.frame.evaluate("Kept.over = true")
        await session.resume()
        assert await session.wait() == 0
    assert "breakpoint in lone" not in log.read_text(encoding="utf-8")


async def test_a_frame_of_the_only_method_of_a_class_goes_on(launch_ours: Launch, jdk: Jdk) -> None:
    """Hot swap keeps a frame whose code stays the same, as with the JDK's agent."""
    if jdk.version < 17:
        pytest.skip("up to JDK 16 the agent follows frames only once it has changed a class")
    program = compiled("kept_values", "Kept", jdk)
    async with launch_ours("kept_values", "Kept") as session:
        stop = await stop_at(session, program, "lone")
        expected = await (await stop.frame.get("n")).as_text()
        for _ in range(3):
            file = program.class_path[0] / "Kept$Lone.class"
            (swapped,) = await session.redefine(file, changed_only=False)
            assert swapped.reason is None
            (frame, *_) = await stop.thread.frames()
            assert (frame.line, frame.is_obsolete) == (program.marker("lone"), False)
            assert await (await frame.get("n")).as_text() == expected
        more = f"Kept.java:{program.marker('more')}"
        at = await session.break_at(more, thread=stop.thread)
        await stop.resume()
        stop = await next_stop(session)
        assert await (await stop.frame.get("read")).as_text() == expected
        await at.remove()
        await stop.step_out()
        stop = await next_stop(session)
        assert (stop.frame.method.name, stop.thread.name[:4]) == ("small", "kept")
        await stop.frame.evaluate("Kept.over = true")
        await session.resume()
        assert await session.wait() == 0


async def test_a_frame_that_a_swap_leaves_alone_still_stops(
    launch_ours: Launch, jdk: Jdk, tmp_path: Path
) -> None:
    """Another method was edited, twice, while a thread was stopped in this one."""
    program = compiled("swap_left", "SwapLeft", jdk)
    text = program.source("SwapLeft.java").read_text(encoding="utf-8")
    async with launch_ours("swap_left", "SwapLeft") as session:
        stop = await stop_at(session, program, "before")
        for number in (2, 3):
            source = tmp_path / str(number) / "SwapLeft.java"
            source.parent.mkdir()
            source.write_text(text.replace("return 1;", f"return {number};"))
            _compile(source)
            (swapped,) = await session.redefine(source.with_suffix(".class"))
            assert swapped.reason is None
        after = await session.break_at(f"SwapLeft.java:{program.marker('after')}")
        assert after.verified, after.message
        await stop.resume()
        stop = await next_stop(session)
        assert stop.frame.line == program.marker("after")
        assert await (await stop.frame.evaluate("edited()")).as_text() == "3"
        await stop.resume()
        assert await session.next_stop(timeout_s=STOP_TIMEOUT_S) is None


def _compile(source: Path) -> None:
    javac([source], source.parent, "-g", "--release", "11")
