# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug mcp` as a process: on standard input and output, and over HTTP with a token."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

TOKEN = "a token that nobody guesses"
COMMAND = (sys.executable, "-m", "jvmdebug_cli", "mcp")


@asynccontextmanager
async def serving(token_file: Path) -> AsyncIterator[str]:
    """The endpoint of a server over HTTP."""
    server = await asyncio.create_subprocess_exec(
        *COMMAND,
        "--http",
        "127.0.0.1:0",
        "--token-file",
        str(token_file),
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    assert server.stderr is not None
    line = (await server.stderr.readline()).decode()
    try:
        assert line.startswith("listening on http://127.0.0.1:"), line
        yield line.split()[-1]
    finally:
        server.terminate()
        await server.wait()


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    file = tmp_path / "token"
    file.touch(mode=0o600)
    file.write_text(TOKEN)
    return file


async def test_standard_input_and_output() -> None:
    parameters = StdioServerParameters(command=COMMAND[0], args=list(COMMAND[1:]))
    async with Client(stdio_client(parameters)) as client:
        assert {"launch", "run", "threads"} <= {
            each.name for each in (await client.list_tools()).tools
        }


async def test_http_needs_the_token(token_file: Path) -> None:
    async with serving(token_file) as url:
        async with httpx2.AsyncClient() as nobody:
            for headers in ({}, {"Authorization": "Bearer wrong"}):
                refused = await nobody.post(url, json={}, headers=headers)
                assert refused.status_code == 401
                assert "--token-file" in refused.text
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx2.AsyncClient(headers=headers) as somebody,
            Client(streamable_http_client(url, http_client=somebody)) as client,
        ):
            assert len((await client.list_tools()).tools) > 10


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--http", "0.0.0.0:0", "--token-file", "{file}"), "has to be a loopback address"),
        (("--http", "nonsense", "--token-file", "{file}"), "is not HOST:PORT"),
        (("--http", "127.0.0.1:0"), "go together"),
        (("--http", "127.0.0.1:0", "--token-file", "{missing}"), "cannot read the token"),
    ],
)
async def test_wrong_usage_is_one_sentence(
    token_file: Path, arguments: tuple[str, ...], says: str
) -> None:
    named = {"file": token_file, "missing": token_file.with_name("none")}
    ran = await asyncio.create_subprocess_exec(
        *COMMAND,
        *(each.format(**named) for each in arguments),
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env=os.environ,
    )
    _, errors = await ran.communicate()
    assert ran.returncode == 2
    assert says in errors.decode()
    assert len(errors.decode().splitlines()) == 1


@pytest.fixture
def readable_token_file(token_file: Path) -> Path:
    token_file.chmod(0o644)
    return token_file


async def test_a_token_that_others_can_read_is_refused(readable_token_file: Path) -> None:
    ran = await asyncio.create_subprocess_exec(
        *COMMAND,
        *("--http", "127.0.0.1:0", "--token-file", str(readable_token_file)),
        stderr=asyncio.subprocess.PIPE,
    )
    _, errors = await ran.communicate()
    assert ran.returncode == 2
    assert "chmod 600" in errors.decode()
