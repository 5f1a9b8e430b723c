# SPDX-License-Identifier: Apache-2.0
"""Events of the debuggee as objects of the model, one class for each kind.

Made by the router from what the wire brings; reactions get them. Immutable; but a thread or an
object in one is a mirror, whose state may have changed since.

To add one: declare it in native/protocol/events.toml, add its class here, and its case in
`from_wire`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from jvmdebug.jdwp.generated.constants import ClassStatus, EventKind, SuspendPolicy
from jvmdebug.jdwp.ids import RequestId

if TYPE_CHECKING:
    from jvmdebug.errors import JvmDebugError
    from jvmdebug.model.field import Field
    from jvmdebug.model.location import Location
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import ObjectReference, Value


_UNASKED: Final = RequestId(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """An event of the debuggee. `request_id` names the request that asked for it; 0 if it was sent
    without one.

    `suspend_policy` says what the agent suspended when it reported it.
    """

    KIND: ClassVar[EventKind]
    request_id: RequestId = _UNASKED
    suspend_policy: SuspendPolicy = SuspendPolicy.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadOccurrence(Occurrence):
    """An event of a thread."""

    thread: Thread


@dataclass(frozen=True, slots=True, kw_only=True)
class LocatedOccurrence(ThreadOccurrence):
    """An event of a thread at a code location. The instruction there has not run yet."""

    location: Location


class BreakpointOccurrence(LocatedOccurrence):
    """A breakpoint was hit."""

    __slots__ = ()
    KIND = EventKind.BREAKPOINT


class StepOccurrence(LocatedOccurrence):
    """A step is done."""

    __slots__ = ()
    KIND = EventKind.SINGLE_STEP


class MethodEntryOccurrence(LocatedOccurrence):
    """A method was entered."""

    __slots__ = ()
    KIND = EventKind.METHOD_ENTRY


class MethodExitOccurrence(LocatedOccurrence):
    """A method is about to return normally."""

    __slots__ = ()
    KIND = EventKind.METHOD_EXIT


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodExitWithValueOccurrence(LocatedOccurrence):
    """A method is about to return `value` (VOID for none)."""

    KIND = EventKind.METHOD_EXIT_WITH_RETURN_VALUE
    value: Value


class NearFrameExhaustedOccurrence(ThreadOccurrence):
    """Our agent has ended a request for method exits near a frame: there were too many in other
    frames.
    """

    __slots__ = ()
    KIND = EventKind.NEAR_FRAME_EXHAUSTED


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionOccurrence(LocatedOccurrence):
    """An exception was thrown; `catch_location` is None when nothing known will catch it."""

    KIND = EventKind.EXCEPTION
    exception: ObjectReference
    catch_location: Location | None

    @property
    def is_caught(self) -> bool:
        """Whether a handler is known; a native caller may still catch an exception without one."""
        return self.catch_location is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorOccurrence(ThreadOccurrence):
    """An event at the monitor of an object. `location` is None outside of Java code: a thread that
    ends takes its own monitor.
    """

    location: Location | None
    object: ObjectReference


class MonitorContendedEnterOccurrence(MonitorOccurrence):
    """A thread wants a monitor that another owns."""

    __slots__ = ()
    KIND = EventKind.MONITOR_CONTENDED_ENTER


class MonitorContendedEnteredOccurrence(MonitorOccurrence):
    """A thread has acquired a monitor after waiting for its owner."""

    __slots__ = ()
    KIND = EventKind.MONITOR_CONTENDED_ENTERED


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorWaitOccurrence(MonitorOccurrence):
    """A thread is about to wait; `timeout_ms` 0: for ever."""

    KIND = EventKind.MONITOR_WAIT
    timeout_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorWaitedOccurrence(MonitorOccurrence):
    """A thread has finished waiting."""

    KIND = EventKind.MONITOR_WAITED
    timed_out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldOccurrence(LocatedOccurrence):
    """An access to a watched field; `object` is None for a static one."""

    field: Field
    object: ObjectReference | None


class FieldAccessOccurrence(FieldOccurrence):
    """A field is about to be read."""

    __slots__ = ()
    KIND = EventKind.FIELD_ACCESS


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldModificationOccurrence(FieldOccurrence):
    """A field is about to be written."""

    KIND = EventKind.FIELD_MODIFICATION
    new_value: Value


class ThreadStartOccurrence(ThreadOccurrence):
    """A thread has started."""

    __slots__ = ()
    KIND = EventKind.THREAD_START


class ThreadDeathOccurrence(ThreadOccurrence):
    """A thread is about to end."""

    __slots__ = ()
    KIND = EventKind.THREAD_DEATH


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassPrepareOccurrence(Occurrence):
    """A type is prepared and none of its code has run. `thread` None: one of the agent's own."""

    KIND = EventKind.CLASS_PREPARE
    thread: Thread | None
    type: ReferenceType
    status: ClassStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassUnloadOccurrence(Occurrence):
    """A type was unloaded; its mirror is already forgotten."""

    KIND = EventKind.CLASS_UNLOAD
    signature: str


class VmStartOccurrence(ThreadOccurrence):
    """The VM is up and has run nothing of the program."""

    __slots__ = ()
    KIND = EventKind.VM_START


class VmDeathOccurrence(Occurrence):
    """The VM is about to end. The connection ends soon after."""

    __slots__ = ()
    KIND = EventKind.VM_DEATH


@dataclass(frozen=True, slots=True, kw_only=True)
class DisconnectOccurrence(Occurrence):
    """The connection has ended: always the last occurrence. `error` None: we closed it."""

    KIND = EventKind.VM_DISCONNECTED
    error: JvmDebugError | None


QUIET_KINDS: Final = frozenset(
    {
        EventKind.CLASS_PREPARE,
        EventKind.CLASS_UNLOAD,
        EventKind.THREAD_START,
        EventKind.THREAD_DEATH,
        EventKind.VM_DEATH,
    }
)
"""Kinds that are processed even where stopping is impossible: in an invocation, in a stop."""
