# SPDX-License-Identifier: Apache-2.0
"""The hooks of breakpoints into the session: source texts, limits, changes, log messages.

Implements `BreakpointHooks`. Called by `jvmdebug.breakpoints`.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from jvmdebug import acting
from jvmdebug.breakpoints import HitLimits
from jvmdebug.errors import SourceError
from jvmdebug.model.thread_names import name_of_ended
from jvmdebug.platform.paths import is_absolute
from jvmdebug.printable import one_line
from jvmdebug.session.events import BreakpointChanged, BreakpointLogged
from jvmdebug.sources import SourceFile, source_line

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from jvmdebug.breakpoints import Breakpoint
    from jvmdebug.breakpoints.log_drain import LogBatch, LogLines
    from jvmdebug.events import LocatedOccurrence
    from jvmdebug.model.location import Location
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import ObjectReference
    from jvmdebug.session.events import EventFeed
    from jvmdebug.session.settings import SessionSettings
    from jvmdebug.session.threads import Threads
    from jvmdebug.sources import LineSpec, SourceFinder

_BY_DEBUGGER: Final = 500
"""Log messages in a second that the debugger writes: the program stops for each."""


class SessionBreakpointHooks:
    """The hooks of one session."""

    def __init__(
        self, settings: SessionSettings, sources: SourceFinder, threads: Threads, feed: EventFeed
    ) -> None:
        self._settings = settings
        self._sources = sources
        self._threads = threads
        self._feed = feed
        self._last_logged: dict[Breakpoint, BreakpointLogged] = {}
        self._known_lines: dict[Location, tuple[str | None, int | None]] = {}

    def suspends_all(self, breakpoint_: Breakpoint) -> bool:
        """Whether a stop at it suspends all threads."""
        return (breakpoint_.suspend or self._settings.suspend) == "all"

    async def source_text(self, spec: LineSpec) -> str | None:
        """The text of the source that a line is in; None if it is not at hand."""
        return await asyncio.to_thread(_source_text, self._sources, spec)

    async def stopped_at(self, location: Location) -> Sequence[Thread]:
        """The threads that have stopped in front of this instruction."""
        found = []
        for stop in self._threads.stops.current:
            thread = stop.thread.thread
            if stop.has_frames and (await thread.frame(0)).location == location:
                found.append(thread)
        return found

    def is_ours(self, exception: ObjectReference) -> bool:
        """Whether the session threw this exception to end a thread; no breakpoint stops for it."""
        return self._threads.has_thrown(exception)

    def stops_at_rethrows(self) -> bool:
        """Whether an exception stops each time that it is thrown on."""
        return self._settings.rethrows

    def control_exceptions(self) -> Sequence[str]:
        """The exceptions that the user has added to those that are thrown on purpose."""
        return self._settings.control_exceptions

    def uses_probes(self) -> bool:
        """Whether the program may check conditions itself."""
        return self._settings.probes == "auto"

    def hit_limits(self) -> HitLimits:
        """The limits of evaluation at a hit."""
        most = self._settings.log_messages_per_second
        return HitLimits(
            self._settings.condition_deadline_s,
            self._settings.max_log_value_length,
            _BY_DEBUGGER if most is None else most,
            self._settings.budget_ms,
            self._settings.total_budget_ms,
            log_lines_per_second=most,
        )

    def breakpoint_asked(
        self, breakpoint_: Breakpoint, change: Literal["new", "changed", "removed"]
    ) -> None:
        """Notify the other front ends of a shared session, which have not asked for it."""
        if not breakpoint_.is_own:
            by = acting.name() or ""  # the owner has no name here; those who are told know it
            self._feed.post_to_others(BreakpointChanged(breakpoint_, change, by))

    def breakpoint_changed(self, breakpoint_: Breakpoint) -> None:
        """Notify subscribers, except about a breakpoint that the session set for itself."""
        if not breakpoint_.is_own:
            removed = breakpoint_.is_removed
            self._feed.post(BreakpointChanged(breakpoint_, "removed" if removed else "changed"))

    async def breakpoint_logged(
        self, breakpoint_: Breakpoint, occurrence: LocatedOccurrence, text: str
    ) -> None:
        """Notify subscribers of what a logpoint logs, and where."""
        where = await self._where(occurrence.location)
        logged = BreakpointLogged(
            breakpoint_, text, self._threads.handle(occurrence.thread), *where
        )
        self._last_logged[breakpoint_] = logged
        self._feed.post(logged)

    async def breakpoints_logged(
        self, batch: LogBatch, lines: Sequence[LogLines]
    ) -> Sequence[Coroutine[object, object, object]]:
        """Notify subscribers of what log points have written; what those of batches returned."""
        for location in {each.location for each in lines}:
            await self._where(location)
        runs = [self._logged(each) for each in lines]
        self._last_logged.update((each.breakpoint, each) for each in runs)

        def one_by_one() -> list[BreakpointLogged]:
            return [self._logged(each) for each in batch.lines(one_by_one=True)]

        return self._feed.post_logged(runs, one_by_one)

    def _logged(self, lines: LogLines) -> BreakpointLogged:
        thread = self._threads.handle(lines.thread)
        if not thread.name:  # it may have ended before anybody could ask for it
            thread.name = one_line(lines.thread_name) or name_of_ended(thread.id)
        where = self._known_lines[lines.location]
        return BreakpointLogged(lines.breakpoint, lines.text, thread, *where, lines.count)

    async def _where(self, location: Location) -> tuple[str | None, int | None]:
        known = self._known_lines.get(location)
        if known is None:
            found = await source_line(location)
            known = (None, None) if found is None else (found.path, found.line)
            self._known_lines[location] = known
        return known

    def tell_left_out(self, breakpoint_: Breakpoint | None = None) -> None:
        """How many log messages were left out, which the next one would tell."""
        wanted = self._last_logged if breakpoint_ is None else (breakpoint_,)
        for each in wanted:
            last = self._last_logged.get(each)
            summary = each.log_budget.take_summary(is_end=True).rstrip() if last else ""
            if last is not None and summary:
                self._feed.post(replace(last, text=summary, lines=1))
        if breakpoint_ is None:
            self._last_logged.clear()


def _source_text(sources: SourceFinder, spec: LineSpec) -> str | None:
    """Reads the disk: an absolute path as it is, else the file on the source path."""
    file: SourceFile | None = None
    if spec.path is not None and is_absolute(spec.path):
        file = SourceFile(Path(spec.path))
    elif spec.path is not None:
        file = sources.find_path(spec.path)
    elif spec.type_name is not None:
        file = sources.find(spec.type_name)
    if file is None:
        return None
    try:
        return file.as_text()
    except SourceError:
        return None  # a path of another machine, say: the breakpoint works without the text
