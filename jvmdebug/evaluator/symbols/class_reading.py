# SPDX-License-Identifier: Apache-2.0
"""A loaded class as a declaration: its members and supertypes with their generic types.

Called by `loaded_types`, which caches; `bind.scope` reads the type variables of methods here.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jvmdebug.classfile.descriptors import descriptor_of
from jvmdebug.errors import ClassNotPreparedError
from jvmdebug.evaluator.symbols import signatures, types
from jvmdebug.evaluator.symbols.declarations import (
    FieldDeclaration,
    MethodDeclaration,
    TypeDeclaration,
)
from jvmdebug.evaluator.symbols.hierarchy import enclosing_names
from jvmdebug.evaluator.symbols.types import ClassType, TypeVariable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.evaluator.symbols.signatures import Scope
    from jvmdebug.evaluator.symbols.types import ValueType
    from jvmdebug.model.field import Field
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType


async def declared(type_: ReferenceType) -> TypeDeclaration | None:
    try:
        fields, methods, superclass, interfaces, modifiers, generic = await asyncio.gather(
            type_.fields(),
            type_.methods(),
            type_.superclass(),
            type_.interfaces(),
            type_.modifiers(),
            type_.generic_signature(),
        )
    except ClassNotPreparedError:
        return None  # loaded but not linked: counts as not loaded
    scope = await type_variables_around(type_)
    parameters, super_type, super_interfaces = _class_signature(generic, scope)
    inner: Scope = {**scope, **{each.name: each for each in parameters}}
    if super_type is None:
        is_object = type_.name == "java.lang.Object"
        plain = types.OBJECT if superclass is None else ClassType(superclass.name)
        super_type = None if is_object else plain
        super_interfaces = tuple(ClassType(each.name) for each in interfaces)
    return TypeDeclaration(
        type_.name,
        modifiers,
        super_type,
        super_interfaces,
        parameters,
        tuple(_field(each, inner) for each in fields),
        tuple(_method(each, inner) for each in methods),
        type_,
    )


async def type_variables_around(type_: ReferenceType) -> Mapping[str, TypeVariable]:
    """The type parameters of the enclosing classes. (They are not in scope in a static nested
    class, but its signatures do not mention them either.)
    """
    try:
        return await type_.derived("type variables around", lambda: _around(type_))
    except _NotAllLoadedError as error:
        return error.known


class _NotAllLoadedError(Exception):
    """An enclosing class is not loaded, so that what is known is not kept."""

    def __init__(self, known: Mapping[str, TypeVariable]) -> None:
        super().__init__()
        self.known = known


async def _around(type_: ReferenceType) -> Mapping[str, TypeVariable]:
    names = enclosing_names(type_.name)[1:]
    found = await asyncio.gather(
        *(type_.vm.classes_by_signature(descriptor_of(name)) for name in reversed(names))
    )
    variables: dict[str, TypeVariable] = {}
    for outer in found:
        variables |= await own_type_variables(outer[0], variables) if outer else {}
    if not all(found):
        raise _NotAllLoadedError(variables)
    return variables


async def own_type_variables(type_: ReferenceType, scope: Scope) -> dict[str, TypeVariable]:
    """The type parameters that a class declares itself."""
    parameters, _, _ = _class_signature(await type_.generic_signature(), scope)
    return {each.name: each for each in parameters}


def method_type_variables(method: Method, scope: Scope) -> Mapping[str, TypeVariable]:
    """The type parameters that a method declares."""
    if not method.generic:
        return {}
    try:
        parsed = signatures.method_signature(method.generic, scope)
    except ValueError:
        return {}
    return {each.name: each for each in parsed.type_parameters}


def value_type(signature: str, generic: str | None, scope: Scope) -> ValueType:
    """The type by the generic signature; by the descriptor when there is none, or a wrong one.

    A type variable that is not in scope has the type of the descriptor as its bound.
    """
    plain = signatures.value_type(signature)
    if not generic:
        return plain
    try:
        found = signatures.value_type(generic, scope)
    except ValueError:
        return plain
    if types.erasure(found) == types.erasure(plain):
        return found
    if isinstance(found, TypeVariable) and isinstance(plain, ClassType | types.ArrayType):
        return TypeVariable(found.name, (plain,))
    return plain


def _class_signature(
    generic: str | None, scope: Scope
) -> tuple[tuple[TypeVariable, ...], ClassType | None, tuple[ClassType, ...]]:
    if not generic:
        return (), None, ()
    try:
        parsed = signatures.class_signature(generic, scope)
    except ValueError:
        return (), None, ()
    return parsed.parameters, parsed.superclass, parsed.interfaces


def _field(field: Field, scope: Scope) -> FieldDeclaration:
    type_ = value_type(field.signature, field.generic, scope)
    return FieldDeclaration(field.name, type_, field.modifiers, field.declaring_type.name, field)


def _method(method: Method, scope: Scope) -> MethodDeclaration:
    parsed = plain = signatures.method_signature(method.signature)
    if method.generic:
        try:
            parsed = signatures.method_signature(method.generic, scope)
        except ValueError:
            parsed = plain
    # The generic signature of constructors of inner classes and enums lacks parameters.
    if len(parsed.parameters) != len(plain.parameters):
        leading = len(plain.parameters) - len(parsed.parameters)
        parameters = (
            (*plain.parameters[:leading], *parsed.parameters) if leading > 0 else plain.parameters
        )
    else:
        parameters = parsed.parameters
    return MethodDeclaration(
        method.name,
        method.signature,
        parameters,
        parsed.result,
        method.modifiers,
        method.declaring_type.name,
        parsed.type_parameters,
        method,
    )
