# SPDX-License-Identifier: Apache-2.0
"""The lambdas of a Java or Kotlin source: where each begins and ends, and on which line its code
begins.

Pure; made by `source_shape` from a syntax tree, used by `line_parts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import tree_sitter

_LAMBDAS: Final = frozenset({"lambda_expression", "lambda_literal", "anonymous_function"})
_COMMENTS: Final = frozenset({"line_comment", "block_comment", "comment", "multiline_comment"})
_MOST_TEXT: Final = 60
"""Characters of a lambda that are shown."""


@dataclass(frozen=True, slots=True)
class LambdaExtent:
    """One lambda. Lines and columns begin at 1, columns count UTF-16 code units."""

    line: int
    """The line on which its code begins."""
    column: int
    """The column of the lambda, if it begins on `line`; else that of its code."""
    is_part: bool
    """Whether it begins on `line` too, so that it is a part of that line. If it begins before, the
    line is the lambda's own.
    """
    last: int
    """The line where it ends."""
    end: int
    """The column behind it."""
    text: str
    """The text on one line, cut if it is long."""
    callee: str = ""
    """The name of the function that it is passed to, in Kotlin."""

    def has(self, line: int, column: int) -> bool:
        """Whether a position is in it."""
        return (self.line, self.column) <= (line, column) < (self.last, self.end)


def lambda_extents(root: tree_sitter.Node, text: bytes) -> tuple[LambdaExtent, ...]:
    """All lambdas, inner ones before those that they are in."""
    lines = text.split(b"\n")
    found: list[LambdaExtent] = []
    waiting: list[tuple[tree_sitter.Node, bool]] = [(root, False)]
    while waiting:
        node, is_left = waiting.pop()
        if is_left:
            found.append(_extent(node, lines))
            continue
        if node.type in _LAMBDAS:
            waiting.append((node, True))
        waiting.extend((each, False) for each in reversed(node.named_children))
    return tuple(found)


def _extent(node: tree_sitter.Node, lines: list[bytes]) -> LambdaExtent:
    begin = _first_code(node)
    is_part = node.start_point[0] == begin[0]
    row, at = node.start_point if is_part else begin
    last, end = node.end_point
    shown = b" ".join((node.text or b"").split()).decode("utf-8", "replace")
    if len(shown) > _MOST_TEXT:
        shown = shown[: _MOST_TEXT - 1] + "…"
    place = row + 1, _units(lines[row], at), is_part, last + 1, _units(lines[last], end)
    return LambdaExtent(*place, shown, _callee(node))


def _first_code(node: tree_sitter.Node) -> tuple[int, int]:
    """Row and byte column of the first code in a lambda: of its expression, or of the first
    statement of its block. The end of an empty block has code, which returns.
    """
    body = node.child_by_field_name("body")
    if body is None and node.type == "lambda_literal":
        body = node
    if body is None:
        body = next((each for each in reversed(node.named_children)), node)
    if body.type not in ("block", "lambda_literal", "function_body"):
        return body.start_point
    inside = [
        each
        for each in body.named_children
        if each.type not in _COMMENTS and each.type != "lambda_parameters"
    ]
    if inside and inside[0].type in ("block", "statements"):
        inside = [each for each in inside[0].named_children if each.type not in _COMMENTS]
    return inside[0].start_point if inside else (body.end_point[0], body.end_point[1] - 1)


def _callee(node: tree_sitter.Node) -> str:
    """`map` of `list.map { }`: the last name before the lambda."""
    around = node.parent
    while around is not None and around.type != "call_expression":
        if around.type in ("statements", "function_body", "block"):
            return ""
        around = around.parent
    if around is None or not around.named_children:
        return ""
    called = around.named_children[0]
    text = (called.text or b"").decode("utf-8", "replace").partition("(")[0]
    return text.rpartition(".")[2].strip()


def _units(line: bytes, column: int) -> int:
    """The column in UTF-16 code units, from 1, of a byte of a line."""
    text = line[:column].decode("utf-8", "replace")
    return len(text.encode("utf-16-le", "surrogatepass")) // 2 + 1
