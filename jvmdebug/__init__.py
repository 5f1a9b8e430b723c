# SPDX-License-Identifier: Apache-2.0
"""jvmdebug: debug a Java program from Python.

The public names of the core: `launch`, `attach` and `listen` open a `Session`; everything else is
what a session hands out or raises. Front ends import from here and from nowhere deeper.
"""

from jvmdebug.breakpoints import (
    Breakpoint,
    BreakpointKind,
    BreakpointLocation,
    BreakpointSpec,
    ExceptionRequest,
    ExceptionSpec,
    FieldSpec,
    LineRequest,
    MethodRequest,
    MethodSpec,
    SourceLineSpec,
    Suspend,
    TypeLineSpec,
)
from jvmdebug.launch import agent_option, launch_agent_path
from jvmdebug.session.events import (
    BreakpointChanged,
    BreakpointLogged,
    Continued,
    Ended,
    EndReason,
    Exited,
    Output,
    SessionEvent,
    Stopped,
    ThreadEnded,
    ThreadStarted,
)
from jvmdebug.session.frame_handle import FrameHandle
from jvmdebug.session.opening import Listener, attach, launch, listen
from jvmdebug.session.session import Session
from jvmdebug.session.settings import SessionSettings
from jvmdebug.session.state import SessionState
from jvmdebug.session.stop import Stop, StopReason
from jvmdebug.session.thread_handle import ThreadHandle
from jvmdebug.session.variable import Variable
from jvmdebug.stepping import NO_FILTERS, Granularity, StepFilters

__all__ = [
    "NO_FILTERS",
    "Breakpoint",
    "BreakpointChanged",
    "BreakpointKind",
    "BreakpointLocation",
    "BreakpointLogged",
    "BreakpointSpec",
    "Continued",
    "EndReason",
    "Ended",
    "ExceptionRequest",
    "ExceptionSpec",
    "Exited",
    "FieldSpec",
    "FrameHandle",
    "Granularity",
    "LineRequest",
    "Listener",
    "MethodRequest",
    "MethodSpec",
    "Output",
    "Session",
    "SessionEvent",
    "SessionSettings",
    "SessionState",
    "SourceLineSpec",
    "StepFilters",
    "Stop",
    "StopReason",
    "Stopped",
    "Suspend",
    "ThreadEnded",
    "ThreadHandle",
    "ThreadStarted",
    "TypeLineSpec",
    "Variable",
    "agent_option",
    "attach",
    "launch",
    "launch_agent_path",
    "listen",
]
