# SPDX-License-Identifier: Apache-2.0
"""Step filters as patterns of the protocol."""

from __future__ import annotations

import pytest

from jvmdebug.stepping import (
    JDK_PATTERNS,
    JUST_MY_CODE,
    NO_FILTERS,
    StepFilters,
)


def test_the_jdk_is_written_out_once() -> None:
    filters = StepFilters(skip_classes=("$JDK", "org.lib.*", "java.*"))
    assert filters.class_patterns() == (*JDK_PATTERNS, "org.lib.*")
    assert NO_FILTERS.class_patterns() == ()


@pytest.mark.parametrize(
    ("name", "skipped"),
    [
        ("java.util.List", True),
        ("javafx.Scene", False),
        ("shop.Cart", False),
        ("shop.CartProxy", True),
        ("exactly.This", True),
        ("exactly.This$Inner", False),
    ],
)
def test_skipped_classes(name: str, *, skipped: bool) -> None:
    filters = StepFilters(skip_classes=("$JDK", "*Proxy", "exactly.This"))
    assert filters.skips_class(name) is skipped


def test_patterns_that_the_agent_cannot_filter() -> None:
    filters = StepFilters(skip_classes=("*.generated.*", "a.*.B", "org.lib.*"))
    assert filters.class_patterns() == ("org.lib.*",)
    assert filters.skips_class("shop.generated.Stub")
    assert filters.skips_class("a.b.c.B")
    assert not filters.skips_class("a.b.C")


def test_libraries_are_no_pattern_of_the_agent() -> None:
    assert JUST_MY_CODE.skips_libraries
    assert JUST_MY_CODE.class_patterns() == JDK_PATTERNS
    assert not JUST_MY_CODE.skips_class("$Libraries")
