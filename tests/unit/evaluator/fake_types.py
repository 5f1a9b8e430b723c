# SPDX-License-Identifier: Apache-2.0
"""A few classes for the binder, without a VM.

Written as JVM signatures, so that the reading of signatures is part of what is tested.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmdebug.classfile.access import Access
from jvmdebug.evaluator.bind.scope import FrameScope, LocalInScope
from jvmdebug.evaluator.symbols import signatures
from jvmdebug.evaluator.symbols.declarations import (
    FieldDeclaration,
    MethodDeclaration,
    TypeDeclaration,
)
from jvmdebug.evaluator.symbols.types import ClassType
from jvmdebug.model.variable import LocalVariable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmdebug.evaluator.symbols.types import ConstantValue

PUBLIC = int(Access.PUBLIC)
STATIC = int(Access.STATIC)
INTERFACE = int(Access.INTERFACE | Access.ABSTRACT)


@dataclass(frozen=True, slots=True)
class Fake:
    """A class: fields and methods as `modifiers name signature`."""

    name: str
    signature: str = "Ljava/lang/Object;"
    modifiers: int = PUBLIC
    fields: Sequence[tuple[int, str, str]] = ()
    methods: Sequence[tuple[int, str, str]] = ()

    def declaration(self) -> TypeDeclaration:
        parsed = signatures.class_signature(self.signature)
        scope = {each.name: each for each in parsed.parameters}
        superclass = None if self.name == "java.lang.Object" else parsed.superclass
        return TypeDeclaration(
            self.name,
            self.modifiers,
            superclass,
            parsed.interfaces,
            parsed.parameters,
            tuple(
                FieldDeclaration(
                    name, signatures.value_type(signature, scope), modifiers, self.name
                )
                for modifiers, name, signature in self.fields
            ),
            tuple(self._method(*each, scope=scope) for each in self.methods),
        )

    def _method(
        self, modifiers: int, name: str, signature: str, *, scope: signatures.Scope
    ) -> MethodDeclaration:
        parsed = signatures.method_signature(signature, scope)
        return MethodDeclaration(
            name,
            signature,
            parsed.parameters,
            parsed.result,
            modifiers,
            self.name,
            parsed.type_parameters,
        )


_P = PUBLIC
_PS = PUBLIC | STATIC
_VARARGS = int(Access.VARARGS)
_OBJECT = "Ljava/lang/Object;"
_STRING = "Ljava/lang/String;"


def _box(name: str, letter: str) -> Fake:
    own = f"Ljava/lang/{name};"
    parent = _OBJECT if name in ("Boolean", "Character") else "Ljava/lang/Number;"
    return Fake(
        f"java.lang.{name}",
        f"{parent}Ljava/lang/Comparable<{own}>;",
        methods=[(_PS, "valueOf", f"({letter}){own}"), (_P, "compareTo", f"({own})I")],
    )


CLASSES: Sequence[Fake] = (
    Fake(
        "java.lang.Object",
        methods=[
            (_P, "<init>", "()V"),
            (_P, "toString", f"(){_STRING}"),
            (_P, "hashCode", "()I"),
            (_P, "equals", f"({_OBJECT})Z"),
            (_P, "getClass", "()Ljava/lang/Class<*>;"),
            (int(Access.PROTECTED), "clone", f"(){_OBJECT}"),
        ],
    ),
    Fake(
        "java.lang.String",
        f"{_OBJECT}Ljava/lang/Comparable<{_STRING}>;Ljava/lang/CharSequence;",
        PUBLIC | int(Access.FINAL),
        methods=[
            (_P, "<init>", "([C)V"),
            (_P, "<init>", f"({_STRING})V"),
            (_P, "length", "()I"),
            (_P, "charAt", "(I)C"),
            (_P, "equals", f"({_OBJECT})Z"),
            (_P, "startsWith", f"({_STRING})Z"),
            (_P, "compareTo", f"({_STRING})I"),
            (_PS, "valueOf", f"({_OBJECT}){_STRING}"),
            (_PS, "valueOf", f"([C){_STRING}"),
            (_PS, "valueOf", f"(C){_STRING}"),
            (_PS, "valueOf", f"(I){_STRING}"),
            (_PS | _VARARGS, "format", f"({_STRING}[{_OBJECT}){_STRING}"),
        ],
    ),
    Fake("java.lang.CharSequence", modifiers=PUBLIC | INTERFACE, methods=[(_P, "length", "()I")]),
    Fake(
        "java.lang.Comparable",
        f"<T:{_OBJECT}>{_OBJECT}",
        PUBLIC | INTERFACE,
        methods=[(_P, "compareTo", "(TT;)I")],
    ),
    Fake("java.lang.Number", modifiers=PUBLIC, methods=[(_P, "intValue", "()I")]),
    *(
        _box(name, letter)
        for name, letter in (
            ("Boolean", "Z"),
            ("Byte", "B"),
            ("Character", "C"),
            ("Short", "S"),
            ("Integer", "I"),
            ("Long", "J"),
            ("Float", "F"),
            ("Double", "D"),
        )
    ),
    Fake("java.lang.Class", f"<T:{_OBJECT}>{_OBJECT}"),
    Fake(
        "java.util.List",
        f"<E:{_OBJECT}>{_OBJECT}Ljava/util/Collection<TE;>;",
        PUBLIC | INTERFACE,
        methods=[
            (_P, "get", "(I)TE;"),
            (_P, "remove", "(I)TE;"),
            (_P, "remove", f"({_OBJECT})Z"),
            (_PS, "of", f"<E:{_OBJECT}>(TE;)Ljava/util/List<TE;>;"),
        ],
    ),
    Fake(
        "java.lang.Iterable",
        f"<T:{_OBJECT}>{_OBJECT}",
        PUBLIC | INTERFACE,
        methods=[(_P, "iterator", "()Ljava/util/Iterator<TT;>;")],
    ),
    Fake(
        "java.util.Collection",
        f"<E:{_OBJECT}>{_OBJECT}Ljava/lang/Iterable<TE;>;",
        PUBLIC | INTERFACE,
        methods=[(_P, "add", "(TE;)Z"), (_P, "size", "()I")],
    ),
    Fake(
        "java.util.ArrayList",
        f"<E:{_OBJECT}>{_OBJECT}Ljava/util/List<TE;>;",
        methods=[(_P, "<init>", "()V"), (_P, "<init>", "(Ljava/util/Collection<+TE;>;)V")],
    ),
    Fake(
        "java.util.Map",
        f"<K:{_OBJECT}V:{_OBJECT}>{_OBJECT}",
        PUBLIC | INTERFACE,
        methods=[(_P, "get", f"({_OBJECT})TV;")],
    ),
    Fake("java.util.Map$Entry", f"<K:{_OBJECT}V:{_OBJECT}>{_OBJECT}", PUBLIC | INTERFACE | STATIC),
    Fake(
        "shop.Base",
        fields=[(_P, "name", _STRING), (_PS, "made", "I"), (int(Access.PRIVATE), "secret", "J")],
        methods=[(_P, "describe", f"(){_STRING}"), (int(Access.PRIVATE), "own", "(I)I")],
    ),
    Fake(
        "shop.Cart",
        "Lshop/Base;",
        fields=[
            (_P, "total", "I"),
            (_P, "items", f"Ljava/util/List<{_STRING}>;"),
            (_P, "prices", f"Ljava/util/Map<{_STRING}Ljava/lang/Integer;>;"),
            (_PS | int(Access.FINAL), "LIMIT", "I"),
            (_P, "raw", "Ljava/util/List;"),
        ],
        methods=[
            (_P, "<init>", "()V"),
            (_P, "<init>", "(I)V"),
            (_P, "add", "(I)V"),
            (_P, "add", "(J)V"),
            (_P, "add", f"({_OBJECT})V"),
            (_P, "add", "(Ljava/lang/Integer;)V"),
            (_P | _VARARGS, "sum", "([I)I"),
            (_P, "both", "(Ljava/lang/Integer;J)V"),
            (_P, "both", "(JLjava/lang/Integer;)V"),
            (_PS, "create", "()Lshop/Cart;"),
            (_P, "own", f"({_OBJECT})Z"),
            (_PS, "same", "<T::Ljava/lang/Comparable<TT;>;>(TT;TT;)TT;"),
        ],
    ),
    Fake(
        "shop.Cart$Item",
        fields=[
            (int(Access.FINAL | Access.SYNTHETIC), "this$0", "Lshop/Cart;"),
            (int(Access.FINAL | Access.SYNTHETIC), "val$captured", "I"),
            (_P, "price", "D"),
        ],
        methods=[(_P, "<init>", "(Lshop/Cart;)V")],
    ),
    Fake("shop.Shape", modifiers=PUBLIC | INTERFACE, fields=[(_PS, "SIDES", "I")]),
    Fake("other.Cart"),
)


@dataclass
class FakeTypes:
    """The fake classes as a TypeSource; `asked` are the names that had to be loaded."""

    classes: Mapping[str, Fake] = field(default_factory=lambda: {c.name: c for c in CLASSES})
    asked: list[str] = field(default_factory=list)

    async def declaration(self, name: str) -> TypeDeclaration | None:
        found = self.classes.get(name)
        return None if found is None else found.declaration()

    async def load(
        self,
        name: str,
        beside: TypeDeclaration | None = None,  # noqa: ARG002
    ) -> TypeDeclaration | None:
        self.asked.append(name)
        return await self.declaration(name)

    @property
    def can_load(self) -> bool:
        return True

    def is_ambiguous(self, name: str) -> bool:  # noqa: ARG002
        return False

    async def names(self, declaration: TypeDeclaration, name: str) -> bool:
        return f"{declaration.name}$" in name and name in self.classes

    async def constant(self, field: FieldDeclaration) -> ConstantValue | None:  # noqa: ARG002
        return None

    async def all_names(self) -> Sequence[str]:
        return list(self.classes)

    async def by_simple_name(self, name: str) -> Sequence[str]:
        return [each for each in self.classes if each.rpartition(".")[2].rpartition("$")[2] == name]


def scope_in(declaring: str, *, is_static: bool = False, **variables: str) -> FrameScope:
    """A place in a class, with local variables by their signatures."""
    names = [each.name for each in CLASSES]
    assert declaring in names
    return FrameScope(
        declaring,
        is_static,
        tuple(
            LocalInScope(
                LocalVariable(name, "Ljava/lang/Object;", None, slot, is_argument=False),
                signatures.value_type(signature),
            )
            for slot, (name, signature) in enumerate(variables.items(), 1)
        ),
        extra={"$exception": ClassType("java.lang.Object")},
    )
