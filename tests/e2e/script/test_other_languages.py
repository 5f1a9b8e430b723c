# SPDX-License-Identifier: Apache-2.0
"""Steps, names and values in programs of Scala and Groovy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.libraries import maven
from tests.support.other_languages import scala_debuggee
from tests.support.sessions import launched, next_stop, stop_at

if TYPE_CHECKING:
    from jvmdebug import Session, Stop
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

pytestmark = [
    pytest.mark.network,
    pytest.mark.skipif(maven() is None, reason="the compilers are fetched by Maven; no mvn here"),
]


async def stepped_into(session: Session, stop: Stop, line: int) -> Stop:
    """Step into what there is until that line is reached, in code of the program only."""
    while stop.frame.line != line:
        await stop.step_into()
        stop = await next_stop(session)
        assert stop.frame.source_path == "shelves/Shelves.scala", stop.frame
    return stop


@pytest.mark.parametrize("version", [2, 3])
async def test_a_step_into_goes_to_the_body_of_a_closure_in_scala(
    jdk: Jdk, agent_kind: AgentKind, version: int
) -> None:
    """Not into the library that calls it, and not into what converts its arguments."""
    program = scala_debuggee("scala", "shelves.Shelves", version)
    async with launched(program, jdk, agent_kind) as session:
        session.settings.step_filters = jvmdebug.JUST_MY_CODE
        stop = await stop_at(session, program, "map")
        for marker in ("more", "foreach", "note", "print", "late"):
            stop = await stepped_into(session, stop, program.marker(marker))
        await stop.resume()
        assert await session.wait() == 0
