# SPDX-License-Identifier: Apache-2.0
"""Whole sessions with a real program, message by message, the same on every JDK and agent."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.dap_client import Refused, local_client
from tests.support.dap_transcript import compare, transcript
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from tests.conftest import StartJvm
    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

TRANSCRIPTS = Path(__file__).parent / "transcripts"
CLIENT = {
    "clientID": "test",
    "linesStartAt1": True,
    "columnsStartAt1": True,
    "pathFormat": "path",
    "supportsInvalidatedEvent": True,
    "supportsMemoryEvent": True,
}


def started(program: Debuggee, jdk: Jdk, agent_kind: AgentKind) -> dict[str, Any]:
    return {
        "mainClass": program.main_class,
        "classPaths": [str(path) for path in program.class_path],
        "sourcePaths": [str(program.source_dir)],
        "javaExec": str(jdk.java),
        "agent": agent_kind,
    }


def words(program: Debuggee, jdk: Jdk) -> dict[str, str]:
    return {
        str(program.source_dir): "(sources)",
        str(program.class_path[0]): "(classes)",
        str(jdk.java): "(java)",
    }


async def test_breakpoints_steps_and_values(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("basics", "Loop")
    async with local_client() as client:
        await client.initialize(**CLIENT)
        launched = client.begin("launch", started(program, jdk, agent_kind))
        await client.event("initialized")
        source = {"path": str(program.source("Loop.java"))}
        asked = [
            {"line": program.marker("squared"), "condition": "number == 2"},
            {"line": program.marker("add"), "logMessage": "square is {square}"},
        ]
        await client.request("setBreakpoints", {"source": source, "breakpoints": asked})
        await client.configured(launched)
        stop = await client.event("stopped")
        await _look(client, stop["threadId"])
        for command, arguments in (
            ("next", {}),
            ("next", {}),
            ("stepIn", {}),
            ("stepOut", {}),
            ("next", {"granularity": "instruction"}),
        ):
            await client.request(command, {"threadId": stop["threadId"], **arguments})
            await client.event("stopped", reason="step")
            body = await client.request("stackTrace", {"threadId": stop["threadId"], "levels": 1})
            assert body["stackFrames"]
        await client.request("continue", {"threadId": stop["threadId"]})
        await client.event("terminated")
        await client.request("disconnect")
    found = transcript(client, words(program, jdk))
    compare(found, TRANSCRIPTS / "breakpoints-steps-values.txt")


async def _look(client: DapClient, thread_id: int) -> None:
    top, *_rest = await client.top_frames(thread_id)
    scopes = (await client.request("scopes", {"frameId": top["id"]}))["scopes"]
    reference = scopes[0]["variablesReference"]
    await client.request("variables", {"variablesReference": reference})
    changed = {"variablesReference": reference, "name": "result", "value": "result * 10"}
    await client.request("setVariable", changed)
    at = {"frameId": top["id"]}
    await client.request("evaluate", {**at, "expression": "number + calls", "context": "watch"})
    with pytest.raises(Refused):
        await client.request("evaluate", {**at, "expression": "nothing", "context": "hover"})
    with pytest.raises(Refused):
        await client.request("evaluate", {**at, "expression": "number +", "context": "repl"})
    completing = {**at, "text": "numb", "column": 5}
    await client.request("completions", completing)


async def test_an_exception_and_the_end(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("exceptions", "Exceptions")
    async with local_client() as client:
        await client.initialize(**CLIENT)
        launched = client.begin("launch", {**started(program, jdk, agent_kind), "mode": "full"})
        await client.event("initialized")
        await client.request("setExceptionBreakpoints", {"filters": ["uncaught"]})
        await client.request("setFunctionBreakpoints", {"breakpoints": [{"name": "Nothing.here"}]})
        with pytest.raises(Refused):
            await client.request("stackTrace", {"threadId": 1})
        await client.configured(launched)
        stop = await client.event("stopped", reason="exception")
        await client.request("pause", {"threadId": stop["threadId"]})
        await client.request("exceptionInfo", {"threadId": stop["threadId"]})
        top, *_rest = await client.top_frames(stop["threadId"])
        await client.request("scopes", {"frameId": top["id"]})
        await client.request("continue", {"threadId": stop["threadId"]})
        await client.event("terminated")
        await client.request("scopes", {"frameId": top["id"]})
        await client.request("disconnect")
    found = transcript(client, words(program, jdk))
    # The VM prints the exception itself; its words are not ours.
    found = re.sub(r"(?m)^stderr: (?!about).*\n", "", found)
    compare(found, TRANSCRIPTS / "exception.txt")


async def test_breakpoints_of_every_kind_in_a_program_of_others(start_jvm: StartJvm) -> None:
    program = debuggee("kinds", "kinds.Kinds")
    jvm = await start_jvm(program)
    port = await jvm.port()
    async with local_client() as client:
        await client.initialize(**CLIENT)
        attached = client.begin("attach", {"port": port, "sourcePaths": [str(program.source_dir)]})
        await client.event("initialized")
        source = {"path": str(program.source("kinds/Kinds.java"))}
        lines = [{"line": program.marker("loop")}]
        await client.request("setBreakpoints", {"source": source, "breakpoints": lines})
        functions = [{"name": "Account.add", "hitCondition": ">= 2"}, {"name": "Service.describe"}]
        await client.request("setFunctionBreakpoints", {"breakpoints": functions})
        await client.configured(attached)
        stop = await client.event("stopped", reason="breakpoint")
        thread = {"threadId": stop["threadId"]}
        await client.request("setBreakpoints", {"source": source, "breakpoints": []})
        data_id = await _watched(client, stop["threadId"])
        data = [{"dataId": data_id, "accessType": "write", "condition": "$new > 1"}]
        await client.request("setDataBreakpoints", {"breakpoints": data})
        for reason in ("function breakpoint", "function breakpoint", "data breakpoint"):
            await client.request("continue", thread)
            await client.event("stopped", reason=reason)
        await client.request("setDataBreakpoints", {"breakpoints": []})
        top, *_rest = await client.top_frames(stop["threadId"])
        at = {"instructionReference": top["instructionPointerReference"], "condition": "by == 30"}
        await client.request("setInstructionBreakpoints", {"breakpoints": [at]})
        await client.request("setFunctionBreakpoints", {"breakpoints": functions[1:]})
        for reason in ("instruction breakpoint", "function breakpoint"):
            await client.request("continue", thread)
            await client.event("stopped", reason=reason)
        top, *_rest = await client.top_frames(stop["threadId"])
        await client.request("restartFrame", {"frameId": top["id"]})
        await client.event("stopped")
        await client.request("stackTrace", {**thread, "levels": 2})
        around = {"source": top["source"], "line": top["line"] - 1, "endLine": top["line"] + 1}
        await client.request("breakpointLocations", around)
        await client.request("disconnect")
    assert await jvm.wait() == 0
    known = {str(program.source_dir): "(sources)", f":{port}": ":(port)"}
    found = transcript(client, known).replace(str(port), "(port)")
    # Ids of objects are the VM's, and what is looked at side by side is numbered as it comes.
    found = re.sub(r"@[0-9a-f]+ \{", "@(id) {", found)
    found = re.sub(r'(Reference": )[1-9]\d*', r"\1(number)", found)
    compare(found, TRANSCRIPTS / "attach-breakpoints.txt")


async def _watched(client: DapClient, thread_id: int) -> str:
    """The id of `first.balance`, as it is offered for a field that is shown."""
    top, *_rest = await client.top_frames(thread_id)
    first = (await client.locals_of(top))["first"]
    await client.request("stepInTargets", {"frameId": top["id"]})
    asked = {"variablesReference": first["variablesReference"], "name": "balance"}
    data_id: str = (await client.request("dataBreakpointInfo", asked))["dataId"]
    return data_id
