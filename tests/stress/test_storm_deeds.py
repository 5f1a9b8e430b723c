# SPDX-License-Identifier: Apache-2.0
"""A storm does whatever a session, a stop and a breakpoint can."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Final

import jvmdebug
from tests.stress.equivalent import with_more

_FILES: Final = ("storm.py", "storm_deeds.py", "storm_stops.py", "oracle_running.py")
_NOT_IN_A_STORM: Final = {
    # They end the program, which is to come to its end by itself.
    *("Session.kill", "Session.terminate", "Session.restart"),
    # They refuse what a storm does.
    "Session.forbid_changes",
    # Other names for what is there, and what these use themselves.
    *("Session.close", "Session.close_by", "Session.remove", "Session.stops", "Stop.end"),
    *("Stop.require_current", "Stop.refresh", "Breakpoint.begin", "Breakpoint.fail"),
    *("Breakpoint.release", "Stop.warm_up", "Stop.find_original"),
    # One after the other, by the deeds that are there.
    "Breakpoint.set_options",
}


def _operations(owner: type) -> set[str]:
    return {
        f"{owner.__name__}.{name}"
        for name, member in inspect.getmembers(owner, inspect.isfunction)
        if not name.startswith("_")
    }


def test_a_storm_has_every_operation() -> None:
    text = "".join(Path(__file__).with_name(each).read_text(encoding="utf-8") for each in _FILES)
    called = set(re.findall(r"\.(\w+)\b", text))
    all_of_them = set().union(
        *map(_operations, (jvmdebug.Session, jvmdebug.Stop, jvmdebug.Breakpoint))
    )
    missing = {each for each in all_of_them if each.partition(".")[2] not in called}
    assert missing - _NOT_IN_A_STORM == set()
    assert all_of_them >= _NOT_IN_A_STORM


def test_other_code_has_the_same_lines() -> None:
    text = (
        "class A {\n    A() {\n        super();\n    }\n    int f(int n) {\n        if (n > 1) {\n"
    )
    more = with_more(text)
    assert len(more.splitlines()) == len(text.splitlines())
    changed = [a for a, b in zip(more.splitlines(), text.splitlines(), strict=True) if a != b]
    assert changed == ["    int f(int n) { if (System.nanoTime() == 5L) { System.nanoTime(); }"]
