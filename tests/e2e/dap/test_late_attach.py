# SPDX-License-Identifier: Apache-2.0
"""An editor attaches to a process that was started without a debug agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support import process
from tests.support.bare_program import bare_program
from tests.support.dap_client import Refused
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from tests.support.dap_client import DapClient
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent


async def test_attach_to_a_process_without_an_agent(
    client: DapClient, jdk: Jdk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JVMDEBUG_AGENT", str(process.agent_library()))
    source = debuggee("script", "Spin")
    async with bare_program(jdk) as program:
        attached = await client.begin_debugging(
            "attach", processId=program.pid, sourcePaths=[str(source.source_dir)]
        )
        path, line = source.marked("count")
        (placed,) = await client.set_lines(path, line)
        assert not placed["verified"]
        assert "loaded into a program that ran already" in placed["message"]
        await client.configured(attached)
        threads = (await client.request("threads"))["threads"]
        (main,) = [each["id"] for each in threads if each["name"] == "main"]
        await client.request("pause", {"threadId": main})
        await client.event("stopped", reason="pause")
        frames = await client.top_frames(main)
        assert frames[-1]["name"].startswith("Spin.main")
        frame = frames[-1]["id"]
        value = await client.request("evaluate", {"expression": "rounds", "frameId": frame})
        assert int(value["result"]) > 0
        with pytest.raises(Refused, match="a step is not possible"):
            await client.request("next", {"threadId": main})
        await client.request("disconnect")
        await client.closed()
        assert program.running.returncode is None
