# SPDX-License-Identifier: Apache-2.0
"""DAP types, written by tools/dap_models.py from the official schema: do not edit."""

from typing import Literal

from jvmdebug_dap.models.base import Integer, Json, Model

DataBreakpointAccessType = Literal["read", "write", "readWrite"]
SteppingGranularity = Literal["statement", "line", "instruction"]
CompletionItemType = Literal[
    "method",
    "function",
    "constructor",
    "field",
    "variable",
    "class",
    "interface",
    "module",
    "property",
    "unit",
    "value",
    "enum",
    "keyword",
    "snippet",
    "text",
    "color",
    "file",
    "reference",
    "customcolor",
]
ChecksumAlgorithm = Literal["MD5", "SHA1", "SHA256", "timestamp"]
ExceptionBreakMode = Literal["never", "always", "unhandled", "userUnhandled"]
InvalidatedAreas = str
BreakpointModeApplicability = str


class BreakpointMode(Model):
    mode: str
    label: str
    applies_to: list[BreakpointModeApplicability]
    description: str | None = None


class ColumnDescriptor(Model):
    attribute_name: str
    label: str
    format: str | None = None
    type: Literal["string", "number", "boolean", "unixTimestampUTC"] | None = None
    width: Integer | None = None


class ExceptionBreakpointsFilter(Model):
    filter: str
    label: str
    description: str | None = None
    default: bool | None = None
    supports_condition: bool | None = None
    condition_description: str | None = None


class Capabilities(Model):
    supports_configuration_done_request: bool | None = None
    supports_function_breakpoints: bool | None = None
    supports_conditional_breakpoints: bool | None = None
    supports_hit_conditional_breakpoints: bool | None = None
    supports_evaluate_for_hovers: bool | None = None
    exception_breakpoint_filters: list[ExceptionBreakpointsFilter] | None = None
    supports_step_back: bool | None = None
    supports_set_variable: bool | None = None
    supports_restart_frame: bool | None = None
    supports_goto_targets_request: bool | None = None
    supports_step_in_targets_request: bool | None = None
    supports_completions_request: bool | None = None
    completion_trigger_characters: list[str] | None = None
    supports_modules_request: bool | None = None
    additional_module_columns: list[ColumnDescriptor] | None = None
    supported_checksum_algorithms: list[ChecksumAlgorithm] | None = None
    supports_restart_request: bool | None = None
    supports_exception_options: bool | None = None
    supports_value_formatting_options: bool | None = None
    supports_exception_info_request: bool | None = None
    support_terminate_debuggee: bool | None = None
    support_suspend_debuggee: bool | None = None
    supports_delayed_stack_trace_loading: bool | None = None
    supports_loaded_sources_request: bool | None = None
    supports_log_points: bool | None = None
    supports_terminate_threads_request: bool | None = None
    supports_set_expression: bool | None = None
    supports_terminate_request: bool | None = None
    supports_data_breakpoints: bool | None = None
    supports_read_memory_request: bool | None = None
    supports_write_memory_request: bool | None = None
    supports_disassemble_request: bool | None = None
    supports_cancel_request: bool | None = None
    supports_breakpoint_locations_request: bool | None = None
    supports_clipboard_context: bool | None = None
    supports_stepping_granularity: bool | None = None
    supports_instruction_breakpoints: bool | None = None
    supports_exception_filter_options: bool | None = None
    supports_single_thread_execution_requests: bool | None = None
    supports_data_breakpoint_bytes: bool | None = None
    breakpoint_modes: list[BreakpointMode] | None = None
    supports_ansi_styling: bool | None = None


class Message(Model):
    id: Integer
    format: str
    variables: dict[str, str] | None = None
    send_telemetry: bool | None = None
    show_user: bool | None = None
    url: str | None = None
    url_label: str | None = None


class Module(Model):
    id: Integer | str
    name: str
    path: str | None = None
    is_optimized: bool | None = None
    is_user_code: bool | None = None
    version: str | None = None
    symbol_status: str | None = None
    symbol_file_path: str | None = None
    date_time_stamp: str | None = None
    address_range: str | None = None


class Thread(Model):
    id: Integer
    name: str


class Checksum(Model):
    algorithm: ChecksumAlgorithm
    checksum: str


class Source(Model):
    name: str | None = None
    path: str | None = None
    source_reference: Integer | None = None
    presentation_hint: Literal["normal", "emphasize", "deemphasize"] | None = None
    origin: str | None = None
    sources: list["Source"] | None = None
    adapter_data: Json = None
    checksums: list[Checksum] | None = None


