# SPDX-License-Identifier: Apache-2.0
"""Small classes on hot threads keep their values, whatever the debugger sets: see hot_values.py."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

import pytest

from tests.stress.hot_values import compute_under_stress

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

_SEED = int(os.environ.get("JVMDEBUG_STRESS_SEED", "1"))


@pytest.mark.agent
@pytest.mark.timeout(180)
def test_values_are_right_for_four_seconds(jdk: Jdk) -> None:
    outcome = compute_under_stress(jdk, seed=_SEED, seconds=4)
    assert sum(outcome.deeds.values()) > 0


@pytest.mark.slow
@pytest.mark.agent
@pytest.mark.timeout(400)
@pytest.mark.parametrize("mode", ["auto", "full"])
def test_values_are_right_for_a_minute(jdk: Jdk, mode: Literal["auto", "full"]) -> None:
    outcome = compute_under_stress(jdk, seed=_SEED + 1, seconds=60, mode=mode)
    assert outcome.stops > 0
