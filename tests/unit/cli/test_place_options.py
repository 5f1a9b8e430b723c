# SPDX-License-Identifier: Apache-2.0
"""What stands behind the place of a breakpoint at the prompt."""

from __future__ import annotations

import pytest

from jvmdebug_cli.command import UsageError
from jvmdebug_cli.place_options import PlaceOptions, last_option, place_options


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("shop.Cart#add(int, long)", PlaceOptions("shop.Cart#add(int, long)", None, None, None)),
        ("42 if a instanceof B", PlaceOptions("42", None, None, "a instanceof B")),
        ("A:1 thread 3", PlaceOptions("A:1", "3", None, None)),
        ("A:1  thread  pool 1", PlaceOptions("A:1", "pool 1", None, None)),
        ("A:1 instance each[1]", PlaceOptions("A:1", None, "each[1]", None)),
        ("A:1 instance a.b thread x if c", PlaceOptions("A:1", "x", "a.b", "c")),
        ('A:1 if s.equals("a thread ")', PlaceOptions("A:1", None, None, 's.equals("a thread ")')),
    ],
)
def test_what_was_typed(typed: str, found: PlaceOptions) -> None:
    assert place_options(typed) == found


@pytest.mark.parametrize(
    "typed", ["A:1 thread", "A:1 instance if x", "A:1 thread 1 thread 2", "A:1 thread instance x"]
)
def test_a_word_without_its_value(typed: str) -> None:
    with pytest.raises(UsageError, match=r"which (thread|instance)"):
        place_options(typed)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("shop.Ca", None),
        ("A:1 thread", None),
        ("A:1 thread ", ("thread", "")),
        ("A:1 thread wo", ("thread", "wo")),
        ("A:1 thread 3 instance ca", ("instance", "ca")),
        ("A:1 thread 3 if x thread y", ("if", "x thread y")),
    ],
)
def test_what_is_being_typed(typed: str, found: tuple[str, str] | None) -> None:
    assert last_option(typed) == found
