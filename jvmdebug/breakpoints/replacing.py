# SPDX-License-Identifier: Apache-2.0
"""Replacing a whole group of breakpoints by a new list, as editors do, changing only what differs.

Owns which breakpoints belong to which group (one source file, the function breakpoints, the
exception breakpoints). Called by the session.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.errors import BreakpointError, UnsupportedError, VmError

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from jvmdebug.breakpoints.arming import BreakpointTable
    from jvmdebug.breakpoints.breakpoint import Breakpoint, BreakpointOptions
    from jvmdebug.breakpoints.specs import BreakpointSpec


@dataclass(frozen=True, slots=True)
class Wanted:
    """One breakpoint of the new list; `error` if the request could not be understood."""

    spec: BreakpointSpec
    options: BreakpointOptions
    error: str | None = None


class BreakpointGroups:
    """The groups of one session."""

    def __init__(self, table: BreakpointTable) -> None:
        self._table = table
        self._groups: dict[Hashable, list[Breakpoint]] = {}
        self._lock = asyncio.Lock()

    async def replace(self, group: Hashable, wanted: Sequence[Wanted]) -> tuple[Breakpoint, ...]:
        """Make `wanted` the breakpoints of `group`; one Breakpoint each, in order.

        A breakpoint with the same spec stays, and gets the new options if they differ.
        """
        async with self._lock:
            free = [b for b in self._groups.get(group, []) if not b.is_removed]
            kept: list[Breakpoint | None] = []
            for one in wanted:
                same = next((b for b in free if b.spec == one.spec), None)
                if same is not None:
                    free.remove(same)
                kept.append(same)
            await asyncio.gather(*(breakpoint_.remove() for breakpoint_ in free))
            made = await asyncio.gather(
                *(self._bring(one, old) for one, old in zip(wanted, kept, strict=True))
            )
            self._groups[group] = list(made)
            return tuple(made)

    def take_over(self, old: BreakpointGroups) -> None:
        """Have the groups of another session, whose breakpoints its table takes over."""
        self._groups = old._groups

    async def _bring(self, wanted: Wanted, old: Breakpoint | None) -> Breakpoint:
        if wanted.error is not None:
            return self._table.failed(wanted.spec, wanted.error)
        try:
            if old is None:
                return await self._table.add(wanted.spec, wanted.options)
            await old.set_options(wanted.options)
        except (BreakpointError, UnsupportedError, VmError) as error:
            if old is not None:
                await old.remove()
            return self._table.failed(wanted.spec, str(error))
        return old
