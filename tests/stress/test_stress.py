# SPDX-License-Identifier: Apache-2.0
"""Games of some seconds; a minute each in the slow ones.

The seed is the same each time, so that a change is what made a test fail;
JVMDEBUG_STRESS_SEED chooses another. A failure says the seed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.stress.running import play

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

_SEED = int(os.environ.get("JVMDEBUG_STRESS_SEED", "1"))


# Slow: a request without filter can bring hundreds of thousands of events, which take a minute to
# read on two cores. `make stress` plays longer.
@pytest.mark.slow
@pytest.mark.agent
@pytest.mark.timeout(300)
def test_anything_goes_for_a_while(jdk: Jdk) -> None:
    """The least of what a machine under load gets done in the time is asked for."""
    outcome = play(jdk, seed=_SEED, seconds=6, sessions=2)
    assert outcome.sessions == 2
    assert sum(outcome.outcomes.values()) > 100
    assert outcome.events > 0


@pytest.mark.slow
@pytest.mark.agent
@pytest.mark.timeout(600)
@pytest.mark.parametrize("fast", [False, True], ids=["full", "fast"])
def test_anything_goes_for_a_minute(jdk: Jdk, *, fast: bool) -> None:
    """In both modes, with several debuggers one after the other."""
    outcome = play(jdk, seed=_SEED + 1, seconds=60, sessions=5, fast=fast)
    assert outcome.sessions == 5
    assert sum(outcome.outcomes.values()) > 1000
