# SPDX-License-Identifier: Apache-2.0
"""What a name means in Kotlin code: a variable, a property of a receiver, a class, a package."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.classfile.access import Access
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import names as java_names
from jvmdebug.evaluator.bind.names import Package
from jvmdebug.evaluator.errors import did_you_mean
from jvmdebug.evaluator.kotlin import calls, properties
from jvmdebug.evaluator.kotlin.workspace import Operand
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.symbols.declarations import TypeDeclaration
from jvmdebug.evaluator.symbols.hierarchy import enclosing_names
from jvmdebug.sources import BOXING, FUNCTION_RECEIVER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.evaluator.kotlin.calls import Argument
    from jvmdebug.evaluator.kotlin.workspace import Workspace

Meaning: TypeAlias = Operand | TypeDeclaration | Package
_HOLDERS: Final = ("Companion", "INSTANCE")
_ACCESSOR: Final = re.compile(r"(get|set|(?=is))(?P<rest>\w+?)(-\w+)?")
_OF_VALUE: Final = "-impl"
_PRIVATE: Final = Access.PRIVATE


async def meaning(workspace: Workspace, name: str, span: syntax.Span) -> Meaning:
    """The innermost thing of that name."""
    code = syntax.Name(span, name)
    scope = workspace.scope
    is_local = scope.local(name) is not None
    if (is_local and name not in scope.elsewhere) or name in scope.extra:
        return await workspace.step(code)
    found = await _of_receivers(workspace, name, span)
    if found is None and is_local:
        found = await workspace.step(code)
    if found is not None:
        return found
    variable = await java_names.variable(workspace.binder, name, span)
    if variable is not None:
        return await workspace.taken(variable)
    for each in enclosing_names(workspace.scope.declaring_type):
        declaration = await workspace.run.source.load(each)
        found = None if declaration is None else await held(workspace, declaration, name, span)
        if found is not None:
            return found
    found = await properties.of_files(workspace, name, span)
    if found is not None:
        return found
    type_names = workspace.binder.type_names
    declaration = await type_names.simple(name, load=name[:1].isupper())
    return Package(name) if declaration is None else declaration


async def backing_field(
    workspace: Workspace, name: str, span: syntax.Span
) -> syntax.FieldAccess | None:
    """The code for `field` in an accessor of a property that has one; None for anything else."""
    if name != "field" or workspace.scope.local(name) is not None:
        return None
    accessor = _ACCESSOR.fullmatch(workspace.run.frame.location.method.name)
    owner = await workspace.run.source.declaration(workspace.scope.declaring_type)
    if accessor is None or owner is None:
        return None
    rest = accessor["rest"]
    for each in (rest[:1].lower() + rest[1:], f"is{rest}", rest):
        found = owner.field(each)
        if found is not None:
            is_static = found.is_static
            target = syntax.class_code(owner.name, span) if is_static else syntax.This(span, None)
            return syntax.FieldAccess(span, target, each, span)
    return None


async def _of_receivers(workspace: Workspace, name: str, span: syntax.Span) -> Operand | None:
    backing = await backing_field(workspace, name, span)
    if backing is not None:
        return await workspace.step(backing)
    for receiver in await receivers(workspace, span):
        found = await properties.find(workspace, receiver, name, span)
        if found is not None:
            return found
    for getter in properties.getter_names(name):
        found = await _of_value(workspace, f"{getter}{_OF_VALUE}", (), span)
        if found is not None:
            return found
    return None


async def member(workspace: Workspace, target: Meaning, name: str, span: syntax.Span) -> Meaning:
    """`target.name`"""
    match target:
        case Operand():
            return await properties.get(workspace, target, name, span)
        case Package(name=package):
            full = f"{package}.{name}"
            is_class = name[:1].isupper()
            found = await workspace.binder.type_names.qualified(full, load=is_class)
            return Package(full) if found is None else found
        case _:
            return await _of_class(workspace, target, name, span)


async def _of_class(
    workspace: Workspace, owner: TypeDeclaration, name: str, span: syntax.Span
) -> Meaning:
    own = owner.field(name)
    # A property of the companion is a private static field of the class; its getter decides.
    if own is not None and own.is_static and not own.modifiers & _PRIVATE:
        code = syntax.FieldAccess(span, syntax.class_code(owner.name, span), name, span)
        return await workspace.step(code)
    found = await held(workspace, owner, name, span)
    if found is not None:
        return found
    nested = await workspace.binder.type_names.member(owner, name, load=name[:1].isupper())
    if nested is not None:
        return nested
    code = syntax.FieldAccess(span, syntax.class_code(owner.name, span), name, span)
    return await workspace.step(code)


async def held(
    workspace: Workspace, owner: TypeDeclaration, name: str, span: syntax.Span
) -> Operand | None:
    """A property of the companion of a class, or of the object that the class is."""
    for field in _HOLDERS:
        holder = owner.field(field)
        if holder is None or not holder.is_static:
            continue
        code = syntax.FieldAccess(span, syntax.class_code(owner.name, span), field, span)
        found = await properties.find(workspace, await workspace.step(code), name, span)
        if found is not None:
            return found
    return None


async def value(workspace: Workspace, target: Meaning, span: syntax.Span) -> Operand:
    """The meaning as a value: a class that is an object, or has a companion, means that."""
    match target:
        case Operand():
            return target
        case Package(name=name):
            first = name.partition(".")[0]
            known = [each for each in workspace.scope.names if not each.startswith("#")]
            raise EvaluationError(
                f"there is no variable, property or class {first} here{did_you_mean(first, known)}",
                span.column,
            )
        case _:
            for field in reversed(_HOLDERS):
                if target.field(field) is not None:
                    named = syntax.class_code(target.name, span)
                    code = syntax.FieldAccess(span, named, field, span)
                    return await workspace.step(code)
            shown = target.name.replace("$", ".")
            raise EvaluationError(
                f"{shown} is a class, not a value; {shown}::class.java is its class object",
                span.column,
            )


async def receivers(workspace: Workspace, span: syntax.Span) -> list[Operand]:
    """The objects whose members need no dot: receivers of extensions and lambdas, `this`, and the
    objects of the classes around; the innermost first.
    """
    locals_ = [each.variable.name for each in workspace.scope.locals]
    found = [
        await workspace.step(syntax.Name(span, each))
        for each in reversed(locals_)
        if each.startswith(FUNCTION_RECEIVER) and each not in workspace.scope.elsewhere
    ]
    binder = workspace.binder
    around = [each.instance async for each in binder.enclosing(span)]
    return [*found, *[await workspace.taken(each) for each in around if each is not None]]


async def this(workspace: Workspace, label: str | None, span: syntax.Span) -> Operand:
    """`this`, `this@shout`, `this@Outer`"""
    if label is not None:
        name = f"{FUNCTION_RECEIVER}{label}"
        if workspace.scope.local(name) is not None:
            return await workspace.step(syntax.Name(span, name))
        qualifier = syntax.NamedTypeSyntax(span, (label,))
        if await workspace.binder.type_names.simple(label, load=False) is None:
            raise EvaluationError(f"there is no this@{label} here", span.column)
        return await workspace.step(syntax.This(span, qualifier))
    found = await receivers(workspace, span)
    boxed = None if found else await _of_value(workspace, BOXING, (), span)
    if boxed is not None:
        return boxed
    if not found:
        raise EvaluationError("there is no this: the function is outside of classes", span.column)
    return found[0]


async def _of_value(
    workspace: Workspace, name: str, arguments: Sequence[Operand], span: syntax.Span
) -> Operand | None:
    """Call a method of the value class whose function runs: its methods take the value first."""
    locals_ = [each.variable for each in workspace.scope.locals if each.variable.slot == 0]
    owner = await workspace.run.source.declaration(workspace.scope.declaring_type)
    methods = () if owner is None else owner.methods
    if not locals_ or not any(each.name == BOXING for each in methods):
        return None
    value = syntax.Name(span, locals_[0].name)
    for each in methods:
        if each.is_static and each.name == name and len(each.parameters) == len(arguments) + 1:
            codes = (value, *(argument.static for argument in arguments))
            return await calls.run_static(workspace, each, codes, span)
    return None


async def _of_companions(
    workspace: Workspace, name: str, arguments: Sequence[Argument], span: syntax.Span
) -> Operand | None:
    for each in enclosing_names(workspace.scope.declaring_type):
        owner = await workspace.run.source.load(each)
        if owner is not None and owner.field("Companion") is not None:
            code = syntax.FieldAccess(span, syntax.class_code(owner.name, span), "Companion", span)
            companion = await workspace.step(code)
            found = await calls.find_on_object(workspace, companion, name, arguments, span)
            if found is not None:
                return found
    return None


async def called(
    workspace: Workspace, name: str, arguments: Sequence[Argument], span: syntax.Span
) -> Operand:
    """`name(arguments)`, without a dot."""
    errors: list[EvaluationError] = []
    local = workspace.scope.local(name)
    if local is not None or name in workspace.scope.extra:
        function = await workspace.step(syntax.Name(span, name))
        return await calls.on_object(workspace, function, "invoke", arguments, span)
    for receiver in await receivers(workspace, span):
        found = await calls.find_on_object(workspace, receiver, name, arguments, span)
        if found is not None:
            return found
    given = [each.value for each in arguments if each.name is None]
    of_value = await _of_value(workspace, f"{name}{_OF_VALUE}", given, span)
    if of_value is not None:
        return of_value
    found = await _of_companions(workspace, name, arguments, span)
    if found is not None:
        return found
    found = await calls.of_files(workspace, name, arguments, span, errors)
    if found is not None:
        return found
    if errors:
        raise errors[0]
    declaration = await workspace.binder.type_names.simple(name, load=name[:1].isupper())
    if declaration is not None:
        return await calls.created(workspace, declaration, arguments, span)
    raise EvaluationError(f"there is no function or class {name} here", span.column)
