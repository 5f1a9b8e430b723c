# SPDX-License-Identifier: Apache-2.0
"""A valid request for every command that reads or changes data, and ways to make it invalid.

Owns the requests (in the fixture TYPES) and the enumeration of their fields.
`conversations/wrong.py` puts a wrong value into one field at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from tests.conformance.jdwp.target import ids, raw
from tests.support.wire_grammar import ListOf, Numbered, Plain, Struct, Type, read_grammar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conformance.differential.finds import Finds
    from tests.support.wire_reading import Message

Path: TypeAlias = "tuple[str | int, ...]"

LEAF = "Ltypes/Types$Leaf;"
ROOT = "Ltypes/Types$Root;"
CIRCLE = "Ltypes/Types$Circle;"
SHAPE = "Ltypes/Types$Shape;"

_TYPE_COMMANDS = (
    "Signature",
    "SignatureWithGeneric",
    "ClassLoader",
    "Modifiers",
    "Fields",
    "FieldsWithGeneric",
    "Methods",
    "MethodsWithGeneric",
    "SourceFile",
    "NestedTypes",
    "Status",
    "Interfaces",
    "ClassObject",
    "SourceDebugExtension",
    "ClassFileVersion",
    "ConstantPool",
    "Module",
)
_METHOD_COMMANDS = (
    "LineTable",
    "VariableTable",
    "VariableTableWithGeneric",
    "Bytecodes",
    "IsObsolete",
)
_OBJECT_COMMANDS = (
    "ReferenceType",
    "MonitorInfo",
    "DisableCollection",
    "EnableCollection",
    "IsCollected",
)
_THREAD_COMMANDS = (
    "Name",
    "Status",
    "ThreadGroup",
    "FrameCount",
    "OwnedMonitors",
    "OwnedMonitorsStackDepthInfo",
    "CurrentContendedMonitor",
    "SuspendCount",
    "Suspend",
    "Resume",
    "Interrupt",
)


def _one_type(find: Finds) -> Message:
    return {"type_id": find.type(LEAF)}


def _one_method(find: Finds) -> Message:
    return {"type_id": find.type(ROOT), "method_id": find.method(ROOT, "exact")}


def _one_object(find: Finds) -> Message:
    return {"object": find.object("leaf")}


def _one_thread(find: Finds) -> Message:
    return {"thread": find.thread}


def _frame(find: Finds) -> Message:
    return {"thread": find.thread, "frame": find.frame()["frame_id"]}


def _invocation(find: Finds, signature: str, method: str) -> Message:
    return {
        "type_id": find.type(signature),
        "thread": find.thread,
        "method_id": find.method(signature, method),
        "arguments": [],
        "options": 1,
    }


def _static_store(find: Finds) -> Message:
    values = raw(1, ids(find.field(LEAF, "shared"), find.object("text")))
    return {"type_id": find.type(LEAF), "values": values}


def _slot(find: Finds, name: str) -> tuple[int, int]:
    return find.slots(find.frame())[name]


TYPE_COMMANDS = tuple(f"ReferenceType.{name}" for name in _TYPE_COMMANDS)
"""Those that are asked with a type alone."""

METHOD_COMMANDS = tuple(f"Method.{name}" for name in _METHOD_COMMANDS)

REQUESTS: dict[str, Callable[[Finds], Message]] = {
    **{f"ReferenceType.{name}": _one_type for name in _TYPE_COMMANDS},
    **{f"Method.{name}": _one_method for name in _METHOD_COMMANDS},
    **{f"ObjectReference.{name}": _one_object for name in _OBJECT_COMMANDS},
    **{f"ThreadReference.{name}": _one_thread for name in _THREAD_COMMANDS},
    "VirtualMachine.ClassesBySignature": lambda _: {"signature": LEAF},
    "VirtualMachine.InstanceCounts": lambda find: {"types": [find.type(CIRCLE)]},
    "VirtualMachine.DisposeObjects": lambda find: {
        "requests": [{"object": find.new_string("to be disposed"), "count": 1}]
    },
    "VirtualMachine.RedefineClasses": lambda find: {
        "classes": [{"type_id": find.type(LEAF), "class_file": b"\xca\xfe\xba\xbe"}]
    },
    "ReferenceType.GetValues": lambda find: {
        "type_id": find.type(LEAF),
        "fields": [find.field(LEAF, "shared")],
    },
    "ReferenceType.Instances": lambda find: {"type_id": find.type(CIRCLE), "max_instances": 1},
    "ClassType.Superclass": _one_type,
    "ClassType.SetValues": _static_store,
    "ClassType.InvokeMethod": lambda find: _invocation(find, ROOT, "empty"),
    "ClassType.NewInstance": lambda find: _invocation(find, LEAF, "<init>"),
    "ArrayType.NewInstance": lambda find: {"type_id": find.type("[I"), "length": 2},
    "InterfaceType.InvokeMethod": lambda find: _invocation(find, SHAPE, "unit"),
    "ObjectReference.GetValues": lambda find: {
        "object": find.object("leaf"),
        "fields": [find.field(LEAF, "hidden")],
    },
    "ObjectReference.SetValues": lambda find: {
        "object": find.object("leaf"),
        "values": raw(1, ids(find.field(LEAF, "hidden"), find.object("text"))),
    },
    "ObjectReference.InvokeMethod": lambda find: {
        "object": find.object("leaf"),
        **_invocation(find, LEAF, "describe"),
    },
    "ObjectReference.ReferringObjects": lambda find: {
        "object": find.object("leaf"),
        "max_referrers": 1,
    },
    "StringReference.Value": lambda find: {"string": find.object("text")},
    "ThreadReference.Frames": lambda find: {
        "thread": find.thread,
        "start_frame": 0,
        "length": 1,
    },
    "ThreadReference.IsVirtual": _one_thread,
    "ThreadReference.Stop": lambda find: {
        "thread": find.named_thread("parker"),
        "throwable": find.object("error"),
    },
    "ThreadReference.ForceEarlyReturn": lambda find: {
        "thread": find.named_thread("parker"),
        "value": {"tag": ord("V"), "value": None},
    },
    "ThreadGroupReference.Name": lambda find: {"group": find.object("group")},
    "ThreadGroupReference.Parent": lambda find: {"group": find.object("group")},
    "ThreadGroupReference.Children": lambda find: {"group": find.object("group")},
    "ArrayReference.Length": lambda find: {"array": find.object("ints")},
    "ArrayReference.GetValues": lambda find: {
        "array": find.object("ints"),
        "first_index": 0,
        "length": 2,
    },
    "ArrayReference.SetValues": lambda find: {
        "array": find.object("objects"),
        "first_index": 5,
        "values": raw(1, ids(0)),
    },
    "ClassLoaderReference.VisibleClasses": lambda find: {"class_loader": find.object("definer")},
    "StackFrame.GetValues": lambda find: {
        **_frame(find),
        "slots": [{"slot": _slot(find, "words")[0], "tag": ord("L")}],
    },
    "StackFrame.SetValues": lambda find: {
        **_frame(find),
        "slots": [
            {
                "slot": _slot(find, "words")[0],
                "value": {"tag": ord("L"), "value": find.object("text")},
            }
        ],
    },
    "StackFrame.ThisObject": _frame,
    "ClassObjectReference.ReflectedType": lambda find: {"class_object": find.class_object(LEAF)},
    "ModuleReference.Name": lambda find: {"module": find.object("named")},
    "ModuleReference.ClassLoader": lambda find: {"module": find.object("named")},
}
"""Command → what makes a right request for it."""

_GRAMMAR = read_grammar()
_SHAPES = {f"{one.set_name}.{one.name}": one.request for one in _GRAMMAR.commands.values()}


def leaves(command: str) -> Iterator[tuple[Path, str]]:
    """The fields of a command's request that have one plain value each: (path, wire type)."""
    yield from _leaves(_SHAPES[command], ())


def _leaves(type_: Type, path: Path) -> Iterator[tuple[Path, str]]:
    match type_:
        case Plain(name):
            yield path, name
        case Numbered(wire, _, is_flags):
            yield path, "flags" if is_flags else wire
        case ListOf(element):
            yield from _leaves(element, (*path, 0))
        case Struct(fields):
            for name, one in fields:
                yield from _leaves(one, (*path, name))
        case _:
            pass


def replaced(request: Any, path: Path, value: Any) -> Any:
    """The request with this value at the path; itself when the path leads nowhere in it."""
    if not path:
        return value
    first, *rest = path
    if isinstance(first, int):
        if not request:
            return request
        return [replaced(request[0], tuple(rest), value), *request[1:]]
    return {**request, first: replaced(request[first], tuple(rest), value)}
