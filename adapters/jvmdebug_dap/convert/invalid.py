# SPDX-License-Identifier: Apache-2.0
"""Tells a client to read again what it shows of a stop. The only place that makes `invalidated`.

The areas `all` and `threads` are never named. VS Code empties its list of threads at these, and
fills it again from the stops: while the program runs, nothing would be left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from jvmdebug_dap.models.generated.events import InvalidatedEventBody

if TYPE_CHECKING:
    from jvmdebug_dap.session import AdapterSession

Announcement = tuple[str, InvalidatedEventBody]


def values(session: AdapterSession) -> list[Announcement]:
    """The values of variables have changed, or are written in another way."""
    return _of(session, "variables")


def code(session: AdapterSession) -> list[Announcement]:
    """The code of classes was replaced: frames may run old code now.

    VS Code opens the topmost frame when stacks are invalid, in place of the file just saved: it is
    told the stops again instead.
    """
    if session.is_vscode:
        return _of(session, "variables")
    return _of(session, "stacks", "variables")


def stacks(session: AdapterSession) -> list[Announcement]:
    """More or fewer frames are shown. VS Code opens the topmost frame, which has not changed."""
    return _of(session, "stacks")


def _of(session: AdapterSession, *areas: Literal["stacks", "variables"]) -> list[Announcement]:
    """Nothing without a stop, as nothing is shown then, or if the client does not know it."""
    if not session.client.supports_invalidated_event:
        return []
    if session.debuggee is None or not session.core.current_stops:
        return []
    return [("invalidated", InvalidatedEventBody(areas=list(areas)))]
