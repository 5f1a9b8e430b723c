# SPDX-License-Identifier: Apache-2.0
"""What a session has of its parts: the same signatures, texts and results."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import jvmdebug
from jvmdebug.session.covering import SessionCoverage
from jvmdebug.session.lifecycle import Lifecycle
from jvmdebug.session.parts import of_part
from jvmdebug.session.recorded import SessionRecorded
from jvmdebug.session.session import Session

PARTS = {
    "breakpoints": jvmdebug.SessionBreakpoints,
    "covering": SessionCoverage,
    "recorded": SessionRecorded,
    "observe": jvmdebug.SessionObserving,
    "profiling": jvmdebug.SessionProfiling,
    "hot_swap": jvmdebug.SessionHotSwap,
    "_life": Lifecycle,
}


def delegated() -> list[tuple[str, str]]:
    """The part and the name of each method that the source of the session takes over."""
    tree = ast.parse(Path(inspect.getfile(Session)).read_text(encoding="utf-8"))
    return [
        (ast.literal_eval(call.args[0]), target.id)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(call := node.value, ast.Call)
        if isinstance(call.func, ast.Name) and call.func.id == "of_part"
        for target in node.targets
        if isinstance(target, ast.Name)
    ]


@pytest.mark.parametrize(("part", "name"), delegated())
def test_a_method_of_a_part_is_the_same_as_the_session_s(part: str, name: str) -> None:
    own, original = getattr(Session, name), getattr(PARTS[part], name)
    assert inspect.signature(own) == inspect.signature(original)
    assert own.__doc__ == original.__doc__
    assert inspect.iscoroutinefunction(own) == inspect.iscoroutinefunction(original)


def test_each_public_method_of_the_parts_that_observe_is_the_session_s_too() -> None:
    taken = set(delegated())
    for part in ("observe", "profiling", "hot_swap"):
        public = {name for name in vars(PARTS[part]) if not name.startswith("_")}
        assert {name for of, name in taken if of == part} == public


class Part:
    """A part of `Whole`."""

    def __init__(self, base: int) -> None:
        self.base = base

    def plus(self, number: int, *, times: int = 1) -> int:
        """Add."""
        return self.base + number * times

    async def later(self, number: int) -> int:
        """Add, later."""
        return self.base + number


class Whole:
    """A class with parts, which may be replaced."""

    def __init__(self) -> None:
        self.part = Part(10)

    plus = of_part("part", Part.plus)
    later = of_part("part", Part.later)


async def test_the_part_is_asked_that_is_there_now() -> None:
    whole = Whole()
    assert (whole.plus(1, times=2), await whole.later(3)) == (12, 13)
    replaced: Any = SimpleNamespace(plus=lambda number: -number)
    whole.part = replaced
    assert whole.plus(5) == -5
