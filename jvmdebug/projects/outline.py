# SPDX-License-Identifier: Apache-2.0
"""What a Java or Kotlin source declares: types and methods, with their lines.

Declarations are found by braces and keywords: in a file that is being edited the grammars lose a
whole class over one line, and the one for Kotlin may never come to an end. Editors ask for such
files. Called by `main_methods` and `declared_tests`, and for editors by `source_questions`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

Language = Literal["java", "kotlin"]
LANGUAGES: Final[dict[str, Language]] = {".java": "java", ".kt": "kotlin"}
"""By the suffixes of their files."""
_NOT_LINE_END: Final = re.compile(r"[^\n]")
_JAVA_TEXTS: Final = re.compile(
    r'//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|"""[\s\S]*?(?:(?<!\\)"""|\Z)'
    r"""|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?"""
)


@dataclass(frozen=True, slots=True)
class Method:
    """A method, as far as its declaration says it."""

    name: str
    type_name: str | None
    """Binary name of the class around it; None for a function or method of the file."""
    line: int
    """Of the name, from 1."""
    first_line: int
    """Of its first annotation or modifier."""
    modifiers: frozenset[str]
    annotations: frozenset[str]
    """Simple names."""
    parameters: str
    """The text between the parentheses."""
    returns: str | None
    """In Java the word before the name: None for a constructor. In Kotlin `Unit` or None."""
    is_extension: bool = False


@dataclass(slots=True)
class Type:
    """A type that is not local and not anonymous."""

    name: str
    """Binary name."""
    line: int
    """Of the name, from 1."""
    first_line: int
    """Of its first annotation or modifier."""
    last_line: int
    """Of its closing brace; that of its head while there is none."""
    keyword: str
    """`class`, `interface`, `enum`, `record`, `@interface`, `object`."""
    modifiers: frozenset[str]
    annotations: frozenset[str]
    """Simple names."""
    superclass: str | None = None
    """As it is written, without its type arguments; in Kotlin if its constructor is called."""
    is_in_object: bool = False
    """In Kotlin: it is an object, or in one, so that nothing makes instances of it."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What a source declares, each in its order, without what is local."""

    package: str
    types: list[Type]
    methods: list[Method]


@lru_cache(maxsize=8)
def outline(source: bytes, language: Language) -> Outline:
    """What a source declares. Kept for a moment: an editor asks for several things of a text."""
    text = code_only(source.decode("utf-8", "replace"), language)
    if language == "java":
        from jvmdebug.projects.java_outline import java_outline  # noqa: PLC0415 - uses this

        return java_outline(text)
    from jvmdebug.projects.kotlin_outline import kotlin_outline  # noqa: PLC0415 - uses this

    return kotlin_outline(text)


def code_only(text: str, language: Language) -> str:
    """The text with comments and literals as spaces, so that lines and columns stay."""
    if language == "java":
        return _JAVA_TEXTS.sub(lambda found: _NOT_LINE_END.sub(" ", found[0]), text)
    from jvmdebug.projects.kotlin_texts import kotlin_texts  # noqa: PLC0415 - most have no Kotlin

    parts, at = [], 0
    for begin, end in kotlin_texts(text):
        parts += [text[at:begin], _NOT_LINE_END.sub(" ", text[begin:end])]
        at = end
    return "".join((*parts, text[at:]))


class Lines:
    """The lines of places in a text, from 1; places are asked in about their order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1

    def at(self, index: int) -> int:
        """The line of a place."""
        if index >= self._at:
            self._line += self._text.count("\n", self._at, index)
        else:
            self._line -= self._text.count("\n", index, self._at)
        self._at = index
        return self._line


def simple_names(annotations: Iterable[str]) -> frozenset[str]:
    """The simple names in `@Test`, `@org.junit.Test`, `@get:Rule`, `@[Test Tag]`."""
    return frozenset(
        word.rpartition(".")[2]
        for each in annotations
        for word in re.findall(r"(?<![\w$.:])[\w$.]+(?![\w$.:])", each.lstrip("@"))
    )
