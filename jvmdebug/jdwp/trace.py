# SPDX-License-Identifier: Apache-2.0
"""A readable record of a JDWP conversation, one line for each packet; off unless asked for.

    12.345 → 17 ThreadReference.Frames(thread=1, start_frame=0, length=-1)
    12.346 ← 17 FramesReply(frames=(…)) in 0.8 ms
    12.350 ← event set, ALL: BreakpointEvent(…)

Called by Connection. It contains values of the debuggee: treat a trace like the program's data.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any

from jvmdebug.jdwp.engine import describe

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.jdwp.command import Command
    from jvmdebug.jdwp.generated.event import Composite

LOGGER = logging.getLogger("jvmdebug.jdwp.trace")


class Trace:
    """Writes each line to `sink`; by default to the logger `jvmdebug.jdwp.trace` as DEBUG."""

    def __init__(self, sink: Callable[[str], None] = LOGGER.debug, *, limit: int = 500) -> None:
        """`limit`: characters of a packet that are shown at most."""
        self._sink = sink
        self._limit = limit
        self._sent_at: dict[int, float] = {}

    def sent(self, request_id: int, command: Command[Any]) -> None:
        """A command goes out."""
        self._sent_at[request_id] = time.monotonic()
        self._write(f"→ {request_id} {describe(command, self._limit)}")

    def replied(self, request_id: int, result: object) -> None:
        """Notes that its reply has come: the reply, None when empty, or the error."""
        started = self._sent_at.pop(request_id, None)
        took = "" if started is None else f" in {(time.monotonic() - started) * 1000:.1f} ms"
        text = f"error: {result}" if isinstance(result, Exception) else self._cut(result)
        self._write(f"← {request_id} {text}{took}")

    def event_set(self, event_set: Composite) -> None:
        """Events have come."""
        events = "; ".join(self._cut(event) for event in event_set.events)
        self._write(f"← event set, {event_set.suspend_policy.name}: {events}")

    def note(self, text: str) -> None:
        """Something that is no packet, such as the end of the connection."""
        self._write(f"· {text}")

    def _cut(self, packet: object) -> str:
        text = "ok" if packet is None else repr(packet)
        return text if len(text) <= self._limit else text[: self._limit - 1] + "…"

    def _write(self, line: str) -> None:
        self._sink(f"{time.monotonic():.3f} {line}")
