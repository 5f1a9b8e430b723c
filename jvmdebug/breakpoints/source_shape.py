# SPDX-License-Identifier: Apache-2.0
"""What the text of a source file shows about a line before its classes are loaded.

Finds the package that the file declares, and the type body around a line. A breakpoint may only
slide to a line of the same body: the next line with code that happens to be loaded may belong to
the enclosing class, while the right one is in an anonymous class that is not loaded yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import tree_sitter
import tree_sitter_java

from jvmdebug.sources import package_declared

if TYPE_CHECKING:
    from collections.abc import Iterator

_BODIES = frozenset(
    {"class_body", "interface_body", "enum_body", "annotation_type_body", "record_body"}
)


@dataclass(frozen=True, slots=True)
class SourceShape:
    """The package and the type bodies of one source file, as lines from 1, both ends included."""

    package: str
    bodies: tuple[tuple[int, int], ...]
    line_count: int = 0
    """0 if it is not known."""

    def ends_before(self, line: int) -> bool:
        """Whether the file has no such line, as far as it is known."""
        return 0 < self.line_count < line

    def innermost_body(self, line: int) -> tuple[int, int] | None:
        """The smallest type body around `line`; None outside of all."""
        around = [body for body in self.bodies if body[0] <= line <= body[1]]
        return min(around, key=lambda body: body[1] - body[0], default=None)


def shape_of(text: str, *, is_java: bool) -> SourceShape:
    """The shape of a source text; bodies are known for Java only."""
    bodies = tuple(_bodies(text.encode())) if is_java else ()
    return SourceShape(package_declared(text), bodies, len(text.splitlines()))


def _bodies(content: bytes) -> Iterator[tuple[int, int]]:
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_java.language()))
    waiting = [parser.parse(content).root_node]
    while waiting:
        node = waiting.pop()
        if node.type in _BODIES:
            yield node.start_point[0] + 1, node.end_point[0] + 1
        waiting.extend(node.named_children)
