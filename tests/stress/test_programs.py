# SPDX-License-Identifier: Apache-2.0
"""Small programs that check themselves run under a storm, and do what they do without a debugger.

The short form of `python -m tests.stress --programs`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.stress.class_bytes import differing
from tests.stress.oracle_programs import PROGRAMS
from tests.stress.oracle_running import Facts, Run, compare, storm
from tests.stress.storm_targets import StormOutcome

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

_SEED = int(os.environ.get("JVMDEBUG_STRESS_SEED", "1"))


@pytest.mark.agent
@pytest.mark.timeout(120)
def test_a_program_under_a_short_storm_does_what_it_does_bare(jdk: Jdk) -> None:
    outcome = storm(Run(jdk, PROGRAMS["checked"], _SEED, 3, sessions=1, compares_speed=False))
    assert len(outcome.deeds) > 1


def _facts(reflection: tuple[str, ...] = (), seen: bytes = b"", calm: int = 10) -> Facts:
    rounds = {"warm": [calm], "storm": [calm], "calm": [calm]}
    return Facts("written", list(reflection), {"A.class": seen}, rounds)


@pytest.mark.parametrize(
    ("bare", "found", "message"),
    [
        (_facts(("A x: 1",)), _facts(("A x: 2",)), "reflection"),
        (_facts(("A x: 1", "A y: 2")), _facts(("A x: 1",)), "reflection"),
        (_facts(seen=b"1"), _facts(seen=b"2"), "class files"),
        (_facts(calm=10), _facts(calm=26), "times as long"),
    ],
)
def test_each_difference_is_told(jdk: Jdk, bare: Facts, found: Facts, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        compare(Run(jdk, PROGRAMS["checked"], 1), bare, found, StormOutcome())


def test_classes_that_only_one_run_has_are_not_compared() -> None:
    assert not differing({"A.class": b"1"}, {"B.class": b"2"})
