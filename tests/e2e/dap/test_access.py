# SPDX-License-Identifier: Apache-2.0
"""A server that listens serves who has its token, and nobody who speaks HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug_dap.errors import ErrorId
from jvmdebug_dap.framing import encode
from tests.support.dap_client import (
    Refused,
    adapter_environment,
    stdio_adapter,
    tcp_client,
)
from tests.support.dap_server import listening_server
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]

INITIALIZE = {"seq": 1, "type": "request", "command": "initialize"}
TOKEN = "a-token-of-some-length"
TIMEOUT_S = 20


async def exchange(host: str, port: int, sent: bytes) -> bytes:
    """All that the server answers until it closes the connection."""
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(sent)
    answer = b""
    with contextlib.suppress(ConnectionError):
        answer = await asyncio.wait_for(reader.read(), TIMEOUT_S)
    writer.close()
    return answer


def initialize(**arguments: str) -> bytes:
    return encode({**INITIALIZE, "arguments": {"adapterID": "x", **arguments}})


@pytest.mark.parametrize("options", [(), ("--no-token",)])
async def test_a_web_page_is_no_client(options: tuple[str, ...], tmp_path: Path) -> None:
    """What `fetch("http://127.0.0.1:4711", {method: "POST", body})` of any page sends."""
    started = tmp_path / "started"
    command = ["--args", str(started)]
    launch = {"seq": 2, "type": "request", "command": "launch"}
    launch["arguments"] = {"program": "/tmp/Evil.java", "vmArgs": command}
    body = encode({**INITIALIZE, "arguments": {"adapterID": "x"}}) + encode(launch)
    fields = b"Content-Length: %d\r\n" % len(body)
    async with listening_server(*options) as (host, port, _):
        for header in (
            b"POST / HTTP/1.1\r\nHost: evil.example\r\nOrigin: https://evil.example\r\n",
            b"Host: evil.example\r\n",
            b"Origin: null\r\n",
        ):
            answer = await exchange(host, port, header + fields + b"\r\n" + body)
            assert b'"success":true' not in answer
            assert b'"command":"launch"' not in answer


@pytest.mark.parametrize(
    "first",
    [
        initialize(),
        initialize(token="a-wrong-token-of-length"),
        encode(
            {"seq": 1, "type": "request", "command": "launch", "arguments": {"program": "a.jar"}}
        ),
    ],
)
async def test_without_the_token_nothing_is_served(first: bytes) -> None:
    """The first message is answered, and the connection ends; what follows is not looked at."""
    async with listening_server() as (host, port, _):
        answer = await exchange(host, port, first + encode({**INITIALIZE, "command": "threads"}))
        head, _, body = answer.partition(b"\r\n\r\n")
        length = int(head.split(b":")[1])
        assert len(body) == length, "one message"
        error = json.loads(body)["body"]["error"]
        assert error["id"] == ErrorId.NOT_ADMITTED
        assert "token" in error["format"]


async def test_a_long_first_message_is_refused_before_it_is_read() -> None:
    async with listening_server() as (host, port, _):
        assert await exchange(host, port, b"Content-Length: 30000000\r\n\r\n") == b""


async def test_the_token_of_a_file_in_the_first_header(
    our_attributes: AttributesOf, tmp_path: Path
) -> None:
    """`--connect` sends it so, for an editor that starts an adapter and knows of no token."""
    file = tmp_path / "token"
    file.write_text(TOKEN + "\n")
    file.chmod(0o600)
    program = debuggee("basics", "Loop")
    async with (
        listening_server("--token-file", str(file)) as (host, port, _),
        stdio_adapter("--connect", f"{host}:{port}", "--token-file", str(file)) as (client, _),
    ):
        frame = await client.run_to(program, "done", our_attributes(program))
        await client.request("continue", {"threadId": frame["threadId"]})
        assert (await client.event("exited"))["exitCode"] == 0
        await client.request("disconnect")
        await client.closed()


async def test_without_a_token_if_that_is_asked_for() -> None:
    async with listening_server("--no-token") as (host, port, _), tcp_client(host, port) as client:
        assert await client.initialize()


@pytest.mark.parametrize(
    ("content", "mode", "reason"),
    [
        (TOKEN, 0o644, "others can read"),
        ("short", 0o600, "16 printable"),
        (None, 0o600, "cannot read"),
    ],
)
def test_a_token_that_protects_nothing(
    tmp_path: Path, content: str | None, mode: int, reason: str
) -> None:
    file = tmp_path / "token"
    if content is not None:
        file.write_text(content)
        file.chmod(mode)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "jvmdebug_dap", "--listen", "127.0.0.1:0"),
            *("--token-file", str(file)),
        ],
        capture_output=True,
        check=False,
        text=True,
        env=adapter_environment(),
        timeout=TIMEOUT_S,
    )
    assert done.returncode == 2
    assert reason in done.stderr


async def test_the_audit_log_says_who_did_what(
    our_attributes: AttributesOf, tmp_path: Path
) -> None:
    log = tmp_path / "audit.jsonl"
    program = debuggee("basics", "Loop")
    async with listening_server("--audit-log", str(log)) as (host, port, token):
        async with tcp_client(host, port, "no-token-of-this-server") as stranger:
            with pytest.raises(Refused):
                await stranger.initialize()
            await stranger.closed()
        async with tcp_client(host, port, token) as client:
            frame = await client.run_to(program, "square", our_attributes(program))
            asked = {"expression": "number + 1", "frameId": frame["id"]}
            await client.request("evaluate", asked)
            await client.request("disconnect")
            await client.closed()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert token not in log.read_text()
    assert log.stat().st_mode & 0o077 == 0
    first, second = (each for each in lines if each["event"] == "connected")
    assert [each["event"] for each in lines if each["peer"] == first["peer"]] == [
        *("connected", "refused", "disconnected"),
    ]
    events = [each["event"] for each in lines if each["peer"] == second["peer"]]
    assert [each for each in events if each != "setBreakpoints"] == [
        *("connected", "initialize", "launch", "evaluate", "disconnect", "exited", "disconnected"),
    ]
    (evaluated,) = (each for each in lines if each["event"] == "evaluate")
    assert evaluated["arguments"]["expression"] == "number + 1"
