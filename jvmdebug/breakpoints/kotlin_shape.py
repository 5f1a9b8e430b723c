# SPDX-License-Identifier: Apache-2.0
"""Finds the lines of the declarations and blocks of a Kotlin source, without parsing it.

A scanner for comments, strings with templates, brackets and the keywords that begin declarations.
That is enough to know which lines may be in a class of their own: types, objects, code outside of
all types, and each block that may be a lambda. Pure; called by `source_shape`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

_CODE: Final = re.compile(
    r"""(?P<blank>\s+ | //[^\n]* | '(?:\\.|[^'\\\n])+' | `[^`\n]*`)
    | (?P<comment>/\*)
    | (?P<string>\"\"\"|\")
    | (?P<word>[^\W\d]\w* | :: | -> | .)""",
    re.VERBOSE | re.DOTALL,
)
_COMMENT: Final = re.compile(r"/\*|\*/")
_STRING: Final = {
    '"': re.compile(r'\\.|\$\{|"|\n', re.DOTALL),
    '"""': re.compile(r'\$\{|"{3,}', re.DOTALL),
}

_TYPES: Final = frozenset({"class", "interface", "object"})
_MEMBERS: Final = frozenset({"fun", "val", "var"})
_BEGINNINGS: Final = _TYPES | _MEMBERS | {"typealias", "init", "constructor"}
_CONTROL: Final = frozenset({"if", "for", "while", "when", "catch"})
_CONTROL_WITHOUT_HEAD: Final = frozenset({"else", "do", "try", "finally", "when"})
_CLOSING: Final = {")": "(", "]": "[", "}": "{"}

Lines: TypeAlias = tuple[int, int]


@dataclass(slots=True)
class _Bracket:
    """An open bracket."""

    mark: str
    line: int
    before: str
    """The word before the bracket."""
    declared: _Declared | None = None
    """The declaration whose body it opens."""
    is_control: bool = False
    open: _Declared | None = None
    """The last declaration inside, which may not have ended yet."""


@dataclass(slots=True)
class _Declared:
    """A declaration that has begun."""

    keyword: str
    line: int
    is_own: bool
    """Whether it may be a class of its own."""
    is_annotation: bool = False
    has_code: bool = False


def kotlin_declarations(text: str) -> tuple[tuple[Lines, ...], frozenset[Lines]]:
    """The lines of each declaration and block that may be a class, and of those that have
    no code.
    """
    return _Scan().run(text)


class _Scan:
    """One pass over the tokens of a text."""

    def __init__(self) -> None:
        self._found: list[Lines] = []
        self._codeless: list[Lines] = []
        self._brackets = [_Bracket("", 0, "")]
        self._head = ""
        """The word before the bracket that was closed last."""

    def run(self, text: str) -> tuple[tuple[Lines, ...], frozenset[Lines]]:
        """Read the whole text."""
        before, before_line, line_above = "", 1, 1
        for word, line in _tokens(text):
            if line > before_line:
                line_above = before_line
            if word in "([{":
                self._open(word, line, before)
            elif word in _CLOSING:
                self._close(word, line, before_line)
            elif word in _BEGINNINGS and before != "::":
                self._begin(word, line, before, line_above)
            elif word == "=" and (declared := self._brackets[-1].open) is not None:
                declared.has_code = True
            before, before_line = word, line
        while self._brackets:  # the text is not finished
            self._end_declaration(before_line)
            closed = self._brackets.pop()
            if closed.mark == "{" and not closed.is_control:
                self._found.append((closed.line, before_line))
        return tuple(self._found), frozenset(self._codeless)

    def _begin(self, keyword: str, line: int, before: str, line_above: int) -> None:
        inside = self._brackets[-1]
        is_of_header = inside.open is not None and inside.open.keyword in _TYPES
        if keyword == "constructor" and is_of_header:
            return
        if before == "fun":
            inside.open = None  # `fun interface`
        else:
            self._end_declaration(line_above)
        is_outside = inside.mark == "" and keyword in _MEMBERS and before != "const"
        is_own = keyword in _TYPES or is_outside
        inside.open = _Declared(keyword, line, is_own, is_annotation=before == "annotation")

    def _open(self, mark: str, line: int, before: str) -> None:
        inside = self._brackets[-1]
        made = _Bracket(mark, line, before)
        if mark == "{":
            is_behind_head = before == ")" and self._head in _CONTROL
            made.is_control = is_behind_head or before in _CONTROL_WITHOUT_HEAD
            if not made.is_control:
                made.declared, inside.open = inside.open, None
        self._brackets.append(made)

    def _close(self, word: str, line: int, before_line: int) -> None:
        if self._brackets[-1].mark != _CLOSING[word]:
            return  # the text is not finished or wrong
        self._end_declaration(before_line)
        closed = self._brackets.pop()
        self._head = closed.before
        if closed.mark != "{" or closed.is_control:
            return
        if closed.declared is not None and closed.declared.keyword in _TYPES:
            self._add(closed.declared, line)
            return
        self._found.append((closed.line, line))
        if closed.declared is not None:  # it may go on: `val odd = all.filter { } .map { }`
            closed.declared.has_code = True
            self._brackets[-1].open = closed.declared

    def _end_declaration(self, line: int) -> None:
        inside = self._brackets[-1]
        declared, inside.open = inside.open, None
        if declared is None:
            return
        if declared.has_code and inside.declared is not None:
            inside.declared.has_code = True
        self._add(declared, max(declared.line, line))

    def _add(self, declared: _Declared, last: int) -> None:
        if not declared.is_own:
            return
        lines = (declared.line, last)
        self._found.append(lines)
        is_interface = declared.keyword == "interface" and not declared.has_code
        if is_interface or declared.is_annotation:
            self._codeless.append(lines)


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Words and marks with their lines from 1, those of templates in strings too."""
    at, line = 0, 1
    quotes: list[str] = []
    """The quotes of the strings whose templates are open."""
    depths: list[int] = []
    """The number of open braces in each of these templates."""
    while at < len(text):
        found = _CODE.match(text, at)
        assert found is not None, "the last alternative matches anything"
        start, at = at, found.end()
        if found["word"] is not None:
            word = found["word"]
            if depths and word in "{}":
                depths[-1] += 1 if word == "{" else -1
                if depths[-1] < 0:
                    depths.pop()
                    at, is_template = _after_string(text, at, quotes[-1])
                    if is_template:
                        depths.append(0)
                    else:
                        quotes.pop()
                    line += text.count("\n", start, at)
                    continue
            yield word, line
        elif found["comment"] is not None:
            at = _after_comment(text, at)
        elif found["string"] is not None:
            quote = found["string"]
            at, is_template = _after_string(text, at, quote)
            if is_template:
                quotes.append(quote)
                depths.append(0)
            yield quote, line
        line += text.count("\n", start, at)


def _after_comment(text: str, at: int) -> int:
    """The index behind the comment that was opened before `at`; Kotlin's comments nest."""
    depth = 1
    for found in _COMMENT.finditer(text, at):
        depth += 1 if found[0] == "/*" else -1
        if depth == 0:
            return found.end()
    return len(text)


def _after_string(text: str, at: int, quote: str) -> tuple[int, bool]:
    """The index behind the string, or behind the `${` of its next template, and whether it is a
    template.
    """
    for found in _STRING[quote].finditer(text, at):
        if found[0] == "${":
            return found.end(), True
        if not found[0].startswith("\\"):
            return found.end(), False
    return len(text), False
