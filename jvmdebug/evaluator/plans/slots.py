# SPDX-License-Identifier: Apache-2.0
"""What is on the stack of a plan and in its variables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from jvmdebug.evaluator.plans.decoding import UnplannedError
from jvmdebug.model.java_text import joined
from jvmdebug.model.values import NULL, ObjectReference, PrimitiveValue

if TYPE_CHECKING:
    from jvmdebug.model.values import Value


@dataclass(slots=True)
class Builder:
    """A StringBuilder, or a StringJoiner with what it puts around its parts."""

    parts: list[str]
    between: str = ""
    around: tuple[str, str] = ("", "")

    @property
    def text(self) -> str:
        """What its toString() gives."""
        return joined([self.around[0], self.between.join(self.parts), self.around[1]])


@dataclass(frozen=True, slots=True)
class Box:
    """A box that the plan has made: the descriptor of its value, and the value."""

    kind: str
    number: float


@dataclass(frozen=True, slots=True)
class Class:
    """A java.lang.Class object."""

    name: str
    simple_name: str


Slot: TypeAlias = float | str | ObjectReference | Builder | Box | Class | None


def slot_of(value: Value) -> Slot:
    """A value of the program."""
    if isinstance(value, PrimitiveValue):
        return value.value
    if isinstance(value, ObjectReference):
        return value
    if value == NULL:
        return None
    raise UnplannedError(f"it reads {value}")


def number_of(value: Slot) -> float:
    """A number; UnplannedError for anything else."""
    if isinstance(value, int | float):
        return value
    raise UnplannedError("it expects a number")
