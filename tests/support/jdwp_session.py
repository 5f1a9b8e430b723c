# SPDX-License-Identifier: Apache-2.0
"""A debuggee that runs under a JDWP client, by default `scenarios.Scenarios` in one scenario.

Owns the VM's process, a client that keeps event sets whole, and look-ups by name and by
`// @marker`. Used by the tests of events, steps, invocations, suspension and sessions.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tests.support import process
from tests.support.debuggees import debuggee
from tests.support.jdwp_client import EventSetClient

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm
    from tests.support.wire_reading import Message

LISTENING = re.compile(r"Listening for transport dt_socket at address: (\d+)")
OPTIONS = "transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0"
TIMEOUT_S = 20.0

SINGLE_STEP, BREAKPOINT, EXCEPTION = 1, 2, 4
THREAD_START, THREAD_DEATH, CLASS_PREPARE, CLASS_UNLOAD = 6, 7, 8, 9
FIELD_ACCESS, FIELD_MODIFICATION = 20, 21
METHOD_ENTRY, METHOD_EXIT, METHOD_EXIT_WITH_RETURN_VALUE = 40, 41, 42
MONITOR_CONTENDED_ENTER, MONITOR_CONTENDED_ENTERED, MONITOR_WAIT, MONITOR_WAITED = 43, 44, 45, 46
VM_START, VM_DEATH = 90, 99
NONE, EVENT_THREAD, ALL = 0, 1, 2
MIN, LINE = 0, 1
INTO, OVER, OUT = 0, 1, 2
SINGLE_THREADED, NONVIRTUAL = 1, 2
MAIN_TYPE = "Lscenarios/Scenarios;"


class JdwpSession:
    """A VM that runs one scenario, and its debugger."""

    def __init__(self, vm: EventSetClient, jvm: subprocess.Popen[str], program: Debuggee) -> None:
        self.vm = vm
        self.jvm = jvm
        self.program = program
        self.main_type = f"L{program.main_class.replace('.', '/')};"
        self.main_thread = 0
        """The thread that run_to() stopped, if the code that opened the session has set it."""
        self._types: dict[str, int] = {}
        self._marked: dict[str, int] = {}
        self._places: dict[int, Message] = {}
        self._lines: dict[tuple[int, int], list[Message]] = {}

    def connect(self, vm: EventSetClient) -> None:
        """The next debugger: no id of the last one is good any more."""
        self.vm = vm
        for known in (self._types, self._places, self._lines):
            known.clear()

    # --- requests ---------------------------------------------------------------------------------

    def request(self, kind: int, *modifiers: Message, policy: int = ALL) -> int:
        """Ask for events; the request id."""
        reply = self.vm.ask(
            "EventRequest.Set",
            event_kind=kind,
            suspend_policy=policy,
            modifiers=list(modifiers),
        )
        return int(reply["request_id"])

    def clear(self, kind: int, request: int) -> None:
        """Take a request back."""
        self.vm.ask("EventRequest.Clear", event_kind=kind, request_id=request)

    def break_at(self, marker: str, *modifiers: Message, policy: int = ALL) -> int:
        """A breakpoint at the line of the marker."""
        return self.request(
            BREAKPOINT, location_only(self.place(marker)), *modifiers, policy=policy
        )

    def run_to(self, marker: str) -> int:
        """Resume until the line of the marker; the thread that stopped there."""
        request = self.break_at(marker)
        self.resume()
        event = self.next_event(BREAKPOINT)
        self.clear(BREAKPOINT, request)
        return int(event["thread"])

    def step(self, thread: int, depth: int, *modifiers: Message, size: int = LINE) -> Message:
        """One step; the location where it ends."""
        step = {"kind": 10, "thread": thread, "size": size, "depth": depth}
        request = self.request(SINGLE_STEP, step, *modifiers)
        self.resume()
        event = self.next_event(SINGLE_STEP)
        self.clear(SINGLE_STEP, request)
        return dict(event["location"])

    def resume(self) -> None:
        """All threads."""
        self.vm.ask("VirtualMachine.Resume")

    def next_event(self, kind: int) -> Message:
        """The only event of the next set, which must be of the kind."""
        events = self.vm.next_set()["events"]
        assert [event["kind"] for event in events] == [kind]
        return dict(events[0])

    def run_out(self) -> str:
        """Run to the end; the standard output."""
        self.resume()
        output, _ = self.outcome()
        return output

    def outcome(self) -> tuple[str, str]:
        """What the program has printed, standard output and error, when it has ended by itself."""
        self.vm.drain()
        return self.jvm.communicate(timeout=TIMEOUT_S)

    # --- names ------------------------------------------------------------------------------------

    def type(self, signature: str = "") -> int:
        """The one loaded type of that signature, the main class unless said otherwise."""
        signature = signature or self.main_type
        if signature not in self._types:
            found = self.vm.ask("VirtualMachine.ClassesBySignature", signature=signature)
            (loaded,) = found["classes"]
            self._types[signature] = loaded["type_id"]
        return self._types[signature]

    def methods(self, signature: str = "") -> dict[str, int]:
        """Name → id."""
        methods = self.vm.ask("ReferenceType.Methods", type_id=self.type(signature))["methods"]
        return {method["name"]: method["method_id"] for method in methods}

    def lines(self, method: int, type_id: int | None = None) -> list[Message]:
        """The line table of a method of the main class; empty for a native or abstract one."""
        owner = self.type() if type_id is None else type_id
        if self.vm.refusal("Method.LineTable", type_id=owner, method_id=method) != "NONE":
            return []
        return list(self.vm.ask("Method.LineTable", type_id=owner, method_id=method)["lines"])

    def place(self, marker: str) -> Message:
        """The first location of the marker's line."""
        line = self.marked_line(marker)
        if line not in self._places:
            self._places |= self._all_places()
        if line not in self._places:
            raise LookupError(marker)
        return self._places[line]

    def _all_places(self) -> dict[int, Message]:
        """The first location of every line of the main class."""
        places: dict[int, Message] = {}
        for method in self.methods().values():
            for entry in sorted(self.lines(method), key=lambda one: int(one["index"])):
                here = {"tag": 1, "type_id": self.type(), "method_id": method}
                places.setdefault(entry["line"], {**here, "index": entry["index"]})
        return places

    def marked_line(self, marker: str) -> int:
        """The line of a marker."""
        if marker not in self._marked:
            self._marked[marker] = self.program.marker(marker)
        return self._marked[marker]

    def line_of(self, location: Message) -> int:
        """The line of a location."""
        key = location["type_id"], location["method_id"]
        if key not in self._lines:
            self._lines[key] = self.lines(location["method_id"], location["type_id"])
        return int(
            max(
                (entry for entry in self._lines[key] if entry["index"] <= location["index"]),
                key=lambda entry: int(entry["index"]),
            )["line"]
        )

    def is_at(self, location: Message, marker: str) -> bool:
        """Whether the location is on the marker's line."""
        return self.line_of(location) == self.marked_line(marker)

    def static(self, name: str) -> Any:
        """The value of a static field of the main class."""
        fields = self.vm.ask("ReferenceType.Fields", type_id=self.type())["fields"]
        (field,) = [entry["field_id"] for entry in fields if entry["name"] == name]
        reply = self.vm.ask("ReferenceType.GetValues", type_id=self.type(), fields=[field])
        return reply["values"][0]["value"]

    def field(self, name: str) -> int:
        """The id of a field of the main class."""
        fields = self.vm.ask("ReferenceType.Fields", type_id=self.type())["fields"]
        (field,) = [entry["field_id"] for entry in fields if entry["name"] == name]
        return int(field)

    def threads(self) -> dict[str, int]:
        """Name → id of the live threads."""
        return {
            self.vm.ask("ThreadReference.Name", thread=thread)["name"]: thread
            for thread in self.vm.ask("VirtualMachine.AllThreads")["threads"]
        }

    def suspend_count(self, thread: int) -> int:
        """How often the thread is suspended."""
        return int(self.vm.ask("ThreadReference.SuspendCount", thread=thread)["suspend_count"])

    def suspend_once(self) -> None:
        """No thread is suspended more than once, and the main thread is. An event that suspends
        all while the others are held leaves them suspended twice, and what starts later too.
        """
        threads = self.vm.ask("VirtualMachine.AllThreads")["threads"]
        most = max(self.suspend_count(one) for one in threads if one != self.main_thread)
        own = self.suspend_count(self.main_thread)
        for _ in range(max(most, 1) - own):
            self.vm.ask("ThreadReference.Suspend", thread=self.main_thread)
        for _ in range(most - 1):
            self.vm.ask("VirtualMachine.Resume")
        for _ in range(max(own - max(most, 1), 0)):
            self.vm.ask("ThreadReference.Resume", thread=self.main_thread)

    def frames(self, thread: int) -> list[Message]:
        """The stack of a suspended thread."""
        reply = self.vm.ask("ThreadReference.Frames", thread=thread, start_frame=0, length=-1)
        return list(reply["frames"])


