# SPDX-License-Identifier: Apache-2.0
"""Reads event sets of the wire: their thread, and their events as occurrences.

Requests types and methods that are new to the model. Called by the router alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from jvmdebug.errors import WireError
from jvmdebug.events.occurrences import (
    QUIET_KINDS,
    BreakpointOccurrence,
    ClassPrepareOccurrence,
    ClassUnloadOccurrence,
    ExceptionOccurrence,
    FieldAccessOccurrence,
    FieldModificationOccurrence,
    FieldOccurrence,
    LocatedOccurrence,
    MethodEntryOccurrence,
    MethodExitOccurrence,
    MethodExitWithValueOccurrence,
    MonitorContendedEnteredOccurrence,
    MonitorContendedEnterOccurrence,
    MonitorOccurrence,
    MonitorWaitedOccurrence,
    MonitorWaitOccurrence,
    NearFrameExhaustedOccurrence,
    Occurrence,
    StepOccurrence,
    ThreadDeathOccurrence,
    ThreadOccurrence,
    ThreadStartOccurrence,
    VmDeathOccurrence,
    VmStartOccurrence,
)
from jvmdebug.jdwp.generated import events as wire
from jvmdebug.jdwp.generated.constants import EventKind
from jvmdebug.jdwp.ids import RequestId

if TYPE_CHECKING:
    from jvmdebug.jdwp.generated.constants import SuspendPolicy
    from jvmdebug.jdwp.generated.event import Composite
    from jvmdebug.jdwp.ids import Location as WireLocation
    from jvmdebug.jdwp.ids import TaggedObject, ThreadId
    from jvmdebug.model.location import Location
    from jvmdebug.model.values import ObjectReference
    from jvmdebug.model.virtual_machine import VirtualMachine


def thread_of(event_set: Composite) -> ThreadId | None:
    """The thread in which the events happened; None if they name none."""
    for event in event_set.events:
        thread_id = cast("ThreadId | None", getattr(event, "thread", None))
        if thread_id:
            return thread_id
    return None


def is_quiet(event_set: Composite) -> bool:
    """Whether all its events only inform."""
    return all(EventKind(event.KIND) in QUIET_KINDS for event in event_set.events)


async def from_wire(vm: VirtualMachine, event: wire.Event, policy: SuspendPolicy) -> Occurrence:
    """Make the occurrence of an event. Requests types that are new."""
    request = RequestId(event.request_id)
    match event:
        case wire.VmDeathEvent():
            return VmDeathOccurrence(request_id=request, suspend_policy=policy)
        case wire.ClassUnloadEvent():
            return ClassUnloadOccurrence(
                request_id=request, suspend_policy=policy, signature=event.signature
            )
        case wire.ClassPrepareEvent():
            return ClassPrepareOccurrence(
                request_id=request,
                suspend_policy=policy,
                thread=vm.thread(event.thread) if event.thread else None,
                type=vm.known_type(event.type_tag, event.type_id, event.signature),
                status=event.status,
            )
        case (
            wire.VmStartEvent()
            | wire.ThreadStartEvent()
            | wire.ThreadDeathEvent()
            | wire.NearFrameExhaustedEvent()
        ):
            return _THREAD_CLASSES[type(event)](
                request_id=request, suspend_policy=policy, thread=vm.thread(event.thread)
            )
        case (
            wire.MonitorContendedEnterEvent()
            | wire.MonitorContendedEnteredEvent()
            | wire.MonitorWaitEvent()
            | wire.MonitorWaitedEvent()
        ):
            return _monitor(vm, event, await _location(vm, event.location), policy)
        case _:
            return await _located(vm, event, request, policy)


_THREAD_CLASSES: Final[dict[type[wire.Event], type[ThreadOccurrence]]] = {
    wire.VmStartEvent: VmStartOccurrence,
    wire.ThreadStartEvent: ThreadStartOccurrence,
    wire.ThreadDeathEvent: ThreadDeathOccurrence,
    wire.NearFrameExhaustedEvent: NearFrameExhaustedOccurrence,
}

_PLAIN_CLASSES: Final[dict[type[wire.Event], type[LocatedOccurrence]]] = {
    wire.BreakpointEvent: BreakpointOccurrence,
    wire.SingleStepEvent: StepOccurrence,
    wire.MethodEntryEvent: MethodEntryOccurrence,
    wire.MethodExitEvent: MethodExitOccurrence,
}

_MonitorEvent = (
    wire.MonitorContendedEnterEvent
    | wire.MonitorContendedEnteredEvent
    | wire.MonitorWaitEvent
    | wire.MonitorWaitedEvent
)

_MONITOR_CLASSES: Final[dict[type[wire.Event], type[MonitorOccurrence]]] = {
    wire.MonitorContendedEnterEvent: MonitorContendedEnterOccurrence,
    wire.MonitorContendedEnteredEvent: MonitorContendedEnteredOccurrence,
}

_LocatedEvent = (
    wire.BreakpointEvent
    | wire.SingleStepEvent
    | wire.MethodEntryEvent
    | wire.MethodExitEvent
    | wire.MethodExitWithReturnValueEvent
    | wire.ExceptionEvent
    | wire.FieldAccessEvent
    | wire.FieldModificationEvent
)


async def _located(
    vm: VirtualMachine, event: _LocatedEvent, request: RequestId, policy: SuspendPolicy
) -> Occurrence:
    thread = vm.thread(event.thread)
    location = await vm.location(event.location)
    match event:
        case wire.MethodExitWithReturnValueEvent():
            return MethodExitWithValueOccurrence(
                request_id=request,
                suspend_policy=policy,
                thread=thread,
                location=location,
                value=vm.value(event.value),
            )
        case wire.ExceptionEvent():
            return ExceptionOccurrence(
                request_id=request,
                suspend_policy=policy,
                thread=thread,
                location=location,
                exception=_object(vm, event.exception),
                catch_location=await _location(vm, event.catch_location),
            )
        case wire.FieldAccessEvent() | wire.FieldModificationEvent():
            return await _field(vm, event, location, policy)
        case _:
            plain = _PLAIN_CLASSES[type(event)]
    return plain(request_id=request, suspend_policy=policy, thread=thread, location=location)


def _monitor(
    vm: VirtualMachine,
    event: _MonitorEvent,
    location: Location | None,
    policy: SuspendPolicy,
) -> MonitorOccurrence:
    request, thread = RequestId(event.request_id), vm.thread(event.thread)
    monitor = _object(vm, event.object)
    match event:
        case wire.MonitorWaitEvent():
            return MonitorWaitOccurrence(
                request_id=request,
                suspend_policy=policy,
                thread=thread,
                location=location,
                object=monitor,
                timeout_ms=event.timeout,
            )
        case wire.MonitorWaitedEvent():
            return MonitorWaitedOccurrence(
                request_id=request,
                suspend_policy=policy,
                thread=thread,
                location=location,
                object=monitor,
                timed_out=event.timed_out,
            )
        case _:
            return _MONITOR_CLASSES[type(event)](
                request_id=request,
                suspend_policy=policy,
                thread=thread,
                location=location,
                object=monitor,
            )


async def _field(
    vm: VirtualMachine,
    event: wire.FieldAccessEvent | wire.FieldModificationEvent,
    location: Location,
    policy: SuspendPolicy,
) -> FieldOccurrence:
    declaring = await vm.reference_type(event.type_tag, event.type_id)
    field = next((each for each in await declaring.fields() if each.id == event.field_id), None)
    if field is None:
        raise WireError(f"{event!r} names a field that {declaring} does not declare")
    target = _object(vm, event.object) if event.object.id else None
    request, thread = RequestId(event.request_id), vm.thread(event.thread)
    if isinstance(event, wire.FieldAccessEvent):
        return FieldAccessOccurrence(
            request_id=request,
            suspend_policy=policy,
            thread=thread,
            location=location,
            field=field,
            object=target,
        )
    return FieldModificationOccurrence(
        request_id=request,
        suspend_policy=policy,
        thread=thread,
        location=location,
        field=field,
        object=target,
        new_value=vm.value(event.new_value),
    )


async def _location(vm: VirtualMachine, location: WireLocation) -> Location | None:
    """The location; None for zeros, which stand for no code."""
    return await vm.location(location) if location.type_id else None


def _object(vm: VirtualMachine, tagged: TaggedObject) -> ObjectReference:
    return vm.reference(tagged.tag, tagged.id)
