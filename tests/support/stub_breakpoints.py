# SPDX-License-Identifier: Apache-2.0
"""Breakpoints of the stub program: resolved at once, without events. See `stub_core`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jvmdebug

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@dataclass(eq=False)
class StubBreakpoint:
    id: int
    spec: Any
    asked: Any = None
    verified: bool = False
    message: str | None = None
    line: int | None = None
    condition_error: str | None = None
    set_by: str | None = None

    @property
    def options(self) -> jvmdebug.BreakpointOptions:
        options: jvmdebug.BreakpointOptions = self.asked.options
        return options

    @property
    def is_pending(self) -> bool:
        return not self.verified and self.message is None


class StubBreakpoints:
    """The breakpoints of a session; notes in `calls` what is asked of it."""

    def __init__(self, calls: list[tuple[Any, ...]]) -> None:
        self.calls = calls
        self.placed: dict[str, tuple[StubBreakpoint, ...]] = {}
        self._ids = 0

    async def replace(
        self, group: str, requests: Sequence[jvmdebug.BreakpointRequest]
    ) -> tuple[StubBreakpoint, ...]:
        self.calls.append(("place", group, tuple(requests)))
        old = {each.asked: each for each in self.placed.get(group, ())}
        self.placed[group] = tuple(old.get(each) or self._new(each) for each in requests)
        return self.placed[group]

    async def set_again(self, old: StubBreakpoints) -> None:
        self.calls.append(("set again", old))
        self.placed, self._ids = old.placed, old._ids

    async def breakable_lines(
        self, source: str | Path, first: int = 1, last: int | None = None
    ) -> tuple[int, ...]:
        self.calls.append(("breakable_lines", str(source), first, last))
        return tuple(range(first, min(last or first, first + 99) + 1))

    async def breakable_parts(
        self, source: str | Path, first: int = 1, last: int | None = None
    ) -> tuple[jvmdebug.BreakablePart, ...]:
        self.calls.append(("breakable_parts", str(source), first, last))
        lines = range(first, min(last or first, first + 99) + 1)
        return tuple(jvmdebug.BreakablePart(line, "line", 5, "") for line in lines)

    def _new(self, asked: jvmdebug.BreakpointRequest) -> StubBreakpoint:
        self._ids += 1
        if asked.options.hit_condition == "often":
            return StubBreakpoint(self._ids, asked.spec, asked, message="no hit condition: often")
        line = getattr(asked.spec, "line", None)
        return StubBreakpoint(self._ids, asked.spec, asked, line=line)
