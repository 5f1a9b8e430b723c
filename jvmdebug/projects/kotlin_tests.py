# SPDX-License-Identifier: Apache-2.0
"""The classes of a Kotlin source and what may be tests in them, found by braces and keywords.

Owns no files and no project: `declared_tests` reads the file and makes of this what it gives. For
the grammar that the evaluator uses a whole class is an error when one line of it is unusual; not
here. The VS Code extension has the same rules: `tests/support/declared_tests.json` is for both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jvmdebug.source_text import package_declared

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOT_CODE: Final = re.compile(
    r"`[^`\n]*`"  # a name, and what a quote in it begins is no text
    r"|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"
    r'|"""[\s\S]*?(?:"""|\Z)'
    r'|"(?:\\.|\$\{(?:[^{}"\n]|"(?:\\.|[^"\\\n])*")*\}|[^"\\\n])*"?'
    r"|'(?:\\.|[^'\\\n])+'"
)
_TOKEN: Final = re.compile(
    r"(?<![\w`])@(?:\w+:)?(?:\[[^\]]*\]|[\w.]+)|::\s*class\b|`[^`\n]*`|\w+|[(){}]"
)
_FUNCTION: Final = re.compile(r"\s+(?:<[^(]*>\s*)?(`[^`\n]+`|\w+)\s*(?=\()")
_NAME: Final = re.compile(r"\s+(`[^`\n]+`|\w+)")
_RETURNS_NOTHING: Final = re.compile(r"\s*(?::\s*Unit\b\s*[={]|\{)")
_JUNIT3: Final = re.compile(r":[^{]*\bTestCase\s*\(")
_MODIFIERS: Final = frozenset({"public", "protected", "private", "internal", "abstract", "final",
                               "open", "sealed", "override", "inner", "data", "enum", "value",
                               "annotation", "suspend", "inline", "operator", "infix", "tailrec",
                               "external", "companion"})  # fmt: skip
_NO_CLASS: Final = frozenset({"fun", "val", "var", "object", "init", "constructor", "typealias"})


@dataclass(slots=True)
class KotlinMember:
    """A class or a function in one, as far as its head says it."""

    name: str
    """Of a class its binary name, of a function that of its method."""
    line: int
    """Of the name, from 1."""
    annotations: frozenset[str]
    """Simple names."""
    modifiers: frozenset[str]
    returns_nothing: bool = False
    functions: list[KotlinMember] = field(default_factory=list)
    is_junit3: bool = False


def kotlin_classes(text: str) -> list[KotlinMember]:
    """All classes that are neither local nor objects, those inside others too, with their
    functions; none of an extension function, which no runner calls.
    """
    source = _NOT_CODE.sub(_blank, text)
    package = package_declared(text)
    return list(_Reader(source, f"{package}." if package else "").classes())


def _blank(found: re.Match[str]) -> str:
    said = found[0]
    return said if said.startswith("`") else re.sub(r"[^\n]", " ", said)


class _Reader:
    def __init__(self, source: str, prefix: str) -> None:
        self._source = source
        self._prefix = prefix
        self._scopes: list[KotlinMember | None] = []
        """What the open braces belong to; None: a body, a lambda, an object."""
        self._head: list[str] = []
        """The annotations and modifiers right before the next token."""
        self._opening: KotlinMember | None = None
        """The class whose body begins with the next brace, and where its header begins."""
        self._header = 0

    def classes(self) -> Iterator[KotlinMember]:
        parentheses = 0
        for match in _TOKEN.finditer(self._source):
            if match[0] in "()":
                parentheses = max(0, parentheses + (1 if match[0] == "(" else -1))
            elif parentheses == 0:
                yield from self._take(match[0], match.start(), match.end())

    def _take(self, word: str, begin: int, end: int) -> Iterator[KotlinMember]:
        if word in "{}":
            self._brace(begin, is_opening=word == "{")
        elif word.startswith("@") or word in _MODIFIERS:
            self._head.append(word)
        elif word in ("class", "interface"):
            self._opening, self._header = self._class(end, word), end
            if self._opening is not None:
                yield self._opening
        else:
            if word == "fun":
                self._function(end)
            if word in _NO_CLASS:
                self._opening = None
            self._head = []

    def _brace(self, place: int, *, is_opening: bool) -> None:
        if not is_opening:
            del self._scopes[-1:]
        else:
            if self._opening is not None:
                header = self._source[self._header : place]
                self._opening.is_junit3 = _JUNIT3.search(header) is not None
            self._scopes.append(self._opening)
        self._opening, self._head = None, []

    def _class(self, end: int, keyword: str) -> KotlinMember | None:
        named = _NAME.match(self._source, end)
        around = self._scopes[-1] if self._scopes else None
        if named is None or None in self._scopes:
            return None
        prefix = self._prefix if around is None else f"{around.name}$"
        made = self._member(prefix + named[1].strip("`"), named.start(1))
        if keyword == "interface":
            made.modifiers |= {"abstract"}
        return made

    def _function(self, end: int) -> None:
        named = _FUNCTION.match(self._source, end)
        if named is None or not self._scopes or None in self._scopes:
            return
        around = self._scopes[-1]
        assert around is not None
        made = self._member(named[1].strip("`"), named.start(1))
        closing = self._closing(named.end())
        made.returns_nothing = _RETURNS_NOTHING.match(self._source, closing) is not None
        around.functions.append(made)

    def _member(self, name: str, place: int) -> KotlinMember:
        head, self._head = self._head, []
        annotations = (each for text in head if text.startswith("@") for each in _names(text))
        modifiers = (each for each in head if not each.startswith("@"))
        line = self._source.count("\n", 0, place) + 1
        return KotlinMember(name, line, frozenset(annotations), frozenset(modifiers))

    def _closing(self, begin: int) -> int:
        """The place where the parenthesis that opens there has been closed."""
        depth = 0
        for each in re.compile(r"[()]").finditer(self._source, begin):
            depth += 1 if each[0] == "(" else -1
            if depth == 0:
                return each.end()
        return len(self._source)


def _names(annotation: str) -> Iterator[str]:
    """The simple names in `@Test`, `@org.junit.Test`, `@get:Rule`, `@[Test Tag]`."""
    for word in re.findall(r"(?<![\w.:])[\w.]+(?![\w.:])", annotation.lstrip("@")):
        yield word.rpartition(".")[2]
