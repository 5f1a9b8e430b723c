# SPDX-License-Identifier: Apache-2.0
"""The debuggee `mill.Mill`, which runs whatever its debuggers do, and whole conversations with it.

Owns the VM's process, the conversations that the tests disturb (`CONVERSATIONS`), and the check
that the next debugger finds everything as if the last had never been there.
"""

from __future__ import annotations

import re
import socket
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.conformance.jdwp.stage import (
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
    SetConversation,
    Stage,
    class_match,
    count,
    launched,
    listening_port,
)
from tests.support import process
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

TIMEOUT_S = 20.0
SEED = "mill.Mill$Seed"


class Mill:
    """A running mill that debuggers visit one after the other."""

    def __init__(self, jvm: subprocess.Popen[str]) -> None:
        self.jvm = jvm
        self.program = debuggee("mill", "mill.Mill")
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
        """Returns when all threads have been started."""
        deadline = time.monotonic() + TIMEOUT_S
        while not self.runs():
            assert time.monotonic() < deadline, "the mill does not run"
            time.sleep(0.005)

    def wait_until_its_output_ends(self) -> None:
        """Returns when all is read that the VM has printed."""
        self._reader.join(TIMEOUT_S)

    def visit(self, port: int | None = None) -> Stage:
        """A debugger, at the agent's port as soon as the agent listens, or at another's."""
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            try:
                return Stage(SetConversation(port or self.port), self.jvm, self.program)
            except (ConnectionRefusedError, ConnectionResetError):
                # Reset: the debugger before had just been let in, and nobody else is then.
                if port:
                    raise
                assert self.jvm.poll() is None, f"the VM has ended: {self.jvm.returncode}"
                assert time.monotonic() < deadline, "the agent does not listen (again)"
                time.sleep(0.002)

    @contextmanager
    def debugged(self) -> Iterator[Stage]:
        """A debugger that hangs up at the end, come what may."""
        stage = self.visit()
        try:
            yield stage
        finally:
            stage.vm.close()

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
        """The next debugger: nobody is suspended, nothing was asked for, all goes on."""
        stage = self.visit()
        try:
            self._check_as_new(stage)
            stage.vm.ask("VirtualMachine.Dispose")
        finally:
            stage.vm.close()

    def _check_as_new(self, stage: Stage) -> None:
        counts = {name: stage.suspend_count(thread) for name, thread in stage.threads().items()}
        assert set(counts.values()) == {0}, f"suspended: {counts}"
        names = ("turns", "storms", "blows")
        before = {name: stage.static(name) for name in names}
        deadline = time.monotonic() + TIMEOUT_S
        while any(stage.static(name) < before[name] + 2 for name in names):
            assert time.monotonic() < deadline, f"stands still: {before} in {TIMEOUT_S} s"
            time.sleep(0.001)
        assert stage.vm.sets == [], "an event that nobody asked for"
        # Events are sent, neither held nor kept back.
        stage.break_at("turn", count(1), policy=NONE)
        stage.next_event(BREAKPOINT)

    def end(self) -> str:
        """Let it end by itself; what it printed."""
        stage = self.visit()
        set_static(stage, "stop", b"\x01")
        stage.vm.close()
        self.jvm.wait(TIMEOUT_S)
        self.wait_until_its_output_ends()
        return "".join(self._lines)


def set_static(stage: Stage, field: str, content: bytes) -> None:
    """Writes a static field; the bytes are its untagged value."""
    values = {"count": 1, "content": stage.field(field).to_bytes(8) + content}
    stage.vm.ask("ClassType.SetValues", type_id=stage.type(), values=values)


@contextmanager
def milling(jdk: Jdk, *, agent: AgentKind = "jvmdebug", suspend: bool = False) -> Iterator[Mill]:
    """A mill of its own, listening."""
    options = f"transport=dt_socket,server=y,suspend={'ny'[suspend]},address=127.0.0.1:0"
    argument = process.agent_argument(agent, options)
    with launched(jdk, argument, program=debuggee("mill", "mill.Mill")) as jvm:
        mill = Mill(jvm)
        if not suspend:
            mill.wait_until_it_runs()
        yield mill


# --- conversations ------------------------------------------------------------------------------


def stops(stage: Stage) -> None:
    """A breakpoint is hit, looked at, and hit again."""
    stage.break_at("turn")
    for _ in range(2):
        event = stage.next_event(BREAKPOINT)
        frame = stage.frames(event["thread"])[0]["frame_id"]
        slots = [{"slot": 0, "tag": ord("I")}]
        stage.vm.ask("StackFrame.GetValues", thread=event["thread"], frame=frame, slots=slots)
        stage.resume()
    stage.next_event(BREAKPOINT)


def stops_of_one_thread(stage: Stage) -> None:
    """The same, but only the thread of the event stands."""
    request = stage.break_at("inner", policy=EVENT_THREAD)
    for _ in range(2):
        thread = stage.next_event(BREAKPOINT)["thread"]
        stage.vm.ask("ThreadReference.FrameCount", thread=thread)
        stage.vm.ask("ThreadReference.Resume", thread=thread)
    stage.next_event(BREAKPOINT)
    stage.clear(BREAKPOINT, request)


