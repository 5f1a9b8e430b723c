# SPDX-License-Identifier: Apache-2.0
"""The debuggee `target.Target` for the conformance tests: a JDWP client, and ids by name.

Owns the run to the stop and look-ups by name (types, methods, fields, threads, frames). What a
test is about it asks itself, through `vm`.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.jdwp_client import JdwpClient
    from tests.support.process import AgentKind
    from tests.support.wire_reading import Message

BREAKPOINT, CLASS_PREPARE, VM_START = 2, 8, 90
SUSPEND_ALL = 2
CLASS, INTERFACE, ARRAY = 1, 2, 3
UNKNOWN_ID = 0x7FFF_FFF0
"""An id that no agent has given out."""

_CLASS_MATCH, _LOCATION_ONLY = 5, 7


@dataclass
class Target:
    """A VM with `target.Target` in it."""

    vm: JdwpClient
    jdk: Jdk
    agent: AgentKind
    program: Debuggee
    thread: int = 0
    """The thread that stands at the stop."""
    _types: dict[str, int] = field(default_factory=dict)

    def run_to_stop(self) -> None:
        """Runs from the start of the VM to the line `@stop`."""
        # Before it, the VM is not suspended yet, and a resume is lost.
        self.vm.wait_event(VM_START)
        class_match = {"kind": _CLASS_MATCH, "pattern": "target.Target"}
        request = self.set_event(CLASS_PREPARE, class_match)
        self.vm.ask("VirtualMachine.Resume")
        prepared = self.vm.wait_event(CLASS_PREPARE)
        self._types["Ltarget/Target;"] = prepared["type_id"]
        self.vm.ask("EventRequest.Clear", event_kind=CLASS_PREPARE, request_id=request)
        self.set_event(BREAKPOINT, {"kind": _LOCATION_ONLY, "location": self.stop_location()})
        self.resume_to_stop()

    def resume_to_stop(self) -> None:
        """Runs on to the next time the line is reached."""
        self.vm.ask("VirtualMachine.Resume")
        self.thread = self.vm.wait_event(BREAKPOINT)["thread"]

    def set_event(self, kind: int, *modifiers: Message) -> int:
        """Ask for events that suspend all threads; the request id."""
        reply = self.vm.ask(
            "EventRequest.Set",
            event_kind=kind,
            suspend_policy=SUSPEND_ALL,
            modifiers=list(modifiers),
        )
        return int(reply["request_id"])

    def stop_location(self) -> Message:
        """The place where the line `@stop` begins; without line numbers, where its method does."""
        target = self.type("Ltarget/Target;")
        method = self.method(target, "stop")
        lines = self.vm.ask("Method.LineTable", type_id=target, method_id=method)["lines"]
        wanted = self.program.marker("stop")
        index = min((line["index"] for line in lines if line["line"] == wanted), default=0)
        return {"tag": CLASS, "type_id": target, "method_id": method, "index": index}

    # --- names → ids -----------------------------------------------------------------------------

    def type(self, signature: str) -> int:
        """The one loaded type of that signature."""
        if signature not in self._types:
            found = self.vm.ask("VirtualMachine.ClassesBySignature", signature=signature)
            (loaded,) = found["classes"]
            self._types[signature] = loaded["type_id"]
        return self._types[signature]

    def method(self, type_id: int, name: str) -> int:
        """The one method of that name."""
        methods = self.vm.ask("ReferenceType.Methods", type_id=type_id)["methods"]
        (found,) = [method["method_id"] for method in methods if method["name"] == name]
        return int(found)

    def field(self, type_id: int, name: str) -> int:
        """The field of that name, declared by the type itself."""
        fields = self.vm.ask("ReferenceType.Fields", type_id=type_id)["fields"]
        (found,) = [entry["field_id"] for entry in fields if entry["name"] == name]
        return int(found)

    def static(self, name: str) -> Any:
        """The value of a static field of `target.Target`: {"tag", "value"}."""
        target = self.type("Ltarget/Target;")
        fields = [self.field(target, name)]
        (value,) = self.vm.ask("ReferenceType.GetValues", type_id=target, fields=fields)["values"]
        return value

    def object(self, name: str) -> int:
        """The id of the object in a static field of `target.Target`."""
        return int(self.static(name)["value"])

    def named_thread(self, name: str) -> int:
        """The live thread of that name."""
        for thread in self.vm.ask("VirtualMachine.AllThreads")["threads"]:
            if self.vm.ask("ThreadReference.Name", thread=thread)["name"] == name:
                return int(thread)
        raise LookupError(f"no thread {name!r}")

    def frames(self, thread: int | None = None) -> list[Message]:
        """The stack of a thread, of the stopped one unless said otherwise."""
        return list(
            self.vm.ask(
                "ThreadReference.Frames",
                thread=self.thread if thread is None else thread,
                start_frame=0,
                length=-1,
            )["frames"]
        )

    def slots(self, frame: Message) -> dict[str, int]:
        """The variables in scope in a frame: name → slot."""
        where = frame["location"]
        table = self.vm.ask(
            "Method.VariableTable", type_id=where["type_id"], method_id=where["method_id"]
        )
        return {
            variable["name"]: variable["slot"]
            for variable in table["variables"]
            if variable["start"] <= where["index"] < variable["start"] + variable["length"]
        }


def ids(*numbers: int) -> bytes:
    """Ids as the wire has them, 8 bytes each, for untagged values."""
    return struct.pack(f">{len(numbers)}Q", *numbers)


def raw(count: int, content: bytes) -> Message:
    """Untagged values."""
    return {"count": count, "content": content}
