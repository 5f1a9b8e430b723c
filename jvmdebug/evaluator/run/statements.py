# SPDX-License-Identifier: Apache-2.0
"""Running statements and switch.

A statement that ends by itself gives None, else how it was left: a Leaving. Loops let the event
loop run between two rounds, so that an endless one can be cancelled and meets its deadline.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.run.calls import invoke_virtual
from jvmdebug.evaluator.run.exceptions import JavaThrowsError
from jvmdebug.evaluator.run.interpreter import Leaving
from jvmdebug.evaluator.run.values import checked_array, class_name
from jvmdebug.evaluator.symbols.types import ArrayType
from jvmdebug.model.debuggee_exception import DebuggeeException
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.values import VOID, NullValue, ObjectReference

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from jvmdebug.evaluator.bind import bound, bound_statements
    from jvmdebug.evaluator.run.interpreter import Run, RunValue


async def block(run: Run, node: bound_statements.Block) -> Leaving | None:
    return await _sequence(run, node.statements)


async def _sequence(run: Run, nodes: Sequence[bound_statements.Statement]) -> Leaving | None:
    for node in nodes:
        leaving = await run.execute(node)
        if leaving is not None:
            return leaving
    return None


async def declare(run: Run, node: bound_statements.Declare) -> Leaving | None:
    run.own.pop(node.variable, None)  # a new one in each round of a loop
    if node.value is not None:
        run.own[node.variable] = await run.value(node.value)
    return None


async def evaluate(run: Run, node: bound_statements.Evaluate) -> Leaving | None:
    run.last_value = VOID
    try:
        run.last_value = await run.value(node.expression)
    except _Left as left:
        return left.leaving
    return None


async def if_(run: Run, node: bound_statements.If) -> Leaving | None:
    if await run.boolean(node.condition):
        return await run.execute(node.then)
    return None if node.otherwise is None else await run.execute(node.otherwise)


async def loop(run: Run, node: bound_statements.Loop) -> Leaving | None:
    for statement in node.first:
        await run.execute(statement)
    is_tested = node.tests_first
    while True:
        await asyncio.sleep(0)
        if is_tested and node.condition is not None and not await run.boolean(node.condition):
            return None
        is_tested = True
        leaving = await run.execute(node.body)
        if leaving is not None and not leaving.continues(node.labels):
            return None if leaving.breaks_nearest else leaving
        for each in node.update:
            await run.value(each)


async def for_each(run: Run, node: bound_statements.ForEach) -> Leaving | None:
    async for element in _elements(run, node.iterable):
        await asyncio.sleep(0)
        run.held[node.held] = element
        run.own[node.variable] = await run.value(node.conversion)
        leaving = await run.execute(node.body)
        if leaving is not None and not leaving.continues(node.labels):
            return None if leaving.breaks_nearest else leaving
    return None


async def _elements(run: Run, node: bound.Bound) -> AsyncIterator[RunValue]:
    if isinstance(node.type, ArrayType):
        array = checked_array(await run.value(node), node, "iterate over it")
        # One by one: the body may change elements that are still to come.
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


async def labeled(run: Run, node: bound_statements.Labeled) -> Leaving | None:
    leaving = await run.execute(node.body)
    if leaving is not None and leaving.word == "break" and leaving.label == node.label:
        return None
    return leaving


async def jump(_run: Run, node: bound_statements.Jump) -> Leaving | None:
    return Leaving(node.word, node.label)


async def return_(run: Run, node: bound_statements.Return) -> Leaving | None:
    value: RunValue = VOID if node.value is None else await run.value(node.value)
    return Leaving("return", value=value)


async def yield_(run: Run, node: bound_statements.Yield) -> Leaving | None:
    return Leaving("yield", value=await run.value(node.value), number=node.number)


async def throw(run: Run, node: bound_statements.Throw) -> Leaving | None:
    found = await run.object(node.exception, "throw it")
    name = await class_name(found)
    raise DebuggeeException(f"the evaluated code threw {name}", found, node.span.column)


# --- switch ---------------------------------------------------------------------------------------


class _Left(Exception):  # noqa: N818 - not an error
    """A switch statement, which is an expression to the interpreter, is left by a jump."""

    def __init__(self, leaving: Leaving) -> None:
        super().__init__()
        self.leaving = leaving


async def switch(run: Run, node: bound_statements.Switch) -> RunValue:
    selector = await run.value(node.selector)
    if isinstance(selector, NullValue) and not node.takes_null:
        raise JavaThrowsError(
            "java.lang.NullPointerException", "the switch is on null", node.selector.span
        )
    run.held[node.held] = selector
    leaving = await _run_cases(run, node, await _matching(run, node.cases))
    if leaving is None or leaving.breaks_nearest:
        if node.results:
            raise EvaluationError(
                "no case of this switch fits, and it has no default", node.span.column
            )
        return VOID
    if leaving.word != "yield":
        raise _Left(leaving)
    if not node.results:
        raise TypeError("a yield in a switch statement: the binder refuses it")
    run.held[node.held_results[leaving.number]] = leaving.value
    return await run.value(node.results[leaving.number])


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


async def _run_cases(run: Run, node: bound_statements.Switch, first: int | None) -> Leaving | None:
    if first is None:
        return None
    last = len(node.cases) if node.falls_through else first + 1
    for case in node.cases[first:last]:
        leaving = await _sequence(run, case.body)
        if leaving is not None:
            return leaving
    return None


async def same_text(run: Run, node: bound_statements.SameText) -> RunValue:
    is_same = await run.text(await run.value(node.operand)) == node.text
    return PrimitiveValue(PrimitiveKind.BOOLEAN, is_same)
