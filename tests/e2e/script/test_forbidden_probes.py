# SPDX-License-Identifier: Apache-2.0
"""Programs whose code is not to be changed: `probes="off"`, and `probes=n` for the agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import UnsupportedError
from tests.support.debuggees import debuggee
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from tests.conftest import StartJvm
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

pytestmark = pytest.mark.agent

ASKED = debuggee("asked", "Asked")


@pytest.mark.parametrize(("asked", "mode"), [("auto", "full"), ("fast", "fast"), ("full", "full")])
async def test_exceptions_without_probes(launch_ours: Launch, asked: str, mode: str) -> None:
    """Works in the full mode, which changes no code for them, unless the fast one is named."""
    async with launch_ours("asked", "Asked", probes="off", mode=asked) as session:
        assert session.mode == mode
        assert session.settings.probes == "off"
        await session.break_on_exception("Asked$Wrong")
        assert (await next_stop(session)).frame.line == ASKED.marker("wrong")


async def test_an_agent_that_may_change_no_code(
    start_jvm: StartJvm, jdk: Jdk, agent_kind: AgentKind
) -> None:
    if agent_kind == "stock":
        pytest.skip("it has neither modes nor probes")
    jvm = await start_jvm(compiled("asked", "Asked", jdk), agent_options="mode=fast,probes=n")
    async with jvmdebug.attach(port=await jvm.port()) as session:
        with pytest.raises(UnsupportedError, match=r"Throwable.*\(probes=n\).*mode=full"):
            await session.break_on_exception("Asked$Wrong")
        hit = await session.break_at(f"Asked.java:{ASKED.marker('loop')}", condition="i == 2")
        await next_stop(session)
        (location,) = hit.locations
        assert location.how == "event"
        assert "probes=n" in str(location.why_event)
        await session.terminate()
