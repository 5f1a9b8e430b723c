# SPDX-License-Identifier: Apache-2.0
"""The end of the VM waits for no debugger: not for one that keeps its socket open, reads nothing,
or suspends and resumes all threads meanwhile.
"""

from __future__ import annotations

import re
import subprocess
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.conformance.robust.running_target import set_static
from tests.support.debuggees import debuggee
from tests.support.jdwp_client import ConnectionLostError, RefusedError
from tests.support.jdwp_session import (
    NONE,
    THREAD_START,
    VM_DEATH,
    JdwpSession,
    session_of,
    wait_until,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

EXIT_CODE: Final = 7
LATE_S: Final = 1.9
"""Under load; it was 2.3 s and more when the machine had nothing else to do."""
BUSY_S: Final = 6.0
"""With thousands of threads under way."""
HANGS_S: Final = 15.0


@contextmanager
def ending(jdk: Jdk, agent_kind: AgentKind, *vm_args: str) -> Iterator[JdwpSession]:
    """`Ends`, which runs and calls System.exit when it is told to."""
    program = debuggee("ends", "Ends")
    with session_of(jdk, agent_kind, "exit", program=program, vm_args=vm_args) as session:
        session.resume()
        assert session.jvm.stdout is not None
        assert session.jvm.stdout.readline() == "ready\n"
        yield session


def tell(session: JdwpSession) -> None:
    """Let the program end."""
    set_static(session, "told", b"\1")


def end(session: JdwpSession, limit_s: float) -> float:
    """The time until the process has ended, which must be with its own exit code."""
    began = time.monotonic()
    try:
        code = session.jvm.wait(limit_s)
    except subprocess.TimeoutExpired:
        pytest.fail(f"the program still runs after {limit_s} s")
    assert code == EXIT_CODE
    return time.monotonic() - began


def test_a_debugger_keeps_its_socket_open(jdk: Jdk, agent_kind: AgentKind) -> None:
    with ending(jdk, agent_kind) as session:
        tell(session)
        (event,) = session.vm.next_set()["events"]
        assert event["kind"] == VM_DEATH
        assert end(session, HANGS_S) < LATE_S


def test_all_threads_are_suspended_and_resumed_meanwhile(jdk: Jdk, agent_kind: AgentKind) -> None:
    for _ in range(3):
        with ending(jdk, agent_kind) as session:
            tell(session)
            with suppress(ConnectionLostError, RefusedError, OSError):
                while True:
                    session.vm.ask("VirtualMachine.Suspend")
                    session.vm.ask("VirtualMachine.Resume")
            end(session, HANGS_S)


def unsent(port: int) -> int:
    """The bytes that wait in the agent's end of the connection to this port of ours."""
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, _, remote, _, queues, *_ = line.split()
        if int(remote.split(":")[1], 16) == port:
            return int(queues.split(":")[0], 16)
    raise LookupError(port)


def is_full(session: JdwpSession) -> bool:
    """Whether nothing more is taken, since nothing is read."""
    port = session.vm._socket.getsockname()[1]
    before = unsent(port)
    time.sleep(0.3)  # hundreds of threads begin meanwhile
    return unsent(port) == before > 0


@pytest.mark.agent
def test_a_debugger_that_does_not_read(jdk: Jdk) -> None:
    """What cannot be sent is dropped and counted; a reply that nobody takes is not waited for."""
    with ending(jdk, "jvmdebug", "-Dbreeders=2") as session:
        values = {"count": 1, "content": session.field("told").to_bytes(8) + b"\1"}
        type_id = session.type()
        session.request(THREAD_START, policy=NONE)
        # Not their ends: the VM reports that of the main thread before its own, and it would wait.
        wait_until(lambda: is_full(session), "the socket is full")
        session.vm.send("ClassType.SetValues", type_id=type_id, values=values)
        assert end(session, HANGS_S) < BUSY_S
        assert session.jvm.stderr is not None
        assert re.search(r"ended before \d+ events could be sent", session.jvm.stderr.read())
