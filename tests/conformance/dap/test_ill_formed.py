# SPDX-License-Identifier: Apache-2.0
"""Every request with missing, ill-typed and extra arguments, in every state: always an answer.

After each of them the session is still there: it answers, and ends as it should.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import jvmdebug
from jvmdebug_dap.errors import RequestError
from jvmdebug_dap.models.base import wire_name
from jvmdebug_dap.requests import load_handlers
from jvmdebug_dap.router import parse_arguments
from tests.support.dap_client import DapClient, Refused

if TYPE_CHECKING:
    from tests.support.stub_core import StubCore

STATES = ("new", "idle", "configuring", "running", "stopped", "ended")
# These would end the state under test unless they are refused: test_end has them.
OF_THE_END = {"disconnect", "terminate", "restart"}
INTERNAL = 9001
COMMANDS = sorted(spec.command for spec in load_handlers().specs)
WRONG_VALUES: tuple[Any, ...] = (None, "text", -1, 2**70, 1.5, True, [], [[]], {}, {"path": 5})


def shapes_of_arguments(command: str) -> list[Any]:
    """Arguments of the wrong type, then each attribute with every wrong value, then extra ones."""
    spec = load_handlers().get(command)
    assert spec is not None
    names = [wire_name(name) for name in spec.arguments.model_fields]
    plausible: dict[str, Any] = {
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
    whole = {name: plausible[name] for name in names if name in plausible}
    shapes: list[Any] = [None, [], "text", 7, True, {}, {**whole, "extra": {"deep": [1]}}]
    for name in names:
        shapes += [{**whole, name: value} for value in WRONG_VALUES]
    return shapes


def is_ill_typed(command: str, arguments: Any) -> bool:
    spec = load_handlers().get(command)
    assert spec is not None
    try:
        parse_arguments(spec.arguments, arguments)
    except RequestError:
        return True
    return False


async def bring_to(client: DapClient, core: StubCore, state: str) -> None:
    if state == "new":
        return
    if state == "idle":
        await client.initialize()
        return
    launched = await client.begin_debugging("launch", mainClass="shop.Main")
    if state == "configuring":
        return
    await client.configured(launched)
    await client.request("threads")
    if state == "stopped":
        core.session.hit(jvmdebug.StopReason.PAUSE)
        await client.event("stopped")
        await client.top_frames(1)
    if state == "ended":
        core.session.end(0)
        await client.event("terminated")


@pytest.mark.parametrize("state", STATES)
async def test_every_request_is_answered(client: DapClient, core: StubCore, state: str) -> None:
    """Nothing is internal: what is refused is refused on purpose."""
    await bring_to(client, core, state)
    errors = []
    for command in COMMANDS:
        if (command, state) in {
            ("initialize", "new"),
            ("launch", "idle"),
            ("attach", "idle"),
            ("configurationDone", "configuring"),
            ("pause", "running"),
        }:
            continue
        for arguments in shapes_of_arguments(command):
            if command in OF_THE_END and not is_ill_typed(command, arguments):
                continue
            # A step or a continue moves on: go back to the state under test.
            if state == "stopped" and core.session.stop_now is None:
                core.session.hit(jvmdebug.StopReason.PAUSE)
            answer = await client.answer(client.begin(command, arguments))
            if not answer["success"] and answer["body"]["error"]["id"] in (0, INTERNAL):
                errors.append((command, arguments, answer["message"]))
    assert errors == []


@pytest.mark.parametrize("command", ["launch", "attach"])
async def test_a_start_that_is_ill_formed_can_be_repeated(
    client: DapClient, core: StubCore, command: str
) -> None:
    await client.initialize()
    for arguments in shapes_of_arguments(command):
        if isinstance(arguments, dict) and {"mainClass", "program", "port"} & set(arguments):
            continue
        with pytest.raises(Refused) as refused:
            await client.request(command, arguments)
        assert refused.value.error["id"] != INTERNAL
    assert core.sessions == []
    launched = client.begin("launch", {"mainClass": "shop.Main"})
    await client.event("initialized")
    await client.configured(launched)


@pytest.mark.parametrize(
    ("command", "arguments", "message"),
    [
        ("stackTrace", {}, "arguments.threadId: Field required"),
        ("scopes", {"frameId": "1"}, "arguments.frameId: Input should be a valid integer, got '1'"),
        (
            "setBreakpoints",
            {"source": {"path": "a"}, "breakpoints": [{"line": 1}, {"line": None}]},
            "arguments.breakpoints[1].line: Input should be a valid integer, got None",
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
async def test_a_response_that_nobody_waits_for_is_ignored(client: DapClient, sent: Any) -> None:
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
    told = await client.event("output", category="important")
    assert "Content-Length" in told["output"]
    await client.closed()
    assert core.left == 1
