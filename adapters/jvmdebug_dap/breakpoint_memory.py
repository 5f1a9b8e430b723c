# SPDX-License-Identifier: Apache-2.0
"""Remembers under which ids and in which sources the client knows its breakpoints.

The core keeps what was asked, diffs, arms, and sets the same breakpoints again after a restart;
here is only what DAP adds to them. Called by the handlers and `convert`.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Final

import jvmdebug

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug import Breakpoint, BreakpointRequest, ClassListing, Session
    from jvmdebug_dap.models.generated import types as dap
    from jvmdebug_dap.models.generated.types import Source
    from jvmdebug_dap.visit import Visit

_KNOWS_S: Final = 1.0
"""After so long a client knows of a breakpoint that it was told of."""
EXCEPTIONS: Final = "exceptions"
"""The group of the exception breakpoints."""


@dataclass(slots=True)
class BreakpointMemory:
    """The client's breakpoints, by the core's."""

    told: dict[Breakpoint, dap.Breakpoint] = field(default_factory=dict)
    """What the client was told last about each."""
    past_data: dict[str, Visit] = field(default_factory=dict)
    """The data ids of objects that only the past of a visit has."""
    _wrong: set[tuple[int | None, str | None, str | None]] = field(default_factory=set)
    """The line, source and message of those that the client was told are wrong."""
    _ids: dict[Breakpoint, int] = field(default_factory=dict)
    _sources: dict[Breakpoint, Source] = field(default_factory=dict)
    _listings: dict[Breakpoint, ClassListing] = field(default_factory=dict)
    _groups: dict[str, tuple[Breakpoint, ...]] = field(default_factory=dict)
    _adopted: dict[str, dict[Breakpoint, float]] = field(default_factory=dict)
    """Those that others in a shared session have set, by source, with when the client was told."""
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
        kept = await self._kept_of_others(group, requests)
        own = [request for at, request in enumerate(requests) if at not in kept]
        placed = await core.breakpoints.replace(group, own)
        for gone in set(self._groups.get(group, ())) - set(placed):
            self.forget(gone)
        self._groups[group] = placed
        for each in placed:
            if each not in self._ids:
                self._ids[each] = next(self._numbers)
        rest = iter(placed)
        return tuple(kept[at] if at in kept else next(rest) for at in range(len(requests)))

    def adopt(self, placed: Breakpoint, group: str, source: Source) -> None:
        """Make one that another has set in a line of `source` one of the client's, which is yet to
        be told of it.
        """
        self._ids[placed] = next(self._numbers)
        self._sources[placed] = source
        self._adopted.setdefault(group, {})[placed] = math.inf

    def told_new(self, placed: Breakpoint) -> bool:
        """Whether the client is told now, for the first time, of one that was adopted."""
        for adopted in self._adopted.values():
            if adopted.get(placed) == math.inf:
                adopted[placed] = time.monotonic()
                return True
        return False

    def forget(self, gone: Breakpoint) -> None:
        """Forget one that is removed."""
        self._ids.pop(gone, None)
        self._sources.pop(gone, None)
        self._listings.pop(gone, None)
        self.told.pop(gone, None)
        for adopted in self._adopted.values():
            adopted.pop(gone, None)

    def forget_group(self, group: str) -> list[int]:
        """Forget all of a group, because their session ends. Returns the client's ids."""
        gone = self._groups.pop(group, ())
        ids = [self._ids[each] for each in gone]
        for each in gone:
            self.forget(each)
        return ids

    async def _kept_of_others(
        self, group: str, requests: Sequence[BreakpointRequest]
    ) -> dict[int, Breakpoint]:
        """Find those of others that the client asks for, by the number of the request, and give
        them its options. One that it asks for no more is removed, if it can have known it.
        """
        kept: dict[int, Breakpoint] = {}
        for placed, since in list(self._adopted.get(group, {}).items()):
            found = next((at for at, each in enumerate(requests) if _is_at(each, placed)), None)
            if found is not None and found not in kept:
                kept[found] = placed
                await _set_options(placed, requests[found].options)
            elif time.monotonic() - since > _KNOWS_S:
                self.forget(placed)
                await placed.remove()
        return kept

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


def _is_at(request: BreakpointRequest, placed: Breakpoint) -> bool:
    spec = request.spec
    return isinstance(spec, jvmdebug.LineSpec) and spec.line == placed.line


async def _set_options(placed: Breakpoint, asked: jvmdebug.BreakpointOptions) -> None:
    """What an editor can say of a breakpoint; the rest stays as another has set it."""
    before = placed.options
    now = replace(
        before,
        condition=asked.condition,
        hit_condition=asked.hit_condition,
        log_message=asked.log_message,
    )
    if now != before:
        await placed.set_options(now)


def _path(shown: dap.Breakpoint) -> str | None:
    return None if shown.source is None else shown.source.path
