# SPDX-License-Identifier: Apache-2.0
"""What the client asked to stop at, and under which ids it knows it.

The core diffs and arms; this keeps what is needed to do the same again after a restart, with the
same ids, and to name a core breakpoint to the client.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING

from jvmdebug import InstructionSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug import (
        Breakpoint,
        ClassListing,
        DataRequest,
        ExceptionRequest,
        InstructionRequest,
        LineRequest,
        MethodRequest,
        Session,
    )
    from jvmdebug_dap.models.generated import types as dap
    from jvmdebug_dap.models.generated.types import Source


@dataclass(slots=True)
class SourceBreakpoints:
    """The breakpoints of one source, as the client named that source."""

    source: Source
    requests: tuple[LineRequest, ...] = ()
    listing: ClassListing | None = None
    """The text that the lines are of, for a class without source."""


@dataclass(slots=True)
class BreakpointMemory:
    """All that was asked for, by kind."""

    by_source: dict[str, SourceBreakpoints] = field(default_factory=dict)
    """The key is what the core is told as `source`."""
    functions: tuple[MethodRequest, ...] = ()
    exceptions: tuple[ExceptionRequest, ...] = ()
    data: tuple[DataRequest, ...] = ()
    instructions: tuple[InstructionRequest, ...] = ()
    told: dict[Breakpoint, dap.Breakpoint] = field(default_factory=dict)
    """What the client was told last about each."""
    _ids: dict[Breakpoint, int] = field(default_factory=dict)
    _sources: dict[Breakpoint, Source] = field(default_factory=dict)
    _listings: dict[Breakpoint, ClassListing] = field(default_factory=dict)
    _placed: dict[str, tuple[Breakpoint, ...]] = field(default_factory=dict)
    _numbers: count[int] = field(default_factory=lambda: count(1))

    def id_of(self, placed: Breakpoint) -> int | None:
        """The client's id; None for one that the client did not set."""
        return self._ids.get(placed)

    def source_of(self, placed: Breakpoint) -> Source | None:
        return self._sources.get(placed)

    def line_of(self, placed: Breakpoint) -> int | None:
        """The line (of the core's count) in the source that the client set it in."""
        listing = self._listings.get(placed)
        if listing is None or not isinstance(placed.spec, InstructionSpec):
            return placed.line
        return listing.line_of_spec(placed.spec)

    async def set_in_source(
        self, core: Session, key: str, asked: SourceBreakpoints
    ) -> tuple[Breakpoint, ...]:
        """Make `asked` the breakpoints of the source `key`."""
        placed = await core.set_source_breakpoints(asked.listing or key, asked.requests)
        self.by_source[key] = asked
        self._place(f"source {key}", placed)
        self._sources.update(dict.fromkeys(placed, asked.source))
        self._listings.update((each, asked.listing) for each in placed if asked.listing)
        return placed

    async def set_functions(
        self, core: Session, requests: Sequence[MethodRequest]
    ) -> tuple[Breakpoint, ...]:
        placed = await core.set_function_breakpoints(requests)
        self.functions = tuple(requests)
        self._place("functions", placed)
        return placed

    async def set_exceptions(
        self, core: Session, requests: Sequence[ExceptionRequest]
    ) -> tuple[Breakpoint, ...]:
        placed = await core.set_exception_breakpoints(requests)
        self.exceptions = tuple(requests)
        self._place("exceptions", placed)
        return placed

    async def set_data(
        self, core: Session, requests: Sequence[DataRequest]
    ) -> tuple[Breakpoint, ...]:
        placed = await core.set_data_breakpoints(requests)
        self.data = tuple(requests)
        self._place("data", placed)
        return placed

    async def set_instructions(
        self, core: Session, requests: Sequence[InstructionRequest]
    ) -> tuple[Breakpoint, ...]:
        placed = await core.set_instruction_breakpoints(requests)
        self.instructions = tuple(requests)
        self._place("instructions", placed)
        return placed

    async def set_again(self, core: Session) -> None:
        """The same breakpoints in a new program, under the ids that the client knows."""
        known = {group: [self._ids[each] for each in old] for group, old in self._placed.items()}
        self._ids.clear()
        self._sources.clear()
        self._listings.clear()
        self.told.clear()
        self._placed.clear()
        for key, asked in list(self.by_source.items()):
            await self.set_in_source(core, key, asked)
        await self.set_functions(core, self.functions)
        await self.set_exceptions(core, self.exceptions)
        await self.set_data(core, [_in_new_program(each) for each in self.data])
        await self.set_instructions(core, self.instructions)
        for group, ids in known.items():
            self._ids.update(zip(self._placed.get(group, ()), ids, strict=False))

    def _place(self, group: str, placed: tuple[Breakpoint, ...]) -> None:
        for gone in set(self._placed.get(group, ())) - set(placed):
            self._ids.pop(gone, None)
            self._sources.pop(gone, None)
            self._listings.pop(gone, None)
            self.told.pop(gone, None)
        self._placed[group] = placed
        for each in placed:
            if each not in self._ids:
                self._ids[each] = next(self._numbers)


def _in_new_program(asked: DataRequest) -> DataRequest:
    """What was watched in one object cannot be watched again: the object is gone."""
    if asked.instance is None:
        return asked
    error = f"the object whose {asked.field_name} was watched is gone with its program"
    return replace(asked, instance=None, error=error)
