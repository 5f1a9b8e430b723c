# SPDX-License-Identifier: Apache-2.0
"""What options take that is no mere text: times and counts, checked as they are read.

Owns how a time is written (`10`, `200ms`, `2m`) and what is said of one that is none. Used by all
commands, for `type=` of argparse, so that a wrong number is told before anything is started.
"""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_UNITS: Final = {"": 1.0, "s": 1.0, "ms": 1e-3, "m": 60.0, "min": 60.0, "h": 3600.0}
_TIME: Final = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*([a-z]*)", re.ASCII)
_LONGEST_S: Final = 1e9


def duration_or_zero(text: str) -> float:
    """`10`, `1s`, `200ms`, `2m` in seconds."""
    found = _TIME.fullmatch(text.strip())
    if found is None or found[2] not in _UNITS:
        raise argparse.ArgumentTypeError(f"{text!r} is no time: write 10, 1.5s, 200ms or 2m")
    return min(float(found[1]) * _UNITS[found[2]], _LONGEST_S)


def duration(text: str) -> float:
    """The same, and some time."""
    seconds = duration_or_zero(text)
    if seconds == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no time: it has to be greater than 0")
    return seconds


def count_from(least: int, most: int | None = None) -> Callable[[str], int]:
    """A whole number that is not less, nor more."""

    def count(text: str) -> int:
        if not re.fullmatch(r"[+-]?\d{1,18}", text.strip(), re.ASCII):
            raise argparse.ArgumentTypeError(f"{text!r} is no number: write {least} or more")
        number = int(text)
        if number < least:
            raise argparse.ArgumentTypeError(f"{text} is too few: write {least} or more")
        if most is not None and number > most:
            raise argparse.ArgumentTypeError(f"{text} is too many: write {most} or less")
        return number

    return count


def number_between(least: float, most: float) -> Callable[[str], float]:
    """A number in that range."""

    def number(text: str) -> float:
        try:
            given = float(text)
        except ValueError:
            given = float("nan")
        if not least <= given <= most:  # which NaN is not, either
            raise argparse.ArgumentTypeError(
                f"{text!r} is not in range: write a number from {least:g} to {most:g}"
            )
        return given

    return number
