# SPDX-License-Identifier: Apache-2.0
"""The declarations of a Java source, by braces and keywords. Called by `outline`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from jvmdebug.projects.outline import Lines, Method, Outline, Type, simple_names

_MODIFIERS: Final = frozenset(
    [
        "public",
        "protected",
        "private",
        "static",
        "final",
        "abstract",
        "default",
        "synchronized",
        "native",
        "strictfp",
    ]
)
_TYPES: Final = frozenset({"class", "interface", "enum", "record", "@interface"})
_PACKAGE: Final = re.compile(r"^[^{]*?\bpackage\s+([\w$.]+)\s*;")
_TOKEN: Final = re.compile(r"@?[A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*|[{}();<>=]")


@dataclass(slots=True)
class _Member:
    """What was read of a member since its beginning."""

    tokens: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    """Where each of them is."""
    angles: int = 0
    """How many `<` are open: type parameters and arguments are not kept."""
    method: tuple[str, int, str | None] | None = None
    """Its name, where that is, and the token before it."""
    parameters: tuple[int, int] | None = None
    is_assigned: bool = False
    """An initializer follows: what looks like a method there is a call."""

    @property
    def keyword(self) -> int:
        """The index of the keyword of a type; -1 if this declares none."""
        at = next((at for at, each in enumerate(self.tokens) if each in _TYPES), -1)
        if at < 0 or at + 1 >= len(self.tokens):
            return -1
        return at if self.tokens[at] == "record" or self.method is None else -1


def java_outline(text: str) -> Outline:
    """What a text without comments and literals declares."""
    reader = _Reader(text)
    reader.read()
    return Outline(reader.package, reader.types, reader.methods)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = Lines(text)
        found = _PACKAGE.search(text)
        self.package = "" if found is None else found[1]
        self.types: list[Type] = []
        self.methods: list[Method] = []
        self._scopes: list[Type | None] = []
        """What the open braces belong to; None: a body."""
        self._member = _Member()
        self._parentheses = 0

    def read(self) -> None:
        for match in _TOKEN.finditer(self._text):
            word = match[0]
            if word in "()":
                self._parenthesis(match.start(), is_opening=word == "(")
            elif self._parentheses == 0:
                self._take(word, match.start())

    def _parenthesis(self, place: int, *, is_opening: bool) -> None:
        member = self._member
        if not is_opening:
            self._parentheses = max(0, self._parentheses - 1)
            if self._parentheses == 0 and member.parameters is None and member.method is not None:
                begin = self._text.index("(", member.method[1]) + 1
                member.parameters = (begin, place)
            return
        if self._parentheses == 0 and member.method is None and not member.is_assigned:
            name = member.tokens[-1] if member.tokens else "@"
            before = member.tokens[-2] if len(member.tokens) > 1 else None
            if not name.startswith("@") and before not in _TYPES:
                member.method = (name, member.places[-1], before)
        self._parentheses += 1

    def _take(self, word: str, place: int) -> None:
        member = self._member
        if (member.is_assigned or member.angles) and self._begins_member(word, place):
            self._member = member = _Member()  # the one before is being typed
        match word:
            case "{":
                self._open()
            case "}":
                ended = self._scopes.pop() if self._scopes else None
                if ended is not None:
                    ended.last_line = self._lines.at(place)
                self._member = _Member()
            case ";":
                self._member = _Member()
            case "=":
                member.is_assigned = True
            case "<":
                member.angles += 1
            case ">":
                member.angles = max(0, member.angles - 1)
            case _ if member.angles == 0:
                member.tokens.append("".join(word.split()))
                member.places.append(place)

    def _begins_member(self, word: str, place: int) -> bool:
        """Whether no initializer and no type argument has that, at least at the begin of a line."""
        if word.startswith("@"):
            begin = self._text.rfind("\n", 0, place) + 1
            return not self._text[begin:place].strip()
        return word in _MODIFIERS

    def _open(self) -> None:
        member, self._member = self._member, _Member()
        made = None
        if None not in self._scopes:
            if member.keyword >= 0:
                made = self._type(member)
            elif member.method is not None:
                self._method(member)
        self._scopes.append(made)

    def _type(self, member: _Member) -> Type:
        at = member.keyword
        around = self._scopes[-1] if self._scopes else None
        prefix = f"{around.name}$" if around else f"{self.package}." if self.package else ""
        tokens = member.tokens
        extends = tokens.index("extends") if "extends" in tokens else len(tokens)
        line = self._lines.at(member.places[at + 1])
        made = Type(
            name=prefix + tokens[at + 1],
            line=line,
            first_line=self._lines.at(member.places[0]),
            last_line=line,
            keyword=tokens[at],
            modifiers=_MODIFIERS.intersection(tokens[:at]),
            annotations=simple_names(each for each in tokens[:at] if each.startswith("@")),
            superclass=tokens[extends + 1] if extends + 1 < len(tokens) else None,
        )
        self.types.append(made)
        return made

    def _method(self, member: _Member) -> None:
        if None in self._scopes or member.method is None:
            return
        name, place, before = member.method
        around = self._scopes[-1] if self._scopes else None
        begin, end = member.parameters or (place, place)
        returns = None if before in _MODIFIERS or (before or "@").startswith("@") else before
        self.methods.append(
            Method(
                name=name,
                type_name=None if around is None else around.name,
                line=self._lines.at(place),
                first_line=self._lines.at(member.places[0]),
                modifiers=_MODIFIERS.intersection(member.tokens),
                annotations=simple_names(each for each in member.tokens if each.startswith("@")),
                parameters=self._text[begin:end].strip(),
                returns=returns,
            )
        )