class StackFrame(Model):
    id: Integer
    name: str
    line: Integer
    column: Integer
    source: Source | None = None
    end_line: Integer | None = None
    end_column: Integer | None = None
    can_restart: bool | None = None
    instruction_pointer_reference: str | None = None
    module_id: Integer | str | None = None
    presentation_hint: Literal["normal", "label", "subtle"] | None = None


class Scope(Model):
    name: str
    variables_reference: Integer
    expensive: bool
    presentation_hint: str | None = None
    named_variables: Integer | None = None
    indexed_variables: Integer | None = None
    source: Source | None = None
    line: Integer | None = None
    column: Integer | None = None
    end_line: Integer | None = None
    end_column: Integer | None = None


class VariablePresentationHint(Model):
    kind: str | None = None
    attributes: list[str] | None = None
    visibility: str | None = None
    lazy: bool | None = None


class Variable(Model):
    name: str
    value: str
    variables_reference: Integer
    type: str | None = None
    presentation_hint: VariablePresentationHint | None = None
    evaluate_name: str | None = None
    named_variables: Integer | None = None
    indexed_variables: Integer | None = None
    memory_reference: str | None = None
    declaration_location_reference: Integer | None = None
    value_location_reference: Integer | None = None
    menu_context: str | None = None


class BreakpointLocation(Model):
    line: Integer
    column: Integer | None = None
    end_line: Integer | None = None
    end_column: Integer | None = None


class SourceBreakpoint(Model):
    line: Integer
    column: Integer | None = None
    condition: str | None = None
    hit_condition: str | None = None
    log_message: str | None = None
    mode: str | None = None


class FunctionBreakpoint(Model):
    name: str
    condition: str | None = None
    hit_condition: str | None = None


class DataBreakpoint(Model):
    data_id: str
    access_type: DataBreakpointAccessType | None = None
    condition: str | None = None
    hit_condition: str | None = None


class InstructionBreakpoint(Model):
    instruction_reference: str
    offset: Integer | None = None
    condition: str | None = None
    hit_condition: str | None = None
    mode: str | None = None


class Breakpoint(Model):
    verified: bool
    id: Integer | None = None
    message: str | None = None
    source: Source | None = None
    line: Integer | None = None
    column: Integer | None = None
    end_line: Integer | None = None
    end_column: Integer | None = None
    instruction_reference: str | None = None
    offset: Integer | None = None
    reason: Literal["pending", "failed"] | None = None


class StepInTarget(Model):
    id: Integer
    label: str
    line: Integer | None = None
    column: Integer | None = None
    end_line: Integer | None = None
    end_column: Integer | None = None


class GotoTarget(Model):
    id: Integer
    label: str
    line: Integer
    column: Integer | None = None
    end_line: Integer | None = None
    end_column: Integer | None = None
    instruction_pointer_reference: str | None = None


class CompletionItem(Model):
    label: str
    text: str | None = None
    sort_text: str | None = None
    detail: str | None = None
    type: CompletionItemType | None = None
    start: Integer | None = None
    length: Integer | None = None
    selection_start: Integer | None = None
    selection_length: Integer | None = None


class ValueFormat(Model):
    hex: bool | None = None


class StackFrameFormat(ValueFormat):
    parameters: bool | None = None
    parameter_types: bool | None = None
    parameter_names: bool | None = None
    parameter_values: bool | None = None
    line: bool | None = None
    module: bool | None = None
    include_all: bool | None = None


class ExceptionFilterOptions(Model):
    filter_id: str
    condition: str | None = None
    mode: str | None = None


class ExceptionPathSegment(Model):
    names: list[str]
    negate: bool | None = None


class ExceptionOptions(Model):
    break_mode: ExceptionBreakMode
    path: list[ExceptionPathSegment] | None = None


class ExceptionDetails(Model):
    message: str | None = None
    type_name: str | None = None
    full_type_name: str | None = None
    evaluate_name: str | None = None
    stack_trace: str | None = None
    inner_exception: list["ExceptionDetails"] | None = None


class DisassembledInstruction(Model):
    address: str
    instruction: str
    instruction_bytes: str | None = None
    symbol: str | None = None
    location: Source | None = None
    line: Integer | None = None
    column: Integer | None = None
    end_line: Integer | None = None
    end_column: Integer | None = None
    presentation_hint: Literal["normal", "invalid"] | None = None
