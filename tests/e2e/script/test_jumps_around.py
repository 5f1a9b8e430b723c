# SPDX-License-Identifier: Apache-2.0
"""Jumps beside breakpoints, steps and conditions, and the places where none is possible."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import StopReason, UnsupportedError
from tests.support.sessions import compiled, next_stop, stop_at, texts
from tests.support.warm_javac import javac

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.script.conftest import Launch
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk


async def set_at(
    session: jvmdebug.Session, program: Debuggee, marker: str, condition: str | None = None
) -> jvmdebug.Breakpoint:
    source, line = program.marked(marker)
    return await session.break_at(f"{source}:{line}", condition=condition)


async def test_breakpoints_and_steps_go_on(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled("jumps", "Around", jdk)
    written: list[str] = []
    async with launch_ours(
        "jumps", "Around", on_output=lambda piece: written.append(piece.text)
    ) as session:
        line = program.marker
        here = await set_at(session, program, "counted-from")
        target = await set_at(session, program, "counted-to", condition="i == 2")
        await session.resume()
        stop = await next_stop(session)
        # The breakpoint at the target is not hit by the jump, nor when the thread goes on.
        stop = await stop.jump_to(line("counted-to"))
        assert (stop.reasons, stop.frame.line) == ((StopReason.GOTO,), line("counted-to"))
        assert stop.unassigned == ()
        assert (await texts(stop.frame))["total"] == "10"
        await stop.step_over()
        stop = await next_stop(session)
        assert (stop.reason, stop.frame.line) == (StopReason.STEP, line("counted-middle"))
        await stop.frame.set("total", "1000")
        stop = await stop.jump_to(line("counted-middle"))
        assert (await texts(stop.frame))["total"] == "1000"
        await stop.resume()
        for hit, i in ((here, "0"), (here, "1"), (target, "2")):
            stop = await next_stop(session)
            assert (stop.breakpoints, (await texts(stop.frame))["i"]) == ((hit,), i)
            if hit is here:
                await stop.resume()
        await here.remove()
        await target.remove()
        stop = await stop_at(session, program, "sum-from")
        stop = await stop.jump_to(program.marker("sum-from"))  # where it is
        await stop.resume()
        assert await session.next_stop(timeout_s=30) is None
        assert session.exit_code == 0
    # 4 passes of 110 with 0, 1, 2 and 3: the first pass lost 10 + 0, and was set to 1000.
    assert "".join(written).splitlines()[0] == str(1000 + 10 + 100 + 111 + 112 + 113)


REFUSED = {
    "initializer": "is a static initializer",
    "main": "called by the VM itself",
    "locked": "locked is synchronized",
    "block": "inside a synchronized block",
    "constructor": "is a constructor",
}
"""Markers of places that no jump leaves; what the reason says."""


async def test_reasons(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled("jumps", "Around", jdk)
    async with launch_ours("jumps", "Around") as session:
        for marker in ("initializer", "main", "locked"):
            stop = await stop_at(session, program, marker)
            await refused(stop, program.marker(marker) + 1, REFUSED[marker])
        stop = await stop_at(session, program, "before")
        await refused(stop, program.marker("block") + 1, "synchronized block")
        await refused(stop, program.marker("main"), r"no code of block begins there; .* lines \d+")
        below = (await stop.frames())[1]
        assert below.method_name == "main"
        stop = await stop_at(session, program, "block")
        await refused(stop, program.marker("before"), REFUSED["block"])
        stop = await stop_at(session, program, "constructor")
        await refused(stop, program.marker("constructor") + 1, REFUSED["constructor"])
        stop = await stop_at(session, program, "reflected")
        if jdk.version < 18:  # later, Method.invoke runs method handles, which are Java code
            await refused(stop, program.marker("reflected-to"), "which is native")
        else:
            stop = await stop.jump_to(program.marker("reflected-to"))
        is_virtual = []
        for _ in range(2):
            stop = await stop_at(session, program, "thread-from")
            stop = await stop.jump_to(program.marker("thread-to"))
            assert (await texts(stop.frame))["value"] == "2"
            is_virtual.append(await stop.thread.thread.is_virtual())
            await stop_at(session, program, "thread-from")  # once more
        assert is_virtual == [False, jdk.version >= 21]
        await session.resume()
        assert await session.next_stop(timeout_s=30) is None
        assert session.exit_code == 0


async def test_a_hot_swap_leaves_the_frame(launch_ours: Launch, jdk: Jdk, tmp_path: Path) -> None:
    program = compiled("jumps", "Around", jdk)
    text = program.source("Around.java").read_text(encoding="utf-8")
    (tmp_path / "Around.java").write_text(text.replace("sum *= 10;", "sum *= 11;"))
    javac([tmp_path / "Around.java"], tmp_path, "-g", "--release", "11")
    written: list[str] = []
    async with launch_ours(
        "jumps", "Around", on_output=lambda piece: written.append(piece.text)
    ) as session:
        stop = await stop_at(session, program, "counted-from")
        stop = await stop.jump_to(program.marker("counted-to"))
        (swapped,) = await session.redefine(tmp_path / "Around.class")
        assert swapped.reason is None
        assert (stop.frame.is_obsolete, stop.frame.line) == (False, program.marker("counted-to"))
        assert (await texts(stop.frame))["total"] == "10"
        await stop.step_over()
        stop = await next_stop(session)
        assert stop.frame.line == program.marker("counted-middle")
        stop = await stop.jump_to(program.marker("counted-to"))
        stop = await stop_at(session, program, "sum-from")
        assert (await texts(stop.frame))["sum"] == "55"
        await stop.resume()
        assert await session.wait() == 0
    assert "".join(written).splitlines()[0] == str(4 * 110 + 6 + 10)


async def test_exceptions_after_a_jump(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled("jumps", "Jumps", jdk)
    async with launch_ours("jumps", "Jumps", args=["caught", "thrown"]) as session:
        for kind, line in (
            ("caught", program.marker("caught-to")),
            ("thrown", program.marker("thrown-to") + 1),
        ):
            stop = await stop_at(session, program, f"{kind}-from")
            at = await session.break_on_exception("java.lang.RuntimeException")
            stop = await stop.jump_to(program.marker(f"{kind}-to"))
            await stop.resume()
            stop = await next_stop(session)
            assert (stop.reason, stop.frame.line) == (StopReason.EXCEPTION, line)
            await at.remove()


async def refused(stop: jvmdebug.Stop, line: int, reason: str) -> None:
    """The jump is refused with the reason, and nothing has changed."""
    depth = await stop.frame_count()
    with pytest.raises(UnsupportedError, match=re.compile(f"cannot jump.*({reason})", re.DOTALL)):
        await stop.jump_to(line)
    assert stop.is_current
    assert await stop.frame_count() == depth


async def test_recursive_calls(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled("jumps", "Around", jdk)
    async with launch_ours("jumps", "Around") as session:
        here = await set_at(session, program, "recursive-from")
        await session.resume()
        stop = await next_stop(session)
        # Other calls of the method would come to the breakpoint in the code that they began with.
        with pytest.raises(UnsupportedError, match="other calls of the method run"):
            await stop.jump_to(program.marker("recursive-to"))
        await here.remove()
        stop = await stop.jump_to(program.marker("recursive-to"))
        await stop.step_over()
        assert (await next_stop(session)).frame.line == program.marker("recursive-from")


async def test_our_agent_is_needed(launch: Launch, jdk: Jdk, agent_kind: str) -> None:
    program = compiled("jumps", "Around", jdk)
    async with launch("jumps", "Around") as session:
        stop = await stop_at(session, program, "counted-from")
        if agent_kind == "jvmdebug":
            stop = await stop.jump_to(program.marker("counted-to"))
            assert stop.reason is StopReason.GOTO
        else:
            with pytest.raises(UnsupportedError, match="needs jvmdebug's own agent"):
                await stop.jump_to(program.marker("counted-to"))