def steps(stage: Stage) -> None:
    """Steps over, out and by instructions; the last is under way at the end."""
    request = stage.break_at("turn", count(1))
    thread = stage.next_event(BREAKPOINT)["thread"]
    stage.clear(BREAKPOINT, request)
    stage.step(thread, OVER)
    stage.step(thread, OVER, size=0)
    stage.step(thread, OUT)
    step = {"kind": 10, "thread": thread, "size": 1, "depth": OUT}
    stage.request(SINGLE_STEP, step)
    stage.resume()


def invocations(stage: Stage) -> None:
    """Methods run on a stopped thread, alone and with all others; the last one is under way."""
    stage.break_at("turn", count(1))
    thread = stage.next_event(BREAKPOINT)["thread"]
    invocation = {
        "type_id": stage.type(),
        "thread": thread,
        "method_id": stage.methods()["invoked"],
        "arguments": [{"tag": ord("I"), "value": 2}],
    }
    stage.vm.ask("ClassType.InvokeMethod", **invocation, options=SINGLE_THREADED)
    stage.vm.ask("ClassType.InvokeMethod", **invocation, options=0)
    stage.vm.send("ClassType.InvokeMethod", **invocation, options=0)


def invocation_that_stops(stage: Stage) -> None:
    """A breakpoint in what is invoked: two stops in one thread, and no reply yet."""
    stage.break_at("turn", count(1), policy=EVENT_THREAD)
    thread = stage.next_event(BREAKPOINT)["thread"]
    stage.break_at("invoked", policy=EVENT_THREAD)
    invocation = {
        "type_id": stage.type(),
        "thread": thread,
        "method_id": stage.methods()["invoked"],
        "arguments": [{"tag": ord("I"), "value": 1}],
        "options": SINGLE_THREADED,
    }
    sent = stage.vm.send("ClassType.InvokeMethod", **invocation)
    stage.next_event(BREAKPOINT)
    stage.frames(thread)
    stage.vm.ask("ThreadReference.Resume", thread=thread)
    stage.vm.reply_to(sent)


def all_suspended(stage: Stage) -> None:
    """Everything stands, several times over."""
    for _ in range(2):
        stage.vm.ask("VirtualMachine.Suspend")
    for thread in stage.threads().values():
        stage.vm.ask("ThreadReference.Suspend", thread=thread)
    stage.vm.ask("VirtualMachine.Resume")


def held(stage: Stage) -> None:
    """Events are held while many happen, and let go."""
    stage.vm.ask("VirtualMachine.HoldEvents")
    stage.break_at("turn", policy=NONE)
    stage.break_at("inner")
    stage.vm.ask("VirtualMachine.AllThreads")
    stage.vm.ask("VirtualMachine.ReleaseEvents")
    while ALL not in {found["suspend_policy"] for found in [stage.vm.next_set()]}:
        pass
    stage.vm.ask("VirtualMachine.HoldEvents")
    stage.resume()


def classes(stage: Stage) -> None:
    """Classes are prepared all the time, and each stops its thread."""
    stage.request(CLASS_PREPARE, class_match(SEED), policy=EVENT_THREAD)
    for _ in range(4):
        event = stage.next_event(CLASS_PREPARE)
        stage.vm.ask("ReferenceType.Fields", type_id=event["type_id"])
        stage.vm.ask("ThreadReference.Resume", thread=event["thread"])
    stage.next_event(CLASS_PREPARE)


def events(stage: Stage) -> None:
    """Many kinds of events at once, none of which stops anything."""
    stage.break_at("turn", policy=NONE)
    stage.request(METHOD_ENTRY, class_match("mill.Mill"), policy=NONE)
    stage.request(CLASS_PREPARE, class_match(SEED), policy=NONE)
    field = {"kind": 9, "type_id": stage.type(), "field_id": stage.field("turns")}
    stage.request(FIELD_MODIFICATION, field, policy=NONE)
    for _ in range(12):
        stage.vm.next_set()


def redefinition(stage: Stage) -> None:
    """A class is redefined at a stop, and frames are popped."""
    event = stage.break_at("inner", count(1))
    thread = stage.next_event(BREAKPOINT)["thread"]
    (classes_folder,) = stage.program.class_path
    code = (classes_folder / "mill" / "Mill$Changing.class").read_bytes()
    changed = {"type_id": stage.type("Lmill/Mill$Changing;"), "class_file": code}
    stage.vm.ask("VirtualMachine.RedefineClasses", classes=[changed])
    stage.vm.ask("StackFrame.PopFrames", thread=thread, frame=stage.frames(thread)[0]["frame_id"])
    stage.clear(BREAKPOINT, event)
    stage.vm.ask("VirtualMachine.RedefineClasses", classes=[changed])


def objects(stage: Stage) -> None:
    """Ids are held, pinned and let go."""
    for text in ("one", "two"):
        string = stage.vm.ask("VirtualMachine.CreateString", text=text)["string"]
        stage.vm.ask("ObjectReference.DisableCollection", object=string)
    stage.vm.ask("ReferenceType.Instances", type_id=stage.type(), max_instances=0)
    stage.vm.ask("VirtualMachine.AllClassesWithGeneric")


CONVERSATIONS: list[Callable[[Stage], None]] = [
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
