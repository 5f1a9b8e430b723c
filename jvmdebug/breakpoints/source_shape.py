# SPDX-License-Identifier: Apache-2.0
"""What the text of a source file shows about a line before its classes are loaded.

Finds the packages that the file declares, and the lines of each declaration that may be compiled to
a class of its own. A breakpoint moves neither out of such a declaration nor past one: the next line
with code that happens to be loaded may belong to another class, while the right one is not loaded
yet. In a method it stays in its statement, else in the method (`code_extents`). Java is parsed;
Kotlin is also scanned for declarations (`kotlin_shape`); in other languages no line moves. Called
by the resolver.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import tree_sitter
import tree_sitter_java

from jvmdebug.breakpoints.code_extents import CodeExtents, code_extents
from jvmdebug.breakpoints.kotlin_shape import kotlin_declarations
from jvmdebug.breakpoints.lambda_extents import LambdaExtent, lambda_extents
from jvmdebug.source_text import MOST_PARSED, packages_declared

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

_DECLARATIONS: Final = frozenset({"class_declaration", "enum_declaration", "record_declaration"})
_WITHOUT_CONSTRUCTOR: Final = frozenset({"interface_declaration", "annotation_type_declaration"})
_ANONYMOUS_IN: Final = frozenset({"object_creation_expression", "enum_constant"})


@dataclass(frozen=True, slots=True)
class SourceShape:
    """The packages of one source file and its declarations, as lines from 1, both ends included."""

    packages: frozenset[str] | None
    """The packages; None if its language has no package clause."""
    around: tuple[tuple[int, int], ...] | None
    """The declarations that may be classes of their own; None if the language is not known or the
    text is too long.
    """
    codeless: frozenset[tuple[int, int]] = frozenset()
    """The declarations among them that certainly have no code, such as an interface with only
    abstract methods.
    """
    line_count: int = 0
    """The number of lines; 0 if it is not known."""
    named: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """What the declarations of Java are: `class Item`, `an anonymous class`."""
    extents: CodeExtents = field(default_factory=CodeExtents)
    """The lines of statements and methods, in Java and Kotlin."""
    lambdas: tuple[LambdaExtent, ...] | None = None
    """The lambdas of Java or Kotlin, inner ones first; None if they are not known."""
    indents: tuple[int, ...] = ()
    """The column, from 1, of the first character of each line, for Java and Kotlin."""

    def ends_before(self, line: int) -> bool:
        """Whether the file certainly has no such line."""
        return 0 < self.line_count < line

    def line_with_code(self, line: int, code_lines: Collection[int]) -> int | None:
        """The line where a breakpoint at `line` is armed: that line, or one of `code_lines` to
        which it may move. None if there is none.
        """
        if line in code_lines:
            return line
        near = self.extents.nearest(line, code_lines)
        if near is not None or self.extents.is_in_callable(line):
            return near
        last = self.last_line_to_slide_to(line)
        return min((each for each in code_lines if line < each <= last), default=None)

    def last_line_to_slide_to(self, line: int) -> int:
        """The last line to which a breakpoint may move from `line`, which may be `line` itself."""
        if self.around is None:
            return line
        ends = [last for first, last in self.around if first <= line <= last]
        behind = {each for each in self.around if each[0] > line} - self.codeless
        return min([*ends, *(last for _, last in behind)], default=max(self.line_count, line))

    def awaited_at(self, line: int, code_lines: Collection[int]) -> str | None:
        """The declaration whose code a breakpoint at `line` waits for: `class Item at line 12`.

        None if it is not known, or if some of its code is among `code_lines`, which are loaded.
        """
        last = self.last_line_to_slide_to(line)
        ending = [each for each in self.named if each[1] == last and each not in self.codeless]
        if not ending:
            return None
        lines = min(
            ending, key=lambda each: (each[0] <= line, each[0] if each[0] > line else -each[0])
        )
        if any(lines[0] <= each <= last for each in code_lines):
            return None
        return f"{self.named[lines]} at line {lines[0]}"


def shape_of(text: str, path: str) -> SourceShape:
    """The shape of the source text of a file; its name tells the language."""
    packages, line_count = packages_declared(text, path), len(text.splitlines())
    if len(text) > MOST_PARSED:
        return SourceShape(packages, None, line_count=line_count)
    if path.endswith(".java"):
        root = _parsed(text, tree_sitter_java.language())
        named, codeless = _java(root)
        return SourceShape(
            *(packages, tuple(named), codeless, line_count, named),
            *(code_extents(root), _lambdas(root, text), _indents(text)),
        )
    if path.endswith(".kt"):
        import tree_sitter_kotlin  # noqa: PLC0415 # most programs have no Kotlin

        around, codeless = kotlin_declarations(text)
        root = _parsed(text, tree_sitter_kotlin.language())
        extents, lambdas = code_extents(root), _lambdas(root, text)
        return SourceShape(
            *(packages, around, codeless, line_count, {}, extents, lambdas, _indents(text))
        )
    is_one_class = path.endswith((".jsp", ".jspx", ".jspf", ".tag"))
    return SourceShape(packages, () if is_one_class else None, line_count=line_count)


def _lambdas(root: tree_sitter.Node, text: str) -> tuple[LambdaExtent, ...]:
    return lambda_extents(root, text.encode("utf-8", "surrogatepass"))


def _indents(text: str) -> tuple[int, ...]:
    return tuple(len(each) - len(each.lstrip()) + 1 for each in text.split("\n"))


def _parsed(text: str, language: object) -> tree_sitter.Node:
    parser = tree_sitter.Parser(tree_sitter.Language(language))
    return parser.parse(text.encode("utf-8", "surrogatepass")).root_node


def _java(root: tree_sitter.Node) -> tuple[dict[tuple[int, int], str], frozenset[tuple[int, int]]]:
    named: dict[tuple[int, int], str] = {}
    codeless: list[tuple[int, int]] = []
    for node in _nodes(root):
        lines = (node.start_point[0] + 1, node.end_point[0] + 1)
        is_anonymous = node.parent is not None and node.parent.type in _ANONYMOUS_IN
        if node.type in _DECLARATIONS or node.type in _WITHOUT_CONSTRUCTOR:
            named.setdefault(lines, _declared(node))
            if node.type in _WITHOUT_CONSTRUCTOR and not _has_code(node):
                codeless.append(lines)
        elif node.type == "class_body" and is_anonymous:
            named.setdefault(lines, "an anonymous class")
    return named, frozenset(codeless)


def _declared(node: tree_sitter.Node) -> str:
    """`enum Kind`."""
    name = node.child_by_field_name("name")
    kind = node.type.split("_")[0]
    return kind if name is None or name.text is None else f"{kind} {name.text.decode()}"


def _has_code(interface: tree_sitter.Node) -> bool:
    """Whether a member may have code: a method with a body, a constant."""
    body = interface.child_by_field_name("body")
    return body is not None and any(
        member.type == "constant_declaration"
        or (member.type == "method_declaration" and member.child_by_field_name("body") is not None)
        for member in body.named_children
    )


def _nodes(root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(node.named_children)
