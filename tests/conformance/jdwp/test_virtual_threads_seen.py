# SPDX-License-Identifier: Apache-2.0
"""Virtual threads that a debugger has seen: the agent references none after disconnect.

Counted as the VM counts references (its thread dump). Whether a thread is collected then is up to
the VM: HotSpot itself keeps one that has had a JVM TI event until it ends.
"""

from __future__ import annotations

import re
import signal
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.support import process
from tests.support.debuggees import debuggee
from tests.support.jdwp_client import EventSetClient
from tests.support.jdwp_session import (
    BREAKPOINT,
    EVENT_THREAD,
    LISTENING,
    NONE,
    JdwpSession,
    wait_until,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk

THREADS = 300
"""More than the agent asks one by one to tell of their end."""
_PREPARED = 2
_REFERENCES = re.compile(r"JNI global refs: (\d+)")


class ManyThreads:
    """A running `VirtualSeen` that debuggers visit one after the other."""

    def __init__(self, jvm: subprocess.Popen[str]) -> None:
        self.jvm = jvm

    def _wait_for(self, pattern: re.Pattern[str]) -> str:
        assert self.jvm.stdout is not None
        for line in self.jvm.stdout:
            if found := pattern.search(line):
                return found.group(1)
        raise AssertionError(f"the VM has ended, and no {pattern.pattern!r}")

    @contextmanager
    def debugged(self) -> Iterator[JdwpSession]:
        """A debugger, as soon as the agent listens."""
        port = int(self._wait_for(LISTENING))
        session = JdwpSession(
            EventSetClient(port), self.jvm, debuggee("virtual_seen", "VirtualSeen")
        )
        try:
            yield session
        finally:
            session.vm.close()

    def references(self, session: JdwpSession) -> int:
        """JNI global references in the VM, but for those to platform threads.

        There may be more carriers now: the agent knows all threads of the platform.
        """
        threads = len(session.vm.ask("VirtualMachine.AllThreads")["threads"])
        self.jvm.send_signal(signal.SIGQUIT)
        return int(self._wait_for(_REFERENCES)) - threads


def is_prepared(session: JdwpSession) -> bool:
    """Whether the class of the program can have breakpoints."""
    found = session.vm.ask("VirtualMachine.ClassesBySignature", signature=session.main_type)
    return any(loaded["status"] & _PREPARED for loaded in found["classes"])


@pytest.fixture
def many_threads(jdk: Jdk) -> Iterator[ManyThreads]:
    program = debuggee("virtual_seen", "VirtualSeen")
    if jdk.version < program.release:
        pytest.skip("no virtual threads")
    options = "transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0"
    command = [
        str(jdk.java),
        # What the VM writes is read here, also where tools.checked_jni has it in a file alone.
        "-XX:+UnlockDiagnosticVMOptions",
        "-XX:+DisplayVMOutput",
        process.agent_argument("jvmdebug", options),
        "-cp",
        str(program.class_path[0]),
        program.main_class,
        str(THREADS),
    ]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as jvm:
        try:
            yield ManyThreads(jvm)
        finally:
            jvm.kill()


@pytest.mark.agent
def test_no_virtual_thread_is_referenced_after_disconnect(
    many_threads: ManyThreads,
) -> None:
    with many_threads.debugged() as session:
        session.vm.ask("VirtualMachine.Dispose")
    with many_threads.debugged() as session:
        wait_until(lambda: is_prepared(session), "the program has begun")
        before = many_threads.references(session)
        session.break_at("seen", policy=NONE)
        seen: set[int] = set()
        while len(seen) < THREADS:
            seen.update(event["thread"] for event in session.vm.next_set()["events"])
        assert many_threads.references(session) >= before + THREADS
        session.vm.ask("EventRequest.ClearAllBreakpoints")
        # Two stops hold both carriers of a small machine: keep those that come before the reply.
        session.break_at("seen", policy=EVENT_THREAD)
        while session.vm.next_set()["suspend_policy"] != EVENT_THREAD:
            pass  # it stands there when the debugger goes
    with many_threads.debugged() as session:
        # The VM may have dropped one of its own since it began.
        assert many_threads.references(session) <= before
        session.break_at("seen", policy=NONE)
        session.next_event(BREAKPOINT)
