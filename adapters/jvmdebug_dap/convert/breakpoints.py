# SPDX-License-Identifier: Apache-2.0
"""Breakpoints: what the client asks to what the core takes, and what became of it back."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.models.generated import types as dap

if TYPE_CHECKING:
    from jvmdebug import Breakpoint, ClassListing, Suspend
    from jvmdebug_dap.positions import Positions
    from jvmdebug_dap.session import AdapterSession

CAUGHT = "caught"
UNCAUGHT = "uncaught"
EVERY_OBJECT = "everyObject"


@cache
def modes() -> list[dap.BreakpointMode]:
    """What a breakpoint may suspend, for the client to offer."""
    return [
        dap.BreakpointMode(
            mode="all",
            label="Suspend All Threads",
            description="A hit stops the whole program.",
            applies_to=["source", "exception", "data", "instruction"],
        ),
        dap.BreakpointMode(
            mode="thread",
            label="Suspend One Thread",
            description="A hit stops the thread that came there; the others run on.",
            applies_to=["source", "exception", "data", "instruction"],
        ),
        dap.BreakpointMode(
            mode=EVERY_OBJECT,
            label="In Every Object",
            description="Watches the field in all objects that have it, not only in the one shown.",
            applies_to=["data"],
        ),
    ]


def suspended_by(mode: str | None) -> Suspend | None:
    """What a mode makes a hit suspend. RequestError for one that was not offered."""
    match mode:
        case None | "" | "everyObject":
            return None
        case "all" | "thread":
            return mode
        case _:
            known = ", ".join(f"`{each.mode}`" for each in modes())
            text = f"there is no breakpoint mode `{mode}`: use one of {known}"
            raise RequestError(ErrorId.ILL_FORMED, text)


def line_request(
    asked: dap.SourceBreakpoint, path: str, listing: ClassListing | None, positions: Positions
) -> jvmdebug.BreakpointRequest:
    """A line of the source file `path`, or of the text of a class without source."""
    line = positions.to_vm_line(asked.line)
    options = jvmdebug.BreakpointOptions(
        condition=asked.condition or None,
        hit_condition=asked.hit_condition or None,
        log_message=asked.log_message or None,
        suspend=suspended_by(asked.mode),
    )
    if listing is not None:
        return jvmdebug.BreakpointRequest.in_listing(listing, line, options)
    column = None if asked.column is None else positions.to_vm_column(asked.column)
    return jvmdebug.BreakpointRequest(jvmdebug.LineSpec(line, path=path, column=column), options)


def method_request(asked: dap.FunctionBreakpoint) -> jvmdebug.BreakpointRequest:
    options = jvmdebug.BreakpointOptions(asked.condition or None, asked.hit_condition or None)
    return jvmdebug.BreakpointRequest.of_method(asked.name.strip(), options)


def to_dap(session: AdapterSession, placed: Breakpoint) -> dap.Breakpoint:
    """A breakpoint as the client is told about it, in answers and in `breakpoint` events."""
    known = session.breakpoints.line_of(placed)
    line = None if known is None else session.positions.to_client_line(known)
    verified = placed.verified or waits_by_pattern(placed)
    shown = dap.Breakpoint(
        id=session.breakpoints.id_of(placed),
        verified=verified,
        message=placed.message or (f"set by the {placed.set_by}" if placed.set_by else None),
        source=session.breakpoints.source_of(placed),
        line=line,
        column=_column(session, placed),
        reason=None if verified else ("pending" if placed.is_pending else "failed"),
    )
    session.breakpoints.told[placed] = shown
    return shown


def _column(session: AdapterSession, placed: Breakpoint) -> int | None:
    """The column of a breakpoint in a line; None for one of a line, which stays one."""
    spec = placed.spec
    if not isinstance(spec, jvmdebug.LineSpec) or spec.column is None:
        return None
    return session.positions.from_vm_column(spec.column)


def part_to_dap(part: jvmdebug.BreakablePart, positions: Positions) -> dap.BreakpointLocation:
    """A place for a breakpoint; without a column where the source is not known."""
    column = None if part.column is None else positions.from_vm_column(part.column)
    return dap.BreakpointLocation(line=positions.to_client_line(part.line), column=column)


def waits_by_pattern(placed: Breakpoint) -> bool:
    """Whether it is set for all exceptions that match a pattern, of which none is loaded yet.

    Nothing is wrong with it: editors show one that is not verified in grey.
    """
    spec = placed.spec
    return isinstance(spec, jvmdebug.ExceptionSpec) and "*" in spec.type_name and placed.is_pending


def is_wrong(placed: Breakpoint, now: dap.Breakpoint) -> bool:
    """Whether what the user has written for it (a condition, a message) is wrong."""
    options = placed.options
    if not (options.condition or options.hit_condition or options.log_message):
        return False
    fails = now.reason == "failed" or now.message == placed.condition_error
    return fails and now.message is not None
