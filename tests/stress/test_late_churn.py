# SPDX-License-Identifier: Apache-2.0
"""Breakpoints and steps that come and go in a busy program that was started without an agent: see
late_churning.py. A run fails for the same reasons as in test_churn.py.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.stress.late_churning import churn_late

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

_SEED = int(os.environ.get("JVMDEBUG_STRESS_SEED", "1"))


@pytest.mark.slow
@pytest.mark.agent
@pytest.mark.timeout(300)
def test_a_late_agent_for_eight_seconds(jdk: Jdk) -> None:
    outcome = churn_late(jdk, seed=_SEED, seconds=8, sessions=2, vm_args=("-Xcheck:jni",))
    assert sum(outcome.deeds.values()) > 2
