# SPDX-License-Identifier: Apache-2.0
"""Log messages beyond the budget are left out, told once, and counted; each second begins anew."""

from __future__ import annotations

from jvmdebug.breakpoints.log_budget import LogBudget


def test_the_budget_is_for_a_second_not_for_a_life() -> None:
    budget = LogBudget()
    for second in (100.0, 101.5, 150.0):
        assert [budget.take(second + 0.1 * each, 3) for each in range(4)] == [True] * 3 + [False]
        assert budget.notice(3) is not None
        assert not budget.take(second + 0.5, 3)
        assert budget.notice(3) is None
        assert budget.take_summary() == "[2 log messages left out]\n"
        assert budget.take_summary() == ""
