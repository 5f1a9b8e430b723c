# SPDX-License-Identifier: Apache-2.0
"""jvmdebug: debug a Java program from Python.

The public names of the core: `launch`, `attach` and `listen` open a `Session`; everything else is
what a session hands out or raises. Front ends import from here and from nowhere deeper. Begin
with `jvmdebug.session`; ARCHITECTURE.md shows the layers below it.
"""

from importlib.metadata import version as _version

from jvmdebug.breakpoints import (
    Breakpoint,
    BreakpointKind,
    BreakpointLocation,
    BreakpointOptions,
    BreakpointRequest,
    BreakpointSpec,
    ExceptionSpec,
    FieldSpec,
    InstructionSpec,
    LineSpec,
    MethodSpec,
    Suspend,
)
from jvmdebug.display import Plain, RenderedChild, RenderedObject, Renderer, ValueStyle
from jvmdebug.errors import (
    BreakpointError,
    ConnectionLost,
    EvaluationError,
    JvmDebugError,
    LaunchError,
    ProgramEnded,
    SourceError,
    StateError,
    UnsupportedError,
    VmError,
    WireError,
)
from jvmdebug.evaluator import Completion, CompletionKind
from jvmdebug.hotswap import Outcome, RedefinedClass
from jvmdebug.launch import JavaCommand, ProgramRequest, agent_option, launch_agent_path
from jvmdebug.model import DebuggeeException
from jvmdebug.session.breakpoints import SessionBreakpoints
from jvmdebug.session.causes import StopReason
from jvmdebug.session.code import Code
from jvmdebug.session.data_target import DataTarget
from jvmdebug.session.definitions import Definition
from jvmdebug.session.events import (
    BreakpointChanged,
    BreakpointLogged,
    CodeReplaced,
    Continued,
    Ended,
    EndReason,
    Exited,
    Output,
    SessionEvent,
    SourceLoaded,
    Stopped,
    ThreadEnded,
    ThreadStarted,
)
from jvmdebug.session.frame_handle import FrameHandle
from jvmdebug.session.memory import Memory
from jvmdebug.session.modules import LoadedModule
from jvmdebug.session.opening import Listener, attach, launch, launch_prepared, listen, prepare
from jvmdebug.session.scopes import Scope, ScopeKind
from jvmdebug.session.session import Session
from jvmdebug.session.settings import SessionSettings
from jvmdebug.session.state import SessionState
from jvmdebug.session.stop import Stop
from jvmdebug.session.threads import ThreadHandle
from jvmdebug.session.thrown import Thrown
from jvmdebug.session.variable import Variable, VariableKind
from jvmdebug.session.watched_change import WatchedChange
from jvmdebug.sources import ClassListing, CodeLine, SourceFile, SourceFinder
from jvmdebug.stepping import (
    JDK_PATTERNS,
    JUST_MY_CODE,
    NO_FILTERS,
    CallSite,
    Granularity,
    StepFilters,
)

__version__ = _version("jvmdebug")

__all__ = [
    "JDK_PATTERNS",
    "JUST_MY_CODE",
    "NO_FILTERS",
    "Breakpoint",
    "BreakpointChanged",
    "BreakpointError",
    "BreakpointKind",
    "BreakpointLocation",
    "BreakpointLogged",
    "BreakpointOptions",
    "BreakpointRequest",
    "BreakpointSpec",
    "CallSite",
    "ClassListing",
    "Code",
    "CodeLine",
    "CodeReplaced",
    "Completion",
    "CompletionKind",
    "ConnectionLost",
    "Continued",
    "DataTarget",
    "DebuggeeException",
    "Definition",
    "EndReason",
    "Ended",
    "EvaluationError",
    "ExceptionSpec",
    "Exited",
    "FieldSpec",
    "FrameHandle",
    "Granularity",
    "InstructionSpec",
    "JavaCommand",
    "JvmDebugError",
    "LaunchError",
    "LineSpec",
    "Listener",
    "LoadedModule",
    "Memory",
    "MethodSpec",
    "Outcome",
    "Output",
    "Plain",
    "ProgramEnded",
    "ProgramRequest",
    "RedefinedClass",
    "RenderedChild",
    "RenderedObject",
    "Renderer",
    "Scope",
    "ScopeKind",
    "Session",
    "SessionBreakpoints",
    "SessionEvent",
    "SessionSettings",
    "SessionState",
    "SourceError",
    "SourceFile",
    "SourceFinder",
    "SourceLoaded",
    "StateError",
    "StepFilters",
    "Stop",
    "StopReason",
    "Stopped",
    "Suspend",
    "ThreadEnded",
    "ThreadHandle",
    "ThreadStarted",
    "Thrown",
    "UnsupportedError",
    "ValueStyle",
    "Variable",
    "VariableKind",
    "VmError",
    "WatchedChange",
    "WireError",
    "__version__",
    "agent_option",
    "attach",
    "launch",
    "launch_agent_path",
    "launch_prepared",
    "listen",
    "prepare",
]
