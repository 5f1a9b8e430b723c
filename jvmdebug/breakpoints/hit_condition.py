# SPDX-License-Identifier: Apache-2.0
"""Hit conditions: at which of its hits a breakpoint stops. Pure text and numbers.

5  == 5     at the fifth hit
>= 5  > 5  <= 5  < 5  != 5
% 3         at each third hit
"""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.errors import BreakpointError

if TYPE_CHECKING:
    from collections.abc import Callable

_FORM = re.compile(r"\s*(==|=|>=|<=|!=|>|<|%)?\s*(\d+)\s*")


def _is_multiple(count: int, number: int) -> bool:
    return count % number == 0


_TESTS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    ">=": operator.ge,
    "<=": operator.le,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    "%": _is_multiple,
}

_NEVER = {("==", 0), ("<=", 0), ("<", 0), ("<", 1)}


@dataclass(frozen=True, slots=True)
class HitCondition:
    """A test on the number of a hit, which is counted from 1."""

    text: str
    comparison: str
    number: int

    @classmethod
    def parse(cls, text: str) -> HitCondition:
        """Read `5`, `>= 5`, `% 3`, ...; BreakpointError for anything else."""
        found = _FORM.fullmatch(text)
        if found is None:
            raise BreakpointError(
                f"hit condition {text!r} is not understood: "
                "write a number, or ==, !=, >=, >, <=, <, % and a number"
            )
        comparison = found.group(1) or "=="
        comparison = "==" if comparison == "=" else comparison
        number = int(found.group(2))
        if comparison == "%" and number == 0:
            raise BreakpointError(f"hit condition {text!r} divides by zero")
        if (comparison, number) in _NEVER:
            raise BreakpointError(f"hit condition {text!r} never holds: hits are counted from 1")
        return cls(text, comparison, number)

    def holds(self, count: int) -> bool:
        """Whether the breakpoint stops at its `count`-th hit."""
        return _TESTS[self.comparison](count, self.number)
