# SPDX-License-Identifier: Apache-2.0
"""The ids from replies and events that a debugger may send back.

Owns the pools from which values for commands are drawn, and knows what may be changed:
objects of `busy.Scratch` and what belongs to them. Asks only at the start of a connection; the rest
comes by.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.support.jdwp_client import RefusedError

if TYPE_CHECKING:
    import random

    from tests.stress.client import Client
    from tests.support.wire_reading import Message

SCRATCH = "Lbusy/Scratch;"
STATIC, FINAL = 0x0008, 0x0010
_TYPES = (
    SCRATCH,
    "Lbusy/Busy;",
    "Lbusy/Grunting;",
    "Lbusy/Ledger;",
    "Lbusy/Worker;",
    "Lbusy/Worker$Summing;",
    "Lbusy/Worker$Booking;",
    "Lbusy/Worker$Throwing;",
    "Lbusy/Worker$Loading;",
    "Lbusy/Worker$Starting;",
    "Ljava/lang/Object;",
    "Ljava/lang/String;",
    "Ljava/lang/Thread;",
    "Ljava/lang/RuntimeException;",
)
_MOST_OBJECTS = 300


@dataclass
class Type:
    """A reference type with its members."""

    id: int
    signature: str
    tag: int
    methods: list[Message] = field(default_factory=list)
    fields: list[Message] = field(default_factory=list)


@dataclass
class Known:
    """The pools. Everything in them was given out by the agent, on this connection."""

    types: list[Type] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)
    scratch_threads: set[int] = field(default_factory=set)
    scratches: list[int] = field(default_factory=list)
    scratch_arrays: list[tuple[int, int]] = field(default_factory=list)
    """Arrays that belong to scratches, with the tag of an element."""
    groups: list[int] = field(default_factory=list)
    loaders: list[int] = field(default_factory=list)
    modules: list[int] = field(default_factory=list)
    objects: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=_MOST_OBJECTS))
    """(tag, id)."""
    frames: deque[tuple[int, int, Message]] = field(default_factory=lambda: deque(maxlen=40))
    """(thread, frame id, location), perhaps of a stop that is over."""
    places: deque[Message] = field(default_factory=lambda: deque(maxlen=100))
    requests: list[tuple[int, int]] = field(default_factory=list)

    def type(self, signature: str) -> Type:
        """The type of that name."""
        return next(known for known in self.types if known.signature == signature)

    def of_tag(self, letter: str) -> list[int]:
        """Objects of a kind."""
        return [id_ for tag, id_ in self.objects if chr(tag) == letter]

    def take(self, value: Any) -> None:
        """Keep the objects, threads and places in a reply or an event, however deep."""
        if isinstance(value, list):
            for one in value[:50]:
                self.take(one)
        if not isinstance(value, dict):
            return
        if value.keys() == {"tag", "id"} and value["id"]:
            self.objects.append((value["tag"], value["id"]))
        elif value.keys() == {"tag", "value"} and chr(value["tag"]) in "Lstglc[" and value["value"]:
            self.objects.append((value["tag"], value["value"]))
        elif "method_id" in value and "index" in value and value["method_id"]:
            self.places.append(value)
        else:
            thread = value.get("thread")
            if isinstance(thread, int) and thread and thread not in self.threads:
                self.threads.append(thread)
            for one in value.values():
                self.take(one)


def learn(vm: Client, chance: random.Random) -> Known:
    """Ask for what is needed to begin."""
    known = Known()
    for signature in _TYPES:
        for loaded in vm.ask("VirtualMachine.ClassesBySignature", signature=signature)["classes"]:
            known.types.append(_read_type(vm, loaded, signature))
    known.threads = list(vm.ask("VirtualMachine.AllThreads")["threads"])
    for thread in known.threads:
        try:
            name = vm.ask("ThreadReference.Name", thread=thread)["name"]
        except RefusedError:
            continue  # it has ended
        if name.startswith("scratch-"):
            known.scratch_threads.add(thread)
    scratch = known.type(SCRATCH)
    for found in vm.ask("ReferenceType.Instances", type_id=scratch.id, max_instances=10)[
        "instances"
    ]:
        try:
            # Those that use() makes would be gone at once.
            vm.ask("ObjectReference.DisableCollection", object=found["id"])
        except RefusedError:
            continue
        known.scratches.append(found["id"])
    known.groups = list(vm.ask("VirtualMachine.TopLevelThreadGroups")["groups"])
    known.modules = vm.ask("VirtualMachine.AllModules")["modules"][:20]
    loader = vm.ask("ReferenceType.ClassLoader", type_id=scratch.id)["class_loader"]
    known.loaders = [loader, 0]
    known.objects.extend((ord("L"), scratch_id) for scratch_id in known.scratches)
    known.objects.append((ord("l"), loader))
    text = vm.ask("VirtualMachine.CreateString", text=f"text {chance.random()}")["string"]
    known.objects.append((ord("s"), text))
    _find_arrays(vm, known, scratch)
    return known


def _read_type(vm: Client, loaded: Message, signature: str) -> Type:
    read = Type(loaded["type_id"], signature, loaded["type_tag"])
    read.methods = vm.ask("ReferenceType.Methods", type_id=read.id)["methods"]
    read.fields = vm.ask("ReferenceType.Fields", type_id=read.id)["fields"]
    return read


def _find_arrays(vm: Client, known: Known, scratch: Type) -> None:
    arrays = [one for one in scratch.fields if one["signature"].startswith("[")]
    for owner in known.scratches:
        ids = [one["field_id"] for one in arrays]
        values = vm.ask("ObjectReference.GetValues", object=owner, fields=ids)["values"]
        for one, value in zip(arrays, values, strict=True):
            if value["value"]:
                known.scratch_arrays.append((value["value"], ord(one["signature"][1])))
                known.objects.append((ord("["), value["value"]))
