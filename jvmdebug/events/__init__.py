# SPDX-License-Identifier: Apache-2.0
"""What happens in the debuggee, and the one place that decides whether it runs on.

`occurrences` are events as objects of the model; `router` takes each event set, lets the reactions
to it speak in order, and then resumes or hands a StopSet to the session. Nobody else resumes the
VM.
"""

from __future__ import annotations

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
    NearFrameGivenUpOccurrence,
    Occurrence,
    StepOccurrence,
    ThreadDeathOccurrence,
    ThreadOccurrence,
    ThreadStartOccurrence,
    VmDeathOccurrence,
    VmStartOccurrence,
)
from jvmdebug.events.requests import RequestHandle
from jvmdebug.events.router import Router
from jvmdebug.events.skipped import SkippedSet
from jvmdebug.events.stop_set import StopSet
from jvmdebug.events.verdicts import RESUME, Cause, Reaction, Resume, StopFor, Verdict

__all__ = [
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
    "NearFrameGivenUpOccurrence",
    "Occurrence",
    "Reaction",
    "RequestHandle",
    "Resume",
    "Router",
    "SkippedSet",
    "StepOccurrence",
    "StopFor",
    "StopSet",
    "ThreadDeathOccurrence",
    "ThreadOccurrence",
    "ThreadStartOccurrence",
    "Verdict",
    "VmDeathOccurrence",
    "VmStartOccurrence",
]
