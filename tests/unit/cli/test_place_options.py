# SPDX-License-Identifier: Apache-2.0
"""What stands behind the place of a breakpoint at the prompt."""

from __future__ import annotations

import pytest

from jvmdebug_cli.command import UsageError
from jvmdebug_cli.place_options import (
    PlaceOptions,
    last_option,
    log_options,
    place_options,
    typed_message,
)


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
    with pytest.raises(UsageError, match=r"which (thread|object)"):
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


@pytest.mark.parametrize(
    ("typed", "spec", "condition", "message"),
    [
        ("A:1 total {total}", "A:1", None, "total {total}"),
        ("A#add(int, long) sum", "A#add(int, long)", None, "sum"),
        ("A:1 a thread -- {b}", "A:1", None, "a thread -- {b}"),
        ("A:1 threads", "A:1", None, "threads"),
        ("A:1 -- if so", "A:1", None, "if so"),
        ("A:1 if i-- > 0 -- -- {i}", "A:1", "i-- > 0", "-- {i}"),
        ("A#add(int, long) if a -- b", "A#add(int, long)", "a", "b"),
    ],
)
def test_what_a_log_point_logs(typed: str, spec: str, condition: str | None, message: str) -> None:
    assert log_options(typed) == (PlaceOptions(spec, None, None, condition), message)


def test_a_log_point_of_one_thread_and_of_one_object() -> None:
    asked, message = log_options("A:1 thread pool 1 instance a.b if c -- d")
    assert asked == PlaceOptions("A:1", "pool 1", "a.b", "c")
    assert message == "d"


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("", "log what where"),
        ("A:1", "log what where"),
        ("A:1 --", "log what where"),
        ("A:1 thread 3 -- ", "log what where"),
        ("A:1 thread 3 d", "where does the message begin"),
        ("A:1 if c --d", "where does the message begin"),
        ("A:1 thread -- d", "which thread"),
        ("A:1 instance if c -- d", "which object"),
    ],
)
def test_a_log_point_that_is_none(typed: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        log_options(typed)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", None),
        ("A:1", None),
        ("A:1 tot", " tot"),
        ("A:1 thread 3", None),
        ("A:1 thread 3 -- {to", "{to"),
    ],
)
def test_the_message_that_is_being_typed(typed: str, message: str | None) -> None:
    assert typed_message(typed) == message
