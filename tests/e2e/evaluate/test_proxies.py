# SPDX-License-Identifier: Apache-2.0
"""Objects that stand for another are shown as what they are, without running code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.support.sessions import compiled, launched, stop_at

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


async def test_a_proxy_is_its_interfaces_and_its_handler(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = compiled("many", "many.Many", jdk)
    async with launched(program, jdk, agent_kind, args=["proxy", "1"]) as session:
        stop = await stop_at(session, program, "shown")
        it = await stop.frame.get("it")
        shown = await it.as_text()
        assert re.fullmatch(r"Comparable, CharSequence proxy\[Handler@\w+\]", shown), shown
        assert [each.name for each in await it.children()] == ["h"]
        await session.kill()
