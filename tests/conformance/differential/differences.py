# SPDX-License-Identifier: Apache-2.0
"""Tells where two records differ, and which of that was declared.

Owns the comparison of two conversations field by field, and the reading of
native/protocol/differences*.toml. A declared difference is accepted only in the conversations that
it names, and each of them must show it: what is declared and not seen is reported like what is
seen and not declared.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from tests.support.wire_grammar import DECLARATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.conformance.differential.names import Normal
    from tests.conformance.differential.recording_client import Step

NO_ANSWERS = ("ends the VM", "never answers", "anything")
"""What stands for the stock agent's answer where it has none: ours is asked alone."""

_INDEX = re.compile(r"\[\d+\]")


@dataclass(frozen=True)
class Difference:
    """One field that is not the same."""

    step: int
    command: str
    asked: str
    path: str
    stock: str
    ours: str

    def __str__(self) -> str:
        return (
            f"step {self.step} {self.command}({self.asked}): {self.path}\n"
            f"    stock {self.stock}\n    ours  {self.ours}"
        )


@dataclass(frozen=True)
class Declared:
    """One entry of differences*.toml."""

    commands: tuple[str, ...]
    field: str
    stock: str
    ours: str
    conversations: tuple[str, ...]
    versions: tuple[int, int]

    def is_for(self, conversation: str, version: int | None = None) -> bool:
        """Whether that conversation on that JDK (on any) has to show it."""
        least, most = self.versions
        return (version is None or least <= version <= most) and fits(
            conversation, *self.conversations
        )

    def is_about(self, command: str) -> bool:
        """Whether the command is one of its commands."""
        return fits(command, *self.commands)

    def accepts(self, found: Difference) -> bool:
        """Whether the difference is this one."""
        return (
            self.is_about(found.command)
            and _INDEX.sub("[*]", found.path) == self.field
            and fits(found.stock, self.stock)
            and fits(found.ours, self.ours)
        )

    def __str__(self) -> str:
        return f"{', '.join(self.commands)} {self.field}: stock {self.stock!r}, ours {self.ours!r}"


@cache
def declared_differences() -> tuple[Declared, ...]:
    """All entries."""
    entries = [
        entry
        for path in sorted(DECLARATIONS.glob("differences*.toml"))
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["difference"]
    ]
    return tuple(
        Declared(
            commands=tuple(_several(entry["command"])),
            field=entry["field"],
            stock=entry["stock"],
            ours=entry["ours"],
            conversations=tuple(entry["conversations"]),
            versions=(entry.get("since", 0), entry.get("until", 999)),
        )
        for entry in entries
    )


def _several(declared: str | list[str]) -> list[str]:
    return [declared] if isinstance(declared, str) else declared


def ends_stock(conversation: str) -> bool:
    """Whether the stock agent has no answer in that conversation, on some JDK."""
    return any(
        one.stock in NO_ANSWERS and one.is_for(conversation) for one in declared_differences()
    )


def undeclared(
    conversation: str, version: int, found: Sequence[Difference]
) -> tuple[list[Difference], list[Declared]]:
    """The differences that are not declared, and the declared ones that are not there."""
    expected = [
        one
        for one in declared_differences()
        if one.stock not in NO_ANSWERS and one.is_for(conversation, version)
    ]
    surprises = [one for one in found if not any(entry.accepts(one) for entry in expected)]
    missing = [entry for entry in expected if not any(entry.accepts(one) for one in found)]
    return surprises, missing


def check_alone(conversation: str, ours: Sequence[Step]) -> list[Difference]:
    """What our agent alone was asked and did not answer as declared."""
    expected = [one for one in declared_differences() if one.is_for(conversation)]
    return [
        Difference(number, step.name, step.asked, "error", one.stock, step.error)
        for number, step in enumerate(ours, 1)
        for one in expected
        if step.asked and one.is_about(step.name) and not fits(step.error, one.ours)
    ]


def compare(stock: Sequence[Step], ours: Sequence[Step]) -> list[Difference]:
    """Every field in which two records differ; nothing after the scripts went apart."""
    found: list[Difference] = []
    for number, (one, other) in enumerate(zip_longest(stock, ours), 1):
        if one is None or other is None or one.name != other.name:
            names = [step.name if step else "the end" for step in (one, other)]
            found.append(Difference(number, "the script", "", "goes apart", *names))
            break
        if one.error != other.error:
            pairs: Iterator[tuple[str, Any, Any]] = iter([("error", one.error, other.error)])
        else:
            pairs = _leaves(one.answer, other.answer, "")
        found += [
            Difference(number, one.name, other.asked, path, _text(left), _text(right))
            for path, left, right in pairs
        ]
    return found


def _leaves(stock: Normal, ours: Normal, path: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(stock, dict) and isinstance(ours, dict) and stock.keys() == ours.keys():
        for name in stock:
            yield from _leaves(stock[name], ours[name], f"{path}.{name}" if path else name)
    elif isinstance(stock, list) and isinstance(ours, list) and len(stock) == len(ours):
        for index, (left, right) in enumerate(zip(stock, ours, strict=True)):
            yield from _leaves(left, right, f"{path}[{index}]")
    elif stock != ours or type(stock) is not type(ours):
        yield path, *_shortened(stock, ours)


def _shortened(stock: Normal, ours: Normal) -> tuple[Any, Any]:
    """Shortens two lists to what only one of them has."""
    if isinstance(stock, list) and isinstance(ours, list):
        left = [one for one in stock if one not in ours]
        right = [one for one in ours if one not in stock]
        if left or right:
            return [f"{len(stock)} of them", *left], [f"{len(ours)} of them", *right]
    return stock, ours


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def fits(text: str, *patterns: str) -> bool:
    """Whether it is exactly one of the patterns, in which `*` stands for anything."""
    return _expression(patterns).fullmatch(text) is not None


@cache
def _expression(patterns: tuple[str, ...]) -> re.Pattern[str]:
    # Kept, for collecting the tests tries each name with each pattern.
    each = (".*".join(map(re.escape, pattern.split("*"))) for pattern in patterns)
    return re.compile("|".join(each) if patterns else "(?!)", re.DOTALL)
