# SPDX-License-Identifier: Apache-2.0
"""A wrong value in one field of a valid request: each field of each command about data.

One conversation for each command and field holds every kind of wrong id against both agents; what
would end the stock agent's VM is in conversations of its own, by kind.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tests.conformance.differential.differences import ends_stock
from tests.conformance.differential.finds import UNKNOWN, Finds
from tests.conformance.differential.fixture import TYPES
from tests.conformance.differential.registry import conversation, conversations_over
from tests.conformance.differential.requests import LEAF, REQUESTS, leaves, replaced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tests.conformance.differential.recording_client import RecordingClient
    from tests.conformance.differential.requests import Path
    from tests.support.wire_reading import Message


def _disposed(find: Finds) -> int:
    return find.disposed()


_IDS: dict[str, Callable[[Finds], int]] = {
    "null": lambda _: 0,
    "unknown": lambda _: UNKNOWN,
    "all_ones": lambda _: 2**64 - 1,
    "string": lambda find: find.object("text"),
    "object": lambda find: find.object("leaf"),
    "array": lambda find: find.object("ints"),
    "thread": lambda find: find.thread,
    "unstarted": lambda find: find.object("unstarted"),
    "dead": lambda find: find.object("dead"),
    "group": lambda find: find.object("group"),
    "loader": lambda find: find.object("loader"),
    "module": lambda find: find.object("named"),
    "class_object": lambda find: find.class_object(LEAF),
    "class": lambda find: find.type(LEAF),
    "interface": lambda find: find.type("Ltypes/Types$Shape;"),
    "array_type": lambda find: find.type("[[I"),
    "primitive_type": lambda find: find.object("primitiveClass"),
    "void_type": lambda find: find.object("voidClass"),
    "unprepared": lambda find: find.type("Ltypes/Types$Broken;"),
    "disposed": _disposed,
}
"""Ids of everything; wrong for a field that wants something else, right for some."""

_METHODS: dict[str, Callable[[Finds], int]] = {
    "native": lambda find: find.method("Ltypes/Types$Root;", "help"),
    "abstract": lambda find: find.method("Ltypes/Types$Root;", "work"),
    "initialiser": lambda find: find.method("Ltypes/Types$Leaf;", "<clinit>"),
    "null": lambda _: 0,
    "unknown": lambda _: UNKNOWN,
    "of_a_subclass": lambda find: find.method(LEAF, "work"),
    "of_another_class": lambda find: find.method("Ltypes/Types$Circle;", "area"),
}

_FIELDS: dict[str, Callable[[Finds], int]] = {
    "null": lambda _: 0,
    "unknown": lambda _: UNKNOWN,
    "instance_or_static": lambda find: find.field(LEAF, "row"),
    "of_the_superclass": lambda find: find.field("Ltypes/Types$Root;", "inherited"),
    "of_another_class": lambda find: find.field("Ljava/lang/Thread;", "threadLocals"),
}

_FRAMES: dict[str, Callable[[Finds], int]] = {
    "null": lambda _: 0,
    "unknown": lambda _: UNKNOWN,
    "all_ones": lambda _: 2**64 - 1,
    "of_main": lambda find: find.frame("main")["frame_id"],
}

_INTS: dict[str, Callable[[Finds], int]] = {
    "minus_one": lambda _: -1,
    "minus_two": lambda _: -2,
    "zero": lambda _: 0,
    "one": lambda _: 1,
    "three": lambda _: 3,
    "hundred": lambda _: 100,
    "most": lambda _: 2**31 - 1,
    "least": lambda _: -(2**31),
}

_FLAGS: dict[str, Callable[[Finds], int]] = {
    "zero": lambda _: 0,
    "both": lambda _: 3,
    "all_ones": lambda _: 2**32 - 1,
}

_KINDS = {
    "methodID": _METHODS,
    "fieldID": _FIELDS,
    "frameID": _FRAMES,
    "int": _INTS,
    "flags": _FLAGS,
}
_FITS = frozenset(
    {
        ("ThreadReference.Resume.thread", "thread"),
        ("ThreadReference.Interrupt.thread", "thread"),
        ("ThreadReference.Suspend.thread", "unstarted"),
        ("ThreadReference.Suspend.thread", "dead"),
        ("ThreadReference.Stop.thread", "thread"),
        # An instance field's id is little more than its offset, and some of theirs is the same.
        ("ObjectReference.GetValues.object", "string"),
        ("ObjectReference.GetValues.object", "group"),
        ("ObjectReference.SetValues.object", "string"),
        ("ObjectReference.SetValues.object", "group"),
        # Earlier conversations have left different numbers of instances.
        ("VirtualMachine.InstanceCounts.types.0", "class"),
        ("VirtualMachine.InstanceCounts.types.0", "class_object"),
        ("VirtualMachine.InstanceCounts.types.0", "array_type"),
        # Both show all classes; `threads.py` compares what two runs have in common.
        ("ClassLoaderReference.VisibleClasses.class_loader", "null"),
        ("ClassLoaderReference.VisibleClasses.class_loader", "loader"),
    }
)
"""What is not wrong in that field, or by accident only."""

_NO_IDS = ("string", "bytes", "value", "byte", "boolean")


@dataclass(frozen=True)
class _Field:
    """A field of a request, and what is put into it."""

    command: str
    path: Path
    kinds: Mapping[str, Callable[[Finds], int]]

    def hold(self, client: RecordingClient) -> None:
        find = Finds(client)
        only = _their_number if self.command.endswith(".ReferringObjects") else None
        for kind in self.kinds.values():
            request = REQUESTS[self.command](find)
            client.ask(self.command, only=only, **replaced(request, self.path, kind(find)))


def _their_number(reply: Message) -> Message:
    """The number of them, not which: the first of many that the VM comes to may be any."""
    return {"referring_objects": [{"tag": ord("L"), "id": 0}] * len(reply["referring_objects"])}


def _all_fields() -> Iterator[tuple[str, _Field]]:
    for command in REQUESTS:
        for path, wire in leaves(command):
            if wire not in _NO_IDS:
                name = ".".join(map(str, (command, *path)))
                kinds = _KINDS.get(wire, _IDS)
                wrong = {kind: kinds[kind] for kind in kinds if (name, kind) not in _FITS}
                yield name, _Field(command, path, wrong)


def _is_deadly(name: str, kind: str) -> bool:
    return ends_stock(f"wrong.deadly[{name}={kind}]")


_HARMLESS = {
    name: replace(one, kinds={k: v for k, v in one.kinds.items() if not _is_deadly(name, k)})
    for name, one in _all_fields()
}
_DEADLY = {
    f"{name}={kind}": replace(one, kinds={kind: value})
    for name, one in _all_fields()
    for kind, value in one.kinds.items()
    if _is_deadly(name, kind)
}


# Gives back ids of classes, which the client of the following conversations would still have.
_GIVEN_BACK = [name for name in _HARMLESS if name.startswith("VirtualMachine.DisposeObjects.")]


@conversations_over(_HARMLESS, TYPES, fresh=_GIVEN_BACK)
def field(client: RecordingClient, wrong: _Field) -> None:
    """What both agents answer."""
    wrong.hold(client)


@conversations_over(_DEADLY, TYPES)
def deadly(client: RecordingClient, wrong: _Field) -> None:
    """What ends the stock agent's VM, or is never answered by it."""
    wrong.hold(client)


@conversation(TYPES)
def collected(client: RecordingClient) -> None:
    """An object that the garbage collector has taken, in each field that takes an id."""
    find = Finds(client)
    gone = find.collected()
    for _, one in _all_fields():
        if _disposed in one.kinds.values():
            client.ask(one.command, **replaced(REQUESTS[one.command](find), one.path, gone))
