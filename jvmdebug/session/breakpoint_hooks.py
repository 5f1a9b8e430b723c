# SPDX-License-Identifier: Apache-2.0
"""The hooks of breakpoints into the session: source texts, limits, changes, log messages.

Implements `BreakpointHooks`. Called by `jvmdebug.breakpoints`.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug.breakpoints import HitLimits
from jvmdebug.errors import SourceError
from jvmdebug.session.events import BreakpointChanged, BreakpointLogged
from jvmdebug.sources import SourceFile, source_line

if TYPE_CHECKING:
    from jvmdebug.breakpoints import Breakpoint
    from jvmdebug.events import LocatedOccurrence
    from jvmdebug.model.values import ObjectReference
    from jvmdebug.session.events import EventFeed
    from jvmdebug.session.settings import SessionSettings
    from jvmdebug.session.threads import Threads
    from jvmdebug.sources import LineSpec, SourceFinder


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

    def suspends_all(self, breakpoint_: Breakpoint) -> bool:
        """Whether a stop at it suspends all threads."""
        return (breakpoint_.suspend or self._settings.suspend) == "all"

    async def source_text(self, spec: LineSpec) -> str | None:
        """The text of the source that a line is in; None if it is not at hand."""
        return await asyncio.to_thread(_source_text, self._sources, spec)

    def is_ours(self, exception: ObjectReference) -> bool:
        """Whether the session threw this exception to end a thread; no breakpoint stops for it."""
        return self._threads.has_thrown(exception)

    def stops_at_rethrows(self) -> bool:
        """Whether an exception stops each time that it is thrown on."""
        return self._settings.rethrows

    def uses_probes(self) -> bool:
        """Whether the program may check conditions itself."""
        return self._settings.probes == "auto"

    def hit_limits(self) -> HitLimits:
        """The limits of evaluation at a hit."""
        return HitLimits(
            self._settings.condition_deadline_s,
            self._settings.max_log_value_length,
            self._settings.log_messages_per_second,
            self._settings.checks_per_second,
        )

    def breakpoint_changed(self, breakpoint_: Breakpoint) -> None:
        """Notify subscribers, except about a breakpoint that the session set for itself."""
        if not breakpoint_.is_own:
            removed = breakpoint_.is_removed
            self._feed.post(BreakpointChanged(breakpoint_, "removed" if removed else "changed"))

    async def breakpoint_logged(
        self, breakpoint_: Breakpoint, occurrence: LocatedOccurrence, text: str
    ) -> None:
        """Notify subscribers of what a logpoint logs, and where."""
        source_location = await source_line(occurrence.location)
        thread = self._threads.handle(occurrence.thread)
        path, line = (
            (None, None)
            if source_location is None
            else (source_location.path, source_location.line)
        )
        logged = BreakpointLogged(breakpoint_, text, thread, path, line)
        self._last_logged[breakpoint_] = logged
        self._feed.post(logged)

    def tell_left_out(self) -> None:
        """At the end: how many log messages were left out, which the next one would have told."""
        for breakpoint_, last in self._last_logged.items():
            summary = breakpoint_.log_budget.take_summary(is_end=True).rstrip()
            if summary:
                self._feed.post(replace(last, text=summary))
        self._last_logged.clear()


def _source_text(sources: SourceFinder, spec: LineSpec) -> str | None:
    """Reads the disk: an absolute path as it is, else the file on the source path."""
    file: SourceFile | None = None
    if spec.path is not None and spec.path.startswith("/"):
        file = SourceFile(Path(spec.path))
    elif spec.path is not None:
        file = sources.find_path(spec.path)
    elif spec.type_name is not None:
        file = sources.find(spec.type_name)
    if file is None:
        return None
    try:
        return file.text()
    except SourceError:
        return None  # a path of another machine, say: the breakpoint works without the text
