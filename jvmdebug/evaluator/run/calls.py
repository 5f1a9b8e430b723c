# SPDX-License-Identifier: Apache-2.0
"""Running method calls and object and array creation, which run code in the debuggee."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.run import intrinsics, namesakes
from jvmdebug.evaluator.run.exceptions import JavaThrowsError
from jvmdebug.evaluator.run.values import origin_method
from jvmdebug.evaluator.symbols.types import ArrayType
from jvmdebug.model.debuggee_exception import DebuggeeException
from jvmdebug.model.reference_type import ClassType as LoadedClass
from jvmdebug.model.values import ArrayReference, NullValue, ObjectReference, Value

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from jvmdebug.evaluator.bind import bound
    from jvmdebug.evaluator.parse.syntax import Span
    from jvmdebug.evaluator.run.interpreter import Run, RunValue
    from jvmdebug.evaluator.symbols.declarations import MethodDeclaration

_MAX_ARRAYS = 10_000


async def static_call(run: Run, node: bound.StaticCall) -> RunValue:
    if node.target is not None:
        await run.value(node.target)
    if run.is_read_only:
        values = [await run.value(each) for each in node.arguments]
        return await run.reader.static_call(node.method, values, node.span)
    arguments = await _arguments(run, node.arguments)
    return await _thrown_at(node.span, _invoke_static(run, node.method, arguments))


async def _invoke_static(run: Run, declaration: MethodDeclaration, arguments: list[Value]) -> Value:
    method = origin_method(declaration)
    await namesakes.check_arguments(run, declaration, arguments)
    await run.source.initialize(method.declaring_type)
    return await run.invoked(
        method.declaring_type.invoke(
            method, arguments, run.frame.thread, timeout_s=run.remaining_s()
        )
    )


async def instance_call(run: Run, node: bound.InstanceCall) -> RunValue:
    found = await run.value(node.target)
    values = [await run.value(each) for each in node.arguments]
    if node.is_virtual:
        result = await intrinsics.computed(run, node.method, found, values)
        if result is not None:
            return result
    if isinstance(found, NullValue):
        raise JavaThrowsError(
            "java.lang.NullPointerException",
            f"cannot call {node.method.name}(): null",
            node.target.span,
        )
    if run.is_read_only:
        return await run.reader.instance_call(
            node.method, found, values, node.span, is_virtual=node.is_virtual
        )
    arguments = [await run.materialize(each) for each in values]
    target = await run.materialize(found)
    if not isinstance(target, ObjectReference):
        raise EvaluationError(f"expected an object, the VM gave {target}", node.target.span.column)
    method = origin_method(node.method)
    await namesakes.check_target(run, method.declaring_type, target, node.target.span)
    await namesakes.check_arguments(run, node.method, arguments)
    return await _thrown_at(
        node.span,
        run.invoked(
            target.invoke(
                method,
                arguments,
                run.frame.thread,
                non_virtual=not node.is_virtual,
                timeout_s=run.remaining_s(),
            )
        ),
    )


async def implicit_call(
    run: Run, target: RunValue, owner: str, name: str, descriptor: str, span: Span
) -> RunValue:
    """Call a platform method without parameters that the expression uses implicitly; computed where
    only reading is allowed.
    """
    if not run.is_read_only and isinstance(target, ObjectReference):
        return await invoke_virtual(run, target, owner, name, descriptor)
    declaration = await run.source.load(owner)
    for method in () if declaration is None else declaration.methods:
        if method.name == name and method.descriptor == descriptor:
            return await run.reader.instance_call(method, target, (), span)
    raise EvaluationError(f"the VM has no {owner}.{name}")


async def invoke_virtual(
    run: Run, target: ObjectReference, owner: str, name: str, descriptor: str, *arguments: Value
) -> Value:
    """Call a platform method on an object of the program."""
    declaration = await run.source.load(owner)
    for method in () if declaration is None else declaration.methods:
        if method.name == name and method.descriptor == descriptor:
            return await run.invoked(
                target.invoke(
                    origin_method(method),
                    arguments,
                    run.frame.thread,
                    timeout_s=run.remaining_s(),
                )
            )
    raise EvaluationError(f"the VM has no {owner}.{name}")


async def _arguments(run: Run, nodes: tuple[bound.Bound, ...]) -> list[Value]:
    return [await run.materialized(node) for node in nodes]


async def _thrown_at(span: Span, call: Awaitable[Value]) -> Value:
    """Give a DebuggeeException the column of the call."""
    try:
        return await call
    except DebuggeeException as error:
        if error.column is None:
            raise DebuggeeException(str(error), error.exception, span.column) from error
        raise


async def new_object(run: Run, node: bound.NewObject) -> RunValue:
    if run.is_read_only:
        values = [await run.value(each) for each in node.arguments]
        return await run.reader.new_object(node.constructor, values, node.span)
    arguments = await _arguments(run, node.arguments)
    if node.has_outer and isinstance(arguments[0], NullValue):
        raise JavaThrowsError(
            "java.lang.NullPointerException",
            f"cannot create a {node.declaration.name.replace('$', '.')}: the outer object is null",
            node.arguments[0].span,
        )
    constructor = origin_method(node.constructor)
    class_ = constructor.declaring_type
    if not isinstance(class_, LoadedClass):
        raise EvaluationError(f"{class_.name} is not a class", node.span.column)
    await namesakes.check_arguments(run, node.constructor, arguments)
    return await _thrown_at(
        node.span,
        run.invoked(
            class_.new_instance(
                constructor, arguments, run.frame.thread, timeout_s=run.remaining_s()
            )
        ),
    )


async def new_array(run: Run, node: bound.NewArray) -> RunValue:
    lengths = [await run.integer(each) for each in node.lengths]
    for length, each in zip(lengths, node.lengths, strict=True):
        if length < 0:
            raise JavaThrowsError("java.lang.NegativeArraySizeException", str(length), each.span)
    arrays = 1 + sum(math.prod(lengths[:depth]) for depth in range(1, len(lengths)))
    if arrays > _MAX_ARRAYS:
        raise EvaluationError(
            f"this would create {arrays} arrays; more than {_MAX_ARRAYS} are too many for an "
            "expression",
            node.span.column,
        )
    if run.is_read_only:
        return await run.reader.new_array(node.array_type.descriptor, lengths, (), node.span)
    return await _new_array(run, node.array_type, lengths)


async def _new_array(run: Run, type_: ArrayType, lengths: list[int]) -> ArrayReference:
    array = await _empty(run, type_, lengths[0])
    if len(lengths) > 1 and isinstance(type_.element, ArrayType):
        inner_type = type_.element
        inner = await asyncio.gather(
            *(_new_array(run, inner_type, lengths[1:]) for _ in range(lengths[0]))
        )
        await array.set(0, inner)
    return array


async def new_array_of(run: Run, node: bound.NewArrayOf) -> RunValue:
    if run.is_read_only:
        values = [await run.value(each) for each in node.elements]
        return await run.reader.new_array(
            node.array_type.descriptor, [len(values)], values, node.span
        )
    elements = await _arguments(run, node.elements)
    array = await _empty(run, node.array_type, len(elements))
    await array.set(0, elements)
    return array


async def _empty(run: Run, type_: ArrayType, length: int) -> ArrayReference:
    class_ = await run.source.array_class(type_)
    array = await run.pin(await class_.new_instance(length))
    if not isinstance(array, ArrayReference):
        raise EvaluationError(f"the VM gave {array} for a new {type_}")
    return array
