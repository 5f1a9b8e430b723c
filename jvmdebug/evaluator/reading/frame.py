# SPDX-License-Identifier: Apache-2.0
"""What the interpreter runs: methods by their bytecode, and methods that a generator computes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Generator

    from jvmdebug.evaluator.reading.method_code import MethodCode
    from jvmdebug.evaluator.reading.objects import ReadObject
    from jvmdebug.evaluator.reading.slots import Slot


class Frame:
    """A method that is interpreted."""

    __slots__ = ("code", "locals", "made", "position", "stack", "steps")

    def __init__(self, code: MethodCode, arguments: list[Slot]) -> None:
        self.code = code
        self.steps = code.steps or []
        self.locals = arguments + [None] * (code.locals - len(arguments))
        self.stack: list[Slot] = []
        self.position = 0
        self.made: ReadObject | None = None
        """What a call of a constructor gives, where a lambda stands for it."""


@dataclass(slots=True, eq=False)
class Generated:
    """A method that a generator computes: it yields what it reads, as a function that is called
    until nothing is missing, and the calls that it makes.
    """

    generator: Generator[Any, Any, Slot]
    result: str
    wanted: Any = None
    value: Slot = None
