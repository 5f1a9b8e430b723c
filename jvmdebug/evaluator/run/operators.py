# SPDX-License-Identifier: Apache-2.0
"""Running operators, string concatenation and assignments."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from jvmdebug.errors import EvaluationError, VmError
from jvmdebug.evaluator.bind import arithmetic, bound
from jvmdebug.evaluator.run.calls import implicit_call
from jvmdebug.evaluator.run.exceptions import JavaThrowsError
from jvmdebug.evaluator.run.interpreter import MadeObject, NewString, Run, RunValue
from jvmdebug.evaluator.run.values import (
    checked_array,
    class_name,
    is_instance,
    origin_field,
    out_of_bounds,
    read_element,
    read_static,
    unboxed,
)
from jvmdebug.evaluator.symbols import signatures, types
from jvmdebug.evaluator.symbols.types import ArrayType, ClassType, PrimitiveType
from jvmdebug.model import java_text
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.values import (
    ArrayReference,
    NullValue,
    ObjectReference,
    Value,
)

if TYPE_CHECKING:
    from jvmdebug.evaluator.parse.syntax import Span


def _boolean(*, value: bool) -> PrimitiveValue:
    return PrimitiveValue(PrimitiveKind.BOOLEAN, value)


async def unary(run: Run, node: bound.Unary) -> RunValue:
    return arithmetic.negate(node.operator, await run.primitive(node.operand))


async def arithmetic_(run: Run, node: bound.Arithmetic) -> RunValue:
    left = await run.primitive(node.left)
    right = await run.primitive(node.right)
    try:
        return arithmetic.compute(node.operator, left, right)
    except ZeroDivisionError:
        raise JavaThrowsError(
            "java.lang.ArithmeticException", "/ by zero", node.right.span
        ) from None


async def comparison(run: Run, node: bound.Comparison) -> RunValue:
    left = await run.primitive(node.left)
    right = await run.primitive(node.right)
    return _boolean(value=arithmetic.compare(node.operator, left, right))


async def short_circuit(run: Run, node: bound.ShortCircuit) -> RunValue:
    left = await run.boolean(node.left)
    if left == (node.operator == "||"):
        return _boolean(value=left)
    return _boolean(value=await run.boolean(node.right))


async def conditional(run: Run, node: bound.Conditional) -> RunValue:
    chosen = node.when_true if await run.boolean(node.condition) else node.when_false
    return await run.value(chosen)


async def reference_equality(run: Run, node: bound.ReferenceEquality) -> RunValue:
    left, right = await run.value(node.left), await run.value(node.right)
    is_same = await _is_same(run, node, left, right)
    return _boolean(value=is_same != node.is_negated)


async def _is_same(
    run: Run, node: bound.ReferenceEquality, left: RunValue, right: RunValue
) -> bool:
    if isinstance(left, NullValue) or isinstance(right, NullValue):
        return isinstance(left, NullValue) and isinstance(right, NullValue)
    if isinstance(left, MadeObject) and isinstance(right, MadeObject):
        return left.found is right.found
    if isinstance(left, MadeObject) or isinstance(right, MadeObject):
        return False
    if isinstance(left, NewString) or isinstance(right, NewString):
        return await _is_same_text(run, node, left, right)
    return left == right


async def _is_same_text(
    run: Run, node: bound.ReferenceEquality, left: RunValue, right: RunValue
) -> bool:
    """A constant is interned (JLS 3.10.5); a new string is identical to no other."""
    if any(isinstance(each, NewString) and not each.is_constant for each in (left, right)):
        return False
    if await run.text(left) != await run.text(right):
        return False
    if isinstance(left, NewString) and isinstance(right, NewString):
        return True
    run.allow_invocation("comparing with a string constant by ==", node.span)
    return await run.materialize(left) == await run.materialize(right)


# --- strings --------------------------------------------------------------------------------------


async def concatenation(run: Run, node: bound.Concatenation) -> RunValue:
    parts = [await string_of(run, await run.value(part), part.span) for part in node.parts]
    return NewString(java_text.joined(parts))


async def string_of(run: Run, value: RunValue, span: Span) -> str:
    """String conversion (JLS 5.1.11); invokes toString() only where necessary."""
    is_older = run.vm.version.writes_numbers_longer
    if isinstance(value, PrimitiveValue):
        return java_text.java_text(value, is_older=is_older)
    if isinstance(value, NullValue):
        return "null"
    text = await run.text(value)
    if text is not None:
        return text
    if isinstance(value, MadeObject):
        return await _text_of_made(run, value, span)
    if not isinstance(value, ObjectReference):
        raise EvaluationError(f"expected a value, the VM gave {value}", span.column)
    primitive = types.unboxed(ClassType((await value.type()).name))
    if primitive is not None:
        number = await unboxed(run, value, primitive, span)
        return java_text.java_text(number, is_older=is_older)
    result = await implicit_call(
        run, value, "java.lang.Object", "toString", "()Ljava/lang/String;", span
    )
    text = await run.text(result)
    return "null" if text is None else text


async def _text_of_made(run: Run, value: MadeObject, span: Span) -> str:
    made = await implicit_call(
        run, value, "java.lang.Object", "toString", "()Ljava/lang/String;", span
    )
    return await run.text(made) or ("null" if isinstance(made, NullValue) else "")


# --- assignments ----------------------------------------------------------------------------------


Store: TypeAlias = Callable[[Value], Awaitable[None]]


async def assign(run: Run, node: bound.Assign) -> RunValue:
    store = await _STORES[type(node.target)](run, node.target)
    value = await run.materialized(node.value)
    await store(value)
    return value


async def compound_assign(run: Run, node: bound.CompoundAssign) -> RunValue:
    old, store = await _read_and_store(run, node.target)
    run.temporaries[node.temporary] = old
    new = await run.materialized(node.combined)
    await store(new)
    return old if node.gives_old else new


# Each evaluates the operands of its target and returns a function that stores (JLS 15.26.1).


async def _store_local(run: Run, to: bound.FrameLocal) -> Store:
    async def store(value: Value) -> None:
        await run.set_local(to, value)

    return store


async def _store_own(run: Run, to: bound.DeclaredLocal) -> Store:
    async def store(value: Value) -> None:
        run.declared[to.variable] = value

    return store


async def _store_static(run: Run, to: bound.StaticField) -> Store:
    if to.target is not None:
        await run.value(to.target)
    await read_static(run, to.field)  # initializes the class, before the value is evaluated
    origin = origin_field(to.field)

    async def store(value: Value) -> None:
        await origin.declaring_type.set_static_value(origin, value)

    return store


async def _store_field(run: Run, to: bound.InstanceField) -> Store:
    target, origin = await run.value(to.target), origin_field(to.field)

    async def store(value: Value) -> None:
        if not isinstance(target, ObjectReference):
            raise JavaThrowsError(
                "java.lang.NullPointerException",
                f"cannot assign the field {origin.name}: null",
                to.target.span,
            )
        await target.set_value(origin, value)

    return store


async def _store_element(run: Run, to: bound.Element) -> Store:
    found, index = await run.value(to.array), await run.integer(to.index)

    async def store(value: Value) -> None:
        array = checked_array(found, to, "store an element")
        length = await array.length()
        if not 0 <= index < length:
            raise out_of_bounds(index, length, to.index.span)
        await _set_element(run, to, array, index, value)

    return store


async def _set_element(
    run: Run, to: bound.Element, array: ArrayReference, index: int, value: Value
) -> None:
    """The VM checks the type of the element: `((Object[]) strings)[0] = 1`."""
    try:
        await array.set(index, [value])
    except VmError as error:
        stored = signatures.value_type((await array.type()).signature)
        if not isinstance(value, ObjectReference) or not isinstance(stored, ArrayType):
            raise
        element = stored.element
        if isinstance(element, PrimitiveType) or await is_instance(run, value, element):
            raise
        shown = await class_name(value)
        raise JavaThrowsError("java.lang.ArrayStoreException", shown, to.span) from error


_STORES: Final[dict[type[bound.Bound], Callable[[Run, Any], Awaitable[Store]]]] = {
    bound.FrameLocal: _store_local,
    bound.DeclaredLocal: _store_own,
    bound.StaticField: _store_static,
    bound.InstanceField: _store_field,
    bound.Element: _store_element,
}


async def _read_and_store(run: Run, to: bound.AssignmentTarget) -> tuple[RunValue, Store]:
    """The old value, and the function that stores; the operands are evaluated once."""
    if isinstance(to, bound.Element):
        array = checked_array(await run.value(to.array), to, "read an element")
        index = await run.integer(to.index)
        old = await read_element(array, index, to)

        async def store_element(value: Value) -> None:
            await _set_element(run, to, array, index, value)

        return old, store_element
    if isinstance(to, bound.InstanceField):
        target = await run.object(to.target, f"read the field {to.field.name}")
        origin = origin_field(to.field)
        (before,) = await target.get_values([origin])

        async def store_field(value: Value) -> None:
            await target.set_value(origin, value)

        return before, store_field
    store = await _STORES[type(to)](run, to)
    return await run.value(to), store
