# SPDX-License-Identifier: Apache-2.0
"""Class files that javac made of the debuggees, as input for the reader of class files."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from pathlib import Path

_TOPICS = ("swap", "constructs", "unicode")


@cache
def compiled() -> tuple[Path, ...]:
    """All class files of some topics: records, switches, lambdas, nested classes, odd names."""
    return tuple(
        path
        for topic in _TOPICS
        for path in sorted(debuggee(topic, "Main").class_path[0].rglob("*.class"))
    )


@cache
def swap() -> bytes:
    """One small class file."""
    return (debuggee("swap", "Swap").class_path[0] / "Swap.class").read_bytes()
