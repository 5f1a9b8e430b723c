# SPDX-License-Identifier: Apache-2.0
"""Subtyping and member lookup over the debuggee's types (JLS 4.10, 8.2, 8.4.8, 9.4.1).

Subtyping is by erasure: unchecked conversions are allowed, also where javac would reject the type
arguments; the VM checks the rest. Access is not enforced (a debugger may use private members), but
accessible members are preferred. Used by the binder.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.classfile.access import Access
from jvmdebug.classfile.descriptors import package_name
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import (
    ArrayType,
    ClassType,
    JavaType,
    NullType,
    PrimitiveType,
    ReferenceType,
    Substitution,
    TypeVariable,
    ValueType,
    VoidType,
)

if TYPE_CHECKING:
    from jvmdebug.evaluator.symbols.declarations import (
        FieldDeclaration,
        MethodDeclaration,
        TypeDeclaration,
        TypeSource,
    )

ARRAY_SUPERTYPES = ("java.lang.Object", "java.lang.Cloneable", "java.io.Serializable")


@dataclass(frozen=True, slots=True)
class Ancestor:
    """A type or one of its supertypes, with the type arguments seen from where the search began."""

    declaration: TypeDeclaration
    type: ClassType

    @property
    def substitution(self) -> Substitution:
        parameters = self.declaration.parameters
        if len(self.type.arguments) == len(parameters):
            return {
                parameter.name: argument
                for parameter, argument in zip(parameters, self.type.arguments, strict=True)
            }
        # A raw type: its members have the erasure of their types (JLS 4.8).
        return {parameter.name: types.erased_reference(parameter) for parameter in parameters}


@dataclass(frozen=True, slots=True)
class FieldMember:
    """A field and its type as seen through the type that it was looked up in."""

    field: FieldDeclaration
    type: ValueType


@dataclass(frozen=True, slots=True)
class MethodMember:
    """A method, its parameters and result as seen through the type it was looked up in."""

    method: MethodDeclaration
    parameters: tuple[ValueType, ...]
    result: JavaType


class Hierarchy:
    """Queries about types. Holds no state: `source` caches what it reads from the debuggee."""

    def __init__(self, source: TypeSource) -> None:
        self._source = source

    async def ancestors(self, start: ReferenceType | ClassType) -> list[Ancestor]:
        """The type itself, its superclasses from the nearest, then all their interfaces."""
        first = _as_class(start)
        found: dict[str, Ancestor] = {}
        interfaces: list[ClassType] = []
        current: ClassType | None = first
        while current is not None and current.name not in found:
            ancestor = await self._ancestor(current)
            if ancestor is None:
                break
            found[current.name] = ancestor
            interfaces += _substituted(ancestor, ancestor.declaration.interfaces)
            superclass = ancestor.declaration.superclass
            current = None if superclass is None else _substituted(ancestor, (superclass,))[0]
        if isinstance(start, TypeVariable):
            interfaces += [_as_class(bound) for bound in start.bounds[1:]]
        if first.name == "java.lang.Object" and isinstance(start, ArrayType):
            interfaces += [ClassType(name) for name in ARRAY_SUPERTYPES[1:]]
        while interfaces:
            interface = interfaces.pop(0)
            if interface.name in found:
                continue
            ancestor = await self._ancestor(interface)
            if ancestor is not None:
                found[interface.name] = ancestor
                interfaces += _substituted(ancestor, ancestor.declaration.interfaces)
        return list(found.values())

    async def _ancestor(self, type_: ClassType) -> Ancestor | None:
        declaration = await self._source.load(type_.name)
        return None if declaration is None else Ancestor(declaration, type_)

    async def is_subclass(self, name: str, ancestor: str) -> bool:
        """Whether a class or interface is another, or has it among its supertypes."""
        if ancestor in (name, "java.lang.Object"):
            return True
        seen = {name}
        pending = [name]
        while pending:
            declaration = await self._source.load(pending.pop())
            if declaration is None:
                continue
            for supertype in declaration.supertypes:
                if supertype.name == ancestor:
                    return True
                if supertype.name not in seen:
                    seen.add(supertype.name)
                    pending.append(supertype.name)
        return False

    async def is_subtype(self, type_: JavaType, of: JavaType) -> bool:
        """JLS 4.10 by erasure; among primitive types too (`int` is a subtype of `long`)."""
        if isinstance(type_, VoidType) or isinstance(of, VoidType | NullType):
            return False
        if isinstance(of, PrimitiveType) or isinstance(type_, PrimitiveType):
            return (
                isinstance(of, PrimitiveType)
                and isinstance(type_, PrimitiveType)
                and widens(type_, of)
            )
        if isinstance(type_, NullType):
            return True
        if (
            isinstance(type_, TypeVariable)
            and isinstance(of, TypeVariable)
            and (type_.name == of.name)
        ):
            return True
        if isinstance(type_, TypeVariable) and len(type_.bounds) > 1:
            return any([await self.is_subtype(bound, of) for bound in type_.bounds])
        return await self._is_erased_subtype(types.erasure(type_), types.erasure(of))

    async def _is_erased_subtype(self, type_: JavaType, of: JavaType) -> bool:
        match type_, of:
            case ClassType(name=name), ClassType(name=ancestor):
                return await self.is_subclass(name, ancestor)
            case ArrayType(), ClassType(name=ancestor):
                return ancestor in ARRAY_SUPERTYPES
            case ArrayType(element=element), ArrayType(element=other):
                while isinstance(element, ArrayType) and isinstance(other, ArrayType):
                    element, other = element.element, other.element
                if isinstance(element, PrimitiveType) or isinstance(other, PrimitiveType):
                    return element == other
                return await self.is_subtype(element, other)
            case _:
                return False

    async def as_super(self, type_: ReferenceType, name: str) -> ClassType | None:
        """The parameterization of the supertype `name`: ArrayList<String>, Iterable →
        Iterable<String>.
        """
        for ancestor in await self.ancestors(type_):
            if ancestor.declaration.name == name:
                return ancestor.type
        return None

    async def is_castable(self, type_: JavaType, to: JavaType) -> bool:
        """Whether a reference cast can succeed (JLS 5.5.1), by erasure."""
        while isinstance(type_, ArrayType) and isinstance(to, ArrayType):
            if isinstance(type_.element, PrimitiveType) or isinstance(to.element, PrimitiveType):
                return type_.element == to.element
            type_, to = type_.element, to.element
        if await self.is_subtype(type_, to) or await self.is_subtype(to, type_):
            return True
        return await self._may_be_interface(type_, to) or await self._may_be_interface(to, type_)

    async def _may_be_interface(self, type_: JavaType, other: JavaType) -> bool:
        """An interface and a class that is not final may have a common subclass."""
        if not isinstance(type_, ClassType | TypeVariable):
            return False
        if not isinstance(other, ClassType | TypeVariable):
            return False
        own = await self._source.load(_as_class(type_).name)
        its = await self._source.load(_as_class(other).name)
        if own is None or its is None:
            return True
        return own.is_interface and not its.modifiers & Access.FINAL

    async def field(self, type_: ReferenceType, name: str) -> list[FieldMember]:
        """The fields of that name that the type has: its own, else those of its direct supertypes.

        More than one means that the name is ambiguous.
        """
        ancestor = await self._ancestor(_as_class(type_))
        return [] if ancestor is None else await self._field(ancestor, name)

    async def _field(self, ancestor: Ancestor, name: str) -> list[FieldMember]:
        own = ancestor.declaration.field(name)
        if own is not None:
            substituted = types.substitute(own.type, ancestor.substitution)
            return [FieldMember(own, _value(substituted, own.type))]
        found: dict[FieldDeclaration, FieldMember] = {}
        for supertype in _substituted(ancestor, ancestor.declaration.supertypes):
            above = await self._ancestor(supertype)
            if above is not None:
                found |= {each.field: each for each in await self._field(above, name)}
        return list(found.values())

    async def methods(self, type_: ReferenceType, name: str) -> list[MethodMember]:
        """The methods of that name that the type has, without overridden and bridge methods."""
        found: dict[tuple[str, ...], MethodMember] = {}
        first = _as_class(type_).name
        for ancestor in await self.ancestors(type_):
            for method in ancestor.declaration.methods:
                if method.name != name or method.is_synthetic:
                    continue
                inherited = ancestor.declaration.name != first
                if inherited and method.is_static and ancestor.declaration.is_interface:
                    continue
                member = _member(method, ancestor.substitution)
                key = tuple(_descriptor(each) for each in member.parameters)
                known = found.get(key)
                if known is None or (known.method.is_abstract and not method.is_abstract):
                    found[key] = member if known is None else _with_result(member, known)
        return list(found.values())

    async def is_accessible(self, member: FieldDeclaration | MethodDeclaration, site: str) -> bool:
        """Whether code of the class `site` may use the member (JLS 6.6)."""
        if member.modifiers & Access.PUBLIC or outermost(member.owner) == outermost(site):
            return True
        if member.modifiers & Access.PRIVATE:
            return False
        if package_name(member.owner) == package_name(site):
            return True
        if not member.modifiers & Access.PROTECTED:
            return False
        return await self.is_subclass(site, member.owner)


def widens(source: PrimitiveType, target: PrimitiveType) -> bool:
    """Identity or widening primitive conversion (JLS 5.1.2)."""
    return source == target or target in _WIDER.get(source, ())


_WIDER = {
    types.BYTE: (types.SHORT, types.INT, types.LONG, types.FLOAT, types.DOUBLE),
    types.SHORT: (types.INT, types.LONG, types.FLOAT, types.DOUBLE),
    types.CHAR: (types.INT, types.LONG, types.FLOAT, types.DOUBLE),
    types.INT: (types.LONG, types.FLOAT, types.DOUBLE),
    types.LONG: (types.FLOAT, types.DOUBLE),
    types.FLOAT: (types.DOUBLE,),
}


def outermost(name: str) -> str:
    """`a.B$C$1` → `a.B`: classes with the same outermost class see each other's private members."""
    dollar = name.find("$", name.rfind(".") + 2)
    return name if dollar < 0 else name[:dollar]


