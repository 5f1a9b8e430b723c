# SPDX-License-Identifier: Apache-2.0
"""One location of a breakpoint in the VM: its event request, and how its hits are checked now.

Made by `breakpoint_table`, changed by the checker of the VM (`location_checker`).
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from jvmdebug.breakpoints.armed_breakpoint import ArmedBreakpoint
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.location import BreakpointLocation, LocationKey
    from jvmdebug.events import RequestHandle
    from jvmdebug.jdwp.generated.constants import SuspendPolicy
    from jvmdebug.jdwp.ids import RequestId, ThreadId
    from jvmdebug.probes import Probe, ProbeQuestion

ArmKey: TypeAlias = "tuple[LocationKey, SuspendPolicy]"

_RETRY_EVERY_S: Final = 0.5


@dataclass(slots=True, eq=False)
class ArmedLocation:
    """A location, as long as it has its event request."""

    of: ArmedBreakpoint
    key: ArmKey
    now: BreakpointLocation
    """The location with its request, and with who checks it."""
    probe: Probe | None = None
    """The probe that the program has there."""
    given_up: tuple[ProbeQuestion, str] | None = None
    """The question that is not asked in this way again, and why."""
    needs_probe: str | None = None
    """Why the VM sets no breakpoint there: nothing but a probe stops."""
    unreported: str | None = None
    """Why nothing stops there since another agent has changed the class."""
    begun: dict[ThreadId, RequestHandle] = field(default_factory=dict)
    """The writes of a watched variable that threads have begun there; see `local_writes.follow`."""
    _tried: float = -math.inf

    @property
    def breakpoint(self) -> Breakpoint:
        """The breakpoint of this location."""
        return self.of.breakpoint

    @property
    def request_id(self) -> RequestId | None:
        """The id of the request; None before the VM has accepted it."""
        return None if self.now.request is None else self.now.request.request_id

    @property
    def is_armed(self) -> bool:
        """Whether it has its request and was not taken out."""
        return self.of.locations.get(self.key) is self

    @property
    def is_counted_by_program(self) -> bool:
        """Whether the program counts its hits."""
        question = None if self.probe is None else self.probe.question
        return question is not None and question.count is not None

    def enter(self, request: RequestHandle) -> None:
        """Note the request that the VM has accepted."""
        self.now = replace(self.now, request=request)
        self.of.locations[self.key] = self

    def leave(self) -> None:
        """Take it out of its breakpoint; the request is cleared separately."""
        if self.is_armed:
            del self.of.locations[self.key]

    def become(self, location: BreakpointLocation) -> None:
        """Note that it is checked in another way, and show that."""
        self.now = location
        if self.is_armed:
            shown = self.breakpoint.locations
            self.breakpoint.locations = tuple(
                location if each.key == location.key else each for each in shown
            )

    def is_retry_due(self) -> bool:
        """Whether what was impossible may be tried again now. True counts as a try."""
        now = time.monotonic()
        if now < self._tried + _RETRY_EVERY_S:
            return False
        self._tried = now
        return True
