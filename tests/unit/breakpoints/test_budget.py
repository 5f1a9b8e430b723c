# SPDX-License-Identifier: Apache-2.0
"""What breakpoints take of a second, and which of them is to be disabled."""

from __future__ import annotations

from jvmdebug.breakpoints import Breakpoint, BreakpointRequest
from jvmdebug.breakpoints.budget import Budget, BudgetLimits
from jvmdebug.sources import LineSpec


def _breakpoint(line: int) -> Breakpoint:
    return Breakpoint(BreakpointRequest(LineSpec(line, path="Shop.java")))


def test_two_seconds_over_the_limit() -> None:
    budget, one = Budget(), _breakpoint(1)
    limits = BudgetLimits(each_ms=100)
    assert budget.spend(one, 10.1, 0.9, limits) is None, "a lambda was compiled, for instance"
    assert budget.spend(one, 11.1, 0.06, limits) is None
    assert budget.spend(one, 11.5, 0.06, limits) == (one, 100)
    assert budget.spend(one, 12.1, 0.2, limits) is None, "it begins anew"


def test_a_second_without_hits_between() -> None:
    budget, one = Budget(), _breakpoint(1)
    limits = BudgetLimits(each_ms=100)
    assert budget.spend(one, 10.1, 0.9, limits) is None
    assert budget.spend(one, 12.1, 0.9, limits) is None


def test_of_all_together_the_costliest() -> None:
    budget, cheap, dear = Budget(), _breakpoint(1), _breakpoint(2)
    limits = BudgetLimits(all_ms=100)
    assert budget.spend(dear, 10.0, 0.08, limits) is None
    assert budget.spend(cheap, 10.5, 0.03, limits) is None
    assert budget.spend(dear, 11.0, 0.08, limits) is None
    assert budget.spend(cheap, 11.5, 0.03, limits) == (dear, 100)


def test_no_limit() -> None:
    budget, one = Budget(), _breakpoint(1)
    assert all(budget.spend(one, float(at), 5.0, BudgetLimits()) is None for at in range(5))
