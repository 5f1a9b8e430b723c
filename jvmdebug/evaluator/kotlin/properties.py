# SPDX-License-Identifier: Apache-2.0
"""Properties: `u.label` is `u.getLabel()`, `list.size` is `list.size()`, a private one its field.

A getter that only gives its field is not called: the field is read, so that hovers can show it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import instructions
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.errors import did_you_mean
from jvmdebug.evaluator.kotlin.facades import field_of_files, functions
from jvmdebug.evaluator.kotlin.workspace import NothingBindsError
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import ArrayType, ClassType, TypeVariable
from jvmdebug.sources import constant_pool

if TYPE_CHECKING:
    from jvmdebug.evaluator.kotlin.workspace import Operand, Workspace
    from jvmdebug.evaluator.symbols.declarations import MethodDeclaration
    from jvmdebug.evaluator.symbols.hierarchy import MethodMember
    from jvmdebug.model.method import Method

_MAPPED: Final = {
    **{each: each for each in ("size", "length", "name", "ordinal", "values")},
    "keys": "keySet",
    "entries": "entrySet",
}
"""Kotlin's properties of the JDK's classes, and the methods that they are there."""
_TRIVIAL: Final = 3
"""Instructions: load this, get the field, return it."""


async def get(workspace: Workspace, target: Operand, name: str, span: syntax.Span) -> Operand:
    """The value of a property of an object; EvaluationError when it has none of the name."""
    found = await find(workspace, target, name, span)
    if found is not None:
        return found
    type_ = target.runtime_type
    if isinstance(type_, types.NullType):
        raise EvaluationError(f"cannot get {name}: the value before the dot is null", span.column)
    if not isinstance(type_, ClassType | ArrayType | TypeVariable):
        raise EvaluationError(f"{type_} has no property {name}", span.column)
    known = await _names(workspace, type_)
    has_function = await workspace.run.hierarchy.methods(type_, name)
    hint = f"; there is a function {name}()" if has_function else did_you_mean(name, known)
    raise EvaluationError(
        f"{type_} has no property {name}: no {getter_names(name)[0]}() and no field {name}{hint}",
        span.column,
    )


async def find(
    workspace: Workspace, target: Operand, name: str, span: syntax.Span
) -> Operand | None:
    """The same; None when there is no such property."""
    if target.is_null:
        return None
    for type_, code in zip(target.types, reversed(target.codes), strict=False):
        if isinstance(type_, ArrayType) and name in ("size", "length"):
            return await workspace.step(syntax.FieldAccess(span, code, "length", span))
        if not isinstance(type_, ClassType | ArrayType | TypeVariable):
            continue
        getter = await _getter(workspace, type_, name)
        if getter is not None:
            return await _called(workspace, code, getter, span)
        if await workspace.run.hierarchy.field(type_, name):
            return await workspace.step(syntax.FieldAccess(span, code, name, span))
    if name == "javaClass":
        return await workspace.step(syntax.MethodCall(span, target.runtime, "getClass", span, ()))
    return await _extension(workspace, target, name, span)


async def set_(
    workspace: Workspace, target: Operand, name: str, value: Operand, span: syntax.Span
) -> Operand:
    """Assign: by the setter, or to the field when there is none."""
    setter = f"set{_capitalized(name.removeprefix('is') if _is_question(name) else name)}"
    for type_, code in zip(target.types, reversed(target.codes), strict=False):
        if not isinstance(type_, ClassType):
            continue
        if await workspace.run.hierarchy.methods(type_, setter):
            calls = (syntax.MethodCall(span, code, setter, span, (each,)) for each in value.codes)
            await workspace.step(*calls)
            return value
        if await workspace.run.hierarchy.field(type_, name):
            field = syntax.FieldAccess(span, code, name, span)
            return await workspace.step(
                *(syntax.Assignment(span, "=", field, each, span) for each in value.codes)
            )
    raise EvaluationError(
        f"{target.runtime_type} has no property {name} to assign to: no {setter}() and no field",
        span.column,
    )


async def of_files(workspace: Workspace, name: str, span: syntax.Span) -> Operand | None:
    """A property that stands outside of classes."""
    for getter in getter_names(name):
        async for facade, members in functions(workspace, getter):
            if any(not each.parameters for each in members):
                owner, called = syntax.class_code(facade.name, span), members[0].method.name
                return await workspace.step(syntax.MethodCall(span, owner, called, span, ()))
    source = workspace.run.frame.location.type
    declaration = await workspace.run.source.declaration(source.name)
    facade_field = None if declaration is None else declaration.field(name)
    if facade_field is not None and facade_field.is_static:
        owner = syntax.class_code(source.name, span)
        return await workspace.step(syntax.FieldAccess(span, owner, name, span))
    found = await field_of_files(workspace, name, span)
    return None if found is None else await workspace.step(found)


async def _getter(
    workspace: Workspace, type_: ClassType | ArrayType | TypeVariable, name: str
) -> MethodMember | None:
    hierarchy = workspace.run.hierarchy
    for candidate in getter_names(name):
        for member in await hierarchy.methods(type_, candidate):
            if not member.parameters and not member.method.is_static:
                return member
    mapped = _MAPPED.get(name)
    for member in [] if mapped is None else await hierarchy.methods(type_, mapped):
        if not member.parameters and member.method.owner.startswith("java."):
            return member
    return None


async def _called(
    workspace: Workspace, code: syntax.Expression, getter: MethodMember, span: syntax.Span
) -> Operand:
    method = getter.method
    field = None if method.origin is None else await _field_given(method.origin)
    if field is not None:
        read = syntax.FieldAccess(span, code, field, span)
        found = await workspace.binder.bind(read)
        if found.type == getter.result:
            return await workspace.taken(found)
    return await workspace.step(syntax.MethodCall(span, code, method.name, span, ()))


async def _field_given(method: Method) -> str | None:
    """The field that a getter only gives."""
    type_ = method.declaring_type
    return await type_.derived(f"field given by {method.name}", lambda: _read_getter(method))


async def _read_getter(method: Method) -> str | None:
    if not method.has_code or not method.declaring_type.vm.capabilities.can_get_bytecodes:
        return None
    code = list(instructions(await method.bytecodes()))
    constants = await constant_pool(method.declaring_type)
    if constants is None or len(code) != _TRIVIAL:
        return None
    load, read, leave = code
    is_trivial = load.mnemonic == "aload_0" and leave.mnemonic.endswith("return")
    if not is_trivial or read.mnemonic != "getfield" or read.constant is None:
        return None
    member = constants.find_member(read.constant)
    is_own = member is not None and member.owner == method.declaring_type.signature[1:-1]
    return member.name if member is not None and is_own else None


async def _extension(
    workspace: Workspace, target: Operand, name: str, span: syntax.Span
) -> Operand | None:
    for getter in getter_names(name):
        async for facade, members in functions(workspace, getter):
            if all(len(each.parameters) != 1 for each in members):
                continue
            owner, called = syntax.class_code(facade.name, span), members[0].method.name
            calls = [syntax.MethodCall(span, owner, called, span, (each,)) for each in target.codes]
            try:
                return await workspace.step(*calls)
            except NothingBindsError:
                continue  # for another receiver
    return None


def property_of(method: MethodDeclaration) -> str | None:
    """The property that a method is the getter of; None if it is no getter."""
    name = method.name
    if method.parameters or method.is_static or name == "getClass":
        return None
    if method.owner.startswith("java."):
        mapped = next((each for each, stands_for in _MAPPED.items() if stands_for == name), None)
        if mapped is not None:
            return mapped
    if _is_question(name):
        return name
    rest = name.removeprefix("get")
    return rest[0].lower() + rest[1:] if rest != name and rest[:1].isupper() else None


def getter_names(name: str) -> tuple[str, ...]:
    """`getLabel`; a property `isOpen` has a getter of its own name."""
    getter = f"get{_capitalized(name)}"
    return (name, getter) if _is_question(name) else (getter,)


def _is_question(name: str) -> bool:
    return name.startswith("is") and len(name) > len("is") and not name[len("is")].islower()


def _capitalized(name: str) -> str:
    return name[:1].upper() + name[1:]


async def _names(workspace: Workspace, type_: ClassType | ArrayType | TypeVariable) -> list[str]:
    """The properties of a class, for messages."""
    found: list[str] = []
    for ancestor in await workspace.run.hierarchy.ancestors(type_):
        found += [each.name for each in ancestor.declaration.fields if not each.is_static]
        found += [
            each.name[3].lower() + each.name[4:]
            for each in ancestor.declaration.methods
            if each.name.startswith("get") and len(each.name) > len("get") and not each.parameters
        ]
    return found
