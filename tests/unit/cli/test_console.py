# SPDX-License-Identifier: Apache-2.0
"""What the console prints: safe for a terminal, and as wide as there is room."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import pytest
from rich.text import Text

from jvmdebug_cli.console import Console
from jvmdebug_cli.rows import Rows

if TYPE_CHECKING:
    from rich.console import RenderableType

LOCATION = "shop.orders.internal.OrderRepository.findAllByCustomer(OrderRepository.java:142)"
SENTENCE = (
    "a condition that fails stops the program, with the error as the message of the breakpoint"
)


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _printed(shown: RenderableType, monkeypatch: pytest.MonkeyPatch, width: int | None) -> str:
    output = io.StringIO() if width is None else _Terminal()
    if width is not None:
        monkeypatch.setenv("COLUMNS", str(width))
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("NO_COLOR", "1")
    console = Console(commands=(), batch=True, interactive=False, output=output)
    console.write(shown)
    return re.sub(r"\x1b\[\d*m", "", output.getvalue())


@pytest.mark.parametrize(
    "shown", ["a\x1b[31mb", Text("a\x1b[31mb"), Rows(("x",), [["a\x1b[31mb"]])]
)
def test_no_escape_code_of_the_program_is_printed(
    shown: RenderableType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "a\\u001b[31mb" in _printed(shown, monkeypatch, None)


@pytest.mark.parametrize("width", [40, 60, 80, 160])
def test_words_are_not_broken(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = _printed(SENTENCE, monkeypatch, width).splitlines()
    assert all(len(line) <= width for line in lines)
    assert " ".join(lines).split() == SENTENCE.split()


@pytest.mark.parametrize("width", [90, 120, 160])
def test_a_table_that_is_too_wide_has_its_last_column_below(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = Rows(("id", "name", "at"), [("1", "main", LOCATION), ("12", "worker", "")])
    lines = _printed(rows, monkeypatch, width).splitlines()
    assert LOCATION in "\n".join(lines)
    assert all(len(line) <= width for line in lines)
    fits = len(LOCATION) + 14 <= width
    assert lines[0].split() == (["id", "name", "at"] if fits else ["id", "name"])
    assert lines[1].split() == (["1", "main", LOCATION] if fits else ["1", "main"])


def test_what_is_no_terminal_gets_long_lines_and_no_spaces_at_their_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = Rows(("id", "text"), [("1", SENTENCE * 3), ("2", "x")])
    assert _printed(rows, monkeypatch, None) == f"id  text\n1   {SENTENCE * 3}\n2   x\n"


@pytest.mark.parametrize("width", [30, 60, 100])
def test_names_are_broken_at_their_dots(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name beside a narrow column, such as the numbers of frames."""
    name = "org.springframework.web.method.support.InvocableHandlerMethod.doInvoke"
    place = f"{name}(InvocableHandlerMethod.java:255)"
    lines = _printed(Rows(("", ""), [("#0", place), ("#1", "a.B.c")]), monkeypatch, width)
    first, *more, last = lines.splitlines()
    assert first.startswith("#0  org.springframework.")
    assert last == "#1  a.B.c"
    assert "".join([first[4:], *(line[4:] for line in more)]) == place
    for line in [first, *more[:-1]]:
        assert line.endswith((".", "doInvoke"))
    assert all(len(line) <= width for line in lines.splitlines())
