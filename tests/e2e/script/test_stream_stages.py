# SPDX-License-Identifier: Apache-2.0
"""What the stages of a stream have, at a stop in the chain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug.errors import EvaluationError
from tests.support.sessions import compiled, stop_at

if TYPE_CHECKING:
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

STAGES = {
    "three": [
        ("lists.stream()", "Object[2] {List12(2), List12(1)}"),
        (".map(a -> a.size())", "Object[2] {2, 1}"),
        (".filter(b -> b > 0)", "Object[2] {2, 1}"),
        (".map(c -> c + 1)", "Object[2] {3, 2}"),
        (".count()", "2"),
    ],
    "nested": [
        ("lists.stream()", "Object[2] {List12(2), List12(1)}"),
        (".map(a -> a.stream().filter(b -> b > 1).count())", "Object[2] {1, 1}"),
        (".collect(Collectors.toList())", "ArrayList(2) {1, 1}"),
    ],
}


async def test_the_stages_of_a_stream(launch: Launch, jdk: Jdk) -> None:
    """Read the stages: nothing is run, and no class is loaded into the program for it."""
    program = compiled("line_parts", "Parts", jdk)
    async with launch("line_parts", "Parts") as session:
        for mark, wanted in STAGES.items():
            stop = await stop_at(session, program, mark)
            before = {each.name for each in await session.vm.all_classes()}
            stages = await stop.frame.stream_stages()
            found = [
                (each.text, None if each.value is None else await each.value.as_text())
                for each in stages
            ]
            assert found == wanted, [each.message for each in stages]
            assert {each.name for each in await session.vm.all_classes()} == before
        stop = await stop_at(session, program, "alone")
        changing, *_, summed = await stop.frame.stream_stages()
        assert changing.value is not None
        assert summed.value is None
        assert "writes the field Parts.total" in str(summed.message)
        stop = await stop_at(session, program, "end")
        with pytest.raises(EvaluationError, match="no chain of calls on a stream at line"):
            await stop.frame.stream_stages()
