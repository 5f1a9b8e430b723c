# SPDX-License-Identifier: Apache-2.0
"""Every request with missing, ill-typed and extra arguments, in every state: always an answer.

After each of them the session is still there: it answers, and ends as it should.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import jvmdebug
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.requests import load_handlers
from jvmdebug_dap.router import parse_arguments
from jvmdebug_dap.states import State
from tests.support.dap_client import DapClient, Refused
from tests.support.dap_requests import commands, shapes
from tests.support.matrix import has_all_sets

if TYPE_CHECKING:
    from tests.support.stub_core import StubCore

STATES = tuple(State)
# These would end the state under test unless they are refused: test_end has them.
OF_THE_END = {"disconnect", "terminate", "restart"}
MOVES_ON = {
    ("initialize", State.NEW),
    ("launch", State.IDLE),
    ("attach", State.IDLE),
    ("configurationDone", State.CONFIGURING),
    ("pause", State.RUNNING),
}
"""What leads to the next state, if it is well formed: the other tests do that."""
REAL = {
    "threadId": 1,
    "frameId": 1,
    "variablesReference": 1,
    "source": {"path": "/src/Cart.java"},
    "breakpoints": [{"line": 1}],
    "filters": ["caught"],
    "expression": "i",
    "name": "i",
    "value": "1",
    "line": 1,
    "sourceReference": 1,
    "adapterID": "x",
}
INTERNAL = {0, ErrorId.INTERNAL}


def is_ill_typed(command: str, arguments: Any) -> bool:
    spec = load_handlers().get(command)
    if spec is None:
        return True
    try:
        parse_arguments(spec.arguments, arguments)
    except RequestError:
        return True
    return False


async def bring_to(client: DapClient, core: StubCore, state: State) -> None:
    if state is State.NEW:
        return
    if state is State.IDLE:
        await client.initialize()
        return
    if state is State.STARTING:
        await client.initialize()
        core.is_slow = True
        client.begin("launch", {"mainClass": "shop.Main"})
        await core.opening.wait()
        return
    launched = await client.begin_debugging("launch", mainClass="shop.Main")
    if state is State.CONFIGURING:
        return
    await client.configured(launched)
    await client.request("threads")
    if state is State.STOPPED:
        core.session.hit(jvmdebug.StopReason.PAUSE)
        await client.event("stopped")
        await client.top_frames(1)
    if state is State.ENDED:
        core.session.end(0)
        await client.event("terminated")


def some_of(arguments: list[Any], state: State) -> list[Any]:
    """Each third in a state, beginning with another one in each; all of them in `make matrix`."""
    if has_all_sets():
        return arguments
    return arguments[STATES.index(state) % 3 :: 3] or arguments[:1]


async def goes_on(client: DapClient, state: State) -> None:
    """Shows that it is alive: it does what comes next, and ends as it should."""
    match state:
        case State.NEW:
            assert await client.initialize()
        case State.IDLE:
            launched = client.begin("launch", {"mainClass": "shop.Main"})
            await client.event("initialized")
            await client.configured(launched)
        case State.CONFIGURING:
            await client.request("configurationDone")
        case State.RUNNING:
            await client.request("pause", {"threadId": 1})
            await client.event("stopped", reason="pause")
        case State.STOPPED:
            assert await client.top_frames(1)
        case _:
            pass
    await client.request("disconnect")


@pytest.mark.parametrize("state", STATES)
async def test_every_request_is_answered(client: DapClient, core: StubCore, state: State) -> None:
    """Nothing is internal: what is refused is refused on purpose."""
    await bring_to(client, core, state)
    sent: list[tuple[str, Any, int]] = []
    for command in commands():
        for arguments in some_of(list(shapes(command, REAL)), state):
            moves_on = command in OF_THE_END or (command, state) in MOVES_ON
            if moves_on and not is_ill_typed(command, arguments):
                continue
            # A step or a continue moves on: go back to the state under test.
            if state is State.STOPPED and core.session.stop_now is None:
                core.session.hit(jvmdebug.StopReason.PAUSE)
            sent.append((command, arguments, client.begin(command, arguments)))
            if state is not State.STARTING:  # what changes something waits for the start
                await client.until(lambda: sent[-1][2] in client.answered)
    await goes_on(client, state)
    answers = [(*each[:2], await client.answer(each[2])) for each in sent]
    assert {command for command, _, _ in answers} == set(commands())
    assert [
        (command, arguments, answer["message"])
        for command, arguments, answer in answers
        if not answer["success"] and answer["body"]["error"]["id"] in INTERNAL
    ] == []
    await client.closed()


@pytest.mark.parametrize("command", ["launch", "attach"])
async def test_a_start_that_is_ill_formed_can_be_repeated(
    client: DapClient, core: StubCore, command: str
) -> None:
    await client.initialize()
    for arguments in shapes(command, {}):
        if isinstance(arguments, dict) and {
            "mainClass",
            "program",
            "port",
            "processId",
            "project",
            "test",
            "container",
            "pod",
        } & set(arguments):
            continue
        with pytest.raises(Refused) as refused:
            await client.request(command, arguments)
        assert refused.value.error["id"] not in INTERNAL
    assert core.sessions == []
    launched = client.begin("launch", {"mainClass": "shop.Main"})
    await client.event("initialized")
    await client.configured(launched)


@pytest.mark.parametrize(
    ("command", "arguments", "message"),
    [
        ("stackTrace", {}, "arguments.threadId: is missing"),
        ("scopes", {"frameId": "1"}, "arguments.frameId: should be an integer, got '1'"),
        (
            "setBreakpoints",
            {"source": {"path": "a"}, "breakpoints": [{"line": 1}, {"line": None}]},
            "arguments.breakpoints[1].line: should be an integer, got None",
        ),
        ("setBreakpoints", {"source": {}}, "arguments.source: needs a `path`"),
        ("variables", {"variablesReference": 99999}, "variables reference 99999 was never given"),
        ("stackTrace", {"threadId": 99}, "there is no thread 99"),
        ("stackTrace", {"threadId": 1, "levels": -1}, "arguments.levels: should not be negative"),
        ("source", {"sourceReference": 5}, "source reference 5 was never given out"),
        ("continue", [], "arguments: should be an object, got list"),
        ("selfDestruct", {}, "unknown request `selfDestruct`"),
        ("exceptionInfo", {"threadId": 1}, "did not stop at an exception"),
    ],
)
async def test_an_error_says_where_it_is(
    stopped: DapClient, command: str, arguments: Any, message: str
) -> None:
    with pytest.raises(Refused) as refused:
        await stopped.request(command, arguments)
    assert message in refused.value.error["format"]
    assert await stopped.top_frames(1)


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ([], "should be a JSON object"),
        ({}, "message.type: should be 'request' or 'response', got None"),
        ({"type": "event", "seq": 1, "event": "x"}, "message.type"),
        ({"type": "request", "command": "threads"}, "message.seq: should be an integer"),
        ({"type": "request", "command": "threads", "seq": "1"}, "message.seq"),
        ({"type": "request", "command": "threads", "seq": True}, "message.seq"),
        ({"type": "request", "seq": 1}, "message.command: should be a string"),
        ({"type": "request", "seq": 1, "command": ["threads"]}, "message.command"),
    ],
)
async def test_an_ill_formed_envelope_is_answered(
    client: DapClient, sent: Any, message: str
) -> None:
    client.send(sent)
    answer = await client.message(lambda each: each["type"] == "response", "an error")
    assert answer["success"] is False
    assert message in answer["body"]["error"]["format"]
    assert await client.initialize()


@pytest.mark.parametrize(
    "sent",
    [
        {"type": "response", "seq": 1, "request_seq": 99, "success": True, "command": "x"},
        {"type": "response"},
        {"type": "response", "request_seq": None},
    ],
)
async def test_an_unexpected_response_is_ignored(client: DapClient, sent: Any) -> None:
    client.send(sent)
    assert await client.initialize()


async def test_a_body_that_is_not_json_is_answered(client: DapClient) -> None:
    client.send_bytes(b"Content-Length: 5\r\n\r\n{nope")
    answer = await client.message(lambda each: each["type"] == "response", "an error")
    assert "not JSON" in answer["message"]
    assert await client.initialize()


@pytest.mark.parametrize("garbage", [b"GET / HTTP/1.1\r\n\r\n", b"\x80\x81", b"x" * 10_000])
async def test_garbage_ends_the_connection_with_a_word(
    client: DapClient, core: StubCore, garbage: bytes
) -> None:
    launched = await client.begin_debugging("launch", mainClass="shop.Main")
    await client.configured(launched)
    client.send_bytes(garbage)
    reported = await client.event("output", category="important")
    expected = "this is HTTP" if garbage.startswith(b"GET") else "Content-Length"
    assert expected in reported["output"]
    await client.closed()
    assert core.left == 1
