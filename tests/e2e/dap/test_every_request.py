# SPDX-License-Identifier: Apache-2.0
"""Every request, valid and invalid, at a real program in each state: always an answer.

The same with a program that is not there, in all states and with more wrong values:
tests/conformance/dap/test_ill_formed.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug_dap.errors import ErrorId
from jvmdebug_dap.requests import load_handlers
from tests.support.dap_requests import shapes
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]

WRONG_VALUES = (None, "text")
SERVED = sorted({each.command for each in load_handlers().specs})
# They end the program or begin with another one: the other tests do that.
LEFT_OUT = {"initialize", "launch", "attach", "disconnect", "terminate", "restart"}
MOVES = {"continue", "next", "stepIn", "stepOut", "restartFrame"}
MOVES |= {"jvmdebug/popFrame", "jvmdebug/forceEarlyReturn", "jvmdebug/runTo"}


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Requests that write a file are sent a relative path too."""
    monkeypatch.chdir(tmp_path)


class Asking:
    """Sends requests and keeps the answers that tell of a defect of ours."""

    def __init__(self, client: DapClient) -> None:
        self.client = client
        self.defects: list[Any] = []

    async def __call__(self, command: str, arguments: Any) -> bool:
        answer = await self.client.answer(self.client.begin(command, arguments))
        if not answer["success"] and answer["body"]["error"]["id"] in (0, ErrorId.INTERNAL):
            self.defects.append((command, arguments, answer["message"]))
        return bool(answer["success"])

    async def everything(self, real: dict[str, Any], *but: str) -> None:
        for command in SERVED:
            if command not in LEFT_OUT and command not in but:
                for arguments in shapes(command, real, WRONG_VALUES):
                    await self(command, arguments)


async def real_values(client: DapClient, thread_id: int) -> dict[str, Any]:
    """What a client would send at this stop."""
    frame, *_rest = await client.top_frames(thread_id)
    (scope, *_more) = (await client.request("scopes", {"frameId": frame["id"]}))["scopes"]
    return {
        "threadId": thread_id,
        "threads": [],
        "frameId": frame["id"],
        "variablesReference": scope["variablesReference"],
        "source": frame["source"],
        "expression": "i",
        "name": "i",
        "value": "1",
        "line": frame["line"],
        "text": "to",
        "column": 2,
        "instructionReference": frame["instructionPointerReference"],
        "memoryReference": frame["instructionPointerReference"],
        "instructionCount": 3,
    }


@pytest.mark.slow
async def test_requests_in_every_state_of_a_program(
    client: DapClient, our_attributes: AttributesOf, tmp_path: Path
) -> None:
    program = debuggee("cases", "cases.Cases")
    started = {**our_attributes(program), "args": ["again"], "mode": "full"}
    started["cwd"] = str(tmp_path)  # some requests have the VM write files
    launched = await client.begin_debugging("launch", **started)
    ask = Asking(client)
    path, line = program.marked("several")
    real: dict[str, Any] = {"threadId": 1, "frameId": 1, "variablesReference": 1}
    await ask.everything(real, "configurationDone", "terminateThreads")

    # Stopped: after a request that lets it go on, back to the breakpoint.
    await client.set_lines(path, line)
    await client.request("setExceptionBreakpoints", {"filters": []})
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    thread_id = stop["threadId"]
    real = await real_values(client, thread_id)
    await ask.everything(real, *MOVES, "terminateThreads")
    await client.set_lines(path, line)
    for command in sorted(MOVES):
        count = len(list(shapes(command, real, WRONG_VALUES)))
        for number in range(count):
            real = await real_values(client, thread_id)
            arguments = list(shapes(command, real, WRONG_VALUES))[number]
            if not await ask(command, arguments):
                continue
            stop = await client.event("stopped")
            if stop["reason"] != "breakpoint":
                await client.request("continue", {"threadId": thread_id})
                await client.event("stopped", reason="breakpoint")

    # Running, then ended.
    await client.set_lines(path)
    await client.request("setFunctionBreakpoints", {"breakpoints": []})
    await client.request("continue", {"threadId": thread_id})
    await ask.everything(real, "pause", "terminateThreads")
    await client.set_lines(path, line)
    await client.event("stopped")
    await client.request("disconnect", {"terminateDebuggee": True})
    assert ask.defects == []
