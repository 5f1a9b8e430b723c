# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of methods that are computed from their bytecode."""

from __future__ import annotations

import pytest

from jvmdebug.evaluator.reading.instructions import _PLAIN
from jvmdebug.evaluator.reading.slots import SECOND


class Frame:
    """The operand stack alone."""

    def __init__(self, *stack: object) -> None:
        self.stack = list(stack)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (2**60 + 2**36 + 1, 2.0**60 + 2.0**37),
        (-(2**60) - 2**36 - 1, -(2.0**60) - 2.0**37),
        (3, 3.0),
    ],
)
def test_a_long_becomes_a_float_with_one_rounding(number: int, expected: float) -> None:
    frame = Frame(number, SECOND)
    _PLAIN["l2f"](None, frame, None)  # type: ignore[arg-type]
    assert frame.stack == [expected]
