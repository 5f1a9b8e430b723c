# SPDX-License-Identifier: Apache-2.0
"""Breakpoints of a program that is not there: placed at once, told nothing. See `stub_core`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import jvmdebug


@dataclass(eq=False)
class StubBreakpoint:
    id: int
    spec: Any
    asked: Any = None
    verified: bool = False
    message: str | None = None
    line: int | None = None

    @property
    def is_pending(self) -> bool:
        return not self.verified and self.message is None


class StubBreakpoints:
    """The part of the session that sets breakpoints."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.placed: dict[str, tuple[StubBreakpoint, ...]] = {}
        self._ids = 0

    async def set_source_breakpoints(
        self, source: str | Path, requests: Sequence[jvmdebug.LineRequest]
    ) -> tuple[StubBreakpoint, ...]:
        return self._place(str(source), requests)

    async def set_function_breakpoints(
        self, requests: Sequence[jvmdebug.MethodRequest]
    ) -> tuple[StubBreakpoint, ...]:
        return self._place("functions", requests)

    async def set_exception_breakpoints(
        self, requests: Sequence[jvmdebug.ExceptionRequest]
    ) -> tuple[StubBreakpoint, ...]:
        return self._place("exceptions", requests)

    async def set_data_breakpoints(
        self, requests: Sequence[jvmdebug.DataRequest]
    ) -> tuple[StubBreakpoint, ...]:
        return self._place("data", requests)

    async def set_instruction_breakpoints(
        self, requests: Sequence[jvmdebug.InstructionRequest]
    ) -> tuple[StubBreakpoint, ...]:
        return self._place("instructions", requests)

    def _place(self, group: str, requests: Sequence[Any]) -> tuple[StubBreakpoint, ...]:
        self.calls.append(("place", group, tuple(requests)))
        old = {each.asked: each for each in self.placed.get(group, ())}
        self.placed[group] = tuple(old.get(each) or self._new(each) for each in requests)
        return self.placed[group]

    def _new(self, asked: Any) -> StubBreakpoint:
        self._ids += 1
        if getattr(asked, "hit_condition", None) == "often":
            return StubBreakpoint(self._ids, asked, asked, message="no hit condition: often")
        return StubBreakpoint(self._ids, asked, asked, line=getattr(asked, "line", None))
