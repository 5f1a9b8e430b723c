# SPDX-License-Identifier: Apache-2.0
"""What the prompt says of the others in a session that several share, and how it shares its own."""

from __future__ import annotations

import contextlib

import jvmdebug


async def share(session: jvmdebug.Session) -> None:
    """Let others of this user join; where that is not possible, nobody can."""
    if session.owner is None:
        with contextlib.suppress(jvmdebug.LaunchError):
            await jvmdebug.share(session, owner="prompt")


def news(event: jvmdebug.SessionEvent) -> str | None:
    """What another one has done, in a sentence; None for all other events."""
    match event:
        case jvmdebug.GuestChanged(guest=guest, role=role, is_in=True):
            may = " and may only look" if role == "read-only" else ""
            return f"The {guest} has joined this session{may}."
        case jvmdebug.GuestChanged(guest=guest):
            return f"The {guest} has left this session."
        case jvmdebug.Continued(by=str(by)):
            return f"The {by} has resumed the program."
        case jvmdebug.BreakpointChanged(breakpoint=it, change="removed", by=str(by)):
            return f"The {by} has removed breakpoint {it.id}: {jvmdebug.one_line(str(it.spec))}"
        case jvmdebug.BreakpointChanged(change="new" | "changed" as change, by=str(by)):
            return f"The {by} has {'set' if change == 'new' else 'changed'} a breakpoint:"
        case _:
            return None


def greeting(session: jvmdebug.Session) -> str:
    """The first line of a session that was joined."""
    may = ", which may only look" if session.is_read_only else ""
    return (
        f"Joined the session of the {session.owner}{may}: {jvmdebug.one_line(session.name)} is"
        f" {session.state}. `help` lists the commands; `quit` leaves, and the session goes on."
    )
