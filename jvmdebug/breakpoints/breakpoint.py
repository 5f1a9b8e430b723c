# SPDX-License-Identifier: Apache-2.0
"""A Breakpoint: what the user asked for, where it resolved, and how often it was hit.

Owns its options, read by the decision at a hit (`hit`), and shows the state that `breakpoint_table`
keeps. Users get it from the session and change it through its methods.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol

from jvmdebug import acting, evaluator, probes
from jvmdebug.breakpoints.hit_condition import HitCondition
from jvmdebug.breakpoints.log_budget import LogBudget
from jvmdebug.breakpoints.log_message import LogMessage
from jvmdebug.breakpoints.specs import (
    AllocationSpec,
    ElementSpec,
    ExceptionSpec,
    FieldSpec,
    LocalSpec,
)
from jvmdebug.errors import BreakpointError, EvaluationError
from jvmdebug.notebook import table
from jvmdebug.sources import InstructionSpec, LineSpec, is_kotlin_file
from jvmdebug.to_the_end import begun, done

if TYPE_CHECKING:
    from jvmdebug.breakpoints.causes import BreakpointHit
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.breakpoints.recorder import CallRecorder
    from jvmdebug.breakpoints.specs import (
        BreakpointOptions,
        BreakpointRequest,
        BreakpointSpec,
        Suspend,
    )
    from jvmdebug.evaluator import CompiledExpression
    from jvmdebug.events import LocatedOccurrence
    from jvmdebug.probes import Timing


class BreakpointKind(StrEnum):
    """What a breakpoint waits for."""

    LINE = "line"
    METHOD = "method"
    INSTRUCTION = "instruction"
    EXCEPTION = "exception"
    FIELD = "field"
    LOCAL = "local variable"
    ELEMENT = "array element"


_KINDS: Final[dict[type[object], BreakpointKind]] = {
    LineSpec: BreakpointKind.LINE,
    ExceptionSpec: BreakpointKind.EXCEPTION,
    FieldSpec: BreakpointKind.FIELD,
    LocalSpec: BreakpointKind.LOCAL,
    ElementSpec: BreakpointKind.ELEMENT,
    InstructionSpec: BreakpointKind.INSTRUCTION,
    AllocationSpec: BreakpointKind.INSTRUCTION,
}


class BreakpointOwner(Protocol):
    """What a breakpoint needs of its owner, which has armed it."""

    @property
    def is_read_only(self) -> bool:
        """Whether its code may only read."""

    async def rearm(self, breakpoint_: Breakpoint) -> None:
        """Bring the VM in line with the breakpoint's options."""

    async def remove(self, breakpoint_: Breakpoint) -> None:
        """Take it out of the VM and forget it."""


class Observer(Protocol):
    """Is told of the hits of a breakpoint that stops nothing: for traces, watches and samples."""

    async def reached(self, breakpoint_: Breakpoint, occurrence: LocatedOccurrence) -> None:
        """Called when it was hit and its condition holds (or failed: its message says so). The
        thread is suspended until this returns.
        """

    def changed(self, breakpoint_: Breakpoint) -> None:
        """Called when its locations or its message have changed after it was set."""


