# SPDX-License-Identifier: Apache-2.0
"""A program that does not answer: the adapter says so, serves what it can, and ends in time."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug.jdwp import silence
from jvmdebug.jdwp.connection import Connection
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import StartJvm
    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]

pytestmark = pytest.mark.logs_errors  # what the program does not answer

LIMIT_S = 1.5
AT_ONCE_S = 6.0
"""Two limits of 2 s for the last words, and a machine that is busy."""


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections that wait for a second or two and not for half a minute."""
    opened = Connection.open

    async def open_(self: Connection, timeout_s: float | None) -> None:
        await opened(self, timeout_s)
        self.timeout_s = LIMIT_S

    monkeypatch.setattr(Connection, "open", open_)


def recursion() -> Debuggee:
    return debuggee("recursion", "Recursion")


async def pid_of(client: DapClient) -> int:
    pid = (await client.event("process"))["systemProcessId"]
    assert isinstance(pid, int)
    return pid


def stop_process(pid: int) -> None:
    """Stop the process by a signal; its threads stop one after the other."""
    os.kill(pid, signal.SIGSTOP)
    while any(_is_running(task) for task in Path(f"/proc/{pid}/task").iterdir()):
        time.sleep(0.001)


def _is_running(task: Path) -> bool:
    stat = (task / "stat").read_text(encoding="ascii", errors="replace")
    return stat.rpartition(")")[2].split()[0] != "T"


async def test_a_stopped_process_is_named_and_goes_on(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = recursion()
    frame = await client.run_to(program, "fib-call", attributes(program))
    pid = await pid_of(client)
    stop_process(pid)
    try:
        asked = client.begin("threads")
        told = await client.event("output", category="important")
        assert f"process {pid} is stopped by a signal; `kill -CONT {pid}`" in told["output"]
        refused = await client.answer(asked)  # nothing else than that it took too long
        assert not refused["success"]
        assert not refused["body"]["error"].get("showUser")
    finally:
        os.kill(pid, signal.SIGCONT)
    await client.event("output", category="console", output="the program answers again\n")
    assert (await client.top_frames(frame["threadId"]))[0]["line"] == frame["line"]
    assert client.bodies("terminated") == []


async def test_a_silent_program_ends_the_session_with_the_reason(
    client: DapClient, attributes: AttributesOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silence, "_state_of", lambda _: None)  # as on another machine
    program = recursion()
    await client.run_to(program, "fib-call", attributes(program))
    stop_process(await pid_of(client))
    asked = client.begin("threads")
    assert "not answered for" in (await client.event("output", category="important"))["output"]
    await client.answer(asked)
    said = await client.event("output", category="important")
    assert "has not answered for" in said["output"]
    await client.event("terminated")


@pytest.mark.parametrize("terminate", [True, False])
async def test_disconnect_from_a_stopped_program_is_answered_at_once(
    client: DapClient,
    start_jvm: StartJvm,
    terminate: bool,  # noqa: FBT001 - of the matrix
) -> None:
    jvm = await start_jvm(recursion(), args=["60"])
    attached = await client.begin_debugging("attach", port=await jvm.port())
    await client.configured(attached)
    stop_process(jvm.pid)
    client.begin("threads")
    began = time.monotonic()
    await client.request("disconnect", {"terminateDebuggee": terminate})
    await client.closed()
    assert time.monotonic() - began < AT_ONCE_S
    os.kill(jvm.pid, signal.SIGCONT)


async def test_a_launched_program_that_is_stopped_ends_at_once(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = recursion()
    await client.run_to(program, "fib-call", attributes(program))
    stop_process(await pid_of(client))
    began = time.monotonic()
    await client.request("disconnect")
    await client.closed()
    assert time.monotonic() - began < AT_ONCE_S
