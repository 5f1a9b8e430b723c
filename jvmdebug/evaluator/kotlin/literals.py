# SPDX-License-Identifier: Apache-2.0
"""Numbers, characters and string templates as Kotlin writes them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.evaluator.parse import literals
from jvmdebug.model.primitives import PrimitiveKind

if TYPE_CHECKING:
    import tree_sitter

    from jvmdebug.evaluator.kotlin.parsing import KotlinCode

_REFERENCE: Final = re.compile(r"\$([^\W\d]\w*|`[^`]+`)")
_QUOTES: Final = ('"""', '"')


@dataclass(frozen=True, slots=True)
class Text:
    """A part of a template that is written out."""

    text: str


@dataclass(frozen=True, slots=True)
class Reference:
    """`$name`"""

    name: str


Part: TypeAlias = "Text | Reference | tree_sitter.Node"


def number(text: str) -> tuple[PrimitiveKind, int | float]:
    """`1_000`, `0xFFL`, `1.5f`. An integer that is too large for an Int is a Long."""
    if text[-1] in "uU" or text[-2:].lower() == "ul":
        raise ValueError(f"{text}: unsigned numbers cannot be evaluated")
    is_integer = text[:2].lower() in ("0x", "0b") or not re.search(r"[.eEfF]", text)
    if not is_integer:
        return literals.floating(text)
    if len(text) > 1 and text[0] == "0" and text[1].isdigit():
        raise ValueError(f"{text}: a number does not begin with 0 in Kotlin")
    digits = text.replace("_", "").rstrip("L")
    value = int(digits, 0)
    if text.endswith("L") or value >= 2**31:
        if value >= 2**63:
            raise ValueError(f"{text} is out of the range of Long")
        return PrimitiveKind.LONG, value
    return PrimitiveKind.INT, value


def character(text: str) -> int:
    """`'a'` with its quotes, as its UTF-16 unit."""
    return literals.character(text.replace("\\$", "$"))


def parts(code: KotlinCode, node: tree_sitter.Node) -> list[Part]:
    """What a string is put together from. A raw string, in triple quotes, has no escapes."""
    quotes = next(each for each in _QUOTES if code.text_of(node).startswith(each))
    is_raw = quotes == _QUOTES[0]
    found: list[Part] = []
    at, end = node.start_byte + len(quotes), node.end_byte - len(quotes)
    for child in node.children:
        if child.type != "interpolation":
            continue
        found += _written(code.source[at : child.start_byte].decode(), is_raw=is_raw)
        inner = child.named_children[0]
        is_name = child.children[0].type == "$"
        found.append(Reference(code.text_of(inner)) if is_name else inner)
        at = child.end_byte
    return [*found, *_written(code.source[at:end].decode(), is_raw=is_raw)]


def _written(text: str, *, is_raw: bool) -> list[Part]:
    found: list[Part] = []
    at = 0
    for match in _REFERENCE.finditer(text):
        before = text[at : match.start()]
        if not is_raw and _is_escaped(before):
            continue
        found += [Text(_plain(before, is_raw=is_raw))] if before else []
        found.append(Reference(match[1].strip("`")))
        at = match.end()
    rest = text[at:]
    return [*found, Text(_plain(rest, is_raw=is_raw))] if rest else found


def _is_escaped(before: str) -> bool:
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def _plain(text: str, *, is_raw: bool) -> str:
    return text if is_raw else literals.unescape(text.replace("\\$", "$"))
