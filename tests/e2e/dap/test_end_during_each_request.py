# SPDX-License-Identifier: Apache-2.0
"""A program ends, is killed or is restarted during each request that the adapter serves.

The table comes from the handlers, so a new request is in it. Each is answered, none with a defect
of ours or with a dialog, and the session ends (or goes on with the new program). In CI all requests
are under way at once; `make matrix` has each alone, at its first command.
"""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any, Final

import pytest

from jvmdebug_dap.errors import ErrorId
from jvmdebug_dap.requests import load_handlers
from jvmdebug_dap.states import State
from tests.support.dap_requests import plausible_arguments
from tests.support.debuggees import debuggee
from tests.support.endings import ENDINGS, strike

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import Body, DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]

SPECS: Final = {each.command: each for each in load_handlers().specs}
LEFT_OUT: Final = {
    "initialize": "there is no program yet",
    "launch": "the program ends before it was started: test_beginning_and_end.py",
    "attach": "the same",
    "disconnect": "it ends the session itself: test_beginning_and_end.py",
}
IN_THE_TABLE: Final = sorted(SPECS.keys() - LEFT_OUT)
ENDS_IT: Final = {"terminate", "restart"}


def state_for(command: str) -> State:
    """The most interesting state in which the request is served."""
    wanted = (State.STOPPED, State.RUNNING, State.CONFIGURING)
    return next(each for each in wanted if each in SPECS[command].when)


def defects(answers: list[Body]) -> list[Body]:
    """The answers that show a mistake of ours, or a dialog; one may say what needs our agent."""
    errors = [each["body"]["error"] | {"of": each} for each in answers if not each["success"]]
    return [
        each["of"]
        for each in errors
        if each["id"] == ErrorId.INTERNAL
        or (each["showUser"] and each["id"] != ErrorId.UNSUPPORTED)
    ]


async def begun(
    client: DapClient, attributes: AttributesOf, state: State
) -> tuple[dict[str, Any], int]:
    """A program in that state; values for requests, and its process id."""
    program = debuggee("basics", "Loop")
    launched = await client.begin_debugging(
        "launch", **{**attributes(program), "args": ["2000000000"]}
    )
    pid = (await client.event("process"))["systemProcessId"]
    path, line = program.marked("square")
    source = {"path": str(path)}
    real: dict[str, Any] = {"threadId": 1, "source": source, "line": line, "text": "nu"}
    if state is State.CONFIGURING:
        return real, pid
    if state is State.STOPPED:
        await client.set_lines(path, line)
    await client.configured(launched)
    if state is State.STOPPED:
        thread_id = (await client.event("stopped"))["threadId"]
        frame, *_ = await client.top_frames(thread_id)
        scopes = (await client.request("scopes", {"frameId": frame["id"]}))["scopes"]
        real |= {
            "threadId": thread_id,
            "frameId": frame["id"],
            "variablesReference": scopes[0]["variablesReference"],
            "expression": "square(number)",
            "name": "number",
            "value": "square(2)",
            "column": 3,
            "instructionReference": frame["instructionPointerReference"],
            "memoryReference": frame["instructionPointerReference"],
            "instructionCount": 3,
            "targetId": None,
        }
    return real, pid


def arguments_for(command: str, real: dict[str, Any]) -> dict[str, Any]:
    found = plausible_arguments(command, real)
    if command == "setExceptionBreakpoints":
        found |= {"filters": ["uncaught"], "filterOptions": [], "exceptionOptions": []}
    return {name: value for name, value in found.items() if value is not None}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("state", [State.STOPPED, State.RUNNING, State.CONFIGURING])
async def test_all_requests_under_way(
    client: DapClient,
    our_attributes: AttributesOf,
    monkeypatch: pytest.MonkeyPatch,
    state: State,
    ending: str,
) -> None:
    real, pid = await begun(client, our_attributes, state)
    commands = [each for each in IN_THE_TABLE if state in SPECS[each].when and each not in ENDS_IT]
    strike(monkeypatch, ending, pid)
    asked = [client.begin(each, arguments_for(each, real)) for each in commands]
    assert defects([await client.answer(each) for each in asked]) == []
    with_pid_gone(pid)
    await client.event("terminated")


@pytest.mark.slow
@pytest.mark.parametrize("ending", [*ENDINGS, "restarted"])
@pytest.mark.parametrize("command", IN_THE_TABLE)
async def test_each_request(
    client: DapClient,
    attributes: AttributesOf,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    ending: str,
) -> None:
    state = state_for(command)
    if ending == "restarted" and (state is State.CONFIGURING or command in ENDS_IT):
        pytest.skip("restart is refused in this state")
    if (command, ending) == ("restart", "killed"):
        pytest.skip("its first command goes to the new program, whose process is not known yet")
    real, pid = await begun(client, attributes, state)
    if ending != "restarted":
        strike(monkeypatch, ending, pid)
    asked = [client.begin(command, arguments_for(command, real))]
    if ending == "restarted":
        asked.append(client.begin("restart"))
    answers = [await client.answer(each) for each in asked]
    if command == "restart":
        assert answers[0]["body"]["error"]["id"] != ErrorId.INTERNAL  # shown: it was asked for
    else:
        assert defects(answers) == []
    if ending == "restarted":
        await client.event("process")
    elif command == "restart":
        await client.request("disconnect")
    else:
        with_pid_gone(pid)  # a request that asked the program nothing has not ended it
        await client.event("terminated")


def with_pid_gone(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
