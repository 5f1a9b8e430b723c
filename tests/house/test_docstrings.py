# SPDX-License-Identifier: Apache-2.0
"""A docstring begins with a verb or with what the thing is, not with a fragment ("Of a VM.").

Found by its first word.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from tests.house.tracked import is_generated, text_of, tracked_files, tree_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FRAGMENTS: Final = frozenset(
    {
        *("After", "Also", "Among", "And", "Around", "As", "At", "Before", "Behind", "Beside"),
        *("Besides", "Between", "Because", "By", "Down", "Else", "For", "From", "If", "In"),
        *("Inside", "Into", "Its", "Not", "Of", "On", "Out", "Over", "Per", "So", "That", "Their"),
        *(
            "They",
            "Those",
            "To",
            "Under",
            "Until",
            "When",
            "Where",
            "Which",
            "While",
            "Who",
            "Whose",
        ),
        *("With", "Within", "Without"),
    }
)
DONE: Final = ("jvmdebug/breakpoints/", "jvmdebug/events/", "jvmdebug/probes/")
"""Packages in which that is true of the strings below attributes as well. May only grow."""
HEADINGS: Final = "examples/recipes/"
"""There the docstrings are headings of docs/how-to/recipes.md."""


_OPENED: Final = re.compile(r'(?:^|:[ \t]*(?:#.*)?\n)[ \t]*r?"""\s*(\S+)')
"""A docstring is the first thing of a module, or follows the colon of what it is about."""
_LICENSE: Final = re.compile(r"\A(?:#.*\n|\n)+")


def _first_words(path: Path) -> Iterator[tuple[int, str]]:
    """Found in the text: to parse all files takes as long as most of the other rules together."""
    text = text_of(path)
    begin = found.end() if (found := _LICENSE.match(text)) else 0
    for each in _OPENED.finditer(text[begin:]):
        word = each[1].partition('"""')[0]
        yield text.count("\n", 0, begin + each.start(1)) + 1, word.rstrip(",:;.")


def _fragments_in(path: Path) -> list[str]:
    return [f"{path}:{line}: {word}" for line, word in _first_words(path) if word in FRAGMENTS]


def _below_attributes(path: Path) -> Iterator[tuple[int, str]]:
    """The first words of the strings below attributes and constants."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            for each in node.body[1:]:
                words = str(_string_of(each) or "").split(maxsplit=1)
                if words:
                    yield each.lineno, words[0].rstrip(",:;.")


def _string_of(node: ast.stmt) -> object:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return node.value.value
    return None


def _python_files() -> list[Path]:
    return [path for path in tracked_files() if path.suffix == ".py" and not is_generated(path)]


def test_no_docstring_begins_with_a_fragment() -> None:
    files = [path for path in _python_files() if not str(path).startswith(HEADINGS)]
    assert len(files) > 500
    found = [each for path in files for each in _fragments_in(path)]
    assert not found, "begin with a verb or with what the thing is"


def test_no_string_below_an_attribute_begins_with_a_fragment() -> None:
    files = [path for path in _python_files() if str(path).startswith(DONE)]
    assert len(files) > 80
    found = [
        f"{path}:{line}: {word}"
        for path in files
        for line, word in _below_attributes(path)
        if word in FRAGMENTS
    ]
    assert not found, "begin with what the value is"
