# SPDX-License-Identifier: Apache-2.0
"""What the debuggee `expect` expects: texts of expressions with the values that javac gave them."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.run.exceptions import JavaThrowsError
from jvmdebug.model import DebuggeeException
from jvmdebug.model.values import (
    ArrayReference,
    NullValue,
    ObjectReference,
    PrimitiveValue,
    StringReference,
)
from tests.e2e.evaluate import source_texts
from tests.e2e.evaluate.conftest import static_list, to_string

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable

    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value
    from tests.support.sessions import DebuggeeSession

EXPECT = "expect.Expect"


async def expectations(
    program: DebuggeeSession, context: str
) -> AsyncIterator[tuple[Frame, str, str, Value]]:
    """The frame of the context, a text, its kind and its value, in the order of the program."""
    frame = await program.frame_at(context)
    texts = await static_list(frame, EXPECT, "texts")
    kinds = await static_list(frame, EXPECT, "kinds")
    values = await static_list(frame, EXPECT, "values")
    assert texts, context
    for text, kind, value in zip(texts, kinds, values, strict=True):
        expression = await text_of(text)
        if expression.startswith("@"):
            expression = source_texts.text_at(program.program.source_dir, expression)
        yield frame, expression, await text_of(kind), value


async def difference(
    frame: Frame, asked: Awaitable[Value], kind: str, expected: Value
) -> str | None:
    """What is wrong with what was asked; None when nothing is."""
    try:
        actual = await asked
    except DebuggeeException as error:
        return await _wrong_exception((await error.exception.type()).name, kind, expected, error)
    except JavaThrowsError as error:
        return await _wrong_exception(error.exception, kind, expected, error)
    except EvaluationError as error:
        return f"{error} (column {error.column})"
    match kind:
        case "throws":
            return f"should throw {await text_of(expected)}, is {await to_string(frame, actual)}"
        case "new" | "object":
            compare = _wrong_copy if kind == "new" else _wrong_reference
            return await compare(frame, actual, expected)
        case _:
            return await _wrong_primitive(actual, kind, expected)


async def _wrong_exception(
    thrown: str, kind: str, expected: Value, error: EvaluationError
) -> str | None:
    wanted = await text_of(expected) if kind == "throws" else "nothing"
    return None if thrown == wanted else f"throws {thrown}, should throw {wanted}: {error}"


async def _wrong_primitive(actual: Value, kind: str, expected: Value) -> str | None:
    wanted = await unboxed(expected)
    if not isinstance(actual, PrimitiveValue):
        return f"is {actual!r}, should be of type {kind}"
    if actual.kind.java_name != kind:
        return f"is of type {actual.kind.java_name}, should be {kind}"
    return None if _same(actual, wanted) else f"is {actual}, should be {wanted}"


def _same(actual: PrimitiveValue, expected: PrimitiveValue) -> bool:
    """Bit by bit, so that NaN and -0.0 count."""
    if isinstance(actual.value, float) and isinstance(expected.value, float):
        return struct.pack(">d", actual.value) == struct.pack(">d", expected.value) or (
            actual.value != actual.value and expected.value != expected.value
        )
    return actual == expected


async def _wrong_reference(frame: Frame, actual: Value, expected: Value) -> str | None:
    if isinstance(expected, NullValue) or not isinstance(actual, ObjectReference):
        same_null = isinstance(expected, NullValue) and isinstance(actual, NullValue)
        return None if same_null else f"is {actual!r}, should be {expected!r}"
    assert isinstance(expected, ObjectReference)
    expected_type = (await expected.type()).name
    if expected_type.startswith("java.lang.") and expected_type != "java.lang.Class":
        return await _wrong_copy(frame, actual, expected)
    if actual == expected:
        return None
    return f"is {await to_string(frame, actual)}, another object"


async def _wrong_copy(frame: Frame, actual: Value, expected: Value) -> str | None:
    """Objects of one class that look the same."""
    if not isinstance(actual, ObjectReference) or not isinstance(expected, ObjectReference):
        return None if actual == expected else f"is {actual!r}, should be {expected!r}"
    own, wanted = (await actual.type()).name, (await expected.type()).name
    if own != wanted:
        return f"is of class {own}, should be {wanted}"
    if isinstance(actual, ArrayReference) and isinstance(expected, ArrayReference):
        mine, theirs = await actual.get(), await expected.get()
        if len(mine) != len(theirs):
            return f"has {len(mine)} elements, should have {len(theirs)}"
        for one, other in zip(mine, theirs, strict=True):
            difference = await _wrong_copy(frame, one, other)
            if difference:
                return f"element: {difference}"
        return None
    text, wanted_text = await to_string(frame, actual), await to_string(frame, expected)
    return None if text == wanted_text else f"is {text!r}, should be {wanted_text!r}"


async def text_of(value: Value) -> str:
    assert isinstance(value, StringReference)
    return await value.as_text()


async def unboxed(value: Value) -> PrimitiveValue:
    """What a box contains."""
    assert isinstance(value, ObjectReference)
    fields = [each for each in await (await value.type()).fields() if each.name == "value"]
    (found,) = await value.get_values(fields)
    assert isinstance(found, PrimitiveValue)
    return found
