# SPDX-License-Identifier: Apache-2.0
"""DAP bodies, written by tools/dap_models.py from the official schema: do not edit."""

from jvmdebug_dap.models.base import Integer, Model
from jvmdebug_dap.models.generated.types import (
    Breakpoint,
    BreakpointLocation,
    CompletionItem,
    DataBreakpointAccessType,
    DisassembledInstruction,
    ExceptionBreakMode,
    ExceptionDetails,
    GotoTarget,
    Module,
    Scope,
    Source,
    StackFrame,
    StepInTarget,
    Thread,
    Variable,
    VariablePresentationHint,
)


class RunInTerminalBody(Model, frozen=True):
    process_id: Integer | None = None
    shell_process_id: Integer | None = None


class BreakpointLocationsBody(Model, frozen=True):
    breakpoints: list[BreakpointLocation]


class SetBreakpointsBody(Model, frozen=True):
    breakpoints: list[Breakpoint]


class SetFunctionBreakpointsBody(Model, frozen=True):
    breakpoints: list[Breakpoint]


class SetExceptionBreakpointsBody(Model, frozen=True):
    breakpoints: list[Breakpoint] | None = None


class DataBreakpointInfoBody(Model, frozen=True):
    data_id: str | None
    description: str
    access_types: list[DataBreakpointAccessType] | None = None
    can_persist: bool | None = None


class SetDataBreakpointsBody(Model, frozen=True):
    breakpoints: list[Breakpoint]


class SetInstructionBreakpointsBody(Model, frozen=True):
    breakpoints: list[Breakpoint]


class ContinueBody(Model, frozen=True):
    all_threads_continued: bool | None = None


class StackTraceBody(Model, frozen=True):
    stack_frames: list[StackFrame]
    total_frames: Integer | None = None


class ScopesBody(Model, frozen=True):
    scopes: list[Scope]


class VariablesBody(Model, frozen=True):
    variables: list[Variable]


class SetVariableBody(Model, frozen=True):
    value: str
    type: str | None = None
    variables_reference: Integer | None = None
    named_variables: Integer | None = None
    indexed_variables: Integer | None = None
    memory_reference: str | None = None
    value_location_reference: Integer | None = None


class SourceBody(Model, frozen=True):
    content: str
    mime_type: str | None = None


class ThreadsBody(Model, frozen=True):
    threads: list[Thread]


class ModulesBody(Model, frozen=True):
    modules: list[Module]
    total_modules: Integer | None = None


class LoadedSourcesBody(Model, frozen=True):
    sources: list[Source]


class EvaluateBody(Model, frozen=True):
    result: str
    variables_reference: Integer
    type: str | None = None
    presentation_hint: VariablePresentationHint | None = None
    named_variables: Integer | None = None
    indexed_variables: Integer | None = None
    memory_reference: str | None = None
    value_location_reference: Integer | None = None


class SetExpressionBody(Model, frozen=True):
    value: str
    type: str | None = None
    presentation_hint: VariablePresentationHint | None = None
    variables_reference: Integer | None = None
    named_variables: Integer | None = None
    indexed_variables: Integer | None = None
    memory_reference: str | None = None
    value_location_reference: Integer | None = None


class StepInTargetsBody(Model, frozen=True):
    targets: list[StepInTarget]


class GotoTargetsBody(Model, frozen=True):
    targets: list[GotoTarget]


class CompletionsBody(Model, frozen=True):
    targets: list[CompletionItem]


class ExceptionInfoBody(Model, frozen=True):
    exception_id: str
    break_mode: ExceptionBreakMode
    description: str | None = None
    details: ExceptionDetails | None = None


class ReadMemoryBody(Model, frozen=True):
    address: str
    unreadable_bytes: Integer | None = None
    data: str | None = None


class WriteMemoryBody(Model, frozen=True):
    offset: Integer | None = None
    bytes_written: Integer | None = None


class DisassembleBody(Model, frozen=True):
    instructions: list[DisassembledInstruction]


class LocationsBody(Model, frozen=True):
    source: Source
    line: Integer
    column: Integer | None = None
    end_line: Integer | None = None
    end_column: Integer | None = None
