# SPDX-License-Identifier: Apache-2.0
"""Sessions, stops, frames, variables and breakpoints as HTML, for notebooks.

From what is known already, since showing a value cannot wait for the VM; sources are read from the
disk. The functions are the methods `_repr_html_` of those classes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.errors import JvmDebugError
from jvmdebug.notebook import cell, code, table

if TYPE_CHECKING:
    from jvmdebug.session.breakpoints import SessionBreakpoints
    from jvmdebug.session.frame_handle import FrameHandle
    from jvmdebug.session.session import Session
    from jvmdebug.session.stop import Stop
    from jvmdebug.session.variable import Variable


def session_html(self: Session) -> str:
    """The program, its state, its stops and breakpoints."""
    rows: list[tuple[object, object]] = [("state", self.state)]
    if self.exit_code is not None:
        rows.append(("exit code", self.exit_code))
    rows += [("process", self.pid), ("agent", f"{self.agent}, {self.mode}")]
    rows += [("stopped", f"{each.reason} at {_where(each)}") for each in self.current_stops]
    rows += [("breakpoint", f"{each}, {each.hits} hits") for each in self.breakpoints]
    return table(self.name, rows)


def breakpoints_html(self: SessionBreakpoints) -> str:
    """All breakpoints, with what became of them."""
    rows = [
        (each.id, each.spec, each.condition, each.hits, each.message or _locations(each.locations))
        for each in self
    ]
    return table("Breakpoints", rows, columns=("", "at", "condition", "hits", "where"))


def stop_html(self: Stop) -> str:
    """Why, where, and the source around it."""
    rows: list[tuple[object, object]] = [("at", _where(self)), ("thread", self.thread.name)]
    rows += [("breakpoint", each) for each in self.breakpoints]
    rows += [
        (what, value)
        for what, value in (("exception", self.exception), ("returned", self.returned))
        if value is not None
    ]
    source = frame_source(self.frame) if self.has_frames else ""
    return table(f"Stopped: {self.reason}", rows, below=source)


def frame_html(self: FrameHandle) -> str:
    """The location, and the source around it."""
    return f"<b>{cell(self.location)}</b>{frame_source(self)}"


def variable_html(self: Variable) -> str:
    """Name, type, and the value as it was shown last."""
    return table(self.name, [("type", self.declared_type), ("value", self.shown)])


def frame_source(frame: FrameHandle) -> str:
    """The source around the line of a frame; nothing without it."""
    if frame.line is None or frame.source_path is None:
        return ""
    try:
        found = frame.stop.sources.find_path(frame.source_path, frame.line)
        return "" if found is None else code(found.as_text(), frame.line)
    except JvmDebugError:
        return ""


def _where(stop: Stop) -> str:
    return stop.frame.location if stop.has_frames else "no Java frames"


def _locations(locations: tuple[object, ...]) -> str:
    return ", ".join(map(str, locations))
