# SPDX-License-Identifier: Apache-2.0
"""What a class declares, as the binder sees it, and where such declarations come from.

The binder reads the debuggee's types only through `TypeSource`: `loaded_types` implements it over
the model, tests over a table of fake classes. Declarations are immutable and contain what a class
file contains.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from jvmdebug.classfile.access import Access
from jvmdebug.evaluator.symbols.types import ClassType, JavaType, TypeVariable, ValueType
from jvmdebug.model.modifiers import is_synthetic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.evaluator.symbols.types import ConstantValue
    from jvmdebug.model.field import Field
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType


@dataclass(frozen=True, slots=True)
class FieldDeclaration:
    """A field; `owner` is the binary name of the class that declares it."""

    name: str
    type: ValueType
    modifiers: int
    owner: str
    origin: Field | None = field(default=None, compare=False)

    @property
    def is_static(self) -> bool:
        return bool(self.modifiers & Access.STATIC)

    @property
    def is_final(self) -> bool:
        return bool(self.modifiers & Access.FINAL)

    @property
    def is_synthetic(self) -> bool:
        return is_synthetic(self.modifiers)


@dataclass(frozen=True, slots=True)
class MethodDeclaration:
    """A method or, with the name `<init>`, a constructor.

    `descriptor` is the VM's, which is erased; `parameters` and `result` are those of the generic
    signature, if there is one. A signature may lack parameters of the descriptor (constructors of
    inner classes and enums); then `parameters` has them as the descriptor does.
    """

    name: str
    descriptor: str
    parameters: tuple[ValueType, ...]
    result: JavaType
    modifiers: int
    owner: str
    type_parameters: tuple[TypeVariable, ...] = ()
    origin: Method | None = field(default=None, compare=False)

    @property
    def is_static(self) -> bool:
        return bool(self.modifiers & Access.STATIC)

    @property
    def is_abstract(self) -> bool:
        return bool(self.modifiers & Access.ABSTRACT)

    @property
    def is_private(self) -> bool:
        return bool(self.modifiers & Access.PRIVATE)

    @property
    def is_varargs(self) -> bool:
        return bool(self.modifiers & Access.VARARGS)

    @property
    def is_synthetic(self) -> bool:
        return is_synthetic(self.modifiers) or bool(self.modifiers & Access.BRIDGE)

    def __str__(self) -> str:
        """`add(int, java.lang.String)`, as lists of candidates show it."""
        shown = [str(parameter) for parameter in self.parameters]
        if self.is_varargs and shown:
            shown[-1] = shown[-1].removesuffix("[]") + "..."
        name = (
            self.owner.replace("$", ".").rpartition(".")[2] if self.name == "<init>" else self.name
        )
        return f"{name}({', '.join(shown)})"


@dataclass(frozen=True, slots=True)
class TypeDeclaration:
    """A class or interface that the VM has loaded. `superclass` is None for Object only; an
    interface has Object there, whose methods it implicitly declares (JLS 9.2).
    """

    name: str
    modifiers: int
    superclass: ClassType | None
    interfaces: tuple[ClassType, ...] = ()
    parameters: tuple[TypeVariable, ...] = ()
    fields: tuple[FieldDeclaration, ...] = ()
    methods: tuple[MethodDeclaration, ...] = ()
    origin: ReferenceType | None = field(default=None, compare=False)

    @property
    def is_interface(self) -> bool:
        return bool(self.modifiers & Access.INTERFACE)

    @property
    def is_abstract(self) -> bool:
        return bool(self.modifiers & Access.ABSTRACT)

    @property
    def supertypes(self) -> tuple[ClassType, ...]:
        head = () if self.superclass is None else (self.superclass,)
        return (*head, *self.interfaces)

    @property
    def this_type(self) -> ClassType:
        """The type of `this` inside of it: `List<E>` in the declaration of List."""
        return ClassType(self.name, self.parameters)

    @property
    def package(self) -> str:
        return self.name.rpartition(".")[0]

    def field(self, name: str) -> FieldDeclaration | None:
        return next((each for each in self.fields if each.name == name), None)

    def outer_instance_field(self) -> FieldDeclaration | None:
        """`this$0`, in which javac stores the outer instance of an inner class that uses it."""
        return next((each for each in self.fields if _is_outer_this(each)), None)


def _is_outer_this(candidate: FieldDeclaration) -> bool:
    return (
        candidate.name.startswith("this$") and candidate.is_synthetic and (not candidate.is_static)
    )


class TypeSource(Protocol):
    """The types of the debuggee as one class (the frame's) sees them through its class loader."""

    async def declaration(self, name: str) -> TypeDeclaration | None:
        """The class of that binary name; None when none is loaded."""

    async def load(
        self, name: str, beside: TypeDeclaration | None = None
    ) -> TypeDeclaration | None:
        """Does what `declaration` does, but has the debuggee load the class when that is allowed,
        by the loader of `beside` first; it is not initialized.
        """

    @property
    def can_load(self) -> bool:
        """Whether `load` may load."""

    def is_ambiguous(self, name: str) -> bool:
        """Whether a class that was found has namesakes, and none of them is visible here."""

    async def names(self, declaration: TypeDeclaration, name: str) -> bool:
        """Whether the class file of a class names another class: its member classes are named, be
        they loaded or not.
        """

    async def constant(self, field: FieldDeclaration) -> ConstantValue | None:
        """The value of a static final field, if a constant expression initializes it."""

    async def all_names(self) -> Sequence[str]:
        """Binary names of all loaded classes, for messages."""

    async def by_simple_name(self, name: str) -> Sequence[str]:
        """Binary names of all loaded classes whose simple name is `name`: the last resort."""
