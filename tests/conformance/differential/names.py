# SPDX-License-Identifier: Apache-2.0
"""Ids as names, so that the output of two agents can be compared.

Owns the normal form of a reply and of an event set. A type is its signature, a method its class,
name and descriptor, a field its class and name, a thread, group, loader or module its name, a
location all of that in one line, an object its type and the order in which it appeared, a frame its
order alone. What a name needs is asked of the agent on the side, unrecorded, and kept. Lists that
JDWP leaves unordered are sorted. Used by `client.py`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from tests.support.jdwp_client import RefusedError
from tests.support.wire_grammar import ListOf, Numbered, Plain, RawValues, Struct, VariantOf

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.support.jdwp_client import EventSetClient
    from tests.support.wire_grammar import Type
    from tests.support.wire_reading import Message

Normal: TypeAlias = "dict[str, Normal] | list[Normal] | str | int | float | bool | None"

UNORDERED = frozenset(
    {
        "VirtualMachine.AllClasses.classes",
        "VirtualMachine.AllClassesWithGeneric.classes",
        "VirtualMachine.AllModules.modules",
        "VirtualMachine.AllThreads.threads",
        "VirtualMachine.ClassesBySignature.classes",
        "VirtualMachine.TopLevelThreadGroups.groups",
        "ReferenceType.Instances.instances",
        "ReferenceType.NestedTypes.classes",
        "ObjectReference.MonitorInfo.waiters",
        "ObjectReference.ReferringObjects.referring_objects",
        "ThreadGroupReference.Children.groups",
        "ThreadGroupReference.Children.threads",
        "ClassLoaderReference.VisibleClasses.classes",
    }
)
"""Lists in which no client can rely on an order, by command and field."""

_OBJECT_TAGS = "[Lstglc"
_ADDRESS = re.compile(r"0x[0-9a-f]+")
_ADDRESS_BYTES = re.compile(rb"0x[0-9a-f]+")
_LAMBDA_NUMBER = re.compile(r"(\$\$Lambda\$?)\d+")


@dataclass(frozen=True)
class _Object:
    """An object that is not numbered yet: sorting comes before the first appearance counts."""

    number: int
    label: str


@dataclass(frozen=True)
class _Where:
    """What is around a value: the type of fields and methods, the command, the kind, the thread."""

    command: str
    type_id: int = 0
    kind: int = 0
    thread: int = 0


_NOWHERE = _Where("")


class Names:
    """The names of what one agent has shown in one connection."""

    def __init__(self, vm: EventSetClient) -> None:
        self._vm = vm
        self._signatures: dict[int, str] = {}
        self._methods: dict[int, dict[int, str]] = {}
        self._fields: dict[int, dict[int, str]] = {}
        self._objects: dict[int, int] = {}
        self._requests: dict[tuple[int, int], int] = {}
        self._frames: dict[tuple[int, int], int] = {}
        self._labels: dict[tuple[str, int], str] = {}
        self._kinds: dict[str, Callable[[int], str]] = {
            "threadID": self.thread,
            "threadGroupID": self._named("group", "ThreadGroupReference.Name", "group"),
            "moduleID": self._named("module", "ModuleReference.Name", "module"),
            "classLoaderID": self._loader,
            "classObjectID": self._class_object,
        }

    # --- the normal form --------------------------------------------------------------------------

    def reply(self, command: str, request: Message, reply: Message) -> Normal:
        """The normal form of the reply to a command."""
        shape = self._vm.shapes(command)[1]
        around = _Where(
            command,
            request.get("type_id", 0),
            request.get("event_kind", 0),
            request.get("thread", 0),
        )
        return self._finished(self._walk(shape, reply, around, command))

    def event_set(self, message: Message) -> Normal:
        """The normal form of an event set."""
        shape = self._vm.shapes("Event.Composite")[0]
        return self._finished(self._walk(shape, message, _Where("Event"), "Event"))

    def fresh(self) -> None:
        """A new conversation: first appearances count from here."""
        self._objects.clear()
        self._requests.clear()
        self._frames.clear()

    def _walk(self, type_: Type, value: Any, around: _Where, path: str) -> Any:
        match type_:
            case Plain(name):
                return self._plain(name, value, around, path)
            case Numbered() | RawValues():
                return value
            case ListOf(element):
                walked = [self._walk(element, one, around, path) for one in value]
                return sorted(walked, key=_sort_key) if path in UNORDERED else walked
            case Struct(fields):
                inner = replace(around, type_id=value.get("type_id", around.type_id))
                return {
                    name: self._walk(one, value[name], inner, f"{path}.{name}")
                    for name, one in fields
                }
            case VariantOf(name):
                shape = self._vm.grammar.variants[name][value["kind"]][1]
                inner = replace(around, kind=value["kind"])
                walked = self._walk(shape, value, inner, path)
                return {"kind": value["kind"], **walked}

    def _plain(self, name: str, value: Any, around: _Where, path: str) -> Any:
        match name:
            case "boolean" | "byte" | "int" | "long":
                is_request = path.endswith(".request_id") and value
                return self._request(around.kind, value) if is_request else value
            case "string":
                return _stable(value)
            case "bytes":
                return _ADDRESS_BYTES.sub(b"0x", value).hex(" ")
            case "location" | "taggedObjectID" | "value" | "arrayregion":
                return self._compound(name, value)
        return self._id(name, value, around)

    def _compound(self, name: str, value: Message) -> Any:
        match name:
            case "location":
                return f"{value['tag']} {self.location(value)}"
            case "taggedObjectID":
                return {"tag": chr(value["tag"]), "id": self._tagged(value["tag"], value["id"])}
            case "arrayregion":
                return {"tag": chr(value["tag"]), "values": self._elements(value)}
        tag, plain = chr(value["tag"]), value["value"]
        if tag in _OBJECT_TAGS:
            return {"tag": tag, "value": self._tagged(value["tag"], plain)}
        return {"tag": tag, "value": repr(plain) if isinstance(plain, float) else plain}

    def _elements(self, region: Message) -> list[Any]:
        if chr(region["tag"]) in _OBJECT_TAGS:
            return [
                {"tag": chr(one["tag"]), "id": self._tagged(one["tag"], one["id"])}
                for one in region["values"]
            ]
        return [repr(one) if isinstance(one, float) else one for one in region["values"]]

    def _finished(self, tree: Any) -> Normal:
        """The tree with its objects numbered in the order in which they stand there."""
        if isinstance(tree, _Object):
            number = self._objects.setdefault(tree.number, len(self._objects) + 1)
            return f"{tree.label} #{number}"
        if isinstance(tree, dict):
            return {name: self._finished(one) for name, one in tree.items()}
        if isinstance(tree, list):
            return [self._finished(one) for one in tree]
        return tree  # type: ignore[no-any-return]

    # --- names ------------------------------------------------------------------------------------

    def _id(self, kind: str, number: int, around: _Where = _NOWHERE) -> str | _Object:
        if number == 0 and kind != "frameID":
            return "null"
        match kind:
            case "frameID":  # 0 is one of libjdwp's, and another thread's frame may have the same
                frame = around.thread, number
                return f"frame {self._frames.setdefault(frame, len(self._frames) + 1)}"
            case "methodID":
                return self._method(around.type_id, number)
            case "fieldID":
                return self._field(around.type_id, number)
            case "referenceTypeID" | "classID" | "interfaceID" | "arrayTypeID":
                return self.signature(number)
        return self._label(kind, number) if kind in self._kinds else self._object(number)

    def _label(self, kind: str, number: int) -> str:
        if (kind, number) not in self._labels:
            self._labels[kind, number] = self._kinds[kind](number)
        return self._labels[kind, number]

    def _tagged(self, tag: int, number: int) -> str | _Object:
        kinds = {"t": "threadID", "g": "threadGroupID", "l": "classLoaderID", "c": "classObjectID"}
        return self._id(kinds.get(chr(tag), "objectID"), number)

    def signature(self, type_id: int) -> str:
        """The signature of a type, without what differs from one run to the next."""
        if type_id not in self._signatures:
            reply = self._ask("ReferenceType.Signature", type_id=type_id)
            self._signatures[type_id] = _stable(reply.get("signature", "a type unknown by now"))
        return self._signatures[type_id]

    def thread(self, thread: int) -> str:
        """The name of a thread."""
        return f"thread {self._ask('ThreadReference.Name', thread=thread).get('name', '?')!r}"

    def location(self, location: Message) -> str:
        """`Ltarget/Target;.stop(ILtarget/Target$Dog;)I @ 12`."""
        if location["type_id"] == 0:
            return f"nowhere @ {location['index']}"
        signature = self.signature(location["type_id"])
        where = _Where("", location["type_id"])
        method = self._id("methodID", location["method_id"], where)
        return f"{signature}.{method} @ {location['index']}"

    def _method(self, type_id: int, method: int) -> str:
        if type_id not in self._methods or method not in self._methods[type_id]:
            listed = self._ask("ReferenceType.Methods", type_id=type_id).get("methods", [])
            self._methods[type_id] = {
                one["method_id"]: _stable(one["name"] + one["signature"]) for one in listed
            }
        return self._methods[type_id].get(method, "a method not of this type")

    def _field(self, type_id: int, field: int) -> str:
        if type_id not in self._fields:
            listed = self._ask("ReferenceType.Fields", type_id=type_id).get("fields", [])
            self._fields[type_id] = {one["field_id"]: one["name"] for one in listed}
        return self._fields[type_id].get(field, "a field not of this type")

    def _loader(self, loader: int) -> str:
        return f"loader {self._type_of(loader)}"

    def _class_object(self, number: int) -> str:
        reply = self._ask("ClassObjectReference.ReflectedType", class_object=number)
        return f"class object {self.signature(reply['type_id']) if reply else '?'}"

    def _named(self, word: str, command: str, field: str) -> Callable[[int], str]:
        return lambda number: f"{word} {self._ask(command, **{field: number}).get('name', '?')!r}"

    def _object(self, number: int) -> _Object:
        if ("object", number) not in self._labels:
            self._labels["object", number] = self._type_of(number)
        return _Object(number, self._labels["object", number])

    def _type_of(self, number: int) -> str:
        reply = self._ask("ObjectReference.ReferenceType", object=number)
        return self.signature(reply["type_id"]) if reply else "an object gone by now"

    def _request(self, kind: int, number: int) -> str:
        order = self._requests.setdefault((kind, number), len(self._requests) + 1)
        return f"request {order}"

    def _ask(self, command: str, **fields: Any) -> Message:
        try:
            return self._vm.ask(command, **fields)
        except RefusedError:
            return {}


def _stable(text: str) -> str:
    return _LAMBDA_NUMBER.sub(r"\1…", _ADDRESS.sub("0x…", text))


def _sort_key(tree: Any) -> str:
    return json.dumps(tree, default=lambda one: one.label, sort_keys=True)


def shown_request(request: Mapping[str, Any]) -> str:
    """A request for a report: short, with raw ids."""
    text = ", ".join(f"{name}={value!r}" for name, value in request.items())
    return text if len(text) <= 200 else text[:200] + "…"
