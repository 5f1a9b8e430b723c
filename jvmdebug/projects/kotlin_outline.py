# SPDX-License-Identifier: Apache-2.0
"""The declarations of a Kotlin source, by braces and keywords. Called by `outline`."""

from __future__ import annotations

import re
from typing import Final

from jvmdebug.projects.outline import Lines, Method, Outline, Type, simple_names
from jvmdebug.source_text import package_declared

_TOKEN: Final = re.compile(
    r"(?<![\w`])@(?:\w+:)?(?:\[[^\]]*\]|[\w.]+)|::\s*class\b|`[^`\n]*`|\w+|[(){}]"
)
_FUNCTION: Final = re.compile(
    r"\s+(?:<[^(]*>\s*)?(?P<receiver>(?:[\w.<>?*, ]+\.)?)(?P<name>`[^`\n]+`|\w+)\s*(?=\()"
)
_NAME: Final = re.compile(r"\s+(`[^`\n]+`|\w+)")
_RETURNS_NOTHING: Final = re.compile(r"\s*(?::\s*Unit\b\s*[={]|\{)")
_SUPERCLASS: Final = re.compile(r"[:,]\s*([\w.]+)\s*(?:<[^{(]*>)?\s*\(")
_MODIFIERS: Final = frozenset({"public", "protected", "private", "internal", "abstract", "final",
                               "open", "sealed", "override", "inner", "data", "enum", "value",
                               "annotation", "suspend", "inline", "operator", "infix", "tailrec",
                               "external", "companion"})  # fmt: skip
_NO_TYPE: Final = frozenset({"fun", "val", "var", "init", "constructor", "typealias"})


def kotlin_outline(text: str) -> Outline:
    """What a text without comments and literals declares."""
    reader = _Reader(text)
    reader.read()
    return Outline(reader.package, reader.types, reader.methods)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = Lines(text)
        self.package = package_declared(text)
        self.types: list[Type] = []
        self.methods: list[Method] = []
        self._scopes: list[Type | None] = []
        """What the open braces belong to; None: a body, a lambda, an object without a name."""
        self._head: list[tuple[str, int]] = []
        """The annotations and modifiers right before the next token, and where they are."""
        self._opening: Type | None = None
        """The type whose body begins with the next brace, and where its header begins."""
        self._header = 0

    def read(self) -> None:
        parentheses = 0
        for match in _TOKEN.finditer(self._text):
            if match[0] in "()":
                parentheses = max(0, parentheses + (1 if match[0] == "(" else -1))
                if parentheses == 0 and self._opening is not None:
                    self._opening.last_line = self._lines.at(match.start())
            elif parentheses == 0:
                self._take(match[0], match.start(), match.end())

    def _take(self, word: str, begin: int, end: int) -> None:
        if word in "{}":
            self._brace(begin, is_opening=word == "{")
        elif word.startswith("@") or word in _MODIFIERS:
            self._head.append((word, begin))
        elif word in ("class", "interface", "object"):
            self._opening, self._header = self._type(word, begin, end), end
            self._head = []
        else:
            if word == "fun":
                self._function(begin, end)
            if word in _NO_TYPE:
                self._opening = None
            self._head = []

    def _brace(self, place: int, *, is_opening: bool) -> None:
        if is_opening:
            if (opening := self._opening) is not None:
                opening.last_line = self._lines.at(len(self._text))
                found = _SUPERCLASS.findall(self._text, self._header, place)
                opening.superclass = found[-1] if found else None
            self._scopes.append(self._opening)
        elif self._scopes and (ended := self._scopes.pop()) is not None:
            ended.last_line = self._lines.at(place)
        self._opening, self._head = None, []

    def _type(self, keyword: str, begin: int, end: int) -> Type | None:
        named = _NAME.match(self._text, end)
        around = self._scopes[-1] if self._scopes else None
        is_companion = any(word == "companion" for word, _ in self._head)
        if None in self._scopes or (named is None and not is_companion):
            return None
        name, place = ("Companion", end) if named is None else (named[1], named.start(1))
        prefix = f"{around.name}$" if around else f"{self.package}." if self.package else ""
        line = self._lines.at(place)
        made = Type(
            name=prefix + name.strip("`"),
            line=line,
            first_line=self._first_line(begin),
            last_line=line,
            keyword=keyword,
            modifiers=frozenset(word for word, _ in self._head if word in _MODIFIERS),
            annotations=simple_names(word for word, _ in self._head if word.startswith("@")),
            is_in_object=keyword == "object" or (around is not None and around.is_in_object),
        )
        self.types.append(made)
        return made

    def _function(self, begin: int, end: int) -> None:
        named = _FUNCTION.match(self._text, end)
        if named is None or None in self._scopes:
            return
        around = self._scopes[-1] if self._scopes else None
        opening, closing = named.end(), self._closing(named.end())
        returns_nothing = _RETURNS_NOTHING.match(self._text, closing) is not None
        self.methods.append(
            Method(
                name=named["name"].strip("`"),
                type_name=None if around is None else around.name,
                line=self._lines.at(named.start("name")),
                first_line=self._first_line(begin),
                modifiers=frozenset(word for word, _ in self._head if word in _MODIFIERS),
                annotations=simple_names(word for word, _ in self._head if word.startswith("@")),
                parameters=self._text[opening + 1 : closing - 1].strip(),
                returns="Unit" if returns_nothing else None,
                is_extension=bool(named["receiver"]),
            )
        )

    def _first_line(self, begin: int) -> int:
        return self._lines.at(self._head[0][1] if self._head else begin)

    def _closing(self, begin: int) -> int:
        """The place behind the parenthesis that closes the one at `begin`."""
        depth = 0
        for each in re.compile(r"[()]").finditer(self._text, begin):
            depth += 1 if each[0] == "(" else -1
            if depth == 0:
                return each.end()
        return len(self._text)
