# SPDX-License-Identifier: Apache-2.0
"""Steps that end behind a call, in methods that a change of their class has left as they were.

HotSpot mixes up the bytecodes under the breakpoints of such a method's versions. In the fast mode
steps use breakpoints; one on an access to a field made later calls read the object's header.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk


@pytest.mark.parametrize("by", ["hot swap", "probe"])
async def test_later_calls_find_their_fields(launch_ours: Launch, jdk: Jdk, by: str) -> None:
    program = compiled("chained", "Chained", jdk)
    written: list[str] = []
    async with launch_ours(
        "chained", "Chained", mode="fast", on_output=lambda piece: written.append(piece.text)
    ) as session:
        spec = f"Chained.java:{program.marker('self')}"
        await session.break_at(f"Chained.java:{program.marker('ready')}")
        stop = await next_stop(session)
        for marker in ("read", "write"):
            inside = await session.break_at(spec)
            await stop.resume()
            stop = await next_stop(session)
            assert stop.breakpoints == (inside,)
            await inside.remove()
            if marker == "read" and by == "hot swap":
                (swapped,) = await session.redefine(program.class_path[0] / "Chained.class")
                assert swapped.reason is None
            elif marker == "read":
                passing = await session.break_at(
                    f"Chained.java:{program.marker('pass')}", condition="n == 77"
                )
                assert passing.locations[0].how == "probe", passing.locations[0].why_event
            stop = session.current_stops[0]
            await stop.step_out()
            stop = await next_stop(session)
            assert stop.frame.line == program.marker(marker)
        await stop.resume()
        assert await session.wait() == 0, written
    assert "passed 6" in "".join(written)


async def test_a_step_ends_in_a_method_of_which_the_vm_keeps_an_old_opcode(
    launch_ours: Launch, jdk: Jdk
) -> None:
    """That of a breakpoint that was removed after the version of the method which had it as well.
    With one of the agent's there a compiler would take the opcode for one of the new code.
    """
    program = compiled("chained", "Leftover", jdk)
    written: list[str] = []

    def at(marker: str) -> str:
        return f"Leftover.java:{program.marker(marker)}"

    async with launch_ours(
        "chained", "Leftover", mode="fast", on_output=lambda piece: written.append(piece.text)
    ) as session:
        await session.break_at(at("holding"))
        stop = await next_stop(session)
        other = await session.break_at(at("other"), condition="i == 99")
        assert other.locations[0].how == "probe", other.locations[0].why_event
        held = await session.break_at(at("held"))
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (held,)
        await session.break_at(at("freed"))
        await stop.resume()
        stop = await next_stop(session)
        await held.remove()
        again = await session.break_at(at("held"), condition="n == 6")
        assert again.locations[0].how == "probe", again.locations[0].why_event
        called = await session.break_at(at("called"))
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (again,)
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (called,)
        await stop.step_out()
        stop = await next_stop(session)
        assert stop.frame.line == program.marker("held")
        await stop.step_over()
        stop = await next_stop(session)
        assert stop.frame.line == program.marker("held") + 1
        await stop.resume()
        assert await session.wait() == 0, written
    assert "sum 24" in "".join(written)
