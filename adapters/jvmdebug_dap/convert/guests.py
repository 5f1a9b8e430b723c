# SPDX-License-Identifier: Apache-2.0
"""What the others in a shared session do, as DAP events. Called by `events`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import jvmdebug
from jvmdebug_dap.convert import breakpoints, frames
from jvmdebug_dap.models.generated import events

if TYPE_CHECKING:
    from jvmdebug import Breakpoint
    from jvmdebug_dap.models.base import Model
    from jvmdebug_dap.models.generated.types import Source
    from jvmdebug_dap.session import AdapterSession

Announcement: TypeAlias = "tuple[str, Model | None]"


def line(session: AdapterSession, text: str) -> Announcement:
    """A line in the debug console."""
    text = session.styled(jvmdebug.several_lines(text), "console") + "\n"
    return "output", events.OutputEventBody(category="console", output=text)


def guest_changed(session: AdapterSession, event: jvmdebug.GuestChanged) -> list[Announcement]:
    """Tells of one who has joined or left, VS Code also by an event of ours for its mark."""
    may = " and may only look" if event.role == "read-only" else ""
    what = f"joined this session{may}" if event.is_in else "left this session"
    told = [line(session, f"The {event.guest} has {what}.")]
    if session.is_vscode and session.shared is not None:
        told.append(("jvmdebug/guests", guests(session)))
    return told


def guests(session: AdapterSession) -> Model:
    """The guests who are in, and whether assistants are let in."""
    from jvmdebug_dap.models.custom import GuestBody, GuestsBody  # noqa: PLC0415 - slow to import

    shared = session.shared
    if shared is None:
        return GuestsBody(name="", assistants="off", guests=[])
    found = [GuestBody(name=each.name, kind=each.kind, role=each.role) for each in shared.guests]
    return GuestsBody(name=shared.name, assistants=shared.assistants, guests=found)


async def breakpoint_changed(
    session: AdapterSession, event: jvmdebug.BreakpointChanged
) -> list[Announcement]:
    """Tells of a breakpoint that another one has set, changed or removed. One in a line of a file
    becomes one of the client's, which may change and remove it.
    """
    placed, memory = event.breakpoint, session.breakpoints
    spec = jvmdebug.one_line(str(placed.spec))
    told: list[Announcement] = []
    if event.change == "removed":
        if memory.id_of(placed) is not None:
            body = events.BreakpointEventBody(
                reason="removed", breakpoint=breakpoints.to_dap(session, placed)
            )
            memory.forget(placed)
            told.append(("breakpoint", body))
        if event.by is not None:
            told.append(line(session, f"The {event.by} has removed the breakpoint {spec}."))
        return told
    if event.by is not None:
        what = "set" if event.change == "new" else "changed"
        told.append(line(session, f"The {event.by} has {what} the breakpoint {spec}."))
    if not await adopt(session, placed):
        return told
    reason = "new" if memory.told_new(placed) else "changed"
    body = events.BreakpointEventBody(reason=reason, breakpoint=breakpoints.to_dap(session, placed))
    return [*told, ("breakpoint", body)]


async def adopt(session: AdapterSession, placed: Breakpoint) -> bool:
    """Make a breakpoint of another one of the client's; False if it is in no line of a file."""
    memory = session.breakpoints
    if memory.id_of(placed) is None:
        source = await _source(session, placed)
        if source is None:
            return False
        memory.adopt(placed, frames.breakpoint_key(session, source), source)
    return True


async def _source(session: AdapterSession, placed: Breakpoint) -> Source | None:
    """The file on disk whose line it is in; None for others, and while that is not known."""
    if placed.kind is not jvmdebug.BreakpointKind.LINE or placed.once or placed.line is None:
        return None
    path = getattr(placed.spec, "path", None)
    if path is not None and Path(path).is_absolute():
        return frames.source_file(session, jvmdebug.SourceFile(Path(path)))
    found = next((each.source_path for each in placed.locations if each.source_path), None)
    if found is None:
        return None
    file = await session.core.find_source(found, placed.line)
    return frames.source_file(session, file) if file is not None and file.is_on_disk else None
