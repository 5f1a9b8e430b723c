# SPDX-License-Identifier: Apache-2.0
"""Progress events for requests that take longer than half a second, if the client shows them.

Handlers declare the titles; the router reports; `cancel` maps a progress id to its request.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
from typing import TYPE_CHECKING, Final

from jvmdebug_dap.models.generated.events import (
    ProgressEndEventBody,
    ProgressStartEventBody,
    ProgressUpdateEventBody,
)
from jvmdebug_dap.states import CONFIGURING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmdebug_dap.models.base import Model
    from jvmdebug_dap.requests import RequestSpec
    from jvmdebug_dap.session import AdapterSession

_MOMENT_S: Final = 0.5
_LONG_S: Final = 10.0
"""VS Code shows each progress as a message over the window. What it asks by itself, at each stop or
while another progress is shown, is reported after so long: it may be cancelled then.
"""
_ASKED_BY_VSCODE: Final = frozenset(
    {
        *("threads", "stackTrace", "scopes", "variables", "exceptionInfo", "source", "modules"),
        *("completions", "locations", "breakpointLocations", "dataBreakpointInfo"),
        *("stepInTargets", "loadedSources", "jvmdebug/inlineValues", "jvmdebug/threadDump"),
        *("jvmdebug/instanceCounts", "jvmdebug/kept"),
    }
)
_SHOWN_BY_EXTENSION: Final = frozenset({"jvmdebug/profile"})
"""Our extension shows the progress of these itself."""
_PREFIX: Final = "request-"
_SAY: contextvars.ContextVar[Callable[[str], None] | None] = contextvars.ContextVar(
    "say", default=None
)
"""How the request that runs says what it is doing."""


_BEGIN: contextvars.ContextVar[Callable[[], None] | None] = contextvars.ContextVar(
    "begin", default=None
)
"""How the request that runs has its progress shown now."""


@contextlib.contextmanager
def reporting(
    session: AdapterSession, seq: int, spec: RequestSpec, arguments: Model
) -> Iterator[None]:
    """Send progress events for the request if it takes longer than half a second; in VS Code, which
    waits for as long again, one for each action of the user.
    """
    title, delay_s = spec.progress, _MOMENT_S
    if session.is_vscode:
        if spec.command in _SHOWN_BY_EXTENSION:
            title = None
        elif _is_asked_by_vscode(session, spec.command, arguments):
            delay_s = _LONG_S
    if title is None or not session.client.supports_progress_reporting:
        yield
        return
    is_told = False
    newest: str | None = None

    def say(message: str) -> None:
        nonlocal newest
        newest = message
        if is_told:
            update = ProgressUpdateEventBody(progress_id=f"{_PREFIX}{seq}", message=message)
            session.channel.send_event("progressUpdate", update)

    def tell() -> None:
        nonlocal is_told
        if is_told:
            return
        is_told = True
        body = ProgressStartEventBody(
            progress_id=f"{_PREFIX}{seq}",
            title=title,
            request_id=seq,
            cancellable=spec.is_cancellable,
            message=newest,
        )
        session.channel.send_event("progressStart", body)

    timer = asyncio.get_running_loop().call_later(delay_s, tell)
    before, begin_before = _SAY.set(say), _BEGIN.set(tell)
    try:
        yield
    finally:
        _SAY.reset(before)
        _BEGIN.reset(begin_before)
        timer.cancel()
        if is_told:
            end = ProgressEndEventBody(progress_id=f"{_PREFIX}{seq}")
            session.channel.send_event("progressEnd", end)


def _is_asked_by_vscode(session: AdapterSession, command: str, arguments: Model) -> bool:
    """Whether VS Code asks without an action of the user, or as a part of one that is reported."""
    if command == "evaluate":
        return getattr(arguments, "context", None) not in (None, "repl")
    if command.startswith("set") and command.endswith("Breakpoints"):
        return session.state.current in CONFIGURING
    return command in _ASKED_BY_VSCODE


def say(message: str) -> None:
    """Say what the request that runs is doing now: a line of a build."""
    told = _SAY.get()
    if told is not None:
        told(message)


def say_now(message: str) -> None:
    """The same, shown at once if the client shows progress: it is known to take long."""
    begin = _BEGIN.get()
    say(message)
    if begin is not None:
        begin()


def request_of(progress_id: str) -> int | None:
    """The request whose progress has this id; None for an unknown id."""
    number = progress_id.removeprefix(_PREFIX)
    return int(number) if number != progress_id and number.isdecimal() else None
