# SPDX-License-Identifier: Apache-2.0
"""Binding of object and array creation (JLS 15.9, 15.10, 10.6)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jvmdebug.classfile.access import Access
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound, conversions
from jvmdebug.evaluator.bind.calls import generic_call, passed_arguments, select
from jvmdebug.evaluator.bind.inference import inferred
from jvmdebug.evaluator.bind.type_names import MOST_DIMENSIONS
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.hierarchy import MethodMember
from jvmdebug.evaluator.symbols.types import ArrayType, ClassType, TypeVariable

if TYPE_CHECKING:
    from jvmdebug.evaluator.bind.binder import Binder
    from jvmdebug.evaluator.bind.bound import Bound
    from jvmdebug.evaluator.parse.syntax import Span
    from jvmdebug.evaluator.symbols.declarations import MethodDeclaration, TypeDeclaration
    from jvmdebug.evaluator.symbols.types import Substitution, ValueType


async def new_object(binder: Binder, node: syntax.NewObject) -> Bound:
    declaration, outer = await _class_to_create(binder, node)
    _check_instantiable(declaration, node)
    arguments = [await binder.value(each) for each in node.arguments]
    leading: tuple[Bound, ...] = ()
    if is_inner(declaration):
        if outer is None:
            outer = await outer_instance(binder, declaration, node.span)
        leading = (outer,)
    elif outer is not None:
        raise EvaluationError(
            f"{_shown(declaration)} is not an inner class: it takes no outer instance",
            outer.span.column,
        )
    type_ = await _created_type(binder, node, declaration)
    substitution = _substitution(declaration, type_)
    members = [
        MethodMember(each, _declared_parameters(each, len(leading), substitution), types.VOID)
        for each in declaration.methods
        if each.name == "<init>" and not each.is_synthetic
    ]
    what = f"new {_shown(declaration)}"
    selection = await select(binder, members, arguments, what, node.type.span)
    generic: bound.GenericCall | None = None
    chosen: Substitution = {}
    if node.type.arguments == () and declaration.parameters:
        variables = (*declaration.parameters, *selection.member.method.type_parameters)
        generic = generic_call(selection, arguments, variables)
    if generic is not None:
        generic = replace(generic, result=declaration.this_type)
        chosen, _ = await inferred(binder.hierarchy, generic)
        type_ = ClassType(type_.name, tuple(chosen[each.name] for each in declaration.parameters))
    passed = (*leading, *passed_arguments(selection, arguments, node.span, chosen))
    constructor = selection.member.method
    return bound.NewObject(
        node.span, type_, declaration, constructor, passed, bool(leading), generic
    )


async def _class_to_create(
    binder: Binder, node: syntax.NewObject
) -> tuple[TypeDeclaration, Bound | None]:
    if node.outer is None:
        return await binder.type_names.declared(node.type), None
    outer = await binder.value(node.outer)
    if not isinstance(outer.type, ClassType | TypeVariable):
        raise EvaluationError(f"{outer.type} has no inner classes", node.outer.span.column)
    erased = types.erasure(outer.type)
    owner = await binder.source.load(erased.name) if isinstance(erased, ClassType) else None
    name = ".".join(node.type.parts)
    found = None if owner is None else await binder.type_names.member(owner, name, load=True)
    if found is None:
        raise EvaluationError(f"{outer.type} has no inner class {name}", node.type.span.column)
    return found, outer


def _check_instantiable(declaration: TypeDeclaration, node: syntax.NewObject) -> None:
    reason = None
    if declaration.is_interface:
        reason = "is an interface"
    elif declaration.modifiers & Access.ENUM:
        reason = "is an enum: its constants are all there is"
    elif declaration.is_abstract:
        reason = "is abstract"
    elif any(each.name.startswith("val$") and each.is_synthetic for each in declaration.fields):
        reason = "is a local class that uses variables of its method"
    if reason is not None:
        raise EvaluationError(
            f"{_shown(declaration)} {reason}, so it cannot be created with new",
            node.type.span.column,
        )


def is_inner(declaration: TypeDeclaration) -> bool:
    """Whether its constructors take an outer instance as their first parameter.

    The modifiers that the VM reports for a nested class are those of its source, `static` included.
    """
    if "$" not in declaration.name or declaration.modifiers & Access.STATIC:
        return False
    if declaration.outer_instance_field() is not None:
        return True
    outer = f"{declaration.name.rpartition('$')[0]}"
    constructors = [each for each in declaration.methods if each.name == "<init>"]
    descriptor = f"({ClassType(outer).descriptor}"
    return bool(constructors) and all(
        each.descriptor.startswith(descriptor) for each in constructors
    )


async def outer_instance(binder: Binder, declaration: TypeDeclaration, span: Span) -> Bound:
    """The outer instance for an inner class where none is written (JLS 15.9.2)."""
    field = declaration.outer_instance_field()
    wanted = (
        field.type.name
        if field is not None and isinstance(field.type, ClassType)
        else declaration.name.rpartition("$")[0]
    )
    async for enclosing in binder.enclosing(span):
        if enclosing.instance is not None and await binder.hierarchy.is_subclass(
            enclosing.declaration.name, wanted
        ):
            return enclosing.instance
    outer, wanted_name = wanted.replace("$", "."), declaration.name.rpartition("$")[2]
    raise EvaluationError(
        f"{_shown(declaration)} is an inner class and there is no instance of {outer} here: write "
        f"outer.new {wanted_name}(…)",
        span.column,
    )


async def _created_type(
    binder: Binder, node: syntax.NewObject, declaration: TypeDeclaration
) -> ClassType:
    if node.outer is not None:
        arguments = await binder.type_names.arguments(node.type)
        return ClassType(declaration.name, arguments)
    written = await binder.type_names.resolve(node.type)
    return written if isinstance(written, ClassType) else ClassType(declaration.name)


def _substitution(declaration: TypeDeclaration, type_: ClassType) -> Substitution:
    if len(type_.arguments) != len(declaration.parameters):
        return {}
    pairs = zip(declaration.parameters, type_.arguments, strict=True)
    return {parameter.name: argument for parameter, argument in pairs}


def _declared_parameters(
    constructor: MethodDeclaration, leading: int, substitution: Substitution
) -> tuple[ValueType, ...]:
    """The parameters as in the source: without the outer instance."""
    shown = constructor.parameters[leading:]
    substituted = [types.substitute(each, substitution) for each in shown]
    return tuple(
        found if not isinstance(found, types.NullType | types.VoidType) else declared
        for found, declared in zip(substituted, shown, strict=True)
    )


def _shown(declaration: TypeDeclaration) -> str:
    return declaration.name.replace("$", ".")


async def new_array(binder: Binder, node: syntax.NewArray) -> Bound:
    element = await binder.type_names.resolve(node.element)
    if isinstance(element, types.VoidType | types.NullType):
        raise EvaluationError(f"there are no arrays of {element}", node.element.span.column)
    dimensions = len(node.lengths) + node.open_dimensions
    if dimensions > MOST_DIMENSIONS:
        raise EvaluationError(
            f"an array has {MOST_DIMENSIONS} dimensions at most, not {dimensions}", node.span.column
        )
    type_ = ArrayType(types.erasure(element))
    for _ in range(len(node.lengths) + node.open_dimensions - 1):
        type_ = ArrayType(type_)
    if node.initializer is not None:
        return await initializer(binder, node.initializer, type_)
    lengths = [await _length(binder, each) for each in node.lengths]
    return bound.NewArray(node.span, type_, type_, tuple(lengths))


async def _length(binder: Binder, node: syntax.Expression) -> Bound:
    length = await binder.value(node)
    if not types.is_integral(length.type) or types.unboxed(length.type) == types.LONG:
        raise EvaluationError(f"expected an int length, found {length.type}", node.span.column)
    return conversions.promoted_alone(length)


async def initializer(binder: Binder, node: syntax.ArrayInitializer, type_: ArrayType) -> Bound:
    """`{1, 2}` as a new array of the type."""
    elements: list[Bound] = []
    for each in node.elements:
        if isinstance(each, syntax.ArrayInitializer):
            if not isinstance(type_.element, ArrayType):
                raise EvaluationError(
                    f"expected {type_.element}, found an array initializer", each.span.column
                )
            elements.append(await initializer(binder, each, type_.element))
        else:
            value = await binder.value(each)
            elements.append(await conversions.assigned(binder.hierarchy, value, type_.element))
    return bound.NewArrayOf(node.span, type_, type_, tuple(elements))
