# SPDX-License-Identifier: Apache-2.0
"""The declarations of native/protocol, read once more and independently of the generator.

Owns the grammar: which fields a request, a reply or a case of a variant has, in plain tuples and
dictionaries. tests/support/wire_reading.py interprets it. It shares no code with the generator,
so that a mistake there does not hide itself here.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeAlias

DECLARATIONS = Path(__file__).resolve().parents[2] / "native" / "protocol"


@dataclass(frozen=True)
class Plain:
    """`int`, `threadID`, `location`, …"""

    name: str


@dataclass(frozen=True)
class Numbered:
    """`byte:EventKind`: a number, of which only those in `numbers` have a name."""

    wire: str
    numbers: frozenset[int]
    is_flags: bool


@dataclass(frozen=True)
class ListOf:
    element: Type


@dataclass(frozen=True)
class Struct:
    fields: tuple[tuple[str, Type], ...]


@dataclass(frozen=True)
class VariantOf:
    name: str


@dataclass(frozen=True)
class RawValues:
    with_field: bool


Type: TypeAlias = Plain | Numbered | ListOf | Struct | VariantOf | RawValues


@dataclass(frozen=True)
class Command:
    set_name: str
    module: str
    name: str
    request: Struct
    reply: Struct
    errors: frozenset[str]
    from_agent: bool


@dataclass
class Grammar:
    """Everything that is declared. Cases of a variant are (name, fields) by tag."""

    numbers: dict[str, tuple[frozenset[int], bool]] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)
    variants: dict[str, dict[int, tuple[str, Struct]]] = field(default_factory=dict)
    commands: dict[tuple[int, int], Command] = field(default_factory=dict)


@cache
def read_grammar(folder: Path = DECLARATIONS) -> Grammar:
    """Reads the declarations of this folder, once; callers do not change the result."""
    grammar = Grammar()
    constants = tomllib.loads((folder / "constants.toml").read_text(encoding="utf-8"))
    for group in ("enum", "flags"):
        for name, entries in constants[group].items():
            numbers = frozenset(value for value in entries.values() if isinstance(value, int))
            grammar.numbers[name] = (numbers, group == "flags")
    grammar.errors = {name: entry[0] for name, entry in constants["error"].items()}
    events = tomllib.loads((folder / "events.toml").read_text(encoding="utf-8"))
    grammar.variants = {name: {} for name in events["variant"]}
    for name, variant in events["variant"].items():
        for case_name, case in variant["case"].items():
            fields = _read_struct(grammar, case.get("fields", ""))
            grammar.variants[name][case["tag"]] = (case_name + variant["suffix"], fields)
    for path in sorted(folder.glob("*.toml")):
        if path.stem not in ("constants", "events") and not path.stem.startswith("differences"):
            _read_set(grammar, path)
    return grammar


def _read_set(grammar: Grammar, path: Path) -> None:
    declared = tomllib.loads(path.read_text(encoding="utf-8"))
    for name, command in declared["command"].items():
        grammar.commands[declared["number"], command["number"]] = Command(
            set_name=declared["name"],
            module=path.stem,
            name=name,
            request=_read_struct(grammar, command.get("request", "")),
            reply=_read_struct(grammar, command.get("reply", "")),
            errors=frozenset(command.get("errors", ())),
            from_agent=command.get("from_agent", False),
        )


def _read_struct(grammar: Grammar, text: str) -> Struct:
    """Reads a table of fields. `name [Struct` opens a list of structs, `]` closes it."""
    open_lists: list[tuple[str, list[tuple[str, Type]]]] = [("", [])]
    for line in text.splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] == "]":
            name, fields = open_lists.pop()
            open_lists[-1][1].append((name, ListOf(Struct(tuple(fields)))))
        elif words[1].startswith("["):
            open_lists.append((words[0], []))
        else:
            open_lists[-1][1].append((words[0], _read_type(grammar, words[1])))
    return Struct(tuple(open_lists[-1][1]))


def _read_type(grammar: Grammar, text: str) -> Type:
    if text.startswith("*"):
        return ListOf(_read_type(grammar, text[1:]))
    if text.startswith("raw_values"):
        return RawValues(with_field=text == "raw_values:fieldID")
    if text in grammar.variants:
        return VariantOf(text)
    wire, colon, name = text.partition(":")
    if colon:
        return Numbered(wire, *grammar.numbers[name])
    return Plain(text)
