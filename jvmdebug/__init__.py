# SPDX-License-Identifier: Apache-2.0
"""jvmdebug: debug a Java program from Python. The public names of the core.

`launch`, `attach` and `listen` open a `Session`, which hands out or raises the rest. Front ends
import from here and from nowhere deeper. Begin with `jvmdebug.session` and ARCHITECTURE.md. A name
is imported when it is first used. To add one: the import, `public_names` and `__all__`.
"""

import importlib
from typing import TYPE_CHECKING

from jvmdebug.public_names import HOMES as _HOMES

if TYPE_CHECKING:
    from jvmdebug import classfile as classfile
    from jvmdebug import coverage as coverage
    from jvmdebug import heap as heap
    from jvmdebug import profiling as profiling
    from jvmdebug import projects as projects
    from jvmdebug import recording as recording
    from jvmdebug.attaching import DebugAgent, LocalJvm, local_jvm
    from jvmdebug.attaching.local_jvms import local_jvms
    from jvmdebug.breakpoints import (
        AllocationSpec,
        BreakablePart,
        Breakpoint,
        BreakpointKind,
        BreakpointLocation,
        BreakpointOptions,
        BreakpointRequest,
        BreakpointSpec,
        ElementSpec,
        ExceptionSpec,
        FieldSpec,
        InstructionSpec,
        LineSpec,
        LocalSpec,
        MethodSpec,
        ProbeUse,
        Suspend,
    )
    from jvmdebug.display import Plain, RenderedChild, RenderedObject, Renderer, ValueStyle
    from jvmdebug.errors import (
        ArgumentError,
        BreakpointError,
        ConnectionLost,
        EvaluationError,
        FullModeNeeded,
        JdkError,
        JvmDebugError,
        LaunchError,
        MissingValueError,
        ProgramEnded,
        ReadOnlyError,
        SourceError,
        StateError,
        UnsupportedError,
        VmError,
        WireError,
        WrongValueError,
    )
    from jvmdebug.evaluator import Completion, CompletionKind
    from jvmdebug.hotswap import CodeComparison, CompilerMessage, Outcome, RedefinedClass
    from jvmdebug.joining.guest import SharedSession, join, sessions
    from jvmdebug.joining.sharing import Guest, Shared, share
    from jvmdebug.jvmti import (
        ExtensionParameter,
        Jvmti,
        JvmtiError,
        JvmtiErrorCode,
        JvmtiEvent,
        JvmtiEvents,
        JvmtiExtension,
        JvmtiPhase,
        JvmtiVersion,
        LoadedClass,
        LoadedClasses,
        ModuleDetails,
        ModulePackage,
        RedirectedNative,
        ThreadDetails,
        ThreadGroupDetails,
        ThreadState,
        TimerInfo,
    )
    from jvmdebug.launch.agent_library import agent_option, launch_agent_path
    from jvmdebug.launch.command_line import JavaCommand, ProgramRequest
    from jvmdebug.model import DebuggeeException
    from jvmdebug.observing import (
        Blocked,
        Call,
        CallEntered,
        ContendedTotal,
        Contention,
        Exceptions,
        FieldRead,
        FieldReads,
        FieldWrite,
        FieldWrites,
        FrameSnapshot,
        GcEvents,
        GcPause,
        LineCount,
        LineTimes,
        LineTiming,
        MonitorSnapshot,
        NamedValue,
        Observation,
        ObservedEvent,
        ObservedException,
        ObservedStep,
        ObservedValue,
        ResourceExhausted,
        Sample,
        Samples,
        SingleSteps,
        Snapshot,
        StackEntry,
        ThreadSnapshot,
        Times,
        Trace,
    )
    from jvmdebug.observing.task_origins import Origin, OriginFrame
    from jvmdebug.printable import one_line, several_lines
    from jvmdebug.projects.testing import TestEvent
    from jvmdebug.session.breakpoints import SessionBreakpoints
    from jvmdebug.session.causes import StopReason
    from jvmdebug.session.class_transform import ClassTransform
    from jvmdebug.session.code import Code
    from jvmdebug.session.covering import SessionCoverage
    from jvmdebug.session.data_target import DataTarget
    from jvmdebug.session.definitions import Definition
    from jvmdebug.session.events import (
        AnsweringChanged,
        BreakpointChanged,
        BreakpointLogged,
        CodeReplaced,
        Continued,
        Ended,
        EndReason,
        Exited,
        GuestChanged,
        LinkChanged,
        ObjectCollected,
        Output,
        SessionEvent,
        SourceLoaded,
        Stopped,
        ThreadEnded,
        ThreadStarted,
    )
    from jvmdebug.session.frame_handle import FrameHandle
    from jvmdebug.session.heap import SessionHeap
    from jvmdebug.session.hot_swap import SessionHotSwap
    from jvmdebug.session.instances import Instances
    from jvmdebug.session.launch import (
        attach,
        launch,
        launch_prepared,
        load_agent,
        open_attach,
        open_launch,
        prepare,
    )
    from jvmdebug.session.listening import Listener, listen
    from jvmdebug.session.memory import Memory
    from jvmdebug.session.modules import LoadedModule
    from jvmdebug.session.observing import SessionObserving
    from jvmdebug.session.origin_tracking import OriginsStatus, OriginTracking
    from jvmdebug.session.past import SessionPast, open_replay, replay
    from jvmdebug.session.profiling import SessionProfiling
    from jvmdebug.session.recorded import SessionRecorded
    from jvmdebug.session.scopes import Scope, ScopeKind
    from jvmdebug.session.session import Session
    from jvmdebug.session.settings import SessionSettings
    from jvmdebug.session.source_replacing import ReplacedSources
    from jvmdebug.session.state import SessionState
    from jvmdebug.session.stop import Stop
    from jvmdebug.session.stream_stages import StreamStage
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

    __version__: str


