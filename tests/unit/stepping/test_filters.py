# SPDX-License-Identifier: Apache-2.0
"""Step filters as patterns of the protocol."""

from __future__ import annotations

import pytest

from jvmdebug.stepping import JDK_PATTERNS, NO_FILTERS, StepFilters


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
def test_what_is_skipped(name: str, *, skipped: bool) -> None:
    filters = StepFilters(skip_classes=("$JDK", "*Proxy", "exactly.This"))
    assert filters.skips_class(name) is skipped
