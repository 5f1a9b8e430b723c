# SPDX-License-Identifier: Apache-2.0
"""The texts of toString() methods that only join fields: what the program says itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug import display, evaluator
from jvmdebug.model.values import ObjectReference, StringReference

if TYPE_CHECKING:
    import jvmdebug
    from jvmdebug.model.values import Value
    from tests.e2e.evaluate.conftest import StartEvaluating


async def _elements(frame: jvmdebug.FrameHandle, name: str) -> list[Value]:
    value = (await frame.get(name)).value
    return [child.value for child in await display.children(value)]


async def _text(value: Value) -> str | None:
    assert isinstance(value, ObjectReference)
    found = await evaluator.planned_text(value, may_plan=True)
    return None if found is None else await found.as_text()


@pytest.mark.parametrize("topic", ["joined", "joined_inline"])
async def test_joined_fields_are_what_the_program_says(
    evaluating: StartEvaluating, topic: str
) -> None:
    async with evaluating(topic, "Joined") as program:
        await program.session.break_at("Joined#show")
        frame = (await program.next_stop()).frame
        said = await _elements(frame, "texts")
        subjects = await _elements(frame, "joined")
        assert len(subjects) == len(said) > 30
        wrong = []
        for subject, expected in zip(subjects, said, strict=True):
            assert isinstance(expected, StringReference)
            text, wanted = await _text(subject), await expected.as_text()
            if text != wanted:
                wrong.append((await display.type_name(subject), text, wanted))
        assert not wrong, "\n".join(map(str, wrong))
        await _check_expressions(frame)
        others = await _elements(frame, "others")
        found = {await display.type_name(each): await _text(each) for each in others}
        assert not any(found.values()), found


async def _check_expressions(frame: jvmdebug.FrameHandle) -> None:
    """The evaluator writes numbers as this JDK does, by whichever way."""
    for text in ('@real + "f" + @precise', 'Float.valueOf(@real) + "f" + @precise'):
        for read_only in (False, True):
            for number in range(6):
                expression = text.replace("@", f"((Joined.Numbers) joined[{number}]).")
                made = await frame.evaluate(expression, read_only=read_only)
                own = await frame.evaluate(f"joined[{number}].toString()", read_only=read_only)
                wanted = await own.full_text()
                assert wanted.endswith("L" + await made.full_text()), (expression, wanted)
