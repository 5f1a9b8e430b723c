# SPDX-License-Identifier: Apache-2.0
"""Breakpoints with conditions that come and go in a busy program: see churning.py.

A run fails when the VM crashes, when a hit is missed or reported twice, when a frame of the agent
shows, when the program's sums are wrong, or when code is left in its classes.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.stress.churning import churn

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

_SEED = int(os.environ.get("JVMDEBUG_STRESS_SEED", "1"))
_CHECKED = ("-Xcheck:jni",)


@pytest.mark.slow
@pytest.mark.agent
@pytest.mark.timeout(240)
def test_probes_come_and_go_for_four_seconds(jdk: Jdk) -> None:
    outcome = churn(jdk, seed=_SEED, seconds=4, sessions=2, fast=True, vm_args=_CHECKED)
    assert sum(outcome.deeds.values()) > 2


@pytest.mark.slow
@pytest.mark.agent
@pytest.mark.timeout(600)
@pytest.mark.parametrize("fast", [False, True], ids=["full", "fast"])
def test_probes_come_and_go_for_a_minute(jdk: Jdk, *, fast: bool) -> None:
    outcome = churn(jdk, seed=_SEED + 1, seconds=60, sessions=5, fast=fast, vm_args=_CHECKED)
    assert outcome.logged > 100
    assert outcome.stops > 3
