# SPDX-License-Identifier: Apache-2.0
"""Finds the comments and literals of a Kotlin source: comments nest, and texts have code in them.

What is not closed ends with its line, a comment and a raw text with the file. Called by `outline`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEGIN: Final = re.compile(r"""`[^`\n]*`|//[^\n]*|/\*|\"{3}|"|'(?:\\.|[^'\\\n])+'""")
_COMMENT: Final = re.compile(r"/\*|\*/")
_TEXT: Final = re.compile(r"""\\.|\$\{|"|(?=\n)""")
_RAW: Final = re.compile(r"""\$\{|"{3,}""")
_CODE: Final = re.compile(r"""[{}]|`[^`\n]*`|//[^\n]*|/\*|\"{3}|"|'(?:\\.|[^'\\\n])+'|(?=\n)""")
_DEEPEST: Final = 50
"""Of texts in texts."""


def kotlin_texts(text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of each comment and literal; names in backticks are none."""
    at = 0
    while (found := _BEGIN.search(text, at)) is not None:
        at = _end(text, found, 0)
        if not found[0].startswith("`"):
            yield found.start(), at


def _end(text: str, found: re.Match[str], depth: int) -> int:
    match found[0]:
        case "/*":
            return _end_of_comment(text, found.end())
        case '"' | '"""':
            return _end_of_text(text, found.end(), depth, is_raw=len(found[0]) > 1)
        case _:
            return found.end()


def _end_of_comment(text: str, at: int) -> int:
    open_ = 1
    for found in _COMMENT.finditer(text, at):
        open_ += 1 if found[0] == "/*" else -1
        if open_ == 0:
            return found.end()
    return len(text)


def _end_of_text(text: str, at: int, depth: int, *, is_raw: bool) -> int:
    while (found := (_RAW if is_raw else _TEXT).search(text, at)) is not None:
        at = found.end()
        if found[0] == "${" and depth < _DEEPEST:
            at = _end_of_code(text, at, depth + 1, is_in_line=not is_raw)
        elif not found[0].startswith(("\\", "$")):
            return at
    return len(text)


def _end_of_code(text: str, at: int, depth: int, *, is_in_line: bool) -> int:
    """The end of an expression in a text: behind its brace, or where the line ends."""
    open_ = 1
    while (found := _CODE.search(text, at)) is not None:
        if not found[0]:
            if is_in_line:
                return found.end()
            at = found.end() + 1
            continue
        at = _end(text, found, depth)
        open_ += {"{": 1, "}": -1}.get(found[0], 0)
        if open_ == 0:
            return at
    return len(text)