class Breakpoint:
    """The request (`spec` and options) and its state (`verified`, `locations`).

    It outlives the program: after a restart the same object is armed in the new one.
    """

    def __init__(
        self,
        request: BreakpointRequest,
        *,
        own_cause: type[BreakpointHit] | None = None,
        observer: Observer | None = None,
        timing: Timing | None = None,
        recorder: CallRecorder | None = None,
    ) -> None:
        self.id = 0
        """Counts from 1 within a session; 0 for one that the session set for itself."""
        self.own_cause = own_cause
        """Why a hit stops, for a breakpoint that the session set for itself; the user never sees
        it.
        """
        self.observer = observer
        """Gets the hits in place of a stop. The user does not see such a breakpoint either."""
        self.timing = timing
        """The time measurement in which it takes part. Then its hits are those that the program
        could not time.
        """
        self.recorder = recorder
        """Has the program record calls of methods, or check stores into an array. Then its hits are
        those that the program cannot handle.
        """
        self.set_by = acting.name()
        """The front end that has set it, in a session that several share; None for who asks."""
        self.request = request
        """The request, with the current options."""
        self.locations: tuple[BreakpointLocation, ...] = ()
        self.message: str | None = None
        """Why it is not verified, the error of its condition, or that it has moved to another line.
        None if there is nothing to say.
        """
        self.condition_error: str | None = None
        """The last error of its condition, which may no longer be the `message`."""
        self.is_pending = False
        """Whether it is not verified, and a type that is loaded later can change that."""
        self.hits = 0
        """How often it was reached and its condition held."""
        self.was_reached = False
        """Whether it has stopped or logged in this program."""
        self.shared_counts = probes.SharedCounts()
        """What the program counts at all of its locations."""
        self.log_budget = LogBudget()
        self.enabled = True
        self.why_disabled: str | None = None
        """Why it was disabled, if the user has not done it: for instance because it took too much
        time.
        """
        self.disabled_at: tuple[BreakpointLocation, ...] = ()
        """The locations where it was armed when it was disabled."""
        self.is_removed = False
        self.has_failed = False
        """Whether it could not be set, and is removed; `message` says why."""
        self._owner: BreakpointOwner | None = None
        self.compiled_condition: CompiledExpression | None = None
        self.compiled_hit_condition: HitCondition | None = None
        self.compiled_log_message: LogMessage | None = None

    @property
    def is_own(self) -> bool:
        """Whether the session set it for itself, so that it has no id and is in no list."""
        return self.own_cause is not None or self.observer is not None

    @property
    def spec(self) -> BreakpointSpec:
        """The requested location."""
        return self.request.spec

    @property
    def kind(self) -> BreakpointKind:
        """What it waits for."""
        return next(
            (kind for type_, kind in _KINDS.items() if isinstance(self.spec, type_)),
            BreakpointKind.METHOD,
        )

    @property
    def options(self) -> BreakpointOptions:
        """All options at once."""
        return self.request.options

    @property
    def verified(self) -> bool:
        """Whether it is armed at one location at least."""
        return bool(self.locations)

    @property
    def line(self) -> int | None:
        """The line where it is armed, which may be near the requested one. The requested line if it
        is armed nowhere; None for a watched field.
        """
        if isinstance(self.spec, FieldSpec):
            return None
        asked = self.spec.line if isinstance(self.spec, LineSpec) else None
        return next((each.line for each in self.locations if each.line is not None), asked)

    @property
    def condition(self) -> str | None:
        """A Java expression of type boolean."""
        return self.options.condition

    @property
    def hit_condition(self) -> str | None:
        """`5`, `>= 5`, `% 3`, ...: selects by the number of the hit, counting hits whose condition
        holds.
        """
        return self.options.hit_condition

    @property
    def log_message(self) -> str | None:
        """What a logpoint logs, with `{expression}` parts; None for one that stops."""
        return self.options.log_message

    @property
    def once(self) -> bool:
        """Whether it is removed when it has stopped."""
        return self.options.once

    @property
    def suspend(self) -> Suspend | None:
        """The threads that a stop suspends; None for the session's setting."""
        return self.options.suspend

    @property
    def waits(self) -> bool:
        """Whether the breakpoint after which it counts has not been reached yet. It does not wait
        for one that was removed.
        """
        after = self.options.after
        return after is not None and not after.was_reached and not after.is_removed

    @property
    def has_code(self) -> bool:
        """Whether a hit evaluates a condition or a message."""
        return bool(self.options.condition or self.options.log_message)

    async def enable(self) -> None:
        """Arm again after `disable`."""
        self.enabled, self.why_disabled, self.disabled_at = True, None, ()
        await self._rearm()

    async def disable(self, *, because: str | None = None) -> None:
        """Take it out of the VM, keeping options and hit count. `because` becomes its message."""
        self.enabled, self.why_disabled = False, because
        if because is not None:
            self.disabled_at = tuple(
                replace(each, request=None, how="event", why_event=because)
                for each in self.locations
            )
        await self._rearm()

    async def remove(self) -> None:
        """Take it out of the VM for good, even if the caller is cancelled. Further calls do
        nothing.
        """
        if self._owner is not None:
            await done(begun(self._owner.remove(self), f"removing {self}"))

    async def set_condition(self, condition: str | None) -> None:
        """Replace the condition (a Java expression of type boolean); None removes it."""
        await self.set_options(replace(self.options, condition=condition))

    async def set_hit_condition(self, hit_condition: str | None) -> None:
        """Replace the hit condition (`5`, `>= 5`, `== 5`, `% 3`, ...) and count from zero."""
        await self.set_options(replace(self.options, hit_condition=hit_condition))

    async def set_log_message(self, log_message: str | None) -> None:
        """Make it a logpoint with `{expression}` parts, or an ordinary breakpoint again."""
        await self.set_options(replace(self.options, log_message=log_message))

    async def set_options(self, options: BreakpointOptions) -> None:
        """Replace all options. Raises BreakpointError, and changes nothing, if they do
        not parse.
        """
        before, compiled = self.request, self._compiled
        if options == before.options:
            return
        self.request = replace(before, options=options)
        try:
            self._compile()
        except BreakpointError:
            self.request = before
            self._compile()
            raise
        if options.hit_condition != before.options.hit_condition:
            self.hits = 0
            self.shared_counts = probes.SharedCounts()
        await self._rearm()
        await _release(compiled)

    async def release(self) -> None:
        """Release what its expressions hold in the VM, after the breakpoint was removed."""
        await _release(self._compiled)

    @property
    def _compiled(self) -> list[CompiledExpression]:
        parts = () if self.compiled_log_message is None else self.compiled_log_message.parts
        found = [self.compiled_condition, *(each for each in parts if not isinstance(each, str))]
        return [each for each in found if each is not None]

    def begin(self, owner: BreakpointOwner) -> None:
        """Start in the VM of `owner`, with no hits, locations or message.

        BreakpointError if the options do not parse.
        """
        self._owner = owner
        self.locations, self.message, self.is_pending, self.hits = (), None, False, 0
        self.is_removed = self.has_failed = self.was_reached = False
        self.shared_counts = probes.SharedCounts()
        self._compile()

    def fail(self, message: str) -> None:
        """Mark it as one that could not be set, with the reason."""
        self.locations, self.message, self.is_pending = (), message, False
        self.is_removed = self.has_failed = True

    async def _rearm(self) -> None:
        if self._owner is None or self.is_removed:
            raise BreakpointError(f"breakpoint {self} was removed; set a new one")
        await self._owner.rearm(self)

    def _compile(self) -> None:
        options = self.options
        may_be_kotlin = _may_be_kotlin(self.spec)
        read_only = self._owner is not None and self._owner.is_read_only
        try:
            condition = options.condition and evaluator.compile_expression(
                options.condition, may_be_kotlin=may_be_kotlin, read_only=read_only
            )
        except EvaluationError as error:
            raise BreakpointError(f"condition {options.condition!r}: {error}") from error
        self.compiled_condition = condition or None
        self.compiled_hit_condition = (
            HitCondition.parse(options.hit_condition) if options.hit_condition else None
        )
        self.compiled_log_message = (
            LogMessage.parse(options.log_message, may_be_kotlin=may_be_kotlin, read_only=read_only)
            if options.log_message
            else None
        )

    def __str__(self) -> str:
        return str(self.spec)

    def __repr__(self) -> str:
        return f"Breakpoint({self.id}, {self.spec}, verified={self.verified})"

    def _repr_html_(self) -> str:
        rows: list[tuple[object, object]] = [("at", each) for each in self.locations]
        rows += [("message", self.message), ("condition", self.condition), ("hits", self.hits)]
        return table(f"Breakpoint {self.id}: {self.spec}", [r for r in rows if r[1] is not None])


def _may_be_kotlin(spec: object) -> bool:
    """Whether the breakpoint may be in Kotlin code; a line of a file of another language is not."""
    return not isinstance(spec, LineSpec) or spec.path is None or is_kotlin_file(spec.path)


async def _release(expressions: list[CompiledExpression]) -> None:
    for each in expressions:
        await each.release()
