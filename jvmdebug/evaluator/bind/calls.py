# SPDX-License-Identifier: Apache-2.0
"""Binding of method calls (JLS 15.12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound, conversions, names, overloads, recorded_calls
from jvmdebug.evaluator.bind.bound import Bound
from jvmdebug.evaluator.bind.inference import inferred
from jvmdebug.evaluator.bind.overloads import Phase, Selection
from jvmdebug.evaluator.errors import MissingMemberError, did_you_mean, listed
from jvmdebug.evaluator.parse import syntax
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.declarations import TypeDeclaration
from jvmdebug.evaluator.symbols.types import ArrayType, ClassType, TypeVariable, Wildcard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.evaluator.bind.binder import Binder, Enclosing
    from jvmdebug.evaluator.symbols.hierarchy import MethodMember
    from jvmdebug.evaluator.symbols.types import JavaType


_LENGTHS: Final = ("size", "length", "count", "lenght")


async def method_call(binder: Binder, node: syntax.MethodCall) -> Bound:
    if node.target is None:
        return await _unqualified(binder, node)
    if isinstance(node.target, syntax.Super):
        return await _super_call(binder, node, node.target)
    target = await names.meaning(binder, node.target)
    match target:
        case Bound():
            return await _on_object(binder, node, target)
        case TypeDeclaration():
            return await _on_class(binder, node, target)
        case _:
            if binder.scope.is_recording:
                computed = await recorded_calls.on_math(binder, node, target.name)
                if computed is not None:
                    return computed
            # Not a class either: binding it as a value raises the error for the unknown name.
            await binder.value(node.target)
            raise EvaluationError(f"cannot call {node.name} on a package", node.span.column)


async def _unqualified(binder: Binder, node: syntax.MethodCall) -> Bound:
    """Only the innermost class that has a method of the name is searched (JLS 15.12.1)."""
    known: list[str] = []
    async for enclosing in binder.visible(node.span):
        type_ = enclosing.declaration.this_type
        members = await binder.hierarchy.methods(type_, node.name)
        if members:
            arguments = await _arguments(binder, node)
            selection = await _select(binder, node, members, arguments, type_)
            return await _own_call(binder, node, enclosing, selection, arguments)
        known += await _method_names(binder, type_)
    imported = await imported_methods(binder, node.name)
    if imported:
        arguments = await _arguments(binder, node)
        owner = ClassType(imported[0].method.owner)
        selection = await _select(binder, node, imported, arguments, owner)
        return await _call(binder, node, None, selection, arguments)
    message = f"there is no method {node.name} here{did_you_mean(node.name, known)}"
    if binder.scope.is_dynamic:
        receiver = types.OBJECT.descriptor
        raise MissingMemberError(message, node.name_span.column, receiver, node.name)
    raise EvaluationError(message, node.name_span.column)


async def imported_methods(binder: Binder, name: str) -> list[MethodMember]:
    """The static methods of that name that the source file imports (JLS 15.12.1, 7.5.3)."""
    return [
        member
        for owner in await binder.type_names.static_owners(name)
        for member in await binder.hierarchy.methods(ClassType(owner.name), name)
        if member.method.is_static
    ]


async def _own_call(
    binder: Binder,
    node: syntax.MethodCall,
    enclosing: Enclosing,
    selection: Selection,
    arguments: Sequence[Bound],
) -> Bound:
    if not selection.member.method.is_static and enclosing.instance is None:
        owner = enclosing.declaration.name.replace("$", ".")
        raise EvaluationError(
            f"{node.name} needs an instance of {owner}, and there is none here: the method is "
            "static, or the compiler omitted the reference to it",
            node.name_span.column,
        )
    return await _call(binder, node, enclosing.instance, selection, arguments)


async def _super_call(binder: Binder, node: syntax.MethodCall, target: syntax.Super) -> Bound:
    instance, type_ = await names.super_target(binder, target)
    members = await binder.hierarchy.methods(type_, node.name)
    if not members:
        raise EvaluationError(f"{type_} has no method {node.name}", node.name_span.column)
    arguments = await _arguments(binder, node)
    selection = await _select(binder, node, members, arguments, type_)
    if selection.member.method.is_abstract:
        raise EvaluationError(
            f"{selection.member.method} is abstract in {type_}, so super cannot call it",
            node.name_span.column,
        )
    return await _call(binder, node, instance, selection, arguments, is_virtual=False)


async def _on_class(binder: Binder, node: syntax.MethodCall, declaration: TypeDeclaration) -> Bound:
    type_ = ClassType(declaration.name)
    members = await binder.hierarchy.methods(type_, node.name)
    if not members:
        names = await _method_names(binder, type_)
        raise EvaluationError(
            f"{type_} has no method {node.name}{did_you_mean(node.name, names)}",
            node.name_span.column,
        )
    arguments = await _arguments(binder, node)
    selection = await _select(binder, node, members, arguments, type_)
    if not selection.member.method.is_static:
        raise EvaluationError(
            f"{selection.member.method} is not static: it needs an object of class {type_} before "
            "the dot",
            node.name_span.column,
        )
    return await _call(binder, node, None, selection, arguments)


async def _on_object(binder: Binder, node: syntax.MethodCall, target: Bound) -> Bound:
    type_ = target.type
    if not isinstance(type_, ClassType | ArrayType | TypeVariable):
        raise EvaluationError(f"{type_} has no methods", node.name_span.column)
    members = await binder.hierarchy.methods(type_, node.name)
    if not members and binder.scope.is_recording and recorded_calls.knows(node):
        return await recorded_calls.on_object(binder, node, target)
    if not members:
        names = await _method_names(binder, type_)
        hint = did_you_mean(node.name, names)
        if isinstance(type_, ArrayType) and node.name.lower() in _LENGTHS:
            hint = "; the length of an array is .length, without ()"
        message = f"{type_} has no method {node.name}{hint}"
        if binder.scope.is_recording and not names:  # nothing is known of its class
            message = recorded_calls.refused(node, type_)
        receiver = types.erasure(type_).descriptor
        raise MissingMemberError(message, node.name_span.column, receiver, node.name)
    arguments = await _arguments(binder, node)
    selection = await _select(binder, node, members, arguments, type_)
    called = await _call(binder, node, target, selection, arguments)
    special = _special_result(node, type_)
    if special is None:
        return called
    return bound.ReferenceCast(node.span, special, called, ())


def _special_result(node: syntax.MethodCall, receiver: JavaType) -> JavaType | None:
    """Results that signatures do not express: `array.clone()`, `getClass()` (JLS 10.7, 4.3.2)."""
    if node.arguments or not isinstance(receiver, ClassType | ArrayType | TypeVariable):
        return None
    if node.name == "clone" and isinstance(receiver, ArrayType):
        return receiver
    if node.name == "getClass":
        erased = types.erasure(receiver)
        upper = erased if isinstance(erased, ClassType | ArrayType) else types.OBJECT
        return ClassType("java.lang.Class", (Wildcard(upper=upper),))
    return None


async def _arguments(binder: Binder, node: syntax.MethodCall) -> list[Bound]:
    return [await binder.value(each) for each in node.arguments]


async def _method_names(binder: Binder, type_: types.ReferenceType) -> list[str]:
    return [
        method.name
        for ancestor in await binder.hierarchy.ancestors(type_)
        for method in ancestor.declaration.methods
        if not method.is_synthetic and not method.name.startswith("<")
    ]


async def _select(
    binder: Binder,
    node: syntax.MethodCall,
    members: Sequence[MethodMember],
    arguments: Sequence[Bound],
    receiver: types.ReferenceType,
) -> Selection:
    return await select(binder, members, arguments, f"{receiver}.{node.name}", node.name_span)


async def select(
    binder: Binder,
    members: Sequence[MethodMember],
    arguments: Sequence[Bound],
    what: str,
    span: syntax.Span,
) -> Selection:
    """Overload resolution, with its error messages; for methods and constructors."""
    argument_types = [
        types.NULL if conversions.has_any_type(argument) else argument.type
        for argument in arguments
    ]
    shown = ", ".join(map(str, argument_types))
    try:
        return await overloads.select(
            binder.hierarchy, members, argument_types, binder.scope.declaring_type
        )
    except overloads.NoneApplicableError as error:
        candidates = listed([member.method for member in members])
        raise EvaluationError(
            f"{what} cannot take ({shown}); candidates: {candidates}"
            f"{_narrowing_advice(members, argument_types)}",
            span.column,
        ) from error
    except overloads.AmbiguousError as error:
        candidates = listed([member.method for member in error.candidates])
        raise EvaluationError(
            f"{what}({shown}) is ambiguous: {candidates}; cast an argument to select one",
            span.column,
        ) from error


def _narrowing_advice(members: Sequence[MethodMember], arguments: Sequence[JavaType]) -> str:
    """`; a cast to int would do`, if the only candidate differs by one narrower primitive."""
    if len(members) != 1 or len(members[0].parameters) != len(arguments):
        return ""
    pairs = [
        (argument, parameter)
        for argument, parameter in zip(arguments, members[0].parameters, strict=True)
        if argument != parameter
    ]
    if len(pairs) == 1 and all(
        isinstance(each, types.PrimitiveType) and types.is_numeric(each) for each in pairs[0]
    ):
        return f"; a cast to {pairs[0][1]} would do, and truncate"
    return ""


async def _call(
    binder: Binder,
    node: syntax.MethodCall,
    target: Bound | None,
    selection: Selection,
    arguments: Sequence[Bound],
    *,
    is_virtual: bool = True,
) -> Bound:
    method = selection.member.method
    explicit = [await binder.type_names.resolve_reference(each) for each in node.type_arguments]
    generic = None if explicit else generic_call(selection, arguments, method.type_parameters)
    result, substitution = await _instantiated(binder, selection, generic, explicit)
    passed = passed_arguments(selection, arguments, node.span, substitution)
    called: Bound
    if method.is_static:
        # `this` before a static call has no effect, so it is not evaluated.
        effect = target if node.target is not None else None
        called = bound.StaticCall(node.span, result, method, passed, effect, generic)
    elif target is None:
        raise ValueError("an instance method needs a target: callers check it")
    else:
        called = bound.InstanceCall(node.span, result, target, method, passed, is_virtual, generic)
    return conversions.restored(called, method.result)


def generic_call(
    selection: Selection, arguments: Sequence[Bound], variables: Sequence[TypeVariable]
) -> bound.GenericCall | None:
    """The call for the inference of these type parameters; None when there are none."""
    if not variables:
        return None
    parameters = selection.parameter_types(len(arguments))
    return bound.GenericCall(
        tuple(variables), parameters, tuple(arguments), selection.member.result
    )


async def _instantiated(
    binder: Binder,
    selection: Selection,
    generic: bound.GenericCall | None,
    explicit: Sequence[types.ReferenceType],
) -> tuple[JavaType, types.Substitution]:
    """The static type of the call, and the type arguments of the method."""
    method, result = selection.member.method, selection.member.result
    if explicit:
        names = (parameter.name for parameter in method.type_parameters)
        written = dict(zip(names, explicit, strict=False))
        return types.substitute(result, written), written
    if generic is None:
        return result, {}
    substitution, is_unchecked = await inferred(binder.hierarchy, generic)
    if is_unchecked and not isinstance(method.result, types.VoidType | types.NullType):
        return types.erasure(method.result), substitution
    return types.substitute(result, substitution), substitution


def passed_arguments(
    selection: Selection,
    arguments: Sequence[Bound],
    span: syntax.Span,
    substitution: types.Substitution,
) -> tuple[Bound, ...]:
    """The arguments converted to the parameter types, variable ones packed into an array.

    `substitution` are the type arguments of the method.
    """
    parameters = selection.parameter_types(len(arguments))
    converted = [
        conversions.passed(argument, parameter)
        for argument, parameter in zip(arguments, parameters, strict=True)
    ]
    if selection.phase is not Phase.VARIABLE_ARITY:
        return tuple(converted)
    fixed = len(selection.member.parameters) - 1
    declared = types.substitute(selection.member.parameters[-1], substitution)
    erased = types.erasure(declared) if isinstance(declared, ArrayType) else declared
    if not isinstance(erased, ArrayType):
        raise EvaluationError(
            f"{selection.member.method} is marked as varargs without an array", span.column
        )
    rest = tuple(converted[fixed:])
    packed = bound.NewArrayOf(rest[0].span if rest else span, erased, erased, rest)
    return (*converted[:fixed], packed)
