# SPDX-License-Identifier: Apache-2.0
"""Runs of some seconds; a minute each in the slow ones.

A run fails when the VM crashes, when a command is not answered, when the program does not go on
afterwards or its sums are wrong; with sanitizers (tools/sanitized.py) a report fails it too.

The seed is the same each time, so that a change is what made a test fail;
JVMDEBUG_STRESS_SEED chooses another. A failure says the seed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.stress.running import run

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

_SEED = int(os.environ.get("JVMDEBUG_STRESS_SEED", "1"))


@pytest.mark.agent
@pytest.mark.timeout(300)
@pytest.mark.parametrize("fast", [False, True], ids=["full", "fast"])
def test_random_sessions_for_four_seconds(jdk: Jdk, *, fast: bool) -> None:
    """The least of what a machine under load gets done in the time is asked for."""
    outcome = run(jdk, seed=_SEED, seconds=4, sessions=2, fast=fast)
    assert outcome.sessions == 2
    assert sum(outcome.outcomes.values()) > 100
    assert outcome.events > 0
    assert outcome.rivals["served"] > 0


@pytest.mark.slow
@pytest.mark.agent
@pytest.mark.timeout(600)
@pytest.mark.parametrize("fast", [False, True], ids=["full", "fast"])
def test_random_sessions_for_a_minute(jdk: Jdk, *, fast: bool) -> None:
    """Sessions in both modes, with several debuggers one after the other."""
    outcome = run(jdk, seed=_SEED + 1, seconds=60, sessions=5, fast=fast)
    assert outcome.sessions == 5
    assert sum(outcome.outcomes.values()) > 1000
