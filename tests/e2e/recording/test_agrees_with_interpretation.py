# SPDX-License-Identifier: Apache-2.0
"""What the agent records of a program agrees, line by line and value by value, with what an
interpreter of the same class file does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug_cli import command_line

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

only_once = pytest.mark.parametrize("recorded", [1 << 16], indirect=True, ids=["interpreted"])


def _seen(path: Path) -> list[tuple[str, dict[str, str]]]:
    """The lines in order: where each is, and the variables and the fields of `this`."""
    with jvmdebug.recording.open(path) as recording:
        found = []
        for moment in recording.lines():
            (top, *_) = moment.frames
            values = {
                each.name: re.sub(r"@\d+", "@", each.text)
                for each in top.variables()
                if not (top.method == "<init>" and each.name == "this")  # known after super()
            }
            if top.method == "add":
                for name in ("this.total", "this.prices[0]", "this.name", "Till.made"):
                    values[name] = moment.value(name)
            found.append((top.place, values))
        return found


@only_once
def test_the_agent_records_what_an_interpreter_does(
    recorded: Path, till: Debuggee, jdk: Jdk, tmp_path: Path
) -> None:
    path = tmp_path / "agent.jvmrec"
    class_path = str(till.class_path[0])
    words = ["record", "-o", str(path), "-cp", class_path, "--java", str(jdk.java)]
    assert command_line.main([*words, "--", "shop.Till"]) == 0
    assert _seen(path) == _seen(recorded)
