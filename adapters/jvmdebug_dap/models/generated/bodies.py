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


class RunInTerminalBody(Model):
    process_id: Integer | None = None
    shell_process_id: Integer | None = None


class BreakpointLocationsBody(Model):
    breakpoints: list[BreakpointLocation]


class SetBreakpointsBody(Model):
    breakpoints: list[Breakpoint]


class SetFunctionBreakpointsBody(Model):
    breakpoints: list[Breakpoint]


class SetExceptionBreakpointsBody(Model):
    breakpoints: list[Breakpoint] | None = None


class DataBreakpointInfoBody(Model):
    data_id: str | None
    description: str
    access_types: list[DataBreakpointAccessType] | None = None
    can_persist: bool | None = None


class SetDataBreakpointsBody(Model):
    breakpoints: list[Breakpoint]


class SetInstructionBreakpointsBody(Model):
    breakpoints: list[Breakpoint]


class ContinueBody(Model):
    all_threads_continued: bool | None = None


class StackTraceBody(Model):
    stack_frames: list[StackFrame]
    total_frames: Integer | None = None


class ScopesBody(Model):
    scopes: list[Scope]


class VariablesBody(Model):
    variables: list[Variable]


class SetVariableBody(Model):
    value: str
    type: str | None = None
    variables_reference: Integer | None = None
    named_variables: Integer | None = None
    indexed_variables: Integer | None = None
    memory_reference: str | None = None
    value_location_reference: Integer | None = None


class SourceBody(Model):
    content: str
    mime_type: str | None = None


class ThreadsBody(Model):
    threads: list[Thread]


class ModulesBody(Model):
    modules: list[Module]
    total_modules: Integer | None = None


class LoadedSourcesBody(Model):
    sources: list[Source]


class EvaluateBody(Model):
    result: str
    variables_reference: Integer
    type: str | None = None
    presentation_hint: VariablePresentationHint | None = None
    named_variables: Integer | None = None
    indexed_variables: Integer | None = None
    memory_reference: str | None = None
    value_location_reference: Integer | None = None


class SetExpressionBody(Model):
    value: str
    type: str | None = None
    presentation_hint: VariablePresentationHint | None = None
    variables_reference: Integer | None = None
    named_variables: Integer | None = None
    indexed_variables: Integer | None = None
    memory_reference: str | None = None
    value_location_reference: Integer | None = None


class StepInTargetsBody(Model):
    targets: list[StepInTarget]


class GotoTargetsBody(Model):
    targets: list[GotoTarget]


class CompletionsBody(Model):
    targets: list[CompletionItem]


class ExceptionInfoBody(Model):
    exception_id: str
    break_mode: ExceptionBreakMode
    description: str | None = None
    details: ExceptionDetails | None = None


class ReadMemoryBody(Model):
    address: str
    unreadable_bytes: Integer | None = None
    data: str | None = None


class WriteMemoryBody(Model):
    offset: Integer | None = None
    bytes_written: Integer | None = None


class DisassembleBody(Model):
    instructions: list[DisassembledInstruction]


class LocationsBody(Model):
    source: Source
    line: Integer
    column: Integer | None = None
    end_line: Integer | None = None
    end_column: Integer | None = None
