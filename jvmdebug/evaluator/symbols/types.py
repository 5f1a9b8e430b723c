# SPDX-License-Identifier: Apache-2.0
"""Static types of Java expressions (JLS 4), as values.

Class names are binary names (`java.util.Map$Entry`); `declarations` has what a class declares.
Generics are supported as far as the types of members need it: type arguments are substituted,
wildcards are replaced by their bounds, everything else is by erasure. Used by all of the evaluator.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from jvmdebug.classfile.descriptors import descriptor_of
from jvmdebug.model.primitives import PrimitiveKind


@dataclass(frozen=True, slots=True)
class PrimitiveType:
    kind: PrimitiveKind

    def __str__(self) -> str:
        return self.kind.java_name

    @property
    def descriptor(self) -> str:
        return self.kind.value


@dataclass(frozen=True, slots=True)
class VoidType:
    def __str__(self) -> str:
        return "void"

    @property
    def descriptor(self) -> str:
        return "V"


@dataclass(frozen=True, slots=True)
class NullType:
    """The type of `null`: assignable to every reference type."""

    def __str__(self) -> str:
        return "null"


@dataclass(frozen=True, slots=True)
class ClassType:
    """A class or interface; `arguments` is empty for a type that is not generic, or raw."""

    name: str
    arguments: tuple[TypeArgument, ...] = ()

    def __str__(self) -> str:
        name = shown_name(self.name)
        if not self.arguments:
            return name
        return f"{name}<{', '.join(map(str, self.arguments))}>"

    @property
    def descriptor(self) -> str:
        return descriptor_of(self.name)


@dataclass(frozen=True, slots=True)
class ArrayType:
    element: ValueType

    def __str__(self) -> str:
        return f"{self.element}[]"

    @property
    def descriptor(self) -> str:
        return "[" + erasure(self.element).descriptor


@dataclass(frozen=True, slots=True)
class TypeVariable:
    """`T extends Comparable<T> & Serializable`; the first bound is its erasure.

    Bounds may mention the variable itself: such inner uses have `bounds=(Object,)`.
    """

    name: str
    bounds: tuple[ReferenceType, ...] = ()

    def __str__(self) -> str:
        return self.name

    @property
    def bound(self) -> ReferenceType:
        return self.bounds[0] if self.bounds else OBJECT


@dataclass(frozen=True, slots=True)
class Wildcard:
    """A type argument `?`, `? extends upper` or `? super lower`."""

    upper: ReferenceType | None = None
    lower: ReferenceType | None = None

    def __str__(self) -> str:
        if self.upper is not None:
            return f"? extends {self.upper}"
        return f"? super {self.lower}" if self.lower is not None else "?"


def shown_name(name: str) -> str:
    """`a.B$C` as `a.B.C`; `a.B$1` and `a.B$1C`, which have no such name, as they are."""
    is_local = any(part[:1].isdigit() for part in name.split("$")[1:])
    return name if is_local else name.replace("$", ".")


ReferenceType: TypeAlias = ClassType | ArrayType | TypeVariable
ValueType: TypeAlias = PrimitiveType | ReferenceType
TypeArgument: TypeAlias = ReferenceType | Wildcard
JavaType: TypeAlias = ValueType | NullType | VoidType
ErasedType: TypeAlias = PrimitiveType | ClassType | ArrayType
Substitution: TypeAlias = Mapping[str, TypeArgument]
ConstantValue: TypeAlias = bool | int | float | str
"""Of a constant expression (JLS 15.29)."""

BOOLEAN: Final = PrimitiveType(PrimitiveKind.BOOLEAN)
BYTE: Final = PrimitiveType(PrimitiveKind.BYTE)
CHAR: Final = PrimitiveType(PrimitiveKind.CHAR)
SHORT: Final = PrimitiveType(PrimitiveKind.SHORT)
INT: Final = PrimitiveType(PrimitiveKind.INT)
LONG: Final = PrimitiveType(PrimitiveKind.LONG)
FLOAT: Final = PrimitiveType(PrimitiveKind.FLOAT)
DOUBLE: Final = PrimitiveType(PrimitiveKind.DOUBLE)
VOID: Final = VoidType()
NULL: Final = NullType()
OBJECT: Final = ClassType("java.lang.Object")
STRING: Final = ClassType("java.lang.String")
CLASS: Final = ClassType("java.lang.Class")

PRIMITIVES: Final[Mapping[str, PrimitiveType]] = {
    str(primitive): primitive
    for primitive in (BOOLEAN, BYTE, CHAR, SHORT, INT, LONG, FLOAT, DOUBLE)
}
_BOX_NAMES: Final[Mapping[PrimitiveType, str]] = {
    BOOLEAN: "java.lang.Boolean",
    BYTE: "java.lang.Byte",
    CHAR: "java.lang.Character",
    SHORT: "java.lang.Short",
    INT: "java.lang.Integer",
    LONG: "java.lang.Long",
    FLOAT: "java.lang.Float",
    DOUBLE: "java.lang.Double",
}
_UNBOXED: Final = {name: primitive for primitive, name in _BOX_NAMES.items()}


def is_constant_type(type_: JavaType) -> bool:
    """Whether a variable of the type can be a constant (JLS 4.12.4)."""
    return isinstance(type_, PrimitiveType) or type_ == STRING


def boxed(primitive: PrimitiveType) -> ClassType:
    """`int` → `java.lang.Integer`."""
    return ClassType(_BOX_NAMES[primitive])


def unboxed(java_type: JavaType) -> PrimitiveType | None:
    """The primitive type that a box (or a variable bounded by one) unboxes to; itself if primitive.

    None for every other type.
    """
    if isinstance(java_type, PrimitiveType):
        return java_type
    if isinstance(java_type, TypeVariable):
        return unboxed(java_type.bound)
    return _UNBOXED.get(java_type.name) if isinstance(java_type, ClassType) else None


def is_numeric(java_type: JavaType) -> bool:
    """Whether the type is, or unboxes to, one of the seven numeric types (char is one)."""
    primitive = unboxed(java_type)
    return primitive is not None and primitive != BOOLEAN


def is_integral(java_type: JavaType) -> bool:
    return unboxed(java_type) in (BYTE, CHAR, SHORT, INT, LONG)


def is_boolean(java_type: JavaType) -> bool:
    return unboxed(java_type) == BOOLEAN


def is_reference(java_type: JavaType) -> bool:
    """Whether values of the type are references (null included)."""
    return not isinstance(java_type, PrimitiveType | VoidType)


def erasure(java_type: ValueType) -> ErasedType:
    """JLS 4.6: without type arguments, a type variable as its first bound."""
    match java_type:
        case PrimitiveType():
            return java_type
        case _:
            return erased_reference(java_type)


def erased_reference(java_type: ReferenceType) -> ClassType | ArrayType:
    """The erasure of a reference type."""
    match java_type:
        case TypeVariable():
            return erased_reference(java_type.bound)
        case ClassType(name=name):
            return ClassType(name)
        case ArrayType(element=element):
            return ArrayType(erasure(element))


def substitute(java_type: JavaType, substitution: Substitution) -> JavaType:
    """Replace type variables; a wildcard outside of `<>` is replaced by its bound."""
    match java_type:
        case TypeVariable(name=name):
            found = substitution.get(name)
            return java_type if found is None else readable(found, java_type.bound)
        case ArrayType(element=element):
            inner = substitute(element, substitution)
            return java_type if isinstance(inner, NullType | VoidType) else ArrayType(inner)
        case ClassType(arguments=arguments) if arguments:
            return replace(
                java_type,
                arguments=tuple(_substitute_argument(each, substitution) for each in arguments),
            )
        case _:
            return java_type


def _substitute_argument(argument: TypeArgument, substitution: Substitution) -> TypeArgument:
    match argument:
        case TypeVariable(name=name) if name in substitution:
            return substitution[name]
        case Wildcard(upper=upper, lower=lower):
            return Wildcard(
                _substitute_reference(upper, substitution),
                _substitute_reference(lower, substitution),
            )
        case _:
            inner = substitute(argument, substitution)
            return inner if isinstance(inner, ClassType | ArrayType | TypeVariable) else argument


def _substitute_reference(
    bound: ReferenceType | None, substitution: Substitution
) -> ReferenceType | None:
    if bound is None:
        return None
    inner = substitute(bound, substitution)
    return inner if isinstance(inner, ClassType | ArrayType | TypeVariable) else bound


def readable(argument: TypeArgument, bound: ReferenceType = OBJECT) -> ReferenceType:
    """The type of a value read through a type argument: `? extends T` gives T, `?` the bound."""
    if not isinstance(argument, Wildcard):
        return argument
    return argument.upper if argument.upper is not None else bound
