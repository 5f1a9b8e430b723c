# SPDX-License-Identifier: Apache-2.0
"""Counts the lines of Python that something executes, as a cost that no machine changes."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


@dataclass
class LinesRun:
    """How many lines were executed; each pass of a loop counts."""

    count: int = 0


@contextmanager
def counted_lines() -> Iterator[LinesRun]:
    """Count the lines of functions that are called inside, in this thread."""
    found = LinesRun()

    def count_line(frame: FrameType, event: str, argument: object) -> Any:
        del frame, argument
        found.count += event == "line"
        return count_line

    before = sys.gettrace()
    sys.settrace(count_line)
    try:
        yield found
    finally:
        sys.settrace(before)
