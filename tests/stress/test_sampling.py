# SPDX-License-Identifier: Apache-2.0
"""Everything that samples, in a program whose classes come and go, with each collector: some
seconds in the suite; `python -m tests.stress --sampling --minutes N` by hand.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.stress.sampling import COLLECTORS, has_collector, sample_under_stress

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

_SEED = int(os.environ.get("JVMDEBUG_STRESS_SEED", "1"))


def _run(jdk: Jdk, collector: str, seconds: float) -> None:
    if not has_collector(jdk, collector):
        pytest.skip(f"this JVM has no {collector} collector")
    outcome = sample_under_stress(jdk, collector, seed=_SEED, seconds=seconds, sessions=2)
    assert outcome.sessions == 2
    assert outcome.unloaded > 0
    assert outcome.pauses > 0
    assert all(outcome.samples[each] for each in ("alloc", "locks")), str(outcome)
    assert sum(outcome.samples[each] for each in ("cpu", "wall", "signals")) > 0, str(outcome)


@pytest.mark.agent
@pytest.mark.timeout(240)
def test_sampling_for_four_seconds(jdk: Jdk) -> None:
    _run(jdk, "G1", 4)


@pytest.mark.slow
@pytest.mark.agent
@pytest.mark.timeout(600)
@pytest.mark.parametrize("collector", COLLECTORS)
def test_sampling_for_a_minute(jdk: Jdk, collector: str) -> None:
    _run(jdk, collector, 60)
