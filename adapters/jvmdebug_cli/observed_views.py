# SPDX-License-Identifier: Apache-2.0
"""How traces, writes to fields and samples show as they come: as trees, tables, charts, or JSON.

Knows the events of observations, not where they come from. Called by the subcommands.
"""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Final

from rich.text import Text

import jvmdebug
from jvmdebug_cli.printer import indented

if TYPE_CHECKING:
    from jvmdebug_cli.printer import Printer

_BARS: Final = "▁▂▃▄▅▆▇█"
_SLOW_S: Final = 0.1
_CHART: Final = 20
"""So many of the last values are in the chart."""


class JsonLines:
    """One JSON document on a line for each event: of a call at its end, or at ours if that comes
    first. Its `outcome` is null then.
    """

    def __init__(self, out: Printer) -> None:
        self._out = out
        self._open: dict[int, jvmdebug.CallEntered] = {}

    def show(self, event: jvmdebug.ObservedEvent) -> None:
        """One more."""
        if isinstance(event, jvmdebug.CallEntered) and not isinstance(event, jvmdebug.Call):
            self._open[event.number] = event
            return
        if isinstance(event, jvmdebug.Call):
            self._open.pop(event.number, None)
        self._out.write_json(event.as_dict())

    def pause(self) -> None:
        """Each line is complete."""

    def end(self) -> None:
        """Write the calls that are not over."""
        for call in self._open.values():
            self._out.write_json(call.as_dict() | {"outcome": None})
        self._open.clear()


_UNKNOWN_RESULT: Final = (
    "(= ?: the agent's fast mode does not see what a method computes as it returns; without --mode "
    "fast it is seen, or in a JVM that was started with `jvmdebug agent --option --mode full`)"
)


class CallTree:
    """Calls as a tree: one that calls others begins on one line and ends on another."""

    def __init__(self, out: Printer) -> None:
        self._out = out
        self._waiting: jvmdebug.CallEntered | None = None
        """It has begun, and is written with its end if nothing comes between them."""
        self._thread = 0
        self._has_explained_unknown = False

    def show(self, event: jvmdebug.ObservedEvent) -> None:
        """A call that begins or ends. The first result that is not known is explained."""
        if isinstance(event, jvmdebug.Call):
            waited = self._waiting is not None and self._waiting.number == event.number
            if waited:
                self._waiting = None
            self.pause()
            self._write(event, event.call_text if waited else f"└ {_name(event)}", _end(event))
            is_unknown = event.outcome == "returned" and event.why_no_result is not None
            if is_unknown and not self._has_explained_unknown:
                self._has_explained_unknown = True
                self._out.write(Text(_UNKNOWN_RESULT, "dim"))
        elif isinstance(event, jvmdebug.CallEntered):
            self.pause()
            self._waiting = event

    def pause(self) -> None:
        """Write the call that has begun: its end may take long."""
        if self._waiting is not None:
            call, self._waiting = self._waiting, None
            self._write(call, call.call_text, Text())

    def end(self) -> None:
        """Write what is left."""
        self.pause()

    def _write(self, call: jvmdebug.CallEntered, text: str, end: Text) -> None:
        if call.thread_id != self._thread:
            self._thread = call.thread_id
            self._out.write(Text(f"thread {call.thread}:", "dim"))
        line = Text(overflow="fold").append(text, "bold" if not text.startswith("└") else "")
        self._out.write(indented(line.append(end), 2 + 2 * call.depth))


def _name(call: jvmdebug.CallEntered) -> str:
    return f"{call.type_name}.{call.method_name}"


def _end(call: jvmdebug.Call) -> Text:
    end = Text()
    if call.outcome == "threw":
        end.append(f" threw {call.exception}", "red")
    elif call.outcome == "unknown":
        end.append(" ended, how is not known", "dim")
    elif call.result is not None:
        end.append(f" = {call.result}", "green")
    elif call.why_no_result is not None:
        end.append(" = ?", "dim")
    colour = "yellow" if call.duration_s >= _SLOW_S else "dim"
    return end.append(f"  {duration(call.duration_s)}", colour)


def duration(seconds: float) -> str:
    """`12 µs`, `3.4 ms`, `1.25 s`."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


class Writes:
    """Each write with its stack below."""

    def __init__(self, out: Printer) -> None:
        self._out = out

    def show(self, event: jvmdebug.ObservedEvent) -> None:
        """One write."""
        if not isinstance(event, jvmdebug.FieldWrite):
            return
        line = Text(overflow="fold").append(event.field, "bold")
        line.append(f": {event.old} -> ").append(event.new.text, "yellow")
        if event.instance is not None:
            line.append(f"  of {event.instance}")
        self._out.write(line.append(f"  thread {event.thread}", "dim"))
        for frame in event.stack:
            self._out.write(indented(Text(f"at {frame}", overflow="fold")))

    def pause(self) -> None:
        """Each write is complete."""

    def end(self) -> None:
        """Each write is complete."""


class Values:
    """One line for each value: when, the value, and of numbers a chart of the last ones."""

    def __init__(self, out: Printer) -> None:
        self._out = out
        self._numbers: deque[float] = deque(maxlen=_CHART)

    def show(self, event: jvmdebug.ObservedEvent) -> None:
        """One value."""
        if not isinstance(event, jvmdebug.Sample):
            return
        line = Text(overflow="fold").append(_clock(event.time), "dim").append("  ")
        if event.number is not None:
            self._numbers.append(event.number)
            if self._out.is_terminal:
                line.append(sparkline(self._numbers).rjust(_CHART), "cyan").append("  ")
        if event.value is None:
            line.append(f"<{event.error}>", "red")
        else:
            line.append(event.value.text, "bold")
        if event.at is not None:
            line.append(f"  at {event.at}, thread {event.thread}", "dim")
        self._out.write(line)

    def pause(self) -> None:
        """Each line is complete."""

    def end(self) -> None:
        """Each line is complete."""


def sparkline(numbers: deque[float] | list[float]) -> str:
    """A bar for each number, between the smallest and the largest of them."""
    if not numbers:
        return ""
    low, high = min(numbers), max(numbers)
    steps = len(_BARS) - 1
    return "".join(
        _BARS[round((each - low) / (high - low) * steps) if high > low else 0] for each in numbers
    )


def _clock(when: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(when)) + f".{int(when * 1000) % 1000:03d}"
