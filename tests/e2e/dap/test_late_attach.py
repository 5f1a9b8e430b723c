# SPDX-License-Identifier: Apache-2.0
"""An editor attaches to a process that was started without a debug agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.bare_program import bare_program
from tests.support.dap_client import Refused
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from tests.support.dap_client import DapClient
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent


async def test_attach_to_a_process_without_an_agent(client: DapClient, jdk: Jdk) -> None:
    source = debuggee("script", "Spin")
    async with bare_program(jdk) as program:
        attached = await client.begin_debugging(
            "attach", processId=program.pid, sourcePaths=[str(source.source_dir)]
        )
        path, line = source.marked("count")
        (placed,) = await client.set_lines(path, line)
        assert placed["verified"], placed
        await client.configured(attached)
        stopped = await client.event("stopped", reason="breakpoint")
        assert stopped["allThreadsStopped"]
        main = stopped["threadId"]
        frames = await client.top_frames(main)
        assert [each["name"].partition("(")[0] for each in frames] == ["Spin.round", "Spin.main"]
        assert frames[0]["line"] == line
        here = {"frameId": frames[0]["id"]}
        value = await client.request("evaluate", {"expression": "rounds", **here})
        assert int(value["result"]) > 0
        called = await client.request("evaluate", {"expression": "Long.toString(rounds)", **here})
        assert called["result"] == f'"{value["result"]}"'
        # What the VM does not give such an agent, the view shows that asks; a dialog for a step.
        for expression in ("args", "this.toString()"):
            outer = {"expression": expression, "frameId": frames[1]["id"], "context": "watch"}
            with pytest.raises(Refused) as unread:
                await client.request("evaluate", outer)
            assert unread.value.error["showUser"] is False, expression
        with pytest.raises(Refused, match="topmost") as unread:
            await client.locals_of(frames[1])
        assert unread.value.error["showUser"] is False
        (probe,) = (await client.request("jvmdebug/probes"))["probes"]
        assert probe["how"] == "probe"
        # To the end of the method, and no further: its caller never returns.
        await client.request("next", {"threadId": main})
        stepped = await client.event("stopped", reason="step")
        assert "approximate" in stepped["text"]
        (top, *_) = await client.top_frames(main)
        assert top["line"] == line + 1
        with pytest.raises(Refused, match=r"its caller Spin\.main.* it had no probes") as step:
            await client.request("next", {"threadId": main})
        assert step.value.error["showUser"] is True
        await client.request("continue", {"threadId": main})
        again = await client.event("stopped", reason="breakpoint")
        (top, *_) = await client.top_frames(again["threadId"])
        more = await client.request("evaluate", {"expression": "rounds", "frameId": top["id"]})
        assert int(more["result"]) == int(value["result"]) + 1
        await client.request("disconnect")
        await client.closed()
        assert program.running.returncode is None


async def test_guard_rails(client: DapClient, jdk: Jdk) -> None:
    source = debuggee("late", "Till")
    async with bare_program(jdk, program=source) as program:
        attached = await client.begin_debugging(
            "attach",
            processId=program.pid,
            sourcePaths=[str(source.source_dir)],
            breakpointBudget=100,
            stopWatchdog=0.2,
        )
        path, line = source.marked("sell")
        costly = {"line": line, "condition": "slowly(count) < 0"}
        where = {"source": {"path": str(path)}}
        await client.request("setBreakpoints", {**where, "breakpoints": [costly]})
        await client.configured(attached)
        told = await client.event("breakpoint", reason="changed")
        assert not told["breakpoint"]["verified"]
        assert "disabled: it kept threads" in told["breakpoint"]["message"]
        (probe,) = (await client.request("jvmdebug/probes"))["probes"]
        assert "disabled: it kept threads" in probe["why"]
        # Taken away and set again, as an editor does for a tick, it is armed.
        await client.request("setBreakpoints", {**where, "breakpoints": []})
        cheap = {"line": line, "condition": "count > 0"}
        (placed,) = (await client.request("setBreakpoints", {**where, "breakpoints": [cheap]}))[
            "breakpoints"
        ]
        assert placed["verified"]
        await client.event("stopped", reason="breakpoint")
        await client.event("continued")
        told = await client.event("breakpoint", reason="changed")
        assert "nobody has resumed its stops" in told["breakpoint"]["message"]
        await client.request("disconnect")
        await client.closed()


async def test_read_only(client: DapClient, jdk: Jdk) -> None:
    source = debuggee("late", "Till")
    async with bare_program(jdk, program=source) as program:
        attached = await client.begin_debugging("attach", processId=program.pid, readOnly=True)
        (refused,) = await client.set_lines(*source.marked("sell"))
        assert not refused["verified"]
        assert "the session is read-only" in refused["message"]
        await client.configured(attached)
        await client.request("disconnect")
        await client.closed()
