# SPDX-License-Identifier: Apache-2.0
"""Tests where a typed command ends."""

from __future__ import annotations

import pytest

from jvmdebug_cli.logical_lines import is_complete, logical_lines


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("", True),
        ("print total", True),
        ("print f(", False),
        ("print f(\n1)", True),
        ("print f(\n", True),  # an empty line ends it all the same
        ("print list.map(x -> {", False),
        ('print "(" + 1', True),
        ("print '('", True),
        ("print 1 /* why", False),
        ("print 1 // (", True),
        ('print """\n  a', False),
        ("break Cart.java:1 \\", False),
        ("print f)", True),
    ],
)
def test_enter_ends_a_command_or_begins_another_line(text: str, *, complete: bool) -> None:
    assert is_complete(text) == complete


def test_pasted_lines_are_commands() -> None:
    pasted = "step\nprint list.stream()\n  .map(x -> {\n  return x;\n})\n\nlocals\n"
    assert logical_lines(pasted) == [
        "step",
        "print list.stream()\n  .map(x -> {\n  return x;\n})",
        "locals",
    ]
    assert logical_lines("break \\\nCart:1") == ["break \nCart:1"]
    assert logical_lines(" ") == []
