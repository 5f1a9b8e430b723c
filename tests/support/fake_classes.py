# SPDX-License-Identifier: Apache-2.0
"""Loaded classes of a fake VM, with members, code and line tables, and the replies about them.

    classes = FakeClasses(fake_vm)
    cart = classes.load("shop.Cart", FakeMethod("add", "(I)V", lines={0: 5, 4: 6}))
    cart.at("add", 4)   → the location as the wire has it

Classes are loaded and prepared unless a test says otherwise; `unload` has the VM forget one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from tests.support.fake_vm import FakeType, Refusal, location

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.fake_vm import FakeVm, Reply, Script
    from tests.support.wire_reading import Message

PUBLIC, PRIVATE, STATIC, BRIDGE, NATIVE, ABSTRACT, SYNTHETIC = 1, 2, 8, 64, 256, 1024, 4096
INVALID_CLASS, NOT_PREPARED, ABSENT, NATIVE_METHOD = 21, 22, 101, 511
CLASS, INTERFACE = 1, 2
OBJECT: Final = "java.lang.Object"
_ALL_DONE, _LOADED = 7, 0
_NOP, _RETURN = b"\x00", b"\xb1"
_FIRST_FIELD: Final = 50
_STEP: Final = 100


@dataclass(frozen=True)
class FakeMethod:
    """One declared method. Without `code` it is as many `nop` as its lines need, and a return."""

    name: str
    descriptor: str = "()V"
    modifiers: int = PUBLIC
    lines: dict[int, int] = field(default_factory=dict)
    """Code index → line."""
    code: bytes = b""
    variables: tuple[tuple[str, str], ...] = ()
    """Name and descriptor, visible in the whole method, in slots from 0."""

    @property
    def has_code(self) -> bool:
        return not self.modifiers & (NATIVE | ABSTRACT)

    @property
    def bytecodes(self) -> bytes:
        return self.code or _NOP * max(self.lines, default=0) + _RETURN


@dataclass(frozen=True)
class FakeField:
    """One declared field."""

    name: str
    descriptor: str = "I"
    modifiers: int = PRIVATE


@dataclass(frozen=True)
class FakeClass:
    """One loaded class; each loader that defines a name has one of its own."""

    id: int
    name: str
    methods: tuple[FakeMethod, ...] = ()
    fields: tuple[FakeField, ...] = ()
    source: str | None = None
    source_map: str | None = None
    """JSR-45."""
    superclass: FakeClass | None = None
    interfaces: tuple[FakeClass, ...] = ()
    tag: int = CLASS
    is_prepared: bool = True

    @property
    def signature(self) -> str:
        return f"L{self.name.replace('.', '/')};"

    def method_id(self, name: str) -> int:
        """The id of the first method of that name."""
        names = [each.name for each in self.methods]
        return self.id + 1 + names.index(name)

    def field_id(self, name: str) -> int:
        names = [each.name for each in self.fields]
        return self.id + _FIRST_FIELD + names.index(name)

    def at(self, method: str, index: int) -> Message:
        """A location in it."""
        return location(self.id, self.method_id(method), index) | {"tag": self.tag}


class FakeClasses:
    """All loaded classes of one fake VM."""

    def __init__(self, vm: FakeVm) -> None:
        self._vm = vm
        self._loaded: dict[int, FakeClass] = {}
        self._last_id = 0
        replies: dict[str, Script] = {
            "VirtualMachine.AllClassesWithGeneric": self._all,
            "VirtualMachine.ClassesBySignature": self._by_signature,
            "ReferenceType.SignatureWithGeneric": self._signature,
            "ReferenceType.Status": self._status,
            "ReferenceType.MethodsWithGeneric": self._methods,
            "ReferenceType.FieldsWithGeneric": self._fields,
            "ReferenceType.SourceFile": self._source,
            "ReferenceType.SourceDebugExtension": self._source_map,
            "ReferenceType.Interfaces": self._interfaces,
            "ReferenceType.Modifiers": {"modifiers": PUBLIC},
            "ReferenceType.ClassLoader": {"class_loader": 0},
            "ClassType.Superclass": self._superclass,
            "Method.LineTable": self._line_table,
            "Method.Bytecodes": self._bytecodes,
            "Method.VariableTableWithGeneric": self._variable_table,
        }
        for name, script in replies.items():
            vm.on(name, script)
        self.object = self.load(OBJECT)

    def load(
        self, name: str, *methods: FakeMethod, source: str | None = "", **more: Any
    ) -> FakeClass:
        """Load a class; `source`: by default the outermost class's, None for none."""
        self._last_id += _STEP
        if source == "":
            source = f"{name.rpartition('.')[2].partition('$')[0]}.java"
        more.setdefault("superclass", None if name == OBJECT else self.object)
        made = FakeClass(self._last_id, name, methods, source=source, **more)
        return self._keep(made)

    def load_interface(self, name: str, *methods: FakeMethod, **more: Any) -> FakeClass:
        """Load an interface."""
        return self.load(name, *methods, tag=INTERFACE, superclass=None, **more)

    def redefine(self, class_: FakeClass, *methods: FakeMethod) -> FakeClass:
        """Give a class other code, under the same ids."""
        return self._keep(replace(class_, methods=methods))

    def prepare(self, class_: FakeClass) -> FakeClass:
        """A class that was loaded only can tell its members now."""
        return self._keep(replace(class_, is_prepared=True))

    def unload(self, class_: FakeClass) -> None:
        """The VM knows its id no more."""
        del self._loaded[class_.id]
        del self._vm.types[class_.id]

    def _keep(self, class_: FakeClass) -> FakeClass:
        self._loaded[class_.id] = class_
        self._vm.types[class_.id] = FakeType(class_.signature)
        return class_

    # Replies

    def _all(self, _: Message) -> Reply:
        loaded = [
            _entry(each) | {"signature": each.signature, "generic_signature": ""}
            for each in self._loaded.values()
        ]
        return {"classes": loaded}

    def _by_signature(self, request: Message) -> Reply:
        found = [each for each in self._loaded.values() if each.signature == request["signature"]]
        return {"classes": [_entry(each) for each in found]}

    def _signature(self, request: Message) -> Reply:
        class_ = self._loaded.get(request["type_id"])
        if class_ is None:
            return Refusal(INVALID_CLASS)
        return {"signature": class_.signature, "generic_signature": ""}

    def _status(self, request: Message) -> Reply:
        class_ = self._loaded.get(request["type_id"])
        if class_ is None:
            return Refusal(INVALID_CLASS)
        return {"status": _ALL_DONE if class_.is_prepared else _LOADED}

    def _methods(self, request: Message) -> Reply:
        class_ = self._prepared(request)
        if isinstance(class_, Refusal):
            return class_
        return {"methods": _members("method_id", class_.id + 1, class_.methods)}

    def _fields(self, request: Message) -> Reply:
        class_ = self._prepared(request)
        if isinstance(class_, Refusal):
            return class_
        return {"fields": _members("field_id", class_.id + _FIRST_FIELD, class_.fields)}

    def _source(self, request: Message) -> Reply:
        class_ = self._loaded.get(request["type_id"])
        if class_ is None:
            return Refusal(INVALID_CLASS)
        return Refusal(ABSENT) if class_.source is None else {"source_file": class_.source}

    def _source_map(self, request: Message) -> Reply:
        source_map = self._loaded[request["type_id"]].source_map
        return Refusal(ABSENT) if source_map is None else {"extension": source_map}

    def _interfaces(self, request: Message) -> Reply:
        class_ = self._prepared(request)
        if isinstance(class_, Refusal):
            return class_
        return {"interfaces": [each.id for each in class_.interfaces]}

    def _superclass(self, request: Message) -> Reply:
        class_ = self._loaded.get(request["type_id"])
        if class_ is None:
            return Refusal(INVALID_CLASS)
        return {"superclass": class_.superclass.id if class_.superclass else 0}

    def _line_table(self, request: Message) -> Reply:
        method = self._method(request)
        if isinstance(method, Refusal):
            return method
        if not method.has_code:
            return Refusal(NATIVE_METHOD)
        if not method.lines:
            return Refusal(ABSENT)
        lines = [{"index": index, "line": line} for index, line in method.lines.items()]
        return {"start": 0, "end": len(method.bytecodes) - 1, "lines": lines}

    def _bytecodes(self, request: Message) -> Reply:
        method = self._method(request)
        return method if isinstance(method, Refusal) else {"bytecodes": method.bytecodes}

    def _variable_table(self, request: Message) -> Reply:
        method = self._method(request)
        if isinstance(method, Refusal):
            return method
        variables = [
            {
                "start": 0,
                "name": name,
                "signature": descriptor,
                "generic_signature": "",
                "length": len(method.bytecodes),
                "slot": slot,
            }
            for slot, (name, descriptor) in enumerate(method.variables)
        ]
        return {"argument_slots": len(variables), "variables": variables}

    def _prepared(self, request: Message) -> FakeClass | Refusal:
        class_ = self._loaded.get(request["type_id"])
        if class_ is None:
            return Refusal(INVALID_CLASS)
        return class_ if class_.is_prepared else Refusal(NOT_PREPARED)

    def _method(self, request: Message) -> FakeMethod | Refusal:
        class_ = self._prepared(request)
        if isinstance(class_, Refusal):
            return class_
        at: int = request["method_id"] - class_.id - 1
        return class_.methods[at]


def _entry(class_: FakeClass) -> Message:
    status = _ALL_DONE if class_.is_prepared else _LOADED
    return {"type_tag": class_.tag, "type_id": class_.id, "status": status}


def _members(
    id_name: str, first_id: int, members: Sequence[FakeMethod | FakeField]
) -> list[Message]:
    return [
        {
            id_name: number,
            "name": each.name,
            "signature": each.descriptor,
            "generic_signature": "",
            "modifiers": each.modifiers,
        }
        for number, each in enumerate(members, first_id)
    ]
