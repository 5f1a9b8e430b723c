# SPDX-License-Identifier: Apache-2.0
"""A step out whose request stays after its first event, as few clients leave it."""

from __future__ import annotations

from tests.conformance.differential.scenarios import (
    WALKS,
    Scenario,
    scenario_conversations,
)
from tests.support.jdwp_session import BREAKPOINT, LINE, MIN, OUT, SINGLE_STEP

EVENTS = 8
"""At most so many of one request; the program may come back to its stop before."""

OUT_OF = {
    "leaf": ("straight", "leaf"),
    "leafEnd": ("straight", "leafEnd"),
    "middle": ("straight", "middle"),
    "caller": ("straight", "straight"),
    "fib": ("recursion", "fib"),
    "fibBase": ("recursion", "fibBase"),
    "fibLeft": ("recursion", "fibLeft"),
    "fibRight": ("recursion", "fibRight"),
    "throw": ("exceptions", "throw"),
    "rethrow": ("exceptions", "rethrow"),
    "innerCall": ("exceptions", "innerCall"),
    "innerCatch": ("exceptions", "innerCatch"),
    "cleanerCall": ("exceptions", "cleanerCall"),
    "target": ("reflection", "target"),
    "apply": ("lambdas", "apply"),
    "own": ("instances", "own"),
    "inside": ("monitors", "inside"),
}
SIZES = {"line": LINE, "instruction": MIN}
CASES = {
    f"{name}-{size}": (*where, number)
    for name, where in OUT_OF.items()
    for size, number in SIZES.items()
}


@scenario_conversations(CASES, WALKS, "nothing")
def out(scenario: Scenario, where: tuple[str, str, int]) -> None:
    act, marker, size = where
    scenario.choose(act)
    scenario.run_to(marker)
    scenario.choose("nothing")
    stop = scenario.break_at("stop")
    request = scenario.begin_step(OUT, size=size)
    for _ in range(EVENTS):
        if any(one["kind"] == BREAKPOINT for one in scenario.go()):
            break
    scenario.clear(SINGLE_STEP, request)
    scenario.clear(BREAKPOINT, stop)