_PACKAGES = (
    "classfile",
    "coverage",
    "recording",
    "heap",
    "profiling",
    "projects",
)  # public as a whole: `jvmdebug.projects.find`

# `launch` is a package and a function: the package is loaded now, so that it hides nothing later.
importlib.import_module("jvmdebug.launch")
del globals()["launch"]


if not TYPE_CHECKING:  # a name that does not exist is an error of the type checker

    def __getattr__(name: str) -> object:
        if name == "__version__":
            from importlib.metadata import version  # noqa: PLC0415 - as slow as asyncio

            value: object = version("jvmdebug")
        elif name in _PACKAGES:
            value = importlib.import_module(f"jvmdebug.{name}")
        elif (module := _HOMES.get(name)) is not None:
            value = getattr(importlib.import_module(f"jvmdebug.{module}"), name)
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted(__all__)


__all__ = [
    "JDK_PATTERNS",
    "JUST_MY_CODE",
    "NO_FILTERS",
    "AllocationSpec",
    "AnsweringChanged",
    "ArgumentError",
    "Blocked",
    "BreakablePart",
    "Breakpoint",
    "BreakpointChanged",
    "BreakpointError",
    "BreakpointKind",
    "BreakpointLocation",
    "BreakpointLogged",
    "BreakpointOptions",
    "BreakpointRequest",
    "BreakpointSpec",
    "Call",
    "CallEntered",
    "CallSite",
    "ClassListing",
    "ClassTransform",
    "Code",
    "CodeComparison",
    "CodeLine",
    "CodeReplaced",
    "CompilerMessage",
    "Completion",
    "CompletionKind",
    "ConnectionLost",
    "ContendedTotal",
    "Contention",
    "Continued",
    "DataTarget",
    "DebugAgent",
    "DebuggeeException",
    "Definition",
    "ElementSpec",
    "EndReason",
    "Ended",
    "EvaluationError",
    "ExceptionSpec",
    "Exceptions",
    "Exited",
    "ExtensionParameter",
    "FieldRead",
    "FieldReads",
    "FieldSpec",
    "FieldWrite",
    "FieldWrites",
    "FrameHandle",
    "FrameSnapshot",
    "FullModeNeeded",
    "GcEvents",
    "GcPause",
    "Granularity",
    "Guest",
    "GuestChanged",
    "Instances",
    "InstructionSpec",
    "JavaCommand",
    "JdkError",
    "JvmDebugError",
    "Jvmti",
    "JvmtiError",
    "JvmtiErrorCode",
    "JvmtiEvent",
    "JvmtiEvents",
    "JvmtiExtension",
    "JvmtiPhase",
    "JvmtiVersion",
    "LaunchError",
    "LineCount",
    "LineSpec",
    "LineTimes",
    "LineTiming",
    "LinkChanged",
    "Listener",
    "LoadedClass",
    "LoadedClasses",
    "LoadedModule",
    "LocalJvm",
    "LocalSpec",
    "Memory",
    "MethodSpec",
    "MissingValueError",
    "ModuleDetails",
    "ModulePackage",
    "MonitorSnapshot",
    "NamedValue",
    "ObjectCollected",
    "Observation",
    "ObservedEvent",
    "ObservedException",
    "ObservedStep",
    "ObservedValue",
    "Origin",
    "OriginFrame",
    "OriginTracking",
    "OriginsStatus",
    "Outcome",
    "Output",
    "Plain",
    "ProbeUse",
    "ProgramEnded",
    "ProgramRequest",
    "ReadOnlyError",
    "RedefinedClass",
    "RedirectedNative",
    "RenderedChild",
    "RenderedObject",
    "Renderer",
    "ReplacedSources",
    "ResourceExhausted",
    "Sample",
    "Samples",
    "Scope",
    "ScopeKind",
    "Session",
    "SessionBreakpoints",
    "SessionCoverage",
    "SessionEvent",
    "SessionHeap",
    "SessionHotSwap",
    "SessionObserving",
    "SessionPast",
    "SessionProfiling",
    "SessionRecorded",
    "SessionSettings",
    "SessionState",
    "Shared",
    "SharedSession",
    "SingleSteps",
    "Snapshot",
    "SourceError",
    "SourceFile",
    "SourceFinder",
    "SourceLoaded",
    "StackEntry",
    "StateError",
    "StepFilters",
    "Stop",
    "StopReason",
    "Stopped",
    "StreamStage",
    "Suspend",
    "TestEvent",
    "ThreadDetails",
    "ThreadEnded",
    "ThreadGroupDetails",
    "ThreadHandle",
    "ThreadSnapshot",
    "ThreadStarted",
    "ThreadState",
    "Thrown",
    "TimerInfo",
    "Times",
    "Trace",
    "UnsupportedError",
    "ValueStyle",
    "Variable",
    "VariableKind",
    "VmError",
    "WatchedChange",
    "WireError",
    "WrongValueError",
    "__version__",
    "agent_option",
    "attach",
    "classfile",
    "coverage",
    "heap",
    "join",
    "launch",
    "launch_agent_path",
    "launch_prepared",
    "listen",
    "load_agent",
    "local_jvm",
    "local_jvms",
    "one_line",
    "open_attach",
    "open_launch",
    "open_replay",
    "prepare",
    "profiling",
    "projects",
    "recording",
    "replay",
    "sessions",
    "several_lines",
    "share",
]
