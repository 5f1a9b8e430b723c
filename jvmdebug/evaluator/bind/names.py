# SPDX-License-Identifier: Apache-2.0
"""Binding of names, fields, `this` and array elements (JLS 6.5, 15.8, 15.10.3, 15.11)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound, conversions
from jvmdebug.evaluator.bind.bound import Bound
from jvmdebug.evaluator.errors import MissingMemberError, did_you_mean, listed
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.declarations import TypeDeclaration
from jvmdebug.evaluator.symbols.types import ArrayType, ClassType, TypeVariable
from jvmdebug.model.field import CAPTURED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.evaluator.bind.binder import Binder, Enclosing
    from jvmdebug.evaluator.parse.syntax import Span
    from jvmdebug.evaluator.symbols.hierarchy import FieldMember

_NO_INSTANCE = (
    "there is no instance of {owner} here: the method is static, or the compiler omitted the "
    "reference to it out"
)


_HOLDER: Final = "kotlin.jvm.internal.Ref$"
_GROOVY_HOLDER: Final = "groovy.lang.Reference"
_WORDS: Final = ("true", "false", "null", "this")
_ARGUMENT: Final = re.compile(r"arg\d+")
"""As arguments are called whose names are not in the class file."""
_ABSENT: Final = {
    "$return": "it is the value of a method that has just returned, after a step out of it or over"
    " its call",
    "$exception": "it is the exception that a thread has stopped for",
    "$old": "it is the value of a field before a watched change",
    "$new": "it is the value of a field after a watched change",
}
"""Names that stops define, and why another stop has none."""


@dataclass(frozen=True, slots=True)
class Package:
    """A name that is neither a variable nor a class: possibly part of a qualified class name."""

    name: str


Meaning: TypeAlias = Bound | TypeDeclaration | Package


async def meaning(binder: Binder, node: syntax.Expression) -> Meaning:
    """The meaning of a name before a dot: a value, a class, or a package (JLS 6.5.2)."""
    if isinstance(node, syntax.Name):
        return await _name_meaning(binder, node)
    if not isinstance(node, syntax.FieldAccess):
        return await binder.value(node)
    if isinstance(node.target, syntax.Super):
        return await super_field(binder, node, node.target)
    before = await meaning(binder, node.target)
    match before:
        case Package(name=package):
            full = f"{package}.{node.name}"
            found = await binder.type_names.qualified(full, load=node.name[0].isupper())
            return Package(full) if found is None else found
        case TypeDeclaration():
            return await _member_of_class(binder, before, node)
        case _:
            return await _field_of(binder, before, node)


async def _member_of_class(
    binder: Binder, declaration: TypeDeclaration, node: syntax.FieldAccess
) -> Meaning:
    static = await _static_field(binder, declaration, node)
    if static is not None:
        return static
    load = node.name[0].isupper()
    nested = await binder.type_names.member(declaration, node.name, load=load)
    if nested is not None:
        return nested
    raise await _no_member(binder, declaration, node)


async def _name_meaning(binder: Binder, node: syntax.Name) -> Meaning:
    found_variable = await variable(binder, node.identifier, node.span)
    if found_variable is not None:
        return found_variable
    try:
        found = await binder.type_names.simple(node.identifier, load=node.identifier[0].isupper())
    except EvaluationError as error:
        raise EvaluationError(str(error), node.span.column) from error
    return Package(node.identifier) if found is None else found


async def name(binder: Binder, node: syntax.Name) -> Bound:
    return await _as_value(binder, node, await meaning(binder, node))


async def field_access(binder: Binder, node: syntax.FieldAccess) -> Bound:
    return await _as_value(binder, node, await meaning(binder, node))


async def _as_value(
    binder: Binder, node: syntax.Name | syntax.FieldAccess, found: Meaning
) -> Bound:
    match found:
        case Bound():
            return await _folded(binder, found)
        case TypeDeclaration(name=class_name):
            shown = class_name.replace("$", ".")
            raise EvaluationError(
                f"{shown} is a class, not a value; {shown}.class is its class object",
                node.span.column,
            )
        case Package(name=full):
            # Report the first part: with an unknown a, a.b.c is not a package either.
            first, _, more = full.partition(".")
            if first in _ABSENT:
                raise EvaluationError(
                    f"there is no {first} here: {_ABSENT[first]}", node.span.column
                )
            if more and await binder.type_names.is_package(first):
                raise EvaluationError(await binder.type_names.why_no_class(full), node.span.column)
            names = [
                *_WORDS,
                *binder.block_scopes.names,
                *binder.scope.names,
                *await _field_names(binder, node.span),
            ]
            message = (
                f"there is no variable or class {first} here{did_you_mean(first, names)}"
                f"{f', and no class {full}' if more else ''}{_nameless(binder.scope.names)}"
            )
            if binder.scope.is_dynamic:
                raise MissingMemberError(message, node.span.column, types.OBJECT.descriptor, first)
            raise EvaluationError(message, node.span.column)


def _nameless(names: Iterable[str]) -> str:
    """What helps if the class file has no names of variables."""
    arguments = [each for each in names if _ARGUMENT.fullmatch(each)]
    if not arguments:
        return ""
    return (
        "; the class was compiled without the names of variables (-g): its arguments are"
        f" {', '.join(arguments)}"
    )


async def _folded(binder: Binder, found: Bound) -> Bound:
    """A constant variable as its value (JLS 4.12.4, 15.29)."""
    match found:
        case bound.StaticField(field=field, target=None):
            value = await binder.source.constant(field)
        case bound.DeclaredLocal(variable=own):
            value = own.constant
        case _:
            return found
    if value is None:
        return found
    return bound.NamedConstant(found.span, found.type, value, found)


async def _field_names(binder: Binder, span: Span) -> list[str]:
    return [
        field.name
        async for enclosing in binder.enclosing(span)
        for field in enclosing.declaration.fields
        if not field.is_synthetic
    ]


async def variable(binder: Binder, identifier: str, span: Span) -> Bound | None:
    """The innermost local variable, or field of this or an enclosing class, of that name."""
    own = binder.block_scopes.variable(identifier)
    if own is not None:
        return bound.DeclaredLocal(span, own.type, own)
    local = binder.scope.local(identifier)
    if local is not None:
        read = bound.FrameLocal(span, local.type, local.variable)
        return await _held(binder, read)
    async for enclosing in binder.visible(span):
        found = await _field_in(binder, enclosing, identifier, span)
        if found is not None:
            return found
    extra = binder.scope.extra.get(identifier)
    if extra is not None:
        return bound.ExtraVariable(span, extra, identifier)
    return await _imported_field(binder, identifier, span)


async def _imported_field(binder: Binder, identifier: str, span: Span) -> Bound | None:
    for owner in await binder.type_names.static_owners(identifier):
        for member in await binder.hierarchy.field(ClassType(owner.name), identifier):
            if member.field.is_static:
                return bound.StaticField(span, member.type, member.field)
    return None


async def _field_in(
    binder: Binder, enclosing: Enclosing, identifier: str, span: Span
) -> Bound | None:
    declaration, instance = enclosing.declaration, enclosing.instance
    members = await binder.hierarchy.field(declaration.this_type, identifier)
    if members:
        member = _only(members, identifier, span)
        if not member.field.is_static and instance is None:
            owner = declaration.name.replace("$", ".")
            raise EvaluationError(
                f"{identifier} is a field of an instance, and " + _NO_INSTANCE.format(owner=owner),
                span.column,
            )
        read = _read(member, instance, span)
        return await _held(binder, read, declaration) if member.field.is_synthetic else read
    # A local variable captured by a local class: a copy in its instances.
    for prefix in CAPTURED:
        captured = declaration.field(f"{prefix}{identifier}")
        if captured is not None and captured.is_synthetic and instance is not None:
            copy = bound.InstanceField(span, captured.type, instance, captured)
            return await _held(binder, copy)
    return None


async def _held(binder: Binder, variable: Bound, closure: TypeDeclaration | None = None) -> Bound:
    """A variable that a Kotlin lambda changes, or a closure of Groovy captures, is in an object
    that it shares with the function.
    """
    type_ = variable.type
    if isinstance(type_, ClassType) and type_.name == _GROOVY_HOLDER:
        return await _held_in_groovy(binder, variable, closure)
    if not isinstance(type_, ClassType) or not type_.name.startswith(_HOLDER):
        return variable
    for member in await binder.hierarchy.field(type_, "element"):
        field = bound.InstanceField(variable.span, member.type, variable, member.field)
        return conversions.restored(field, member.field.type)
    return variable


async def _held_in_groovy(
    binder: Binder, variable: Bound, closure: TypeDeclaration | None
) -> Bound:
    """The value, of the type that the getter has by which a closure offers the variable."""
    type_: types.ValueType = types.OBJECT
    if closure is not None and isinstance(variable, bound.InstanceField):
        name = variable.field.name
        getter = f"get{name[:1].upper()}{name[1:]}"
        for each in closure.methods:
            is_it = each.name == getter and not each.parameters
            if is_it and isinstance(each.result, ClassType | ArrayType):
                type_ = each.result
    for member in await binder.hierarchy.field(ClassType(_GROOVY_HOLDER), "value"):
        held = bound.InstanceField(variable.span, type_, variable, member.field)
        return conversions.restored(held, types.OBJECT)
    return variable


def _only(members: list[FieldMember], identifier: str, span: Span) -> FieldMember:
    if len(members) > 1:
        owners = listed([member.field.owner for member in members])
        raise EvaluationError(
            f"{identifier} is ambiguous: {owners} have a field of that name; cast to one of them",
            span.column,
        )
    return members[0]


def _read(member: FieldMember, instance: Bound | None, span: Span) -> Bound:
    read: Bound
    if member.field.is_static:
        read = bound.StaticField(span, member.type, member.field)
    elif instance is not None:
        read = bound.InstanceField(span, member.type, instance, member.field)
    else:
        raise ValueError("an instance field needs an instance: callers check it")
    return conversions.restored(read, member.field.type)


async def _static_field(
    binder: Binder, declaration: TypeDeclaration, node: syntax.FieldAccess
) -> Bound | None:
    members = await binder.hierarchy.field(ClassType(declaration.name), node.name)
    if not members:
        return None
    member = _only(members, node.name, node.name_span)
    if not member.field.is_static:
        shown = declaration.name.replace("$", ".")
        raise EvaluationError(
            f"{node.name} is not static: it needs an object of class {shown} before the dot",
            node.name_span.column,
        )
    return bound.StaticField(node.span, member.type, member.field)


async def _field_of(binder: Binder, target: Bound, node: syntax.FieldAccess) -> Bound:
    type_ = target.type
    if isinstance(type_, ArrayType) and node.name == "length":
        return bound.ArrayLength(node.span, types.INT, target)
    if not isinstance(type_, ClassType | ArrayType | TypeVariable):
        raise EvaluationError(f"{type_} has no fields", node.name_span.column)
    members = await binder.hierarchy.field(type_, node.name)
    if not members:
        fields = [
            field.name
            for ancestor in await binder.hierarchy.ancestors(type_)
            for field in ancestor.declaration.fields
        ]
        hint = did_you_mean(node.name, fields)
        if isinstance(type_, ArrayType):
            hint = "; an array has length"
        if await binder.hierarchy.methods(type_, node.name):
            hint = f"; there is a method {node.name}()"
        message = f"{type_} has no field {node.name}{hint}"
        receiver = types.erasure(type_).descriptor
        raise MissingMemberError(message, node.name_span.column, receiver, node.name)
    member = _only(members, node.name, node.name_span)
    if member.field.is_static:
        return bound.StaticField(node.span, member.type, member.field, target)
    return conversions.restored(
        bound.InstanceField(node.span, member.type, target, member.field), member.field.type
    )


async def _no_member(
    binder: Binder, declaration: TypeDeclaration, node: syntax.FieldAccess
) -> EvaluationError:
    type_ = ClassType(declaration.name)
    ancestors = await binder.hierarchy.ancestors(type_)
    hint = did_you_mean(
        node.name, [field.name for each in ancestors for field in each.declaration.fields]
    )
    if await binder.hierarchy.methods(type_, node.name):
        hint = f"; there is a method {node.name}()"
    shown = declaration.name.replace("$", ".")
    return EvaluationError(
        f"{shown} has no static field or class {node.name}{hint}",
        node.name_span.column,
    )


async def this(binder: Binder, node: syntax.This) -> Bound:
    if node.qualifier is None:
        enclosing = await binder.around_closures(node.span)
        if enclosing is not None and enclosing.instance is not None:
            return enclosing.instance
        if enclosing is not None and not binder.scope.is_static:  # a closure of a static method
            of = ClassType(enclosing.declaration.name)
            return bound.ClassObject(node.span, ClassType("java.lang.Class", (of,)), of)
        raise EvaluationError("there is no this: the method is static or native", node.span.column)
    wanted = await binder.type_names.declared(node.qualifier)
    async for enclosing in binder.enclosing(node.span):
        if enclosing.declaration.name == wanted.name:
            if enclosing.instance is not None:
                return enclosing.instance
            break
    owner = wanted.name.replace("$", ".")
    raise EvaluationError(_NO_INSTANCE.format(owner=owner), node.span.column)


async def super_target(binder: Binder, node: syntax.Super) -> tuple[Bound, ClassType]:
    """`this`, and the type in which the search for `super.x` begins."""
    instance = await this(binder, syntax.This(node.span))
    around = await binder.around_closures(node.span)
    declaration = None if around is None else around.declaration
    if declaration is None or declaration.superclass is None:
        raise EvaluationError("there is no superclass here", node.span.column)
    if node.qualifier is None:
        return instance, declaration.superclass
    wanted = await binder.type_names.declared(node.qualifier)
    for interface in declaration.interfaces:
        if interface.name == wanted.name:
            return instance, interface
    if wanted.superclass is None:
        raise EvaluationError(f"{wanted.name} has no superclass", node.span.column)
    # Outer.super.x: the superclass of an enclosing class, on the instance of that class.
    return await this(binder, syntax.This(node.span, node.qualifier)), wanted.superclass


async def super_field(binder: Binder, node: syntax.FieldAccess, target: syntax.Super) -> Bound:
    instance, type_ = await super_target(binder, target)
    return await _field_of(binder, bound.ReferenceCast(target.span, type_, instance, ()), node)


async def array_access(binder: Binder, node: syntax.ArrayAccess) -> Bound:
    array = await binder.value(node.array)
    index = await binder.value(node.index)
    if not isinstance(array.type, ArrayType):
        message = f"expected an array, found {array.type}"
        if binder.scope.is_dynamic:
            raise MissingMemberError(
                message, node.array.span.column, types.OBJECT.descriptor, "getAt"
            )
        raise EvaluationError(message, node.array.span.column)
    if not types.is_integral(index.type) or types.unboxed(index.type) == types.LONG:
        raise EvaluationError(f"expected an int index, found {index.type}", node.index.span.column)
    index = conversions.promoted_alone(index)
    return bound.Element(node.span, array.type.element, array, index)
