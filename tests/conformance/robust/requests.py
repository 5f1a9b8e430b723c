# SPDX-License-Identifier: Apache-2.0
"""A valid request of every command at `robust.Main`; the tests put invalid values into each.

Made from the declarations: a field is filled by its type, and by its name in `_FILLED` where the
type does not say enough. So a command that is declared later is asked as well. Several requests for
EventRequest.Set: one for each modifier.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from tests.conformance.robust.stopped_target import (
    ANIMAL,
    CHANGING,
    DOG,
    GRAMMAR,
    MAIN,
    SPEAKER,
    THROWABLE,
)
from tests.support.wire_grammar import (
    Command,
    ListOf,
    Numbered,
    Plain,
    RawValues,
    Struct,
    Type,
    VariantOf,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conformance.robust.stopped_target import StoppedTarget
    from tests.support.wire_reading import Message

SINGLE_THREADED = 1

NEVER_RIGHT = {
    "VirtualMachine.Exit",
    "VirtualMachine.RedefineClasses",
    "ThreadReference.Resume",
    "ThreadReference.Stop",
    "ThreadReference.Interrupt",
    "ThreadReference.ForceEarlyReturn",
    "StackFrame.PopFrames",
    "Agent.ResumeWith",
    "Agent.StopThread",
    "Agent.Jump",
}
"""What would change the stopped for good if it were asked rightly."""


def name_of(command: Command) -> str:
    """`Set.Command`."""
    return f"{command.set_name}.{command.name}"


def right_requests(stopped: StoppedTarget, command: Command) -> list[Message]:
    """Requests that the agent fulfils, or would if they were not in NEVER_RIGHT."""
    name = name_of(command)
    if name == "EventRequest.Set":
        return _event_requests(stopped)
    made = {field: _by_type(stopped, type_, field) for field, type_ in command.request.fields}
    if name in _FILLED:
        made |= _FILLED[name](stopped)
    return [made]


def _by_type(stopped: StoppedTarget, type_: Type, field: str = "") -> Any:
    made: Any
    match type_:
        case Plain(name):
            made = _plain(stopped, name, field)
        case Numbered(_, numbers, _):
            made = min(numbers)
        case ListOf(element):
            made = [_by_type(stopped, element)]
        case Struct(fields):
            made = {name: _by_type(stopped, inner, name) for name, inner in fields}
        case VariantOf():
            made = {"kind": 1, "count": 1}
        case RawValues():
            made = {"count": 0, "content": b""}
    return made


def _plain(stopped: StoppedTarget, name: str, field: str) -> Any:
    if name.endswith("ID"):
        return _id(stopped, name)
    return {
        "boolean": True,
        "string": DOG,
        "bytes": b"\0",
        "value": {"tag": ord("I"), "value": 1},
        "location": stopped.place("same"),
    }.get(name, 1 if field in ("length", "count") else 0)


def _id(stopped: StoppedTarget, name: str) -> int:
    dog = stopped.types[DOG]
    made: dict[str, Callable[[], int]] = {
        "threadID": lambda: stopped.thread,
        "threadGroupID": lambda: stopped.objects["thread_group"]["group"],
        "objectID": lambda: stopped.objects["object"]["dog"],
        "arrayID": lambda: stopped.objects["array"]["ints"],
        "stringID": lambda: stopped.objects["string"]["text"],
        "classLoaderID": lambda: stopped.objects["class_loader"]["loader"],
        "moduleID": lambda: stopped.objects["module"]["module"],
        "arrayTypeID": lambda: stopped.objects["class"]["arrayType"],
        "interfaceID": lambda: stopped.types[SPEAKER],
        "methodID": lambda: stopped.method(dog, "bark"),
        "fieldID": lambda: stopped.field(dog, "age"),
        "frameID": stopped.top,
    }
    return made.get(name, lambda: dog)()


def raw(count: int, content: bytes) -> Message:
    """Untagged values."""
    return {"count": count, "content": content}


def number(value: int) -> Message:
    """A tagged int."""
    return {"tag": ord("I"), "value": value}


def reference(object_id: int, tag: str = "L") -> Message:
    """A tagged object."""
    return {"tag": ord(tag), "value": object_id}


def _invocation(
    stopped: StoppedTarget, type_id: int, method_id: int, *arguments: Message
) -> Message:
    return {
        "type_id": type_id,
        "thread": stopped.thread,
        "method_id": method_id,
        "arguments": list(arguments),
        "options": SINGLE_THREADED,
    }


def _static_invocation(stopped: StoppedTarget) -> Message:
    dog = reference(stopped.objects["object"]["dog"])
    return _invocation(
        stopped, stopped.types[MAIN], stopped.method(stopped.types[MAIN], "same"), dog
    )


def _interface_invocation(stopped: StoppedTarget) -> Message:
    speaker = stopped.types[SPEAKER]
    text = reference(stopped.objects["string"]["text"], "s")
    return _invocation(stopped, speaker, stopped.method(speaker, "same"), text)


def _new_dog(stopped: StoppedTarget) -> Message:
    dog = stopped.types[DOG]
    return _invocation(stopped, dog, stopped.constructor(dog, "()V"))


def _instance_invocation(stopped: StoppedTarget) -> Message:
    dog = stopped.types[DOG]
    made = _invocation(stopped, dog, stopped.method(dog, "bark"), number(1))
    return {"object": stopped.objects["object"]["dog"], **made}


# Fields whose type does not say enough, of the commands that are refused otherwise.
_FILLED: dict[str, Callable[[StoppedTarget], Message]] = {
    "VirtualMachine.DisposeObjects": lambda stopped: {
        "requests": [{"object": stopped.disposed, "count": 1}]
    },
    "VirtualMachine.RedefineClasses": lambda stopped: {
        "classes": [
            {"type_id": stopped.types[CHANGING], "class_file": stopped.class_file("Changing")}
        ]
    },
    "VirtualMachine.SetDefaultStratum": lambda _: {"stratum_id": ""},
    "ReferenceType.GetValues": lambda stopped: {
        "type_id": stopped.types[MAIN],
        "fields": [stopped.field(stopped.types[MAIN], "anInt")],
    },
    "ReferenceType.Instances": lambda stopped: {"type_id": stopped.types[CHANGING]},
    "ClassType.SetValues": lambda stopped: {
        "type_id": stopped.types[MAIN],
        "values": raw(1, struct.pack(">Qi", stopped.field(stopped.types[MAIN], "anInt"), 11)),
    },
    "ClassType.InvokeMethod": _static_invocation,
    "ClassType.NewInstance": _new_dog,
    "InterfaceType.InvokeMethod": _interface_invocation,
    "Method.IsObsolete": lambda stopped: {
        "type_id": stopped.types[CHANGING],
        "method_id": stopped.method(stopped.types[CHANGING], "version"),
    },
    "ObjectReference.SetValues": lambda stopped: {
        "values": raw(1, struct.pack(">Qq", stopped.field(stopped.types[ANIMAL], "weight"), 12))
    },
    "ObjectReference.InvokeMethod": _instance_invocation,
    "StringReference.Value": lambda stopped: {"string": stopped.objects["string"]["text"]},
    "Jvmti.Call": lambda _: {
        "function": "GetErrorName",
        "numbers": [98],
        "texts": [],
        "objects": [],
    },
    "Jvmti.Change": lambda _: {  # no output of the VM about JNI
        "function": "SetVerboseFlag",
        "numbers": [4, 0],
        "texts": [],
        "objects": [],
    },
    "Jvmti.StartEvents": lambda _: {"events": ["DataDumpRequest"], "capacity": 1},
    # The right answer to a check that is no class is the reason why it is not installed.
    "Probes.Install": lambda stopped: {
        "request_id": stopped.breakpoint,
        "number": 1,
        "loads": [{"type": ord("I"), "slot": 1}],
        "given": [_super_call(stopped)],
        "companions": [],
    },
    "Probes.Change": lambda stopped: {
        "request_id": stopped.breakpoint,
        "given": [_super_call(stopped)],
    },
    "Probes.OldFrames": lambda stopped: {"request_id": stopped.breakpoint},
    "Probes.Busy": lambda stopped: {"requests": [{"request_id": stopped.breakpoint}]},
    "Probes.Count": lambda stopped: {"request_id": stopped.breakpoint},
    "Probes.Times": lambda stopped: {"request_id": stopped.breakpoint},
    "Probes.ReadLog": lambda _: {"most": 1, "longest": 1},
    "Probes.ArrayStores": lambda stopped: {
        "letter": ord("I"),
        "types": [{"type_id": stopped.types[MAIN]}],
    },
    "Probes.FieldStores": lambda stopped: {
        "name": "count",
        "signature": "I",
        "types": [{"type_id": stopped.types[MAIN]}],
        "owners": [{"name": MAIN[1:-1]}],
    },
    "Origins.Start": lambda _: {"budget": 50},
    "Recording.Start": lambda _: {"level": 1},
    "Sampling.Start": lambda _: {"clock": 1, "way": 0, "interval": 10_000, "frames": 64},
    # No beat comes while the test asks: nothing answers it.
    "Agent.Link": lambda _: {
        "interval_ms": 10**9,
        "patience_ms": 2 * 10**9,
        "own_end": "",
        "keep_ms": 0,
        "holds": 0,
    },
    "Agent.StringBeginning": lambda stopped: {"string": stopped.objects["string"]["text"]},
    "Agent.Page": lambda _: {  # an object alone
        **dict.fromkeys(("of", "before", "after", "holds"), ""),
        **{each: [] for each in ("path", "parts", "redirects")},
        **dict.fromkeys(("first", "skip", "count"), 0),
        "slot_size": 1,
    },
    "ThreadReference.Stop": lambda stopped: {"throwable": stopped.objects["object"]["throwable"]},
    "ThreadReference.ForceEarlyReturn": lambda _: {"value": {"tag": ord("J"), "value": 1}},
    "ArrayReference.SetValues": lambda _: {"values": raw(1, struct.pack(">i", 1))},
    "StackFrame.GetValues": lambda _: {"slots": [{"slot": 0, "tag": ord("I")}]},
    "StackFrame.SetValues": lambda _: {"slots": [{"slot": 0, "value": number(1)}]},
    "EventRequest.Clear": lambda _: {"event_kind": 2, "request_id": 1_000_000},
}


def _super_call(stopped: StoppedTarget) -> Message:
    """What a check may be given that has most ids: a handle of what a class calls by super."""
    dog = stopped.types[DOG]
    method = stopped.method(dog, "run")
    return {"kind": 4, "type_id": dog, "field_id": 0, "method_id": method, "object": dog}


def _event_requests(stopped: StoppedTarget) -> list[Message]:
    dog = stopped.types[DOG]
    field_only = {"kind": 9, "type_id": dog, "field_id": stopped.field(dog, "age")}
    breakpoint_at = {"kind": 7, "location": stopped.place("same")}
    of_modifier: list[tuple[int, list[Message]]] = [
        (8, [{"kind": 1, "count": 1}]),
        (8, [{"kind": 2, "expression_id": 0}]),
        (40, [{"kind": 3, "thread": stopped.objects["thread"]["sleeper"]}]),
        (8, [{"kind": 4, "type_id": dog}]),
        (8, [{"kind": 5, "pattern": "no.such.Class"}]),
        (8, [{"kind": 6, "pattern": "*"}]),
        (2, [breakpoint_at]),
        (
            4,
            [
                {
                    "kind": 8,
                    "exception_type": stopped.types[THROWABLE],
                    "caught": True,
                    "uncaught": True,
                }
            ],
        ),
        (20, [field_only]),
        (21, [field_only]),
        (1, [{"kind": 10, "thread": stopped.objects["thread"]["sleeper"], "size": 0, "depth": 0}]),
        (2, [breakpoint_at, {"kind": 11, "instance": stopped.objects["object"]["dog"]}]),
        (8, [{"kind": 12, "pattern": "None.java"}]),
    ]
    if stopped.version >= 21:
        of_modifier.append((6, [{"kind": 13}]))
    return [
        {"event_kind": kind, "suspend_policy": 0, "modifiers": modifiers}
        for kind, modifiers in of_modifier
    ]


def all_commands() -> list[tuple[int, int]]:
    """Every command that a debugger may send and that has fields."""
    return [
        number
        for number, command in sorted(GRAMMAR.commands.items())
        if command.request.fields and not command.from_agent
    ]
