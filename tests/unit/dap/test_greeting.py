# SPDX-License-Identifier: Apache-2.0
"""The first message of a client on standard input: answered at once, or left to the router."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from jvmdebug_dap.framing import MessageDecoder, encode
from jvmdebug_dap.greeting import Greeting, greet
from tests.support.dap_client import adapter_process, end_process

PLAIN = {"adapterID": "jvmdebug", "clientID": "vscode", "linesStartAt1": True, "locale": None}


def initialize(arguments: Any, **more: Any) -> dict[str, Any]:
    return {"seq": 4, "type": "request", "command": "initialize", "arguments": arguments, **more}


class _Writer:
    """What is written to the client."""

    def __init__(self) -> None:
        self.written = b""

    def write(self, written: bytes) -> None:
        self.written += written


async def greeted(*chunks: bytes) -> tuple[Greeting, bytes]:
    reader, writer = asyncio.StreamReader(), _Writer()
    for chunk in chunks:
        reader.feed_data(chunk)
        await asyncio.sleep(0)
    reader.feed_eof()
    found = await greet(reader, writer)  # type: ignore[arg-type]
    return found, writer.written


async def test_a_plain_one_is_answered() -> None:
    sent = encode(initialize(PLAIN))
    found, answer = await greeted(sent)
    assert found == Greeting(sent, 4)
    (message,) = MessageDecoder().feed(answer)
    assert isinstance(message, dict)
    assert message["request_seq"] == 4
    assert message["body"]["supportsConfigurationDoneRequest"] is True
    assert message["body"]["supportsTerminateRequest"] is True


@pytest.mark.parametrize("chosen", ["caught,uncaught", "caught", ""])
async def test_which_exceptions_stop_at_first(monkeypatch: pytest.MonkeyPatch, chosen: str) -> None:
    monkeypatch.setenv("JVMDEBUG_EXCEPTIONS", chosen)
    _, answer = await greeted(encode(initialize(PLAIN)))
    (message,) = MessageDecoder().feed(answer)
    assert isinstance(message, dict)
    filters = message["body"]["exceptionBreakpointFilters"]
    assert ",".join(each["filter"] for each in filters if each["default"]) == chosen


async def test_dape_is_not_told_of_terminate() -> None:
    _, answer = await greeted(encode(initialize({**PLAIN, "clientID": "dape"})))
    assert b"supportsTerminateRequest" not in answer


@pytest.mark.parametrize(
    "sent",
    [
        encode(initialize({"clientID": "x"})),
        encode(initialize({**PLAIN, "pathFormat": "odd"})),
        encode(initialize({**PLAIN, "linesStartAt1": 1})),
        encode(initialize({**PLAIN, "locale": 5})),
        encode(initialize(None)),
        encode(initialize(PLAIN, seq="4")),
        encode(initialize(PLAIN, type="event")),
        encode({"seq": 1, "type": "request", "command": "threads"}),
        b"Content-Length: 4\r\n\r\nnope",
        b"GET / HTTP/1.1\r\n\r\n",
        b"Content-Length: 40\r\n\r\n{",
        b"",
    ],
)
async def test_everything_else_is_left_to_the_router(sent: bytes) -> None:
    assert await greeted(sent) == (Greeting(sent), b"")


async def test_the_answer_comes_once_and_what_follows_is_served() -> None:
    process = await adapter_process()
    assert process.stdin is not None
    assert process.stdout is not None
    threads = {"seq": 5, "type": "request", "command": "threads"}
    process.stdin.write(encode(initialize(PLAIN)) + encode(threads))
    process.stdin.write(encode({**threads, "seq": 6, "command": "disconnect"}))
    decoder, found = MessageDecoder(), []
    try:
        while chunk := await process.stdout.read(65536):
            found += decoder.feed(chunk)
    finally:
        await end_process(process)
    answers = [each for each in found if isinstance(each, dict) and each["type"] == "response"]
    assert sorted(each["request_seq"] for each in answers) == [4, 5, 6]
    assert [each["seq"] for each in found if isinstance(each, dict)] == list(
        range(1, len(found) + 1)
    )
