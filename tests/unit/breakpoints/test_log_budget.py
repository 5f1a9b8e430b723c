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


def test_messages_that_the_program_leaves_out_are_told_with_the_others() -> None:
    budget = LogBudget()
    budget.leave_out(1)  # the second hit is here before the first
    assert budget.take_summary() == ""
    budget.leave_out(-1)
    budget.leave_out(7)
    assert budget.notice(3) is not None
    assert budget.take_summary() == "[7 log messages left out]\n"
    budget.leave_out(-1)  # one too many was told
    budget.leave_out(3)
    assert budget.take_summary(is_end=True) == "[2 log messages left out]\n"
    assert budget.take_summary(is_end=True) == ""
