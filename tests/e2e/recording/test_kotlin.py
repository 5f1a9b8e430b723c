# SPDX-License-Identifier: Apache-2.0
"""A recording of a program in Kotlin: inline functions, lambdas, data classes, coroutines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from jvmdebug import recording
from tests.support.bare_program import ran_alone
from tests.support.other_languages import kotlin_debuggee
from tests.support.sessions import launched

if TYPE_CHECKING:
    from pathlib import Path

    import jvmdebug
    from tests.support.jdks import Jdk

pytestmark = [pytest.mark.agent, pytest.mark.network]


async def test_a_program_in_kotlin_is_recorded_as_it_is(jdk: Jdk, tmp_path: Path) -> None:
    program = kotlin_debuggee("kotlin", "shop.ShopKt")
    texts: list[str] = []

    def note(output: jvmdebug.Output) -> None:
        if output.stream == "stdout":
            texts.append(output.text)

    path = tmp_path / "shop.jvmrec"
    async with (
        launched(program, jdk, "jvmdebug", on_output=note) as session,
        session.record(path, only=["shop.*"]),
    ):
        await session.start()
        assert await session.wait() == 0
    alone, _ = await ran_alone(jdk, program)
    hashes = re.compile(r"@[0-9a-f]+")
    assert hashes.sub("@", "".join(texts)) == hashes.sub("@", alone)
    with recording.open(path) as found:
        assert not found.notes
        in_total = [each for each in found.writes("sum") if "Cart.total" in each.where]
        assert [each.text for each in in_total] == ["0", "1", "3"]
        assert [each.text for each in found.writes("answer")] == ["42"]
        assert [each.text for each in found.writes("seen")] == ["0", "1", "3"]
        (total,) = [each for each in found.calls() if each.name == "shop.Cart.total"]
        assert total.result == "3"
        lines = {
            moment.frames[0].line
            for moment in found.lines()
            if moment.frames[0].class_name.startswith("shop.")
        }
        for marker in ("total", "each", "sum", "cheap", "filter", "in-block", "repeated"):
            assert program.marker(marker) in lines
