# SPDX-License-Identifier: Apache-2.0
"""DAP arguments, written by tools/dap_models.py from the official schema: do not edit."""

from typing import Literal

from jvmdebug_dap.models.base import Integer, Json, Model
from jvmdebug_dap.models.generated.types import (
    DataBreakpoint,
    ExceptionFilterOptions,
    ExceptionOptions,
    FunctionBreakpoint,
    InstructionBreakpoint,
    Source,
    SourceBreakpoint,
    StackFrameFormat,
    SteppingGranularity,
    ValueFormat,
)


class CancelArguments(Model):
    request_id: Integer | None = None
    progress_id: str | None = None


class RunInTerminalRequestArguments(Model):
    cwd: str
    args: list[str]
    kind: Literal["integrated", "external"] | None = None
    title: str | None = None
    env: dict[str, str | None] | None = None
    args_can_be_interpreted_by_shell: bool | None = None


class StartDebuggingRequestArguments(Model):
    configuration: dict[str, Json]
    request: Literal["launch", "attach"]
    output_presentation: Literal["separate", "mergeWithParent"] | None = None


class InitializeRequestArguments(Model):
    adapter_id: str
    client_id: str | None = None
    client_name: str | None = None
    locale: str | None = None
    lines_start_at1: bool | None = None
    columns_start_at1: bool | None = None
    path_format: str | None = None
    supports_variable_type: bool | None = None
    supports_variable_paging: bool | None = None
    supports_run_in_terminal_request: bool | None = None
    supports_memory_references: bool | None = None
    supports_progress_reporting: bool | None = None
    supports_invalidated_event: bool | None = None
    supports_memory_event: bool | None = None
    supports_args_can_be_interpreted_by_shell: bool | None = None
    supports_start_debugging_request: bool | None = None
    supports_ansi_styling: bool | None = None


class ConfigurationDoneArguments(Model):
    pass


class DisconnectArguments(Model):
    restart: bool | None = None
    terminate_debuggee: bool | None = None
    suspend_debuggee: bool | None = None


class TerminateArguments(Model):
    restart: bool | None = None


class BreakpointLocationsArguments(Model):
    source: Source
    line: Integer
    column: Integer | None = None
    end_line: Integer | None = None
    end_column: Integer | None = None


class SetBreakpointsArguments(Model):
    source: Source
    breakpoints: list[SourceBreakpoint] | None = None
    lines: list[Integer] | None = None
    source_modified: bool | None = None


class SetFunctionBreakpointsArguments(Model):
    breakpoints: list[FunctionBreakpoint]


class SetExceptionBreakpointsArguments(Model):
    filters: list[str]
    filter_options: list[ExceptionFilterOptions] | None = None
    exception_options: list[ExceptionOptions] | None = None


class DataBreakpointInfoArguments(Model):
    name: str
    variables_reference: Integer | None = None
    frame_id: Integer | None = None
    bytes: Integer | None = None
    as_address: bool | None = None
    mode: str | None = None


class SetDataBreakpointsArguments(Model):
    breakpoints: list[DataBreakpoint]


class SetInstructionBreakpointsArguments(Model):
    breakpoints: list[InstructionBreakpoint]


class ContinueArguments(Model):
    thread_id: Integer
    single_thread: bool | None = None


class NextArguments(Model):
    thread_id: Integer
    single_thread: bool | None = None
    granularity: SteppingGranularity | None = None


class StepInArguments(Model):
    thread_id: Integer
    single_thread: bool | None = None
    target_id: Integer | None = None
    granularity: SteppingGranularity | None = None


class StepOutArguments(Model):
    thread_id: Integer
    single_thread: bool | None = None
    granularity: SteppingGranularity | None = None


class StepBackArguments(Model):
    thread_id: Integer
    single_thread: bool | None = None
    granularity: SteppingGranularity | None = None


class ReverseContinueArguments(Model):
    thread_id: Integer
    single_thread: bool | None = None


class RestartFrameArguments(Model):
    frame_id: Integer


class GotoArguments(Model):
    thread_id: Integer
    target_id: Integer


class PauseArguments(Model):
    thread_id: Integer


class StackTraceArguments(Model):
    thread_id: Integer
    start_frame: Integer | None = None
    levels: Integer | None = None
    format: StackFrameFormat | None = None


class ScopesArguments(Model):
    frame_id: Integer


class VariablesArguments(Model):
    variables_reference: Integer
    filter: Literal["indexed", "named"] | None = None
    start: Integer | None = None
    count: Integer | None = None
    format: ValueFormat | None = None


class SetVariableArguments(Model):
    variables_reference: Integer
    name: str
    value: str
    format: ValueFormat | None = None


class SourceArguments(Model):
    source_reference: Integer
    source: Source | None = None


class TerminateThreadsArguments(Model):
    thread_ids: list[Integer] | None = None


class ModulesArguments(Model):
    start_module: Integer | None = None
    module_count: Integer | None = None


class LoadedSourcesArguments(Model):
    pass


class EvaluateArguments(Model):
    expression: str
    frame_id: Integer | None = None
    context: str | None = None
    format: ValueFormat | None = None
    line: Integer | None = None
    column: Integer | None = None
    source: Source | None = None


class SetExpressionArguments(Model):
    expression: str
    value: str
    frame_id: Integer | None = None
    format: ValueFormat | None = None


class StepInTargetsArguments(Model):
    frame_id: Integer


class GotoTargetsArguments(Model):
    source: Source
    line: Integer
    column: Integer | None = None


class CompletionsArguments(Model):
    text: str
    column: Integer
    frame_id: Integer | None = None
    line: Integer | None = None


class ExceptionInfoArguments(Model):
    thread_id: Integer


class ReadMemoryArguments(Model):
    memory_reference: str
    count: Integer
    offset: Integer | None = None


class WriteMemoryArguments(Model):
    memory_reference: str
    data: str
    offset: Integer | None = None
    allow_partial: bool | None = None


class DisassembleArguments(Model):
    memory_reference: str
    instruction_count: Integer
    offset: Integer | None = None
    instruction_offset: Integer | None = None
    resolve_symbols: bool | None = None


class LocationsArguments(Model):
    location_reference: Integer
