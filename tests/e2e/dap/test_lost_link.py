# SPDX-License-Identifier: Apache-2.0
"""A link that is lost and found again: one progress, no `terminated`, clear answers meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug.jdwp import link
from tests.support.debuggees import debuggee
from tests.support.link_proxy import link_proxy

if TYPE_CHECKING:
    from tests.conftest import StartJvm
    from tests.support.dap_client import DapClient
    from tests.support.process import AgentKind


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Links that are lost after a moment."""
    monkeypatch.setattr(link, "INTERVAL_S", 0.05)
    monkeypatch.setattr(link, "PATIENCE_S", 0.4)
    monkeypatch.setattr(link, "AGENT_PATIENCE_S", 1.0)


async def test_the_editor_keeps_its_session(
    client: DapClient, start_jvm: StartJvm, agent_kind: AgentKind
) -> None:
    if agent_kind == "stock":
        pytest.skip("the JDK's agent keeps nothing for a debugger that is gone")
    program = debuggee("basics", "Loop")
    path, line = program.marked("call")
    jvm = await start_jvm(program)
    async with link_proxy(await jvm.port()) as proxy:
        client.to_initialize = {"supportsProgressReporting": True}
        attached = await client.begin_debugging(
            "attach", port=proxy.port, onDisconnect="hold", reconnect=20
        )
        await client.set_lines(path, line)
        await client.configured(attached)
        stopped = await client.event("stopped")
        (shown,) = await client.top_frames(stopped["threadId"])
        proxy.silence()
        started = await client.event("progressStart")
        assert "the link to the program is lost" in started["message"]
        refused = await client.answer(client.begin("threads"))
        assert not refused["success"]
        assert "the link to the program is lost; it is tried again" in refused["message"]
        proxy.mend()
        ended = await client.event("progressEnd")
        assert ended["progressId"] == started["progressId"]
        (again,) = await client.top_frames(stopped["threadId"])
        assert (again["name"], again["line"]) == (shown["name"], shown["line"])
        assert client.bodies("terminated") == client.bodies("continued") == []
        await client.request("continue", {"threadId": stopped["threadId"]})
        await client.event("stopped")
        assert len(client.bodies("progressStart")) == 1
