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
