# SPDX-License-Identifier: Apache-2.0
"""Text of the debuggee, safe for a terminal."""

from __future__ import annotations

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug import one_line, several_lines
from jvmdebug.printable import MAX_LABEL
from jvmdebug_dap.command import SafeFormatter
from jvmdebug_dap.labels import safe


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Cart.add(Item)", "Cart.add(Item)"),
        ("größe 数", "größe 数"),
        ("\x1b]52;c;aGk=\x07", "\\u001b]52;c;aGk=\\u0007"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\u202eright to left", "\\u202eright to left"),
        ("\x9b2J", "\\u009b2J"),
        ("\ud800", "\\ud800"),
        ("\u2028", "\\u2028"),
        ("\U000e0001", "\\udb40\\udc01"),
    ],
)
def test_what_cannot_be_seen_is_escaped(text: str, shown: str) -> None:
    assert one_line(text) == shown


def test_line_ends_and_tabs_of_several_lines_stay() -> None:
    assert several_lines("a\n\tb\x1b[2J\r") == "a\n\tb\\u001b[2J\\r"


@given(st.text())
def test_nothing_is_left_that_a_terminal_obeys(text: str) -> None:
    assert one_line(text, None).isprintable()
    assert several_lines(text, None).replace("\n", "").replace("\t", "").isprintable()


def test_a_label_has_a_limit() -> None:
    assert one_line("x" * 10_000_000) == "x" * (MAX_LABEL - 1) + "…"
    assert one_line("x" * MAX_LABEL) == "x" * MAX_LABEL


def test_the_fields_of_a_body() -> None:
    attack = "\x1b[2J\n"
    body = {
        "threads": [{"id": 1, "name": attack}],
        "description": attack,
        "source": {"path": attack, "name": attack},
        "output": attack,
    }
    assert safe(body) == {
        "threads": [{"id": 1, "name": "\\u001b[2J\\n"}],
        "description": "\\u001b[2J\n",
        "source": {"path": attack, "name": "\\u001b[2J\\n"},
        "output": attack,
    }


def test_lines_of_the_log() -> None:
    formatter = SafeFormatter("%(message)s")
    record = logging.LogRecord("jvmdebug", logging.ERROR, "", 1, "no %s", ("\x1b[2J\nERROR",), None)
    assert formatter.format(record) == "no \\u001b[2J\\nERROR"
