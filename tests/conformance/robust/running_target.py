# SPDX-License-Identifier: Apache-2.0
"""The debuggee `endless.Endless`, which runs on whatever its debuggers do, and scenarios with it.

Owns the VM's process, the scenarios that the tests disturb (`SCENARIOS`), and the check that the
next debugger finds everything as if the last had never been there.
"""

from __future__ import annotations

import re
import socket
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support import process
from tests.support.debuggees import debuggee
from tests.support.jdwp_client import EventSetClient
from tests.support.jdwp_session import (
    ALL,
    BREAKPOINT,
    CLASS_PREPARE,
    EVENT_THREAD,
    FIELD_MODIFICATION,
    LISTENING,
    METHOD_ENTRY,
    NONE,
    OUT,
    OVER,
    SINGLE_STEP,
    SINGLE_THREADED,
    JdwpSession,
    class_match,
    count,
    launched,
    listening_port,
)

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

TIMEOUT_S = 20.0
RELOADED = "endless.Endless$Reloaded"


class RunningTarget:
    """A running program to which debuggers connect one after the other."""

    def __init__(self, jvm: subprocess.Popen[str]) -> None:
        self.jvm = jvm
        self.program = debuggee("endless", "endless.Endless")
        self.port = listening_port(jvm)
        self._lines: list[str] = []
        self._reader = threading.Thread(target=self._read_output, name="output")
        self._reader.start()

    def _read_output(self) -> None:
        assert self.jvm.stdout is not None
        for line in self.jvm.stdout:
            if not LISTENING.match(line):
                self._lines.append(line)

    def runs(self) -> bool:
        """Whether all threads have been started."""
        return bool(self._lines)

    def wait_until_it_runs(self) -> None:
        """Wait until all threads have been started."""
        deadline = time.monotonic() + TIMEOUT_S
        while not self.runs():
            assert time.monotonic() < deadline, "the program does not run"
            time.sleep(0.005)

    def wait_until_its_output_ends(self) -> None:
        """Wait until all output of the VM has been read."""
        self._reader.join(TIMEOUT_S)

    def connect(self, port: int | None = None) -> JdwpSession:
        """Connect a debugger as soon as the agent listens, or to another port."""
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            try:
                return JdwpSession(EventSetClient(port or self.port), self.jvm, self.program)
            except (ConnectionRefusedError, ConnectionResetError):
                # Reset: the debugger before was just accepted, and a second one is refused.
                if port:
                    raise
                assert self.jvm.poll() is None, f"the VM has ended: {self.jvm.returncode}"
                assert time.monotonic() < deadline, "the agent does not listen (again)"
                time.sleep(0.002)

    @contextmanager
    def debugged(self) -> Iterator[JdwpSession]:
        """A debugger that closes its connection at the end."""
        session = self.connect()
        try:
            yield session
        finally:
            session.vm.close()

    def peer(self, *, receive_buffer: int = 0) -> socket.socket:
        """A connected peer that has said nothing yet."""
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            end = socket.socket()
            if receive_buffer:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            end.settimeout(TIMEOUT_S)
            try:
                end.connect(("127.0.0.1", self.port))
            except ConnectionRefusedError:
                end.close()
                assert time.monotonic() < deadline, "the agent does not listen (again)"
                time.sleep(0.002)
            else:
                return end

    def resident_kib(self) -> int:
        """The memory that the VM's process takes."""
        status = Path(f"/proc/{self.jvm.pid}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found
        return int(found.group(1))

    def ticks(self, thread: str) -> int:
        """The processor time that a thread has had, in the system's ticks."""
        for task in Path(f"/proc/{self.jvm.pid}/task").iterdir():
            if (task / "comm").read_text().strip() == thread:
                # The fields after the name, which is in brackets: the 12th and 13th.
                fields = (task / "stat").read_text().rpartition(")")[2].split()
                return int(fields[11]) + int(fields[12])
        raise LookupError(thread)

    def check(self) -> None:
        """Connect again: no thread is suspended, no request is set, the program makes progress."""
        session = self.connect()
        try:
            self._check_as_new(session)
            session.vm.ask("VirtualMachine.Dispose")
        finally:
            session.vm.close()

    def _check_as_new(self, session: JdwpSession) -> None:
        counts = {name: session.suspend_count(thread) for name, thread in session.threads().items()}
        assert set(counts.values()) == {0}, f"suspended: {counts}"
        names = ("turns", "loads", "writes")
        before = {name: session.static(name) for name in names}
        deadline = time.monotonic() + TIMEOUT_S
        while any(session.static(name) < before[name] + 2 for name in names):
            assert time.monotonic() < deadline, f"no progress: {before} in {TIMEOUT_S} s"
            time.sleep(0.001)
        assert session.vm.sets == [], "an event without a request"
        # Events are sent, neither held nor kept back.
        session.break_at("turn", count(1), policy=NONE)
        session.next_event(BREAKPOINT)

    def end(self) -> str:
        """Let it end by itself; what it printed."""
        session = self.connect()
        set_static(session, "stop", b"\x01")
        session.vm.close()
        self.jvm.wait(TIMEOUT_S)
        self.wait_until_its_output_ends()
        return "".join(self._lines)


def set_static(session: JdwpSession, field: str, content: bytes) -> None:
    """Writes a static field; the bytes are its untagged value."""
    values = {"count": 1, "content": session.field(field).to_bytes(8) + content}
    session.vm.ask("ClassType.SetValues", type_id=session.type(), values=values)


@contextmanager
def running_target(
    jdk: Jdk, *, agent: AgentKind = "jvmdebug", suspend: bool = False
) -> Iterator[RunningTarget]:
    """A VM of its own, listening."""
    options = f"transport=dt_socket,server=y,suspend={'ny'[suspend]},address=127.0.0.1:0"
    argument = process.agent_argument(agent, options)
    with launched(jdk, argument, program=debuggee("endless", "endless.Endless")) as jvm:
        running = RunningTarget(jvm)
        if not suspend:
            running.wait_until_it_runs()
        yield running


# --- scenarios ------------------------------------------------------------------------------


def stops(session: JdwpSession) -> None:
    """A breakpoint is hit, looked at, and hit again."""
    session.break_at("turn")
    for _ in range(2):
        event = session.next_event(BREAKPOINT)
        frame = session.frames(event["thread"])[0]["frame_id"]
        slots = [{"slot": 0, "tag": ord("I")}]
        session.vm.ask("StackFrame.GetValues", thread=event["thread"], frame=frame, slots=slots)
        session.resume()
    session.next_event(BREAKPOINT)


def stops_of_one_thread(session: JdwpSession) -> None:
    """The same, but only the thread of the event stands."""
    request = session.break_at("inner", policy=EVENT_THREAD)
    for _ in range(2):
        thread = session.next_event(BREAKPOINT)["thread"]
        session.vm.ask("ThreadReference.FrameCount", thread=thread)
        session.vm.ask("ThreadReference.Resume", thread=thread)
    session.next_event(BREAKPOINT)
    session.clear(BREAKPOINT, request)


def steps(session: JdwpSession) -> None:
    """Steps over, out and by instructions; the last is under way at the end."""
    request = session.break_at("turn", count(1))
    thread = session.next_event(BREAKPOINT)["thread"]
    session.clear(BREAKPOINT, request)
    session.step(thread, OVER)
    session.step(thread, OVER, size=0)
    session.step(thread, OUT)
    step = {"kind": 10, "thread": thread, "size": 1, "depth": OUT}
    session.request(SINGLE_STEP, step)
    session.resume()


def invocations(session: JdwpSession) -> None:
    """Methods run on a stopped thread, alone and with all others; the last one is under way."""
    session.break_at("turn", count(1))
    thread = session.next_event(BREAKPOINT)["thread"]
    invocation = {
        "type_id": session.type(),
        "thread": thread,
        "method_id": session.methods()["invoked"],
        "arguments": [{"tag": ord("I"), "value": 2}],
    }
    session.vm.ask("ClassType.InvokeMethod", **invocation, options=SINGLE_THREADED)
    session.vm.ask("ClassType.InvokeMethod", **invocation, options=0)
    session.vm.send("ClassType.InvokeMethod", **invocation, options=0)


def invocation_that_stops(session: JdwpSession) -> None:
    """A breakpoint in what is invoked: two stops in one thread, and no reply yet."""
    session.break_at("turn", count(1), policy=EVENT_THREAD)
    thread = session.next_event(BREAKPOINT)["thread"]
    session.break_at("invoked", policy=EVENT_THREAD)
    invocation = {
        "type_id": session.type(),
        "thread": thread,
        "method_id": session.methods()["invoked"],
        "arguments": [{"tag": ord("I"), "value": 1}],
        "options": SINGLE_THREADED,
    }
    sent = session.vm.send("ClassType.InvokeMethod", **invocation)
    session.next_event(BREAKPOINT)
    session.frames(thread)
    session.vm.ask("ThreadReference.Resume", thread=thread)
    session.vm.reply_to(sent)


def all_suspended(session: JdwpSession) -> None:
    """Everything stands, several times over."""
    for _ in range(2):
        session.vm.ask("VirtualMachine.Suspend")
    for thread in session.threads().values():
        session.vm.ask("ThreadReference.Suspend", thread=thread)
    session.vm.ask("VirtualMachine.Resume")


def held(session: JdwpSession) -> None:
    """Events are held while many happen, and released."""
    session.vm.ask("VirtualMachine.HoldEvents")
    session.break_at("turn", policy=NONE)
    session.break_at("inner")
    session.vm.ask("VirtualMachine.AllThreads")
    session.vm.ask("VirtualMachine.ReleaseEvents")
    while ALL not in {found["suspend_policy"] for found in [session.vm.next_set()]}:
        pass
    session.vm.ask("VirtualMachine.HoldEvents")
    session.resume()


def classes(session: JdwpSession) -> None:
    """Classes are prepared all the time, and each stops its thread."""
    session.request(CLASS_PREPARE, class_match(RELOADED), policy=EVENT_THREAD)
    for _ in range(4):
        event = session.next_event(CLASS_PREPARE)
        session.vm.ask("ReferenceType.Fields", type_id=event["type_id"])
        session.vm.ask("ThreadReference.Resume", thread=event["thread"])
    session.next_event(CLASS_PREPARE)


def events(session: JdwpSession) -> None:
    """Many kinds of events at once, none of which stops anything."""
    session.break_at("turn", policy=NONE)
    session.request(METHOD_ENTRY, class_match("endless.Endless"), policy=NONE)
    session.request(CLASS_PREPARE, class_match(RELOADED), policy=NONE)
    field = {"kind": 9, "type_id": session.type(), "field_id": session.field("turns")}
    session.request(FIELD_MODIFICATION, field, policy=NONE)
    for _ in range(12):
        session.vm.next_set()


def redefinition(session: JdwpSession) -> None:
    """A class is redefined at a stop, and frames are popped."""
    event = session.break_at("inner", count(1))
    thread = session.next_event(BREAKPOINT)["thread"]
    (classes_folder,) = session.program.class_path
    code = (classes_folder / "endless" / "Endless$Changing.class").read_bytes()
    changed = {"type_id": session.type("Lendless/Endless$Changing;"), "class_file": code}
    session.vm.ask("VirtualMachine.RedefineClasses", classes=[changed])
    session.vm.ask(
        "StackFrame.PopFrames", thread=thread, frame=session.frames(thread)[0]["frame_id"]
    )
    session.clear(BREAKPOINT, event)
    session.vm.ask("VirtualMachine.RedefineClasses", classes=[changed])


def objects(session: JdwpSession) -> None:
    """Object ids are kept, pinned and disposed of."""
    for text in ("one", "two"):
        string = session.vm.ask("VirtualMachine.CreateString", text=text)["string"]
        session.vm.ask("ObjectReference.DisableCollection", object=string)
    session.vm.ask("ReferenceType.Instances", type_id=session.type(), max_instances=0)
    session.vm.ask("VirtualMachine.AllClassesWithGeneric")


SCENARIOS: list[Callable[[JdwpSession], None]] = [
    stops,
    stops_of_one_thread,
    steps,
    invocations,
    invocation_that_stops,
    all_suspended,
    held,
    classes,
    events,
    redefinition,
    objects,
]
