# SPDX-License-Identifier: Apache-2.0
"""What a user may tune on a session while it runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from jvmdebug import display, stepping

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.breakpoints import Suspend
    from jvmdebug.display import ValueStyle
    from jvmdebug.launch.agent_library import ProbeChoice
    from jvmdebug.stepping import StepFilters

ToString: TypeAlias = Literal["off", "join", "read", "call"]


@dataclass(slots=True)
class SessionSettings:
    """Defaults that single calls can override."""

    suspend: Suspend = "all"
    """Which threads a breakpoint, step or exception suspends unless the breakpoint says so."""
    rethrows: bool = False
    """Whether an exception breakpoint stops each time that the same exception is thrown on: by a
    handler, a `finally`, a proxy. Else it stops once."""
    control_exceptions: Sequence[str] = ()
    """Exceptions that are thrown on purpose, to end a thread or to leave a method, as names or
    patterns: `com.acme.StopWork`. Breakpoints for all exceptions do not stop at them, nor at those
    that are known (docs/how-to/modes.md); those that name types do. With `!` before, one that is
    stopped at all the same: `!kotlinx.*`; `!*`: all. The last that matches decides."""
    inline_frames: bool = False
    """Whether front ends show a frame for each inline function of Kotlin: see
    `stop.frames_with_inlined`."""
    step_filters: StepFilters = field(default_factory=lambda: stepping.StepFilters())  # noqa: PLW0108 - imported then
    condition_deadline_s: float = 5.0
    """How long a condition or a part of a log message may take in the debuggee."""
    max_log_value_length: int = 100_000
    """Longer values in log messages are cut, in characters."""
    log_messages_per_second: int | None = None
    """Of one breakpoint; more are counted and left out until the second is over, and it says so.
    None: as many as can be shown where the program writes them itself, without a stop, and 500
    where the debugger has to write them. For breakpoints that are set or changed afterwards."""
    probes: ProbeChoice = "auto"
    """Whether the program checks conditions and hit conditions itself where it can, by code that
    our agent puts into its methods ("auto"); "off": the debugger does at each hit. For breakpoints
    that are set or changed afterwards."""
    budget_ms: int | None = None
    """For how many milliseconds of a second one breakpoint may keep threads of the program, without
    a stop: while the debugger looks at a condition or writes a log message, because the program
    cannot, and while a check of the program's own calls its methods. One that takes more, for two
    seconds, is disabled and says so; 0: no limit; None: 250 in a program that was attached to by
    its process id, whose agent came late, and no limit in others."""
    total_budget_ms: int | None = None
    """The same for all breakpoints together, of which the one that takes most is disabled; None:
    500, or no limit."""
    stop_watchdog_s: float | None = None
    """After so many seconds a stop is resumed if nobody has done it, for programs that others
    depend on; None: never. A breakpoint to whose stops that happens twice in a row is disabled, and
    says so."""
    to_string: ToString = "join"
    """How objects are written whose class has a toString() of its own. "off": by their fields.
    "join": by its text where it only joins fields, constants, getters and texts of other such
    objects, which is computed from the fields and costs no further commands once the code of the
    class is known. "read": also where it does more but only reads, at a limit of 0.4 s for all
    objects of a stop, the first of which costs 0.2 s and many commands. "call": by calling it, and
    where nothing can be called as with "read"."""
    _style: ValueStyle | None = field(default=None, init=False)

    @property
    def style(self) -> ValueStyle:
        """How values are written, and by which renderers first: those that are installed, which
        are looked for when the first value is written.
        """
        if self._style is None:
            self._style = display.ValueStyle(renderers=display.installed_renderers())
        return self._style

    @style.setter
    def style(self, style: ValueStyle) -> None:
        self._style = style
