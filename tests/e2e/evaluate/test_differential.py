# SPDX-License-Identifier: Apache-2.0
"""Every expression of the debuggees has the value and type that javac gave it.

A debuggee holds, for each context, the texts of expressions (or where they stand in its source)
beside their compiled values; here the texts are evaluated in the frame of that context, in the same
order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug import evaluator
from tests.e2e.evaluate.expected import difference, expectations
from tests.e2e.evaluate.unloaded import nothing_loaded
from tests.support.matrix import has_all_sets

if TYPE_CHECKING:
    from tests.e2e.evaluate.conftest import StartEvaluating
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


def half_of(contexts: tuple[str, ...], first: int = 0) -> tuple[str, ...]:
    """Each second context, beginning with the first one or the second; all in `make matrix`."""
    return contexts if has_all_sets() else contexts[first::2]


loaded_or_not = pytest.mark.parametrize(
    "pretending",
    [pytest.param(False, id="loaded", marks=pytest.mark.slow), pytest.param(True, id="unloaded")],
)
"""Each text is asked again as if no class of the program but the frame's own was loaded, which
needs all that the other way does; `make matrix` has both.
"""


@loaded_or_not
@pytest.mark.timeout(240)
async def test_expressions_have_the_values_that_javac_gives_them(
    evaluating: StartEvaluating, *, pretending: bool
) -> None:
    async with evaluating() as program:
        differences, seen = await _compared(program, half_of(CONTEXTS), pretending=pretending)
    assert not differences, "\n".join(differences)
    assert seen >= LEAST_EXPRESSIONS or not has_all_sets()


@loaded_or_not
@pytest.mark.timeout(240)
async def test_every_construct_in_every_kind_of_place(
    evaluating: StartEvaluating, *, pretending: bool
) -> None:
    async with evaluating("constructs", "constructs.Main") as program:
        differences, seen = await _compared(program, half_of(CONSTRUCTS), pretending=pretending)
    assert not differences, "\n".join(differences)
    assert seen >= LEAST_CONSTRUCTS or not has_all_sets()


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
        differences, seen = await _compared(program, half_of(EVERYDAY), pretending=pretending)
    assert not differences, "\n".join(differences)
    assert seen >= LEAST_EVERYDAY or not has_all_sets()


@loaded_or_not
@pytest.mark.timeout(240)
async def test_names_inference_identity_and_enclosing_classes_as_javac_has_them(
    evaluating_with_ours: StartEvaluating, *, pretending: bool
) -> None:
    async with evaluating_with_ours("precise", "precise.Main") as program:
        differences, seen = await _compared(program, half_of(PRECISE), pretending=pretending)
    assert not differences, "\n".join(differences)
    assert seen >= LEAST_PRECISE or not has_all_sets()


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
        async for frame, text, kind, value in expectations(program, context):
            seen += 1
            asked = evaluator.evaluate(frame, text, deadline_s=20.0)
            compared = difference(frame, asked, kind, value)
            if pretending:
                async with nothing_loaded(frame):
                    wrong = await compared
            else:
                wrong = await compared
            if wrong:
                differences.append(f"[{context}] {text}: {wrong}")
    return differences, seen