def enclosing_names(name: str) -> list[str]:
    """`a.B$C$1` → itself, `a.B$C`, `a.B`. (`$` may be part of a name: then some do not exist.)"""
    names = [name]
    while (dollar := name.rfind("$")) > name.rfind(".") + 1:
        name = name[:dollar]
        names.append(name)
    return names


def _as_class(type_: ReferenceType | ClassType) -> ClassType:
    """The class that has the members: an array's are those of Object."""
    match type_:
        case ClassType():
            return type_
        case ArrayType():
            return types.OBJECT
        case TypeVariable():
            return _as_class(type_.bound)


def _substituted(ancestor: Ancestor, supertypes: tuple[ClassType, ...]) -> list[ClassType]:
    substitution = ancestor.substitution
    found = [types.substitute(supertype, substitution) for supertype in supertypes]
    return [each for each in found if isinstance(each, ClassType)]


def _member(method: MethodDeclaration, substitution: Substitution) -> MethodMember:
    own = {parameter.name for parameter in method.type_parameters}
    outer = {name: argument for name, argument in substitution.items() if name not in own}
    return MethodMember(
        method,
        tuple(_value(types.substitute(each, outer), each) for each in method.parameters),
        types.substitute(method.result, outer),
    )


def _with_result(concrete: MethodMember, declared: MethodMember) -> MethodMember:
    """An abstract class may declare a more specific result than the method it inherits."""
    if isinstance(declared.result, ClassType) and concrete.result == types.OBJECT:
        return MethodMember(concrete.method, concrete.parameters, declared.result)
    return concrete


def _value(found: JavaType, declared: ValueType) -> ValueType:
    return declared if isinstance(found, NullType | VoidType) else found


def _descriptor(type_: ValueType) -> str:
    return types.erasure(type_).descriptor
