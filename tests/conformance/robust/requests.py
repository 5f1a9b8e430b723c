# SPDX-License-Identifier: Apache-2.0
"""A right request of every command, asked of the pit; the tests put something wrong into each.

Made from the declarations: a field is filled by its type, and by its name in `_FILLED` where the
type does not say enough. So a command that is declared later is asked as well. Several requests for
EventRequest.Set: one for each modifier.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from tests.conformance.robust.pit import (
    ANIMAL,
    CHANGING,
    DOG,
    GRAMMAR,
    PIT,
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

    from tests.conformance.robust.pit import Pit
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
}
"""What would change the pit for good if it were asked rightly."""


def name_of(command: Command) -> str:
    """`Set.Command`."""
    return f"{command.set_name}.{command.name}"


def right_requests(pit: Pit, command: Command) -> list[Message]:
    """Requests that the agent fulfils, or would if they were not in NEVER_RIGHT."""
    name = name_of(command)
    if name == "EventRequest.Set":
        return _event_requests(pit)
    made = {field: _by_type(pit, type_, field) for field, type_ in command.request.fields}
    if name in _FILLED:
        made |= _FILLED[name](pit)
    return [made]


def _by_type(pit: Pit, type_: Type, field: str = "") -> Any:
    made: Any
    match type_:
        case Plain(name):
            made = _plain(pit, name, field)
        case Numbered(_, numbers, _):
            made = min(numbers)
        case ListOf(element):
            made = [_by_type(pit, element)]
        case Struct(fields):
            made = {name: _by_type(pit, inner, name) for name, inner in fields}
        case VariantOf():
            made = {"kind": 1, "count": 1}
        case RawValues():
            made = {"count": 0, "content": b""}
    return made


def _plain(pit: Pit, name: str, field: str) -> Any:
    if name.endswith("ID"):
        return _id(pit, name)
    return {
        "boolean": True,
        "string": DOG,
        "bytes": b"\0",
        "value": {"tag": ord("I"), "value": 1},
        "location": pit.place("same"),
    }.get(name, 1 if field in ("length", "count") else 0)


def _id(pit: Pit, name: str) -> int:
    dog = pit.types[DOG]
    made: dict[str, Callable[[], int]] = {
        "threadID": lambda: pit.thread,
        "threadGroupID": lambda: pit.objects["thread_group"]["group"],
        "objectID": lambda: pit.objects["object"]["dog"],
        "arrayID": lambda: pit.objects["array"]["ints"],
        "stringID": lambda: pit.objects["string"]["text"],
        "classLoaderID": lambda: pit.objects["class_loader"]["loader"],
        "moduleID": lambda: pit.objects["module"]["module"],
        "arrayTypeID": lambda: pit.objects["class"]["arrayType"],
        "interfaceID": lambda: pit.types[SPEAKER],
        "methodID": lambda: pit.method(dog, "bark"),
        "fieldID": lambda: pit.field(dog, "age"),
        "frameID": pit.top,
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


def _invocation(pit: Pit, type_id: int, method_id: int, *arguments: Message) -> Message:
    return {
        "type_id": type_id,
        "thread": pit.thread,
        "method_id": method_id,
        "arguments": list(arguments),
        "options": SINGLE_THREADED,
    }


def _static_invocation(pit: Pit) -> Message:
    dog = reference(pit.objects["object"]["dog"])
    return _invocation(pit, pit.types[PIT], pit.method(pit.types[PIT], "same"), dog)


def _interface_invocation(pit: Pit) -> Message:
    speaker = pit.types[SPEAKER]
    text = reference(pit.objects["string"]["text"], "s")
    return _invocation(pit, speaker, pit.method(speaker, "same"), text)


def _new_dog(pit: Pit) -> Message:
    dog = pit.types[DOG]
    return _invocation(pit, dog, pit.constructor(dog, "()V"))


def _instance_invocation(pit: Pit) -> Message:
    dog = pit.types[DOG]
    made = _invocation(pit, dog, pit.method(dog, "bark"), number(1))
    return {"object": pit.objects["object"]["dog"], **made}


# Fields whose type does not say enough, of the commands that are refused otherwise.
_FILLED: dict[str, Callable[[Pit], Message]] = {
    "VirtualMachine.DisposeObjects": lambda pit: {
        "requests": [{"object": pit.disposed, "count": 1}]
    },
    "VirtualMachine.RedefineClasses": lambda pit: {
        "classes": [{"type_id": pit.types[CHANGING], "class_file": pit.class_file("Changing")}]
    },
    "VirtualMachine.SetDefaultStratum": lambda _: {"stratum_id": ""},
    "ReferenceType.GetValues": lambda pit: {
        "type_id": pit.types[PIT],
        "fields": [pit.field(pit.types[PIT], "anInt")],
    },
    "ReferenceType.Instances": lambda pit: {"type_id": pit.types[CHANGING]},
    "ClassType.SetValues": lambda pit: {
        "type_id": pit.types[PIT],
        "values": raw(1, struct.pack(">Qi", pit.field(pit.types[PIT], "anInt"), 11)),
    },
    "ClassType.InvokeMethod": _static_invocation,
    "ClassType.NewInstance": _new_dog,
    "InterfaceType.InvokeMethod": _interface_invocation,
    "Method.IsObsolete": lambda pit: {
        "type_id": pit.types[CHANGING],
        "method_id": pit.method(pit.types[CHANGING], "version"),
    },
    "ObjectReference.SetValues": lambda pit: {
        "values": raw(1, struct.pack(">Qq", pit.field(pit.types[ANIMAL], "weight"), 12))
    },
    "ObjectReference.InvokeMethod": _instance_invocation,
    "StringReference.Value": lambda pit: {"string": pit.objects["string"]["text"]},
    "Agent.StringBeginning": lambda pit: {"string": pit.objects["string"]["text"]},
    "ThreadReference.Stop": lambda pit: {"throwable": pit.objects["object"]["throwable"]},
    "ThreadReference.ForceEarlyReturn": lambda _: {"value": {"tag": ord("J"), "value": 1}},
    "ArrayReference.SetValues": lambda _: {"values": raw(1, struct.pack(">i", 1))},
    "StackFrame.GetValues": lambda _: {"slots": [{"slot": 0, "tag": ord("I")}]},
    "StackFrame.SetValues": lambda _: {"slots": [{"slot": 0, "value": number(1)}]},
    "EventRequest.Clear": lambda _: {"event_kind": 2, "request_id": 1_000_000},
}


def _event_requests(pit: Pit) -> list[Message]:
    dog = pit.types[DOG]
    field_only = {"kind": 9, "type_id": dog, "field_id": pit.field(dog, "age")}
    breakpoint_at = {"kind": 7, "location": pit.place("same")}
    of_modifier: list[tuple[int, list[Message]]] = [
        (8, [{"kind": 1, "count": 1}]),
        (8, [{"kind": 2, "expression_id": 0}]),
        (40, [{"kind": 3, "thread": pit.objects["thread"]["sleeper"]}]),
        (8, [{"kind": 4, "type_id": dog}]),
        (8, [{"kind": 5, "pattern": "no.such.Class"}]),
        (8, [{"kind": 6, "pattern": "*"}]),
        (2, [breakpoint_at]),
        (
            4,
            [{"kind": 8, "exception_type": pit.types[THROWABLE], "caught": True, "uncaught": True}],
        ),
        (20, [field_only]),
        (21, [field_only]),
        (1, [{"kind": 10, "thread": pit.objects["thread"]["sleeper"], "size": 0, "depth": 0}]),
        (2, [breakpoint_at, {"kind": 11, "instance": pit.objects["object"]["dog"]}]),
        (8, [{"kind": 12, "pattern": "None.java"}]),
    ]
    if pit.version >= 21:
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
