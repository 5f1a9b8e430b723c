# SPDX-License-Identifier: Apache-2.0
"""Observing a program without stopping it: traces of calls, writes to fields, samples, contention,
snapshots.

Owns the observations of a program, their events (frozen values, which need no VM), their limits and
that nothing of them stays in the VM. They are made of breakpoints that stop nothing; a thread is
held only while what is reported is read. Called by the session. Begin with `observation`, then
`trace`.
"""

from typing import TYPE_CHECKING, Final

from jvmdebug.later import names

if TYPE_CHECKING:
    from jvmdebug.observing.anywhere import value_anywhere
    from jvmdebug.observing.calls import Call, CallEntered
    from jvmdebug.observing.collections import GcEvents, GcPause, ResourceExhausted
    from jvmdebug.observing.contention import Blocked, ContendedTotal, Contention
    from jvmdebug.observing.exceptions import Exceptions, ObservedException
    from jvmdebug.observing.line_times import LineCount, LineTimes, LineTiming, Times
    from jvmdebug.observing.observation import Limits, Observation
    from jvmdebug.observing.observations import Observations
    from jvmdebug.observing.observed import NamedValue, ObservedEvent, ObservedValue, StackEntry
    from jvmdebug.observing.reads import FieldRead, FieldReads
    from jvmdebug.observing.recorded_trace import RecordedTrace
    from jvmdebug.observing.samples import Sample, Samples
    from jvmdebug.observing.single_steps import ObservedStep, SingleSteps, StepUnit
    from jvmdebug.observing.snapshot import take_snapshot
    from jvmdebug.observing.task_origins import Origin, OriginFrame, with_origins
    from jvmdebug.observing.thread_dump import Consistency, take_thread_dump
    from jvmdebug.observing.thread_snapshots import (
        FrameSnapshot,
        MonitorSnapshot,
        Snapshot,
        ThreadSnapshot,
    )
    from jvmdebug.observing.trace import Trace
    from jvmdebug.observing.vm_threads import is_of_vm
    from jvmdebug.observing.writes import FieldWrite, FieldWrites, condition_of

_HOMES: Final = {
    "anywhere": ("value_anywhere",),
    "calls": ("Call", "CallEntered"),
    "collections": ("GcEvents", "GcPause", "ResourceExhausted"),
    "contention": ("Blocked", "ContendedTotal", "Contention"),
    "exceptions": ("Exceptions", "ObservedException"),
    "line_times": ("LineCount", "LineTimes", "LineTiming", "Times"),
    "observation": ("Limits", "Observation"),
    "observations": ("Observations",),
    "observed": ("NamedValue", "ObservedEvent", "ObservedValue", "StackEntry"),
    "reads": ("FieldRead", "FieldReads"),
    "recorded_trace": ("RecordedTrace",),
    "samples": ("Sample", "Samples"),
    "single_steps": ("ObservedStep", "SingleSteps", "StepUnit"),
    "snapshot": ("take_snapshot",),
    "task_origins": ("Origin", "OriginFrame", "with_origins"),
    "thread_dump": ("Consistency", "take_thread_dump"),
    "thread_snapshots": ("FrameSnapshot", "MonitorSnapshot", "Snapshot", "ThreadSnapshot"),
    "trace": ("Trace",),
    "vm_threads": ("is_of_vm",),
    "writes": ("FieldWrite", "FieldWrites", "condition_of"),
}

if not TYPE_CHECKING:  # a name that does not exist is an error of the type checker
    __getattr__ = names(__name__, _HOMES)

__all__ = [
    "Blocked",
    "Call",
    "CallEntered",
    "Consistency",
    "ContendedTotal",
    "Contention",
    "Exceptions",
    "FieldRead",
    "FieldReads",
    "FieldWrite",
    "FieldWrites",
    "FrameSnapshot",
    "GcEvents",
    "GcPause",
    "Limits",
    "LineCount",
    "LineTimes",
    "LineTiming",
    "MonitorSnapshot",
    "NamedValue",
    "Observation",
    "Observations",
    "ObservedEvent",
    "ObservedException",
    "ObservedStep",
    "ObservedValue",
    "Origin",
    "OriginFrame",
    "RecordedTrace",
    "ResourceExhausted",
    "Sample",
    "Samples",
    "SingleSteps",
    "Snapshot",
    "StackEntry",
    "StepUnit",
    "ThreadSnapshot",
    "Times",
    "Trace",
    "condition_of",
    "is_of_vm",
    "take_snapshot",
    "take_thread_dump",
    "value_anywhere",
    "with_origins",
]
