# SPDX-License-Identifier: Apache-2.0
"""The debuggee `robust.Main` at its second stop, and ids of everything in it, good and bad.

Owns the run there (past the first stop, after which objects and a class are collected and a class
is redefined), the ids by kind, and the look that says whether the VM is still as it was. Used by
the tests of ill-typed requests; what is asked and expected they say themselves.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tests.support import process
from tests.support.debuggees import debuggee
from tests.support.jdwp_client import JdwpClient
from tests.support.jdwp_session import OPTIONS, launched, listening_port
from tests.support.wire_grammar import Grammar, read_grammar

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator

    from tests.support.debuggees import Debuggee, DebugTables
    from tests.support.jdks import Jdk
    from tests.support.wire_reading import Message

GRAMMAR: Grammar = read_grammar()
MAIN, DOG, CAT, ANIMAL = (f"Lrobust/Main{name};" for name in ("", "$Dog", "$Cat", "$Animal"))
SPEAKER, CHANGING = "Lrobust/Main$Speaker;", "Lrobust/Main$Changing;"
THROWABLE = "Ljava/lang/Throwable;"
UNKNOWN_ID = 0x7FFF_FFF0
"""An id that the agent has not given out."""
TIMEOUT_S = 20.0

BREAKPOINT, CLASS_PREPARE, VM_START = 2, 8, 90
ALL = 2

# Static fields of the debuggee by the kind of object that they hold.
_FIELDS = {
    "object": ["plain", "dog", "cat", "animal", "throwable", "otherDog", "otherCat"],
    "string": ["text"],
    "array": [
        "ints",
        "longs",
        "objects",
        "strings",
        "dogs",
        "animals",
        "dogsAsAnimals",
        "packs",
        "grid",
        "otherDogs",
    ],
    "thread": ["main", "sleeper", "dead", "unstarted"],
    "thread_group": ["group"],
    "class_loader": ["loader", "otherLoader"],
    "class": ["type", "primitive", "arrayType", "unprepared", "otherDogType"],
    "module": ["module"],
}


@dataclass
class StoppedTarget:
    """A VM that stands at `@stop` for the second time."""

    vm: JdwpClient
    jvm: subprocess.Popen[str]
    program: Debuggee
    version: int
    """Of the JDK."""
    thread: int = 0
    objects: dict[str, dict[str, int]] = field(default_factory=dict)
    """Ids by kind and name."""
    types: dict[str, int] = field(default_factory=dict)
    """Signature → id, of the classes of the application's loader."""
    collected: int = 0
    disposed: int = 0
    unloaded_type: int = 0
    unloaded_method: int = 0
    old_frame: int = 0
    """A frame of the first stop."""
    sleeper_frame: int = 0
    """A frame of the sleeper before it was resumed."""
    agent_thread: int = 0
    _look: list[Any] = field(default_factory=list)
    _threads: list[int] = field(default_factory=list)

    # --- the way there ----------------------------------------------------------------------------

    def run(self) -> None:
        """Runs from the start of the VM to the second stop."""
        self.vm.wait_event(VM_START)
        request = self.set_event(CLASS_PREPARE, {"kind": 5, "pattern": "robust.Main"})
        self.vm.ask("VirtualMachine.Resume")
        self.types[MAIN] = self.vm.wait_event(CLASS_PREPARE)["type_id"]
        self.vm.ask("EventRequest.Clear", event_kind=CLASS_PREPARE, request_id=request)
        request = self.set_event(BREAKPOINT, {"kind": 7, "location": self.place("stop")})
        self.vm.ask("VirtualMachine.Resume")
        self.thread = self.vm.wait_event(BREAKPOINT)["thread"]
        self._remember_what_goes()
        self._redefine()
        self.vm.ask("VirtualMachine.Resume")
        self.vm.wait_event(BREAKPOINT)
        self.vm.ask("EventRequest.Clear", event_kind=BREAKPOINT, request_id=request)
        self._collect_ids()
        self._look = self.look()

    def _remember_what_goes(self) -> None:
        self.old_frame = self.frames()[0]["frame_id"]
        self.collected = self.static("garbage")
        self.unloaded_type = self.static("unloaded")
        self.unloaded_method = self.method(self.unloaded_type, "work")
        for name in (DOG, CAT, ANIMAL, SPEAKER, CHANGING):
            found = self.vm.ask("VirtualMachine.ClassesBySignature", signature=name)["classes"]
            loaders = [
                self.vm.ask("ReferenceType.ClassLoader", type_id=one["type_id"]) for one in found
            ]
            mine = self.static("loader")
            (self.types[name],) = [
                one["type_id"]
                for one, loader in zip(found, loaders, strict=True)
                if loader["class_loader"] == mine
            ]

        (found,) = self.vm.ask("VirtualMachine.ClassesBySignature", signature=THROWABLE)["classes"]
        self.types[THROWABLE] = found["type_id"]

    def _redefine(self) -> None:
        old = self.class_file("Changing")
        new = old.replace(b"version-1", b"version-2")
        assert new != old
        changed = {"type_id": self.types[CHANGING], "class_file": new}
        self.vm.ask("VirtualMachine.RedefineClasses", classes=[changed])

    def _collect_ids(self) -> None:
        for kind, names in _FIELDS.items():
            self.objects[kind] = {name: self.static(name) for name in names}
        sleeper = self.objects["thread"]["sleeper"]
        self.sleeper_frame = self.frames(sleeper)[0]["frame_id"]
        self.vm.ask("ThreadReference.Resume", thread=sleeper)
        self.disposed = self.vm.ask("VirtualMachine.CreateString", text="gone")["string"]
        gone = {"object": self.disposed, "count": 1}
        self.vm.ask("VirtualMachine.DisposeObjects", requests=[gone])
        self.agent_thread = self._find_agent_thread()

    def _find_agent_thread(self) -> int:
        """A thread of the agent: no list has it, but the heap does."""
        (found,) = self.vm.ask("VirtualMachine.ClassesBySignature", signature="Ljava/lang/Thread;")[
            "classes"
        ]
        name = self.field(found["type_id"], "name")
        threads = self.vm.ask("ReferenceType.Instances", type_id=found["type_id"], max_instances=0)[
            "instances"
        ]
        for thread in threads:
            (text,) = self.vm.ask("ObjectReference.GetValues", object=thread["id"], fields=[name])[
                "values"
            ]
            if "JDWP" in self.vm.ask("StringReference.Value", string=text["value"])["text"]:
                return int(thread["id"])
        raise LookupError("no thread of the agent on the heap")

    # --- whether all is as it was -----------------------------------------------------------------

    def look(self) -> list[Any]:
        """What no refused request may change: stack, locals, fields, counts of suspends."""
        vm = self.vm
        frames = self.frames()
        top = frames[0]
        slots = [
            {"slot": variable["slot"], "tag": ord(variable["signature"][0])}
            for variable in self.variables(top)
        ]
        values = vm.ask(
            "StackFrame.GetValues", thread=self.thread, frame=top["frame_id"], slots=slots
        )["values"]
        fields = vm.ask("ReferenceType.Fields", type_id=self.types[MAIN])["fields"]
        statics = vm.ask(
            "ReferenceType.GetValues",
            type_id=self.types[MAIN],
            fields=[entry["field_id"] for entry in fields],
        )["values"]
        stack = [frame["location"] for frame in frames]
        return [stack, values, statics, self._dog(), self._elements(), self._counts()]

    def _counts(self) -> dict[int, int]:
        # The VM may start a thread of its own; those that were there at first do not end.
        if not self._threads:
            self._threads = self.vm.ask("VirtualMachine.AllThreads")["threads"]
        return {
            thread: self.vm.ask("ThreadReference.SuspendCount", thread=thread)["suspend_count"]
            for thread in self._threads
        }

    def _dog(self) -> list[Any]:
        dog = self.objects["object"]["dog"]
        fields = [
            entry["field_id"]
            for type_id in (self.types[DOG], self.types[ANIMAL])
            for entry in self.vm.ask("ReferenceType.Fields", type_id=type_id)["fields"]
        ]
        return list(self.vm.ask("ObjectReference.GetValues", object=dog, fields=fields)["values"])

    def _elements(self) -> list[Any]:
        return [
            self.vm.ask("ArrayReference.GetValues", array=array, first_index=0, length=-1)
            for array in self.objects["array"].values()
        ]

    def check(self) -> None:
        """All is as it was, and the VM answers."""
        assert self.jvm.poll() is None, "the VM has ended"
        assert self.look() == self._look

    def changed_on_purpose(self) -> None:
        """Take the present state as the expected one."""
        self._look = self.look()

    def run_out(self) -> str:
        """Let it run to its end; the line that it printed then."""
        assert self.jvm.stdout is not None
        # Resumes all threads and clears all requests.
        self.vm.ask("VirtualMachine.Dispose")
        output, _ = self.jvm.communicate(timeout=TIMEOUT_S)
        assert self.jvm.returncode == 0
        # The agent may say last that it listens again.
        (counted,) = [line for line in output.splitlines() if line.startswith("counted")]
        return counted

    # --- requests ---------------------------------------------------------------------------------

    def set_event(self, kind: int, *modifiers: Message, policy: int = ALL) -> int:
        """Ask for events; the request id."""
        reply = self.vm.ask(
            "EventRequest.Set", event_kind=kind, suspend_policy=policy, modifiers=list(modifiers)
        )
        return int(reply["request_id"])

    @cached_property
    def breakpoint(self) -> int:
        """A breakpoint request that is never hit."""
        modifier = {"kind": 7, "location": self.place("same")}
        return self.set_event(BREAKPOINT, modifier, policy=0)

    # --- names → ids ------------------------------------------------------------------------------

    def place(self, marker: str) -> Message:
        """The place where the line of the marker begins, or its method without line numbers."""
        main = self.types[MAIN]
        method = self.method(main, marker)
        wanted = self.program.marker(marker)
        lines = self.vm.ask("Method.LineTable", type_id=main, method_id=method)["lines"]
        index = min((entry["index"] for entry in lines if entry["line"] == wanted), default=0)
        return {"tag": 1, "type_id": main, "method_id": method, "index": index}

    def methods(self, type_id: int) -> dict[str, int]:
        """Name → id of the methods that a type declares."""
        methods = self.vm.ask("ReferenceType.Methods", type_id=type_id)["methods"]
        return {method["name"]: method["method_id"] for method in methods}

    def constructor(self, type_id: int, signature: str) -> int:
        """The constructor of that descriptor."""
        methods = self.vm.ask("ReferenceType.Methods", type_id=type_id)["methods"]
        (found,) = [
            method["method_id"]
            for method in methods
            if (method["name"], method["signature"]) == ("<init>", signature)
        ]
        return int(found)

    def method(self, type_id: int, name: str) -> int:
        """The method of that name."""
        return self.methods(type_id)[name]

    def fields(self, type_id: int) -> dict[str, int]:
        """Name → id of the fields that a type declares."""
        fields = self.vm.ask("ReferenceType.Fields", type_id=type_id)["fields"]
        return {entry["name"]: entry["field_id"] for entry in fields}

    def field(self, type_id: int, name: str) -> int:
        """The field of that name."""
        return self.fields(type_id)[name]

    def static(self, name: str) -> int:
        """The value of a static field of the main class."""
        main = self.types[MAIN]
        fields = [self.field(main, name)]
        (value,) = self.vm.ask("ReferenceType.GetValues", type_id=main, fields=fields)["values"]
        return int(value["value"])

    def top(self) -> int:
        """The frame where the thread stands; its id changes when a method was invoked."""
        return int(self.frames()[0]["frame_id"])

    def class_file(self, name: str) -> bytes:
        """The class file of a nested class of the main class."""
        (classes,) = self.program.class_path
        return (classes / "robust" / f"Main${name}.class").read_bytes()

    def frames(self, thread: int | None = None) -> list[Message]:
        """The stack of a thread, of the stopped one unless said otherwise."""
        wanted = self.thread if thread is None else thread
        reply = self.vm.ask("ThreadReference.Frames", thread=wanted, start_frame=0, length=-1)
        return list(reply["frames"])

    def variables(self, frame: Message) -> list[Message]:
        """The variables in scope in a frame; none without tables."""
        where = frame["location"]
        method = {"type_id": where["type_id"], "method_id": where["method_id"]}
        if self.vm.refusal("Method.VariableTable", **method) != "NONE":
            return []
        return [
            variable
            for variable in self.vm.ask("Method.VariableTable", **method)["variables"]
            if variable["start"] <= where["index"] < variable["start"] + variable["length"]
        ]


@contextmanager
def stopped_target(jdk: Jdk, tables: DebugTables = "all") -> Iterator[StoppedTarget]:
    """A VM of its own at the second stop, under our agent."""
    program = debuggee("robust", "robust.Main", debug_tables=tables)
    argument = process.agent_argument("jvmdebug", OPTIONS)
    with launched(jdk, argument, program=program, stderr=None) as jvm:
        client = JdwpClient(listening_port(jvm))
        try:
            stopped = StoppedTarget(client, jvm, program, jdk.version)
            stopped.run()
            yield stopped
        finally:
            client.close()
