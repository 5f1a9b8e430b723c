# SPDX-License-Identifier: Apache-2.0
"""The events of the debuggee, and the router, which alone decides whether it resumes.

Owns events as objects of the model (`occurrences`), event requests (`requests`), and the `router`:
it takes each event set, asks its reactions in order, and then resumes or hands a StopSet to the
session. Only `suspensions` sends Suspend and Resume. Called by breakpoints, stepping and the
session, whose reactions it calls. Begin with `router`.
"""

from __future__ import annotations

from jvmdebug.events.clearing import clear_now, clear_together
from jvmdebug.events.occurrences import (
    BreakpointOccurrence,
    ClassPrepareOccurrence,
    ClassUnloadOccurrence,
    DisconnectOccurrence,
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
from jvmdebug.events.requests import CHANGED_BY_OTHERS, RequestHandle, shown_stops
from jvmdebug.events.router import Router
from jvmdebug.events.stop_set import StopSet
from jvmdebug.events.thread_events import ThreadEvent
from jvmdebug.events.verdicts import RESUME, Cause, Reaction, Resume, StopFor, Verdict

__all__ = [
    "CHANGED_BY_OTHERS",
    "RESUME",
    "BreakpointOccurrence",
    "Cause",
    "ClassPrepareOccurrence",
    "ClassUnloadOccurrence",
    "DisconnectOccurrence",
    "ExceptionOccurrence",
    "FieldAccessOccurrence",
    "FieldModificationOccurrence",
    "FieldOccurrence",
    "LocatedOccurrence",
    "MethodEntryOccurrence",
    "MethodExitOccurrence",
    "MethodExitWithValueOccurrence",
    "MonitorContendedEnterOccurrence",
    "MonitorContendedEnteredOccurrence",
    "MonitorOccurrence",
    "MonitorWaitOccurrence",
    "MonitorWaitedOccurrence",
    "NearFrameExhaustedOccurrence",
    "Occurrence",
    "Reaction",
    "RequestHandle",
    "Resume",
    "Router",
    "StepOccurrence",
    "StopFor",
    "StopSet",
    "ThreadDeathOccurrence",
    "ThreadEvent",
    "ThreadOccurrence",
    "ThreadStartOccurrence",
    "Verdict",
    "VmDeathOccurrence",
    "VmStartOccurrence",
    "clear_now",
    "clear_together",
    "shown_stops",
]