def location_only(location: Message) -> Message:
    """The modifier."""
    return {"kind": 7, "location": location}


def class_match(pattern: str) -> Message:
    """The modifier."""
    return {"kind": 5, "pattern": pattern}


def class_exclude(pattern: str) -> Message:
    """The modifier."""
    return {"kind": 6, "pattern": pattern}


def count(number: int) -> Message:
    """The modifier."""
    return {"kind": 1, "count": number}


def thread_only(thread: int) -> Message:
    """The modifier."""
    return {"kind": 3, "thread": thread}


def wait_until(condition: Any, what: str) -> None:
    """Poll until the condition holds."""
    deadline = time.monotonic() + TIMEOUT_S
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(what)
        time.sleep(0.005)


@contextmanager
def launched(
    jdk: Jdk,
    options: str,
    *arguments: str,
    program: Debuggee | None = None,
    vm_args: tuple[str, ...] = (),
    stderr: int | None = subprocess.PIPE,
) -> Iterator[subprocess.Popen[str]]:
    """A VM with this agent argument, then `scenarios.Scenarios` or another, and arguments."""
    program = program or debuggee("scenarios", "scenarios.Scenarios")
    class_path = os.pathsep.join(map(str, program.class_path))
    command = [str(jdk.java), options, *vm_args, "-cp", class_path, program.main_class, *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=stderr, text=True) as jvm:
        try:
            yield jvm
        finally:
            jvm.kill()


def listening_port(jvm: subprocess.Popen[str]) -> int:
    """The address at which the agent says that it listens."""
    assert jvm.stdout is not None
    line = jvm.stdout.readline()
    listening = LISTENING.match(line)
    assert listening, f"not the line that tools look for: {line!r}"
    return int(listening.group(1))


@contextmanager
def session_of(
    jdk: Jdk,
    agent: AgentInVm,
    scenario: str,
    options: str = OPTIONS,
    program: Debuggee | None = None,
    vm_args: tuple[str, ...] = (),
) -> Iterator[JdwpSession]:
    """The scenario, its class prepared and nothing of it run."""
    program = program or debuggee("scenarios", "scenarios.Scenarios")
    argument = process.agent_argument(agent, options)
    with launched(jdk, argument, scenario, program=program, vm_args=vm_args) as jvm:
        session = JdwpSession(EventSetClient(listening_port(jvm)), jvm, program)
        try:
            assert session.next_event(VM_START)["request_id"] == 0
            request = session.request(CLASS_PREPARE, class_match(program.main_class))
            session.resume()
            assert session.next_event(CLASS_PREPARE)["signature"] == session.main_type
            session.clear(CLASS_PREPARE, request)
            yield session
        finally:
            session.vm.close()
