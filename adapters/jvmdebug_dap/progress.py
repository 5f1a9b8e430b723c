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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmdebug_dap.requests import RequestSpec
    from jvmdebug_dap.session import AdapterSession

_MOMENT_S: Final = 0.5
_PREFIX: Final = "request-"
_SAY: contextvars.ContextVar[Callable[[str], None] | None] = contextvars.ContextVar(
    "say", default=None
)
"""How the request that runs says what it is doing."""


@contextlib.contextmanager
def reporting(session: AdapterSession, seq: int, spec: RequestSpec) -> Iterator[None]:
    """Send progress events for the request if it takes longer than half a second."""
    title = spec.progress
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
        is_told = True
        body = ProgressStartEventBody(
            progress_id=f"{_PREFIX}{seq}",
            title=title,
            request_id=seq,
            cancellable=spec.is_cancellable,
            message=newest,
        )
        session.channel.send_event("progressStart", body)

    timer = asyncio.get_running_loop().call_later(_MOMENT_S, tell)
    before = _SAY.set(say)
    try:
        yield
    finally:
        _SAY.reset(before)
        timer.cancel()
        if is_told:
            end = ProgressEndEventBody(progress_id=f"{_PREFIX}{seq}")
            session.channel.send_event("progressEnd", end)


def say(message: str) -> None:
    """Say what the request that runs is doing now: a line of a build."""
    told = _SAY.get()
    if told is not None:
        told(message)


def request_of(progress_id: str) -> int | None:
    """The request whose progress has this id; None for an unknown id."""
    number = progress_id.removeprefix(_PREFIX)
    return int(number) if number != progress_id and number.isdecimal() else None
