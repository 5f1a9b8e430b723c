# SPDX-License-Identifier: Apache-2.0
"""Remembers under which ids and in which sources the client knows its breakpoints.

The core keeps what was asked, diffs, arms, and sets the same breakpoints again after a restart;
here is only what DAP adds to them. Called by the handlers and `convert`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Final

import jvmdebug

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug import Breakpoint, BreakpointRequest, ClassListing, Session
    from jvmdebug_dap.models.generated import types as dap
    from jvmdebug_dap.models.generated.types import Source

EXCEPTIONS: Final = "exceptions"
"""The group of the exception breakpoints."""


@dataclass(slots=True)
class BreakpointMemory:
    """The client's breakpoints, by the core's."""

    told: dict[Breakpoint, dap.Breakpoint] = field(default_factory=dict)
    """What the client was told last about each."""
    _wrong: set[tuple[int | None, str | None, str | None]] = field(default_factory=set)
    """The line, source and message of those that the client was told are wrong."""
    _ids: dict[Breakpoint, int] = field(default_factory=dict)
    _sources: dict[Breakpoint, Source] = field(default_factory=dict)
    _listings: dict[Breakpoint, ClassListing] = field(default_factory=dict)
    _groups: dict[str, tuple[Breakpoint, ...]] = field(default_factory=dict)
    _numbers: count[int] = field(default_factory=lambda: count(1))

    def id_of(self, placed: Breakpoint) -> int | None:
        """The client's id; None for one that the client did not set."""
        return self._ids.get(placed)

    def source_of(self, placed: Breakpoint) -> Source | None:
        return self._sources.get(placed)

    def line_of(self, placed: Breakpoint) -> int | None:
        """The line (of the core's count) in the source that the client set it in."""
        listing = self._listings.get(placed)
        if listing is None or not isinstance(placed.spec, jvmdebug.InstructionSpec):
            return placed.line
        return listing.line_of_spec(placed.spec)

    async def replace(
        self, core: Session, group: str, requests: Sequence[BreakpointRequest]
    ) -> tuple[Breakpoint, ...]:
        """Make `requests` the breakpoints of `group`: a kind of them, or the path of a source."""
        placed = await core.breakpoints.replace(group, requests)
        for gone in set(self._groups.get(group, ())) - set(placed):
            self._ids.pop(gone, None)
            self._sources.pop(gone, None)
            self._listings.pop(gone, None)
            self.told.pop(gone, None)
        self._groups[group] = placed
        for each in placed:
            if each not in self._ids:
                self._ids[each] = next(self._numbers)
        return placed

    def remember_source(
        self, placed: Sequence[Breakpoint], source: Source, listing: ClassListing | None
    ) -> None:
        """The source of these as the client named it; `listing` is its text if it has no file."""
        self._sources.update(dict.fromkeys(placed, source))
        if listing is not None:
            self._listings.update(dict.fromkeys(placed, listing))

    def newly_wrong(self, shown: Sequence[dap.Breakpoint], *, more: bool) -> list[dap.Breakpoint]:
        """Finds those of which the client was not told yet that they are wrong.

        In the sources of `shown` no others are wrong now, unless there are `more` than these.
        """
        keys = {each.id: (each.line, _path(each), each.message) for each in shown}
        new = [each for each in shown if keys[each.id] not in self._wrong]
        paths = set() if more else {_path(each) for each in shown}
        self._wrong = {each for each in self._wrong if each[1] not in paths} | set(keys.values())
        return new

    async def set_again(self, core: Session, old: Session) -> None:
        """The same breakpoints in a new program, under the ids that the client knows."""
        await core.breakpoints.set_again(old.breakpoints)


def _path(shown: dap.Breakpoint) -> str | None:
    return None if shown.source is None else shown.source.path
