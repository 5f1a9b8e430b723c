# SPDX-License-Identifier: Apache-2.0
"""Invalid values for each kind of field, and the errors that the specification has for them.

A substitute of an id is refused with the word for its type: an id that means nothing (never given
out, disposed of, of a collected object) with INVALID_OBJECT, an id of another kind of object and 0
with the error of the kind. `EXPECTED` has the places where that is not so, and why.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.conformance.robust.stopped_target import CAT, DOG, MAIN, SPEAKER, UNKNOWN_ID
from tests.support.wire_grammar import ListOf, Numbered, Plain, Struct, Type, VariantOf

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conformance.robust.stopped_target import StoppedTarget
    from tests.support.wire_grammar import Grammar
    from tests.support.wire_reading import Message

OK = "NONE"
BIGGEST, SMALLEST = 2**31 - 1, -(2**31)


@dataclass(frozen=True)
class Substitute:
    """A wrong value, and what it may be answered with; empty: whatever the command declares."""

    label: str
    value: Any
    errors: frozenset[str] = frozenset()


# Which kind of object an id must be of, and the error when it is not.
_KINDS = {
    "threadID": ("thread", "INVALID_THREAD"),
    "threadGroupID": ("thread_group", "INVALID_THREAD_GROUP"),
    "arrayID": ("array", "INVALID_ARRAY"),
    "stringID": ("string", "INVALID_STRING"),
    "classLoaderID": ("class_loader", "INVALID_CLASS_LOADER"),
    "moduleID": ("module", "INVALID_MODULE"),
    "referenceTypeID": ("class", "INVALID_CLASS"),
    "classID": ("class", "INVALID_CLASS"),
    "interfaceID": ("class", "INVALID_CLASS"),
    "arrayTypeID": ("class", "INVALID_CLASS"),
    "classObjectID": ("class", "INVALID_CLASS"),
    "objectID": ("", "INVALID_OBJECT"),
}

# (command, field) → label or "*" → errors. A field within a list is named by the list as well.
EXPECTED: dict[tuple[str, str], dict[str, set[str]]] = {
    # Unknown ids are accepted when they are disposed of, unpinned or counted, as by the JDK's own
    # agent: the object may have been collected before.
    ("VirtualMachine.DisposeObjects", "requests.object"): {"*": {OK}},
    ("VirtualMachine.InstanceCounts", "types"): {"*": {OK}},
    # A class may have been unloaded since the debugger asked for all of them.
    ("Probes.ArrayStores", "types.type_id"): {"*": {OK}},
    ("Probes.FieldStores", "types.type_id"): {"*": {OK}},
    ("ObjectReference.EnableCollection", "object"): {"*": {OK}},
    ("ObjectReference.DisableCollection", "object"): {"zero": {OK}},
    ("ObjectReference.IsCollected", "object"): {"zero": {"INVALID_OBJECT"}, "*": {OK}},
    # The reply has the reason.
    ("Probes.Install", "class_file"): {"*": {OK}},
    ("Probes.Change", "class_file"): {"*": {OK}},
    # Of a handle of a method. What calls it by super is a class.
    **{(command, "given.field_id"): {"*": {OK}} for command in ("Probes.Install", "Probes.Change")},
    **{
        (command, "given.object"): {
            "zero": {"INVALID_CLASS"},
            "*": {"INVALID_CLASS", "INVALID_OBJECT"},
        }
        for command in ("Probes.Install", "Probes.Change")
    },
    # The location is checked first, and is not one to jump to.
    ("Agent.Jump", "locals.object"): {"*": {"ILLEGAL_ARGUMENT"}},
    # 0 has a meaning.
    ("ClassLoaderReference.VisibleClasses", "class_loader"): {"zero": {OK}},
    ("EventRequest.Set", "modifiers.exception_type"): {"zero": {OK}},
    ("EventRequest.Set", "modifiers.instance"): {"zero": {OK}},
    ("Method.IsObsolete", "method_id"): {"zero": {OK}},
    # As the JDK's own agent has it.
    ("ReferenceType.Instances", "type_id"): {"zero": {"INVALID_OBJECT"}},
    ("ThreadReference.Stop", "throwable"): {"zero": {"NULL_POINTER"}},
    # An objectID that must be more than that.
    ("StringReference.Value", "string"): {"zero": {"INVALID_STRING"}},
    ("Agent.StringBeginning", "string"): {"zero": {"INVALID_STRING"}},
    ("ThreadReference.IsVirtual", "thread"): {"a thread of the agent": {OK}},
    ("EventRequest.Clear", "event_kind"): {"*": {"INVALID_EVENT_TYPE"}},
    ("EventRequest.Set", "event_kind"): {"*": {"INVALID_EVENT_TYPE"}},
    ("EventRequest.Set", "suspend_policy"): {"*": {"ILLEGAL_ARGUMENT"}},
    ("EventRequest.Set", "modifiers.size"): {"*": {"ILLEGAL_ARGUMENT"}},
    ("EventRequest.Set", "modifiers.depth"): {"*": {"ILLEGAL_ARGUMENT"}},
    ("StackFrame.GetValues", "slots.tag"): {"*": {"INVALID_TAG"}},
}

# Numbers and their error; where nothing stands, what the command declares may come.
_INTS: dict[tuple[str, str], tuple[list[int], str]] = {
    ("VirtualMachine.Exit", "exit_code"): ([], OK),  # every one is right, and the VM ends
    ("VirtualMachine.DisposeObjects", "requests.count"): ([-1, 0, BIGGEST, SMALLEST], OK),
    ("ReferenceType.Instances", "max_instances"): ([-1, SMALLEST], "ILLEGAL_ARGUMENT"),
    ("ObjectReference.ReferringObjects", "max_referrers"): ([-1, SMALLEST], "ILLEGAL_ARGUMENT"),
    ("ThreadReference.Frames", "start_frame"): ([-1, 99, BIGGEST, SMALLEST], "INVALID_INDEX"),
    ("ThreadReference.Frames", "length"): ([-2, 99, BIGGEST, SMALLEST], "INVALID_LENGTH"),
    ("ArrayReference.GetValues", "first_index"): ([-1, 3, BIGGEST, SMALLEST], "INVALID_INDEX"),
    ("ArrayReference.GetValues", "length"): ([-2, 4, BIGGEST, SMALLEST], "INVALID_LENGTH"),
    ("ArrayReference.SetValues", "first_index"): ([-1, 3, BIGGEST, SMALLEST], "INVALID_INDEX"),
    ("ArrayType.NewInstance", "length"): ([-1, SMALLEST], "OUT_OF_MEMORY"),
    ("StackFrame.GetValues", "slots.slot"): ([-1, 99, 65536, BIGGEST, SMALLEST], "INVALID_SLOT"),
    ("StackFrame.SetValues", "slots.slot"): ([-1, 99, 65536, BIGGEST, SMALLEST], "INVALID_SLOT"),
    ("EventRequest.Set", "modifiers.count"): ([0, -1, SMALLEST], "INVALID_COUNT"),
    ("EventRequest.Set", "modifiers.expression_id"): ([-1, BIGGEST], OK),
    ("EventRequest.Clear", "request_id"): ([0, -1, BIGGEST, SMALLEST], OK),
}

_STRINGS = ["", "\0", "L;", "(", "[[[[", "*", "a*b", "\ud800", "\U0001f600", "x" * 70_000]


def places(
    grammar: Grammar, type_: Type, value: Any, path: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], Type]]:
    """Every place of a message that holds one value, with its type."""
    match type_:
        case Struct(fields):
            for name, inner in fields:
                yield from places(grammar, inner, value[name], (*path, name))
        case ListOf(element):
            for index, one in enumerate(value):
                yield from places(grammar, element, one, (*path, index))
        case VariantOf(name):
            yield from places(grammar, grammar.variants[name][value["kind"]][1], value, path)
        case Plain("location"):
            yield (*path, "type_id"), Plain("referenceTypeID")
            yield (*path, "method_id"), Plain("methodID")
        case Plain() | Numbered():
            yield path, type_
        case _:
            pass  # untagged values: test_values.py


def substitutes(stopped: StoppedTarget, command: str, field: str, type_: Type) -> list[Substitute]:
    """What to put there. `field` is the path without indices, joined by dots."""
    found = list(_of_type(stopped, command, field, type_))
    special = EXPECTED.get((command, field), {})
    return [
        Substitute(
            one.label, one.value, frozenset(special.get(one.label, special.get("*", one.errors)))
        )
        for one in found
    ]


def _of_type(stopped: StoppedTarget, command: str, field: str, type_: Type) -> Iterator[Substitute]:
    match type_:
        case Numbered(wire, numbers, False):
            limit = 256 if wire == "byte" else 2**31
            for number in (0, 3, 10, 77, 127, 128, 255, limit - 1):
                if number not in numbers and number < limit:
                    yield Substitute(f"the number {number}", number)
        case Plain("int"):
            values, *errors = _INTS.get((command, field), ([-1, BIGGEST, SMALLEST],))
            for value in values:
                yield Substitute(f"the number {value}", value, frozenset(errors))
        case Plain("string"):
            for text in _STRINGS:
                yield Substitute(f"the text {text[:9]!r}", text)
        case Plain("bytes"):
            yield from _class_files(stopped)
        case Plain(name) if name.endswith("ID"):
            yield from _ids(stopped, command, name)
        case _:
            pass  # booleans and numbers of which every one is right


def _ids(stopped: StoppedTarget, command: str, name: str) -> Iterator[Substitute]:
    match name:
        case "methodID" | "fieldID":
            yield from _members(stopped, command, f"INVALID_{name.upper()}")
        case "frameID":
            yield from _frames(stopped)
        case _:
            yield from _objects(stopped, command, name)


def _objects(stopped: StoppedTarget, command: str, name: str) -> Iterator[Substitute]:
    kind, error = _KINDS[name]
    lost = "INVALID_MODULE" if kind == "module" else "INVALID_OBJECT"
    if command in ("StringReference.Value", "Agent.StringBeginning"):
        kind, error = "string", "INVALID_STRING"
    yield Substitute("zero", 0, frozenset({error}))
    for label, value in {
        "minus one": 2**64 - 1,
        "the biggest": 2**63 - 1,
        "never given out": UNKNOWN_ID,
        "disposed": stopped.disposed,
        "collected": stopped.collected,
        "unloaded": stopped.unloaded_type,
        "a method": stopped.method(stopped.types[DOG], "bark"),
    }.items():
        yield Substitute(label, value, frozenset({lost}))
    for other, objects in stopped.objects.items():
        if kind and other != kind:
            first = next(iter(objects))
            yield Substitute(f"a {other}", objects[first], frozenset({error}))
    if kind == "thread":
        threads = stopped.objects["thread"]
        yield Substitute("a thread of the agent", stopped.agent_thread, frozenset({error}))
        yield Substitute("a dead thread", threads["dead"])
        yield Substitute("a thread that was not started", threads["unstarted"])
        ends = ("ThreadReference.Interrupt", "ThreadReference.Stop", "Agent.StopThread")
        if command not in ends:
            yield Substitute("a running thread", threads["sleeper"])
    if kind == "class":
        for label, type_id in stopped.objects["class"].items():
            yield Substitute(f"the class {label}", type_id)
        yield Substitute("an interface", stopped.types[SPEAKER])


def _members(stopped: StoppedTarget, command: str, error: str) -> Iterator[Substitute]:
    others = {
        "zero": 0,
        "minus one": 2**64 - 1,
        "the biggest": 2**63 - 1,
        "never given out": UNKNOWN_ID,
        "of an unloaded class": stopped.unloaded_method,
        "an object": stopped.objects["object"]["dog"],
        "the first class": 1,
    }
    if error == "INVALID_METHODID":
        others["of another class"] = stopped.method(stopped.types[CAT], "purr")
        others["a field"] = stopped.field(stopped.types[DOG], "self")
    else:
        # A static field: ids of instance fields are offsets, and so alike in different classes.
        other = (SPEAKER, "LEGS") if command == "ReferenceType.GetValues" else (MAIN, "anInt")
        others["of another class"] = stopped.field(stopped.types[other[0]], other[1])
        others["a method"] = stopped.method(stopped.types[MAIN], "stop")
    for label, value in others.items():
        yield Substitute(label, value, frozenset({error}))


def _frames(stopped: StoppedTarget) -> Iterator[Substitute]:
    top = stopped.top()
    for label, value in {
        "zero": 0,
        "minus one": 2**64 - 1,
        "the biggest": 2**63 - 1,
        "never given out": UNKNOWN_ID,
        "of a stop before": stopped.old_frame,
        "of a thread that was resumed": stopped.sleeper_frame,
        "below the first frame": top + 1000,
        "above the top": top - 1,
        "an object": stopped.thread,
    }.items():
        yield Substitute(label, value, frozenset({"INVALID_FRAMEID"}))


def _class_files(stopped: StoppedTarget) -> Iterator[Substitute]:
    right = stopped.class_file("Changing")
    for size in (0, 1, 4, 8, 10, len(right) // 2, len(right) - 1):
        yield Substitute(
            f"{size} bytes of a class file", right[:size], frozenset({"INVALID_CLASS_FORMAT"})
        )
    yield Substitute("no class file", b"\xff" * 100, frozenset({"INVALID_CLASS_FORMAT"}))
    yield Substitute(
        "too new", right[:6] + b"\x7f\xff" + right[8:], frozenset({"UNSUPPORTED_VERSION"})
    )
    yield Substitute("another class", stopped.class_file("Dog"), frozenset({"NAMES_DONT_MATCH"}))
    for at in range(8, len(right), 7):
        yield Substitute(f"garbled at {at}", right[:at] + b"\xee" + right[at + 1 :])


def put(message: Message, path: tuple[str | int, ...], value: Any) -> Message:
    """The message with another value at the place."""
    changed: Message = _put(message, path, value)
    return changed


def _put(part: Any, path: tuple[str | int, ...], value: Any) -> Any:
    if not path:
        return value
    first, *rest = path
    copy = list(part) if isinstance(part, list) else dict(part)
    copy[first] = _put(part[first], tuple(rest), value)  # type: ignore[index]
    return copy
