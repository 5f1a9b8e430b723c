# SPDX-License-Identifier: Apache-2.0
"""One open frame of a recorded thread, as its records have made it so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.format import FrameState

if TYPE_CHECKING:
    from jvmdebug.recording.sites import SiteTable


class OpenFrame:
    """One open frame."""

    __slots__ = ("at", "entered", "line_site", "locals", "method", "segments", "since", "site")

    def __init__(self, method: int, site: int, entered: int) -> None:
        self.method = method
        """Number of the class << 16 | index of the method."""
        self.site = site
        """A site of the method."""
        self.entered = entered
        """Record index of the enter; -1: before the recording."""
        self.line_site = 0
        self.at = -1
        """Its last line record: site and index; 0 and -1: none yet."""
        self.locals: dict[int, tuple[int, int, int]] = {}
        """Slot → site and index of the record that set it last, and the bits."""
        self.segments: list[tuple[int, int]] = []
        """Parts of the chunk that is followed in which it ran and that were not looked at yet."""
        self.since = -1
        """The sequence number of the checkpoint that has it; -1: none."""

    def key(self, depth: int) -> int:
        """Tells it apart from other frames of the thread, if it is at this depth."""
        return self.entered if self.entered >= 0 else -1 - depth

    def copy(self) -> OpenFrame:
        """One that can be followed apart from this one."""
        made = OpenFrame(self.method, self.site, self.entered)
        made.line_site, made.at, made.since = self.line_site, self.at, self.since
        made.locals = dict(self.locals)
        return made

    def begun_before(self) -> OpenFrame:
        """The same in a file without the records that have made it."""
        made = OpenFrame(self.method, self.site, -1)
        made.line_site = self.line_site
        made.locals = {slot: (site, -1, bits) for slot, (site, _, bits) in self.locals.items()}
        return made

    def state(self) -> FrameState:
        """What a checkpoint has of it."""
        return FrameState(
            self.site, self.entered, self.line_site, self.at, tuple(self.locals.values())
        )

    @classmethod
    def of(cls, state: FrameState, sites: SiteTable) -> OpenFrame:
        """The inverse of `state`. RecordingError for sites that no class has."""
        if sites.owner(state.method_site) < 0:
            raise RecordingError("a chunk has a frame of a method that no class has")
        made = cls(sites.methods[state.method_site], state.method_site, state.entered)
        made.line_site, made.at = state.line_site, state.at
        made.locals = {sites[each[0]].detail: each for each in state.locals}
        return made
