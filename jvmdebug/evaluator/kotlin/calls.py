# SPDX-License-Identifier: Apache-2.0
"""Calls: members, extensions, functions of files, default and named arguments, constructors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound, conversions
from jvmdebug.evaluator.errors import did_you_mean
from jvmdebug.evaluator.kotlin import properties
from jvmdebug.evaluator.kotlin.facades import functions
from jvmdebug.evaluator.kotlin.workspace import NothingBindsError, alternatives
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import ArrayType, ClassType, PrimitiveType, TypeVariable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.evaluator.kotlin.workspace import Operand, Workspace
    from jvmdebug.evaluator.symbols.declarations import MethodDeclaration, TypeDeclaration
    from jvmdebug.evaluator.symbols.types import JavaType

_DEFAULT: Final = "$default"
_LIBRARY: Final = "kotlin."
_MASK_BITS: Final = 32
_CONVERSIONS: Final = {
    **{f"to{each}": each.lower() for each in ("Byte", "Short", "Int", "Long", "Float", "Double")},
    "toChar": "char",
    "toUInt": "int",
}
_INTERNAL: Final = re.compile(r"(?P<name>[^$-]+)(\$(?!default\b|lambda\b)[^$]+|-[\w-]{7})")
"""What the compiler appends to the names of internal functions and those of value classes."""


@dataclass(frozen=True, slots=True)
class Argument:
    """`value` or `name = value`."""

    name: str | None
    value: Operand


async def on_object(
    workspace: Workspace,
    target: Operand,
    name: str,
    arguments: Sequence[Argument],
    span: syntax.Span,
) -> Operand:
    """`target.name(arguments)`"""
    found = await find_on_object(workspace, target, name, arguments, span)
    if found is not None:
        return found
    if target.is_null:
        raise EvaluationError(
            f"cannot call {name}(): the value before the dot is null", span.column
        )
    known: list[str] = []
    if isinstance(target.runtime_type, ClassType | ArrayType | TypeVariable):
        for ancestor in await workspace.run.hierarchy.ancestors(target.runtime_type):
            known += [each.name for each in ancestor.declaration.methods]
    raise EvaluationError(
        f"{target.runtime_type} has no function {name}, and no extension of that name takes this"
        f"{did_you_mean(name, (each for each in known if '$' not in each))}",
        span.column,
    )


async def find_on_object(
    workspace: Workspace,
    target: Operand,
    name: str,
    arguments: Sequence[Argument],
    span: syntax.Span,
) -> Operand | None:
    """The same; None when nothing of that name can be called on it."""
    errors: list[EvaluationError] = []
    if isinstance(target.type, PrimitiveType):
        converted = await _of_primitive(workspace, target, name, arguments, span)
        if converted is not None:
            return converted
    for type_, code in zip(target.types, reversed(target.codes), strict=False):
        if not isinstance(type_, ClassType | ArrayType | TypeVariable):
            continue
        found = await _member(workspace, (type_, code), name, arguments, span, errors)
        if found is not None:
            return found
    if errors:
        raise errors[0]
    receiver = Argument(None, target)
    found = await of_files(workspace, name, (receiver, *arguments), span, [])
    if found is not None:
        return found
    held = await properties.find(workspace, target, name, span)
    if held is not None and not held.is_null:
        return await on_object(workspace, held, "invoke", arguments, span)
    return None


async def _of_primitive(
    workspace: Workspace,
    target: Operand,
    name: str,
    arguments: Sequence[Argument],
    span: syntax.Span,
) -> Operand | None:
    """Numbers have members in Kotlin, which are operators and casts in Java."""
    if name in _CONVERSIONS and not arguments:
        kind = types.PRIMITIVES[_CONVERSIONS[name]].kind
        wanted = syntax.PrimitiveTypeSyntax(span, kind)
        return await workspace.step(syntax.Cast(span, (wanted,), target.static))
    boxed = await workspace.taken(conversions.boxed(await workspace.binder.value(target.static)))
    if name in ("toString", "equals", "hashCode", "compareTo"):
        return await find_on_object(workspace, boxed, name, arguments, span)
    return None


async def _member(
    workspace: Workspace,
    receiver: tuple[ClassType | ArrayType | TypeVariable, syntax.Expression],
    name: str,
    arguments: Sequence[Argument],
    span: syntax.Span,
    errors: list[EvaluationError],
) -> Operand | None:
    type_, code = receiver
    for called in await _names(workspace, type_, name):
        if all(each.name is None for each in arguments):
            calls = [
                syntax.MethodCall(span, code, called, span, passed)
                for passed in alternatives(each.value for each in arguments)
            ]
            try:
                return await workspace.step(*calls)
            except NothingBindsError as error:
                errors.append(error)
        for ancestor in await workspace.run.hierarchy.ancestors(type_):
            found = await _with_defaults(
                workspace, ancestor.declaration, called, arguments, (code, span)
            )
            if found is not None:
                return found
    return None


async def _names(
    workspace: Workspace, type_: ClassType | ArrayType | TypeVariable, name: str
) -> list[str]:
    """What a function is called in the class: its name, or that with something appended."""
    if await workspace.run.hierarchy.methods(type_, name):
        return [name]
    found: list[str] = []
    for ancestor in await workspace.run.hierarchy.ancestors(type_):
        for method in ancestor.declaration.methods:
            internal = _INTERNAL.fullmatch(method.name)
            if internal is not None and internal["name"] == name and not method.is_synthetic:
                found.append(method.name)
    return list(dict.fromkeys(found))


async def of_files(
    workspace: Workspace,
    name: str,
    arguments: Sequence[Argument],
    span: syntax.Span,
    errors: list[EvaluationError],
) -> Operand | None:
    """A function that stands outside of classes; None when none takes these arguments."""
    async for facade, members in functions(workspace, name):
        called = members[0].method.name
        if all(each.name is None for each in arguments):
            owner = syntax.class_code(facade.name, span)
            calls = [
                syntax.MethodCall(span, owner, called, span, passed)
                for passed in alternatives(each.value for each in arguments)
            ]
            try:
                return await workspace.step(*calls)
            except NothingBindsError as error:
                if not facade.name.startswith(_LIBRARY):
                    errors.append(error)
        for ancestor in await workspace.run.hierarchy.ancestors(ClassType(facade.name)):
            found = await _with_defaults(
                workspace, ancestor.declaration, called, arguments, (None, span)
            )
            if found is not None:
                return found
    return None


async def on_class(
    workspace: Workspace,
    owner: TypeDeclaration,
    name: str,
    arguments: Sequence[Argument],
    span: syntax.Span,
) -> Operand:
    """`Owner.name(arguments)`: of its companion, of the object that it is, or a static method."""
    for field in ("Companion", "INSTANCE"):
        held = owner.field(field)
        if held is not None and held.is_static:
            instance = syntax.FieldAccess(span, syntax.class_code(owner.name, span), field, span)
            found = await find_on_object(
                workspace, await workspace.step(instance), name, arguments, span
            )
            if found is not None:
                return found
    nested = await workspace.binder.type_names.member(owner, name, load=name[:1].isupper())
    if nested is not None:
        return await created(workspace, nested, arguments, span)
    code = syntax.class_code(owner.name, span)
    passed = alternatives(each.value for each in arguments)
    return await workspace.step(
        *(syntax.MethodCall(span, code, name, span, each) for each in passed)
    )


async def created(
    workspace: Workspace,
    declaration: TypeDeclaration,
    arguments: Sequence[Argument],
    span: syntax.Span,
) -> Operand:
    """`Part("nut", 1)`"""
    if any(each.name is not None for each in arguments):
        raise EvaluationError(
            "the arguments of a constructor are not known by name here: give all in order",
            span.column,
        )
    parts = tuple(declaration.name.replace("$", ".").split("."))
    written = syntax.NamedTypeSyntax(span, parts)
    passed = alternatives(each.value for each in arguments)
    return await workspace.step(*(syntax.NewObject(span, written, each) for each in passed))


async def _with_defaults(
    workspace: Workspace,
    owner: TypeDeclaration,
    name: str,
    arguments: Sequence[Argument],
    target: tuple[syntax.Expression | None, syntax.Span],
) -> Operand | None:
    """The call through `name$default`, which takes a bit for each argument that is missing."""
    receiver, span = target
    for method in owner.methods:
        if method.name != name + _DEFAULT or not method.is_static:
            continue
        # A function of a class takes the object first; the masks and an unused object are last.
        first = 0 if receiver is None else 1
        declared = method.parameters[first:-2]
        given = await _by_position(owner, name, declared, arguments)
        if given is None:
            continue
        codes = [] if receiver is None else [receiver]
        is_extension = receiver is None and await _has_receiver(owner, name, declared)
        mask = 0
        for at, (type_, value) in enumerate(zip(declared, given, strict=True)):
            codes.append(value.static if value is not None else _zero(type_, span))
            if value is None:
                mask |= 1 << (at - is_extension)
        codes += [
            syntax.PrimitiveLiteral(span, types.INT.kind, mask),
            syntax.NullLiteral(span),
        ]
        return await run_static(workspace, method, codes, span)
    return None


async def run_static(
    workspace: Workspace,
    method: MethodDeclaration,
    codes: Sequence[syntax.Expression],
    span: syntax.Span,
) -> Operand | None:
    """Call a static method that may be synthetic; None if it does not take these arguments."""
    binder = workspace.binder
    passed = []
    for code, parameter in zip(codes, method.parameters, strict=True):
        try:
            passed.append(
                await conversions.assigned(binder.hierarchy, await binder.value(code), parameter)
            )
        except EvaluationError:
            return None
    return await workspace.taken(bound.StaticCall(span, method.result, method, tuple(passed)))


async def _by_position(
    owner: TypeDeclaration,
    name: str,
    declared: Sequence[JavaType],
    arguments: Sequence[Argument],
) -> list[Operand | None] | None:
    """The arguments in the order of the declaration; None where they do not fit."""
    given: list[Operand | None] = [None] * len(declared)
    named = [each for each in arguments if each.name is not None]
    plain = [each for each in arguments if each.name is None]
    if len(plain) > len(declared) or len(declared) > _MASK_BITS:
        return None
    for at, each in enumerate(plain):
        given[at] = each.value
    names = await _parameter_names(owner, name, declared) if named else []
    for each in named:
        if each.name not in names:
            return None
        given[names.index(each.name)] = each.value
    return given


async def _parameter_names(
    owner: TypeDeclaration, name: str, declared: Sequence[JavaType]
) -> list[str]:
    for method in owner.methods:
        if method.name != name or method.parameters != tuple(declared) or method.origin is None:
            continue
        table = await method.origin.variable_table() or ()
        found = sorted((each for each in table if each.is_argument), key=lambda each: each.slot)
        return [each.name for each in found]
    return []


async def _has_receiver(owner: TypeDeclaration, name: str, declared: Sequence[JavaType]) -> bool:
    names = await _parameter_names(owner, name, declared)
    return bool(names) and names[0].startswith("$this$")


def _zero(type_: JavaType, span: syntax.Span) -> syntax.Expression:
    if not isinstance(type_, PrimitiveType):
        return syntax.NullLiteral(span)
    if type_ == types.BOOLEAN:
        return syntax.PrimitiveLiteral(span, type_.kind, value=False)
    return syntax.PrimitiveLiteral(span, type_.kind, 0)
