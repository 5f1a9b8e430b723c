# SPDX-License-Identifier: Apache-2.0
"""Calls of accessors, whose frames the program does not count, are recorded as those of other
methods: within recorded code, as the outermost frame of a thread, and beside a condition.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest

from jvmdebug import recording
from tests.support.debuggees import debuggee
from tests.support.sessions import launched

if TYPE_CHECKING:
    from pathlib import Path

    from jvmdebug.recording import Call
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

ACCESSORS: Final = debuggee("accessors", "accessors.Main")


def _text(call: Call) -> str:
    """The call as the program writes it."""
    result = "thrown" if call.exception else re.sub(r"@\d+$|[\"']", "", call.result)
    return f"{call.name.rpartition('.')[2]} {result}".rstrip()


@pytest.mark.parametrize("what", ["calls", "lines", "all"])
@pytest.mark.parametrize("only", ["accessors.*", "accessors.Thing"], ids=["called", "outermost"])
async def test_calls_and_results_are_those_of_the_program(
    jdk: Jdk, tmp_path: Path, what: str, only: str
) -> None:
    path = tmp_path / "accessors.jvmrec"
    texts: list[str] = []
    async with (
        launched(
            ACCESSORS, jdk, "jvmdebug", on_output=lambda output: texts.append(output.text)
        ) as session,
        session.record(path, what=what, only=[only]),
    ):
        # A probe that never stops, in a method without a frame of its own.
        line = ACCESSORS.marker("product")
        placed = await session.break_at(f"accessors.Thing:{line}", condition="factor == -12345")
        await session.start()
        assert await session.wait() == 0
        assert placed.hits == 0
    written = "".join(texts).splitlines()
    with recording.open(path) as found:
        calls = [each for each in found.calls() if each.name.startswith("accessors.Thing.")]
    # Each thread begins when the one before has ended, so its calls come behind that one's.
    calls.sort(key=lambda each: each.start_ns)
    made = [_text(each) for each in calls if not each.name.endswith("<init>")]
    assert made == [each.rstrip() for each in written]
