# SPDX-License-Identifier: Apache-2.0
"""Running statements and switch.

A function returns None for normal completion, else an AbruptCompletion. Loops yield to the event
loop between iterations, so an endless loop can be cancelled and meets its deadline.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.reading.arrays import ReadArray
from jvmdebug.evaluator.run.calls import implicit_call, invoke_virtual
from jvmdebug.evaluator.run.exceptions import JavaThrowsError
from jvmdebug.evaluator.run.interpreter import AbruptCompletion, MadeObject
from jvmdebug.evaluator.run.values import checked_array, class_name
from jvmdebug.evaluator.symbols.types import ArrayType
from jvmdebug.model.debuggee_exception import DebuggeeException
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.values import VOID, NullValue, ObjectReference

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from jvmdebug.evaluator.bind import bound, bound_statements
    from jvmdebug.evaluator.run.interpreter import Run, RunValue


async def block(run: Run, node: bound_statements.Block) -> AbruptCompletion | None:
    return await _sequence(run, node.statements)


async def _sequence(
    run: Run, nodes: Sequence[bound_statements.Statement]
) -> AbruptCompletion | None:
    for node in nodes:
        completion = await run.execute(node)
        if completion is not None:
            return completion
    return None


async def declare(run: Run, node: bound_statements.Declare) -> AbruptCompletion | None:
    run.declared.pop(node.variable, None)  # a new variable in each iteration
    if node.value is not None:
        run.declared[node.variable] = await run.value(node.value)
    return None


async def evaluate(run: Run, node: bound_statements.Evaluate) -> AbruptCompletion | None:
    run.last_value = VOID
    try:
        run.last_value = await run.value(node.expression)
    except _SwitchLeft as left:
        return left.completion
    return None


async def if_(run: Run, node: bound_statements.If) -> AbruptCompletion | None:
    if await run.boolean(node.condition):
        return await run.execute(node.then)
    return None if node.otherwise is None else await run.execute(node.otherwise)


async def loop(run: Run, node: bound_statements.Loop) -> AbruptCompletion | None:
    for statement in node.first:
        await run.execute(statement)
    is_tested = node.tests_first
    while True:
        await asyncio.sleep(0)
        if is_tested and node.condition is not None and not await run.boolean(node.condition):
            return None
        is_tested = True
        completion = await run.execute(node.body)
        if completion is not None and not completion.continues(node.labels):
            return None if completion.breaks_nearest else completion
        for each in node.update:
            await run.value(each)


async def for_each(run: Run, node: bound_statements.ForEach) -> AbruptCompletion | None:
    async for element in _elements(run, node.iterable):
        await asyncio.sleep(0)
        run.temporaries[node.temporary] = element
        run.declared[node.variable] = await run.value(node.conversion)
        completion = await run.execute(node.body)
        if completion is not None and not completion.continues(node.labels):
            return None if completion.breaks_nearest else completion
    return None


async def _elements(run: Run, node: bound.Bound) -> AsyncIterator[RunValue]:
    if run.is_read_only:
        async for element in _read_elements(run, node):
            yield element
        return
    if isinstance(node.type, ArrayType):
        array = checked_array(await run.value(node), node, "iterate over it")
        # Read one by one: the body may change later elements.
        for index in range(await array.length()):
            yield (await array.get(index, 1))[0]
        return
    iterable = await run.object(node, "iterate over it")
    iterator = await invoke_virtual(
        run, iterable, "java.lang.Iterable", "iterator", "()Ljava/util/Iterator;"
    )
    if not isinstance(iterator, ObjectReference):
        raise JavaThrowsError("java.lang.NullPointerException", "iterator() gave null", node.span)
    name = "java.util.Iterator"
    while True:
        more = await invoke_virtual(run, iterator, name, "hasNext", "()Z")
        if not isinstance(more, PrimitiveValue) or not more.value:
            return
        yield await invoke_virtual(run, iterator, name, "next", "()Ljava/lang/Object;")


async def _read_elements(run: Run, node: bound.Bound) -> AsyncIterator[RunValue]:
    found, span = await run.value(node), node.span
    if isinstance(found, MadeObject) and isinstance(found.found, ReadArray):
        for index in range(found.found.length):
            yield await run.reader.element(found, index, span)
    elif isinstance(node.type, ArrayType):
        for each in await checked_array(found, node, "iterate over it").get():
            yield each
    else:
        iterator = await implicit_call(
            run, found, "java.lang.Iterable", "iterator", "()Ljava/util/Iterator;", span
        )
        name = "java.util.Iterator"
        while True:
            more = await implicit_call(run, iterator, name, "hasNext", "()Z", span)
            if not isinstance(more, PrimitiveValue) or not more.value:
                return
            yield await implicit_call(run, iterator, name, "next", "()Ljava/lang/Object;", span)


async def labeled(run: Run, node: bound_statements.Labeled) -> AbruptCompletion | None:
    completion = await run.execute(node.body)
    if completion is not None and completion.word == "break" and completion.label == node.label:
        return None
    return completion


async def jump(_run: Run, node: bound_statements.Jump) -> AbruptCompletion | None:
    return AbruptCompletion(node.word, node.label)


async def return_(run: Run, node: bound_statements.Return) -> AbruptCompletion | None:
    value: RunValue = VOID if node.value is None else await run.value(node.value)
    return AbruptCompletion("return", value=value)


async def yield_(run: Run, node: bound_statements.Yield) -> AbruptCompletion | None:
    return AbruptCompletion("yield", value=await run.value(node.value), number=node.number)


async def throw(run: Run, node: bound_statements.Throw) -> AbruptCompletion | None:
    found = await run.object(node.exception, "throw it")
    name = await class_name(found)
    raise DebuggeeException(f"the evaluated code threw {name}", found, node.span.column)


# --- switch ---------------------------------------------------------------------------------------


class _SwitchLeft(Exception):  # noqa: N818 - not an error
    """A jump leaves a switch statement, which is an expression in the bound tree."""

    def __init__(self, completion: AbruptCompletion) -> None:
        super().__init__()
        self.completion = completion


async def switch(run: Run, node: bound_statements.Switch) -> RunValue:
    selector = await run.value(node.selector)
    if isinstance(selector, NullValue) and not node.takes_null:
        raise JavaThrowsError(
            "java.lang.NullPointerException",
            "the selector of the switch is null",
            node.selector.span,
        )
    run.temporaries[node.temporary] = selector
    completion = await _run_cases(run, node, await _matching(run, node.cases))
    if completion is None or completion.breaks_nearest:
        if node.results:
            raise EvaluationError(
                "no case of this switch matches, and it has no default", node.span.column
            )
        return VOID
    if completion.word != "yield":
        raise _SwitchLeft(completion)
    if not node.results:
        raise TypeError("a yield in a switch statement: the binder rejects it")
    run.temporaries[node.result_temporaries[completion.number]] = completion.value
    return await run.value(node.results[completion.number])


async def _matching(run: Run, cases: Sequence[bound_statements.Case]) -> int | None:
    """The first case that applies, else the default."""
    default: int | None = None
    for number, case in enumerate(cases):
        if case.is_default:
            default = number
        for test in case.tests:
            if await run.boolean(test) and (case.guard is None or await run.boolean(case.guard)):
                return number
    return default


async def _run_cases(
    run: Run, node: bound_statements.Switch, first: int | None
) -> AbruptCompletion | None:
    if first is None:
        return None
    last = len(node.cases) if node.falls_through else first + 1
    for case in node.cases[first:last]:
        completion = await _sequence(run, case.body)
        if completion is not None:
            return completion
    return None


async def string_equality(run: Run, node: bound_statements.StringEquality) -> RunValue:
    is_same = await run.text(await run.value(node.operand)) == node.text
    return PrimitiveValue(PrimitiveKind.BOOLEAN, is_same)
