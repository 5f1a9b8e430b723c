# SPDX-License-Identifier: Apache-2.0
"""Probes where code has changed before, and where virtual threads run older code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug import BreakpointLogged
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from pathlib import Path

    import jvmdebug
    from tests.e2e.script.conftest import Launch
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

_ADDS, _SUBTRACTS = bytes((0x1B, 0x1C, 0x60, 0x3C)), bytes((0x1B, 0x1C, 0x64, 0x3C))
"""`total += i`, `total -= i`."""


def _changed(program: Debuggee, folder: Path, before: bytes, after: bytes) -> Path:
    content = (program.class_path[0] / "Probed.class").read_bytes()
    assert content.count(before) == 1
    changed = folder / "Probed.class"
    changed.write_bytes(content.replace(before, after))
    return changed


async def test_a_class_that_was_hot_swapped_keeps_its_new_code(
    launch_ours: Launch, jdk: Jdk, tmp_path: Path
) -> None:
    """Keeps it also where the VM would give the first code back (JDK-7124710)."""
    program = compiled("probed", "Probed", jdk)
    written: list[str] = []
    async with launch_ours(
        "probed", "Probed", on_output=lambda piece: written.append(piece.text)
    ) as session:
        await session.break_at(f"Probed.java:{program.marker('ready')}")
        stop = await next_stop(session)
        spec = f"Probed.java:{program.marker('hot')}"
        hot = await session.break_at(spec, condition="i == 5")
        assert hot.locations[0].how == "probe"
        for after in (_SUBTRACTS, _ADDS, _SUBTRACTS):
            (swapped,) = await session.redefine(_changed(program, tmp_path, _ADDS, after))
            assert swapped.reason is None
        (location,) = hot.locations
        if jdk.version < 17:
            assert "JDK-8266497" in (location.why_event or "")
        else:
            assert (location.how, location.why_event) == ("probe", None)
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (hot,)
        assert await (await stop.frame.evaluate("total")).as_text() == "-10"
        await hot.set_condition('i == 900 && "a".equals("a")')
        await stop.resume()
        stop = await next_stop(session)
        assert await (await stop.frame.evaluate("total")).as_text() == str(-sum(range(900)))
        await hot.remove()
        await stop.resume()
        assert await session.wait() == 0
    assert "\n-45\n" in "".join(written), written


async def test_methods_change_after_they_were_left_alone(launch_ours: Launch, jdk: Jdk) -> None:
    """A VM before 17 writes the breakpoints of their newest code into older code (JDK-8266497)."""
    program = compiled("chained", "Chained", jdk)
    written: list[str] = []
    async with launch_ours(
        "chained", "Chained", on_output=lambda piece: written.append(piece.text)
    ) as session:
        await session.break_at(f"Chained.java:{program.marker('ready')}")
        stop = await next_stop(session)
        spec = {name: f"Chained.java:{program.marker(name)}" for name in ("self", "pass")}
        await session.break_at(spec["pass"], condition="n == 77")
        for passed in range(4):
            at = await session.break_at(spec["self"], condition="passed >= 0")
            assert [(each.how, each.why_event) for each in at.locations] == [("probe", None)]
            await stop.resume()
            stop = await next_stop(session)
            assert stop.breakpoints == (at,), passed
            await at.remove()
            plain = await session.break_at(spec["self"])
            await stop.step_over()
            stop = await next_stop(session)
            assert stop.frame.line == program.marker("read" if passed % 2 == 0 else "write")
            await plain.remove()
        await stop.resume()
        assert await session.wait() == 0, written
    assert "passed 6" in "".join(written)


async def test_virtual_threads_in_older_code_miss_nothing(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled("virtual", "VirtualThreads", jdk)
    logged: list[str] = []

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, BreakpointLogged):
            logged.append(event.text)

    async with launch_ours("virtual", "VirtualThreads", args=["200"]) as session:
        session.subscribe(note)
        await session.break_at(f"VirtualThreads.java:{program.marker('go')}")
        stop = await next_stop(session)
        # All threads are parked in this method, and have passed this line.
        passed = f"VirtualThreads.java:{program.marker('first') - 6}"
        past = await session.break_at(passed, condition="number == 1000")
        assert [(each.how, each.why_event) for each in past.locations] == [("probe", None)]
        inside = await session.break_at(
            f"VirtualThreads.java:{program.marker('inside')}", condition='text.equals("84/126")'
        )
        assert [(each.how, each.why_event) for each in inside.locations] == [("probe", None)]
        # They come to this one in code without the probe.
        await session.break_at(
            f"VirtualThreads.java:{program.marker('third')}", log_message="{number}"
        )
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (inside,)
        assert await stop.thread.is_virtual()
        await stop.resume()
        assert await session.wait() == 0
    assert sorted(map(int, logged)) == list(range(200))
