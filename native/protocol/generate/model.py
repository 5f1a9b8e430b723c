# SPDX-License-Identifier: Apache-2.0
"""The declarations of the wire as typed, checked values.

Owns the shape of what native/protocol/*.toml says: command sets, commands, fields, variants,
enumerations and error codes. Knows neither TOML (declarations.py reads it) nor the languages that
are emitted (emit_*.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

FIRST_OF_EXTENSIONS: Final = 128
"""Command sets from this number on are not part of JDWP."""


@dataclass(frozen=True)
class Scalar:
    """A type that needs no declaration: `int`, `threadID`, `location`, `bytes`, …"""

    name: str


@dataclass(frozen=True)
class EnumType:
    """A number with names: `byte:EventKind`, `int:ClassStatus`."""

    wire: str
    enum: Enum


@dataclass(frozen=True)
class RawValues:
    """A counted run of untagged values (or field, value pairs), typed by the receiver alone."""

    with_field: bool


@dataclass(frozen=True)
class VariantType:
    """One case of a variant, told by its tag: `Modifier`, `Event`."""

    variant: str


@dataclass(frozen=True)
class ListType:
    """A count (int) and that many elements."""

    element: Scalar | EnumType | VariantType | Struct


@dataclass(frozen=True)
class Struct:
    """Fields in their order on the wire. The name is that of a nested element."""

    name: str
    fields: tuple[Field, ...]


FieldType: TypeAlias = Scalar | EnumType | RawValues | VariantType | ListType


@dataclass(frozen=True)
class Field:
    name: str
    type: FieldType
    doc: str


@dataclass(frozen=True)
class Enum:
    """An enumeration, or with `is_flags` a set of bits."""

    name: str
    wire: str
    doc: str
    is_flags: bool
    members: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class ErrorCode:
    name: str
    number: int
    doc: str


@dataclass(frozen=True)
class Support:
    """What is to be known before something is used; `fast_mode`: what is not as in the full one."""

    since: int | None
    capability: str | None
    fast_mode: str | None


@dataclass(frozen=True)
class Case:
    """One case of a variant: `Count` with tag 1, the class `CountModifier`.

    `kinds` and `not_kinds`: the event kinds that alone take a modifier, and those that do not.
    """

    name: str
    tag: int
    tag_name: str | None
    doc: str
    support: Support
    kinds: tuple[str, ...]
    not_kinds: tuple[str, ...]
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Variant:
    name: str
    doc: str
    tag_enum: Enum | None
    cases: tuple[Case, ...]


ROLES = ("read-only", "observe", "debug")
"""What a debugger may do, each with all that those before it may. A relay enforces it."""


@dataclass(frozen=True)
class Never:
    """An error that the specification allows and our agent does not give, and what is instead."""

    error: str
    instead: str


@dataclass(frozen=True)
class Command:
    """One command. `from_agent`: the agent sends it, and it has no reply. `changes`: it may change
    something in the VM, so that what earlier replies said may be outdated. `role`: the least of
    ROLES that may send it; empty for what the agent sends.
    """

    name: str
    number: int
    doc: str
    role: str
    changes: bool
    deferred: bool
    from_agent: bool
    support: Support
    errors: tuple[str, ...]
    never: tuple[Never, ...]
    request: tuple[Field, ...]
    reply: tuple[Field, ...]


@dataclass(frozen=True)
class CommandSet:
    """One command set. `module` is the name of its file: `thread_reference`."""

    module: str
    name: str
    number: int
    doc: str
    commands: tuple[Command, ...]

    @property
    def is_ours(self) -> bool:
        """Whether it is an extension: JDWP leaves the numbers from 128 on to implementations."""
        return self.number >= FIRST_OF_EXTENSIONS


@dataclass(frozen=True)
class Difference:
    """One difference between our agent and the JDK's own. For `error`, NONE is a reply.

    `about`: the commands, events and modifiers that show it to whoever reads about them.
    """

    command: str
    about: tuple[str, ...]
    field: str
    stock: str
    ours: str
    why: str
    since: int | None
    until: int | None


@dataclass(frozen=True)
class Declarations:
    enums: tuple[Enum, ...]
    errors: tuple[ErrorCode, ...]
    variants: tuple[Variant, ...]
    command_sets: tuple[CommandSet, ...]
    differences: tuple[Difference, ...]
