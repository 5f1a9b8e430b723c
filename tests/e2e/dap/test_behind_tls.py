# SPDX-License-Identifier: Apache-2.0
"""An adapter that listens with TLS, for editors of other machines; and a program behind a relay."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.dap_client import (
    TIMEOUT_S,
    Refused,
    adapter_environment,
    adapter_process,
    end_process,
    local_client,
    stdio_adapter,
)
from tests.support.debuggees import debuggee
from tests.support.relay import RelayPeer, running_relay
from tests.support.token_peer import WRONG_TOKEN, written_token

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from tests.conftest import StartJvm
    from tests.support.debuggees import Debuggee

TOKEN = "a-token-of-some-length"


@pytest.fixture(autouse=True)
def _settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    return written_token(tmp_path / "token", TOKEN)


@contextlib.asynccontextmanager
async def _server(*options: str) -> AsyncIterator[tuple[int, str]]:
    """An adapter with TLS on loopback; its port and fingerprint."""
    process = await adapter_process("--listen", "127.0.0.1:0", "--tls", *options)
    assert process.stdout is not None
    try:
        async with asyncio.timeout(TIMEOUT_S):
            listening = (await process.stdout.readline()).decode().strip()
            fingerprint = (await process.stdout.readline()).decode().strip()
        assert listening.startswith("listening on 127.0.0.1:"), listening
        yield int(listening.rpartition(":")[2]), fingerprint
    finally:
        await end_process(process)


async def test_an_editor_of_another_machine(
    token_file: Path, tmp_path: Path, our_attributes: Callable[[Debuggee], dict[str, Any]]
) -> None:
    program = debuggee("basics", "Loop")
    log = tmp_path / "audit"
    options = ("--token-file", str(token_file))
    async with _server(*options, "--audit-log", str(log)) as (port, fingerprint):
        to_it = ("--connect", f"tls://127.0.0.1:{port}", *options, "--fingerprint", fingerprint)
        async with stdio_adapter(*to_it) as (client, _):
            frame = await client.run_to(program, "done", our_attributes(program))
            await client.request("continue", {"threadId": frame["threadId"]})
            assert (await client.event("exited"))["exitCode"] == 0
            await client.request("disconnect")
            await client.closed()
        await asyncio.to_thread(_strangers, port)
        wrong = written_token(tmp_path / "wrong", "another-token-of-some-length")
        for words, why in (
            ((*to_it[:2], "--token-file", str(wrong)), "does not know the token"),
            ((*to_it[:4], "--fingerprint", f"SHA256:{'A' * 43}"), "not the one that was given"),
            (to_it[:2], "asks for a token"),
        ):
            code, told = await _refused(*words)
            assert (code, told.count("\n")) == (2, 1)
            assert why in told
    noted = [json.loads(line) for line in log.read_text().splitlines()]
    events = [each["event"] for each in noted]
    assert {"refused", "connected", "launch", "disconnected"} <= set(events)
    assert TOKEN not in log.read_text()


def _strangers(port: int) -> None:
    """Neither without TLS, nor with the token as a header, which is never asked for."""
    with socket.create_connection(("127.0.0.1", port), 20) as plain:
        plain.sendall(b"Content-Length: 2\r\n\r\n{}")
        with contextlib.suppress(ConnectionError):
            assert b"Content-Length" not in plain.recv(1000)
    with RelayPeer(port) as peer:
        peer.socket.sendall(f"Token: {TOKEN}\r\nContent-Length: 2\r\n\r\n{{}}".encode())
        assert peer.received(100) == b""
    with RelayPeer(port) as peer:
        assert peer.verdict("another token") == (WRONG_TOKEN,)
    with RelayPeer(port) as peer:
        assert peer.verdict(TOKEN, role=2) == (6,)


async def _refused(*words: str) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "jvmdebug_dap", *words),
        stdin=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=adapter_environment(),
    )
    _, told = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
    return process.returncode, told.decode()


async def test_without_a_token_nobody_is_served_behind_tls() -> None:
    code, told = await _refused("--listen", "127.0.0.1:0", "--tls", "--no-token")
    assert (code, told.count("\n")) == (2, 1)
    assert "without a token" in told


@pytest.mark.agent
async def test_attach_to_a_program_behind_a_relay(start_jvm: StartJvm, tmp_path: Path) -> None:
    """`hostName` takes the address, and the role of the token holds for the editor too."""
    program = debuggee("script", "Spin")
    jvm = await start_jvm(program, suspend=False)
    async with running_relay(tmp_path / "r", f"spin=127.0.0.1:{await jvm.port()}") as relay:
        attributes = {
            "hostName": relay.address("spin"),
            "tokenFile": str(relay.tokens["read-only"]),
            "fingerprint": relay.fingerprint,
        }
        async with local_client() as client:
            attached = await client.begin_debugging("attach", **attributes)
            path, line = program.marked("count")
            await client.set_lines(path, {"line": line})
            await client.configured(attached)
            stop = await client.event("stopped", reason="breakpoint")
            frame, *_rest = await client.top_frames(stop["threadId"])
            asked = {"expression": "rounds", "frameId": frame["id"], "context": "repl"}
            assert int((await client.request("evaluate", asked))["result"]) > 0
            asked["expression"] = "Thread.currentThread().interrupt()"
            with pytest.raises(Refused, match="read-only"):
                await client.request("evaluate", asked)
            await client.request("disconnect", {"terminateDebuggee": False})
