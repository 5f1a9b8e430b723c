# SPDX-License-Identifier: Apache-2.0
"""Every expression of the debuggees has the value and type that javac gave it.

A debuggee holds, for each context, the texts of expressions (or where they stand in its source)
beside their compiled values; here the texts are evaluated in the frame of that context, in the same
order.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from jvmdebug import evaluator
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
from tests.e2e.evaluate.conftest import StartEvaluating, static_list, to_string
from tests.e2e.evaluate.unloaded import nothing_loaded

if TYPE_CHECKING:
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value
    from tests.support.sessions import DebuggeeSession

CONTEXTS = (
    "literals",
    "arithmetic",
    "boxes",
    "arrays",
    "calls",
    "assignments",
    "enum-constant",
    "constructor",
    "instance",
    "inner",
    "static-nested",
    "local-class",
    "anonymous",
    "lambda",
    "static-lambda",
    "generic",
    "default-method",
    "handler",
    "blocks",
    "second-block",
    "recursion",
)
CONSTRUCTS = (
    *("numbers", "strings", "changes", "boxing", "arrays"),
    *("static-initializer", "before-super", "instance-initializer", "after-super", "derived"),
    *("compact-constructor", "record", "enum-constructor", "constant-body"),
    *("interface-private", "diamond", "interface-static"),
    *("outer", "inner", "deepest", "bounded"),
    *("string-switch", "switch-expression", "pattern-variable"),
    *("resources", "multi-catch", "finally", "each"),
    *("anonymous-in-lambda", "lambda-in-anonymous", "imported"),
)
EVERYDAY = (
    *("overloads", "generics", "numbers", "private-of-interface", "child", "innermost"),
    *("iterator", "node", "record", "statements", "static-streams"),
)
EXPECT = "expect.Expect"
PRECISE = (
    *("names", "inferred", "references", "anonymous-body", "nested-anonymous"),
    *("lambda-of-anonymous", "local-class", "enum-body", "constants", "exact"),
)
LEAST_EXPRESSIONS = 400
LEAST_CONSTRUCTS = 550
LEAST_STATEMENTS = 50
LEAST_EVERYDAY = 480
LEAST_LAMBDAS = 75
LEAST_PRECISE = 190
loaded_or_not = pytest.mark.parametrize("pretending", [False, True], ids=["loaded", "unloaded"])
"""Each text is asked again as if no class of the program but the frame's own was loaded."""


@loaded_or_not
@pytest.mark.timeout(240)
async def test_expressions_have_the_values_that_javac_gives_them(
    evaluating: StartEvaluating, *, pretending: bool
) -> None:
    async with evaluating() as program:
        differences, seen = await _compared(program, CONTEXTS, pretending=pretending)
    assert not differences, "\n".join(differences)
    assert seen >= LEAST_EXPRESSIONS


@loaded_or_not
@pytest.mark.timeout(240)
async def test_every_construct_in_every_kind_of_place(
    evaluating: StartEvaluating, *, pretending: bool
) -> None:
    async with evaluating("constructs", "constructs.Main") as program:
        differences, seen = await _compared(program, CONSTRUCTS, pretending=pretending)
    assert not differences, "\n".join(differences)
    assert seen >= LEAST_CONSTRUCTS


@loaded_or_not
@pytest.mark.timeout(240)
async def test_statements_switches_and_patterns_do_what_javac_compiles(
    evaluating: StartEvaluating, *, pretending: bool
) -> None:
    contexts = ("flow", "switches", "patterns")
    async with evaluating("statements", "statements.Main") as program:
        differences, seen = await _compared(program, contexts, pretending=pretending)
    assert not differences, "\n".join(differences)
    assert seen >= LEAST_STATEMENTS


@loaded_or_not
@pytest.mark.timeout(240)
async def test_typical_texts_have_the_values_of_javac(
    evaluating_with_ours: StartEvaluating, *, pretending: bool
) -> None:
    async with evaluating_with_ours("everyday", "everyday.Main") as program:
        differences, seen = await _compared(program, EVERYDAY, pretending=pretending)
    assert not differences, "\n".join(differences)
    assert seen >= LEAST_EVERYDAY


@loaded_or_not
@pytest.mark.timeout(240)
async def test_names_inference_identity_and_enclosing_classes_as_javac_has_them(
    evaluating_with_ours: StartEvaluating, *, pretending: bool
) -> None:
    async with evaluating_with_ours("precise", "precise.Main") as program:
        differences, seen = await _compared(program, PRECISE, pretending=pretending)
    assert not differences, "\n".join(differences)
    assert seen >= LEAST_PRECISE


@pytest.mark.slow  # each text is a run of the compiler
@pytest.mark.timeout(240)
async def test_compiled_texts_have_the_values_of_javac(
    evaluating_with_ours: StartEvaluating,
) -> None:
    async with evaluating_with_ours("everyday", "everyday.Main") as program:
        differences, seen = await _compared(program, ("streams",))
    assert not differences, "\n".join(differences)
    assert seen >= LEAST_LAMBDAS


async def _compared(
    program: DebuggeeSession, contexts: tuple[str, ...], *, pretending: bool = False
) -> tuple[list[str], int]:
    """What differs, and how many texts there were."""
    differences: list[str] = []
    seen = 0
    for context in contexts:
        frame = await program.frame_at(context)
        texts = await static_list(frame, EXPECT, "texts")
        kinds = await static_list(frame, EXPECT, "kinds")
        values = await static_list(frame, EXPECT, "values")
        assert texts, context
        for text, kind, value in zip(texts, kinds, values, strict=True):
            seen += 1
            expression = await _text(text)
            if expression.startswith("@"):
                expression = source_texts.text_at(program.program.source_dir, expression)
            asked = _difference(frame, expression, await _text(kind), value)
            if pretending:
                async with nothing_loaded(frame):
                    difference = await asked
            else:
                difference = await asked
            if difference:
                differences.append(f"[{context}] {expression}: {difference}")
    return differences, seen


async def _difference(frame: Frame, text: str, kind: str, expected: Value) -> str | None:
    """What is wrong; None when nothing is."""
    try:
        actual = await evaluator.evaluate(frame, text, deadline_s=20.0)
    except DebuggeeException as error:
        return await _wrong_exception((await error.exception.type()).name, kind, expected, error)
    except JavaThrowsError as error:
        return await _wrong_exception(error.exception, kind, expected, error)
    except EvaluationError as error:
        return f"{error} (column {error.column})"
    match kind:
        case "throws":
            return f"should throw {await _text(expected)}, is {await to_string(frame, actual)}"
        case "new" | "object":
            compare = _wrong_copy if kind == "new" else _wrong_reference
            return await compare(frame, actual, expected)
        case _:
            return await _wrong_primitive(actual, kind, expected)


async def _wrong_exception(
    thrown: str, kind: str, expected: Value, error: EvaluationError
) -> str | None:
    wanted = await _text(expected) if kind == "throws" else "nothing"
    return None if thrown == wanted else f"throws {thrown}, should throw {wanted}: {error}"


async def _wrong_primitive(actual: Value, kind: str, expected: Value) -> str | None:
    wanted = await _unboxed(expected)
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


async def _text(value: Value) -> str:
    assert isinstance(value, StringReference)
    return await value.text()


async def _unboxed(value: Value) -> PrimitiveValue:
    assert isinstance(value, ObjectReference)
    fields = [each for each in await (await value.type()).fields() if each.name == "value"]
    (found,) = await value.get_values(fields)
    assert isinstance(found, PrimitiveValue)
    return found
