# SPDX-License-Identifier: Apache-2.0
"""Values typed into a list of variables: what is assigned, to what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug import display, evaluator
from jvmdebug.errors import EvaluationError
from jvmdebug.model import DebuggeeException

if TYPE_CHECKING:
    from tests.e2e.evaluate.conftest import StartEvaluating

# Target, value as typed, an expression about it, what that is then.
ASSIGNED = (
    ("ratio", "2.5", "ratio + 1", "3.5"),
    ("ratio", "-0.1", "ratio == -0.1f", "true"),
    ("boxed", "2.5", "boxed + 1", "3.5"),
    ("ratios[0]", "1.5", "ratios[0]", "1.5"),
    ("level", "LOW", "level.name()", '"LOW"'),
    ("level", "null", "level == null", "true"),
    ("level", "Messages.Level.LOW", "level.rank()", "1"),
    ("length", "x -> x.length()", 'length.apply("four")', "4"),
    ("length", "String::length", 'length.apply("three")', "5"),
    ("tasks[0]", "() -> names.add(names.get(0))", "tasks[0].run()", "void"),
    ("names.get(0)", '"new"', "names.get(0)", '"new"'),
    ("names.get(1)", "names.get(0) + 1", "names.get(1)", '"new1"'),
    ("levels.get(0)", "LOW", "levels.get(0).rank()", "1"),
    ('counts.get("k")', "7", 'counts.get("k") + 1', "8"),
    ('counts.get("other")', "3", "counts.size()", "2"),
    ('ratiosByName.get("r")', "2.5", 'ratiosByName.get("r") + 1', "3.5"),
)
REFUSED = (
    ("level", "HIGH", "no variable or class HIGH"),
    ("ratio", '"x"', "cannot be converted to float"),
    ("length", "x -> y", "the compiler says: cannot find symbol"),
    ("names.get(0)", "5", "cannot take"),
    ("ratio + 1", "5", "only a variable, a field or an array element"),
)


async def test_values_as_people_type_them(evaluating: StartEvaluating) -> None:
    async with evaluating("precise", "precise.Main") as program:
        frame = await program.frame_at("assigned")
        for target, value, about, expected in ASSIGNED:
            await evaluator.assign(frame, target, value)
            shown = await display.render(await evaluator.evaluate(frame, about))
            assert shown == expected, (target, value)
        for target, value, message in REFUSED:
            with pytest.raises(EvaluationError) as refused:
                await evaluator.assign(frame, target, value)
            assert message in str(refused.value), (target, value)
        with pytest.raises(DebuggeeException, match="UnsupportedOperationException"):
            await evaluator.assign(frame, "fixed.get(0)", "2")


async def test_elements_of_lists_and_maps_are_variables(evaluating: StartEvaluating) -> None:
    async with evaluating("precise", "precise.Main") as program:
        await program.frame_at("assigned")
        (stop,) = program.session.current_stops
        variables = {each.name: each for each in await stop.frame.variables()}
        (first, *_) = await variables["names"].children()
        assert first.can_be_set
        assert await (await first.set('"changed"')).as_text() == '"changed"'
        (entry, *_) = await variables["counts"].children()
        assert entry.can_be_set
        assert await (await entry.set("5")).as_text() == "5"
