# SPDX-License-Identifier: Apache-2.0
"""Breakpoints with conditions that come and go in a busy program: see churning.py.

A run fails when the VM crashes, when a hit is missed or reported twice, when a frame of the agent
shows, when the program's sums are wrong, or when code is left in its classes.
"""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.stress.churn_running import churn
from tests.stress.churning import Churning, ChurnOutcome
from tests.stress.running import port_of, reckon, started
from tests.support.debuggees import debuggee

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


@pytest.mark.slow
@pytest.mark.agent
@pytest.mark.timeout(120)
async def test_a_hot_method_is_swapped_and_then_stopped_in(jdk: Jdk) -> None:
    """A VM before 17 ran past the end of the method (JDK-8266497)."""
    program = debuggee("churn", "churn.Churn")
    options = (f"-Djava.library.path={program.class_path[0]}", *_CHECKED)
    with started(jdk, program, options) as (jvm, output, folder):
        port = port_of(output, 1)
        async with jvmdebug.attach("127.0.0.1", port, probes="auto") as session:
            work = Churning(session, program, random.Random(_SEED), ChurnOutcome())
            for _ in range(4):
                await work.hot_swap()
                await work.stop_at("same")
            await work.rest()
        reckon(jvm, output, folder)
