# SPDX-License-Identifier: Apache-2.0
"""DAP events, written by tools/dap_models.py from the official schema: do not edit."""

from typing import Literal

from jvmdebug_dap.models.base import Integer, Json, Model
from jvmdebug_dap.models.generated.types import (
    Breakpoint,
    Capabilities,
    InvalidatedAreas,
    Module,
    Source,
)


class StoppedEventBody(Model):
    reason: str
    description: str | None = None
    thread_id: Integer | None = None
    preserve_focus_hint: bool | None = None
    text: str | None = None
    all_threads_stopped: bool | None = None
    hit_breakpoint_ids: list[Integer] | None = None


class ContinuedEventBody(Model):
    thread_id: Integer
    all_threads_continued: bool | None = None


class ExitedEventBody(Model):
    exit_code: Integer


class TerminatedEventBody(Model):
    restart: Json = None


class ThreadEventBody(Model):
    reason: str
    thread_id: Integer


class OutputEventBody(Model):
    output: str
    category: str | None = None
    group: Literal["start", "startCollapsed", "end"] | None = None
    variables_reference: Integer | None = None
    source: Source | None = None
    line: Integer | None = None
    column: Integer | None = None
    data: Json = None
    location_reference: Integer | None = None


class BreakpointEventBody(Model):
    reason: str
    breakpoint: Breakpoint


class ModuleEventBody(Model):
    reason: Literal["new", "changed", "removed"]
    module: Module


class LoadedSourceEventBody(Model):
    reason: Literal["new", "changed", "removed"]
    source: Source


class ProcessEventBody(Model):
    name: str
    system_process_id: Integer | None = None
    is_local_process: bool | None = None
    start_method: Literal["launch", "attach", "attachForSuspendedLaunch"] | None = None
    pointer_size: Integer | None = None


class CapabilitiesEventBody(Model):
    capabilities: Capabilities


class ProgressStartEventBody(Model):
    progress_id: str
    title: str
    request_id: Integer | None = None
    cancellable: bool | None = None
    message: str | None = None
    percentage: float | None = None


class ProgressUpdateEventBody(Model):
    progress_id: str
    message: str | None = None
    percentage: float | None = None


class ProgressEndEventBody(Model):
    progress_id: str
    message: str | None = None


class InvalidatedEventBody(Model):
    areas: list[InvalidatedAreas] | None = None
    thread_id: Integer | None = None
    stack_frame_id: Integer | None = None


class MemoryEventBody(Model):
    memory_reference: str
    offset: Integer
    count: Integer
