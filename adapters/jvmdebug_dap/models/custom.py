# SPDX-License-Identifier: Apache-2.0
"""Arguments of requests that the schema does not describe fully, or that are our own."""

from typing import Literal

from pydantic import Field

from jvmdebug_dap.models.base import Model
from jvmdebug_dap.models.generated.types import Variable
from jvmdebug_dap.models.launch import StepFilterAttributes


class ForceEarlyReturnArguments(Model):
    frame_id: int
    expression: str | None = None


class RedefineClassesArguments(Model):
    paths: list[str]
    changed_only: bool = True


class RedefinedClassBody(Model):
    path: str
    outcome: str
    name: str | None = None
    reason: str | None = None


class RedefineClassesBody(Model):
    """The body of the answer to `jvmdebug/redefineClasses`, and of `jvmdebug/classesRedefined`."""

    classes: list[RedefinedClassBody]


class ProbeBody(Model):
    """A location of a breakpoint, and who checks its condition."""

    breakpoint_id: int | None = None
    location: str
    condition: str | None = None
    hit_condition: str | None = None
    how: Literal["probe", "event"]
    why: str | None = None
    hits: int
    calls_methods: bool
    install_ms: float | None = None
    why_not_written: str | None = None
    """Why the debugger writes the log messages."""


class ProbesBody(Model):
    """The body of the answer to `jvmdebug/probes`."""

    probes: list[ProbeBody]


class GuestBody(Model):
    name: str
    kind: str
    role: str


class GuestsBody(Model):
    """The body of `jvmdebug/guests`, and of the answer to `jvmdebug/letJoin`."""

    name: str
    """What the session is called in `jvmdebug join NAME`; empty if it cannot be joined."""
    assistants: str
    guests: list[GuestBody]


class LetJoinArguments(Model):
    assistants: Literal["off", "read-only", "debug"]


class ReplaceSourcesArguments(Model):
    paths: list[str]


class SourceProblemBody(Model):
    """What the compiler says, at a line and column as the client counts them."""

    path: str
    line: int
    column: int
    message: str
    severity: Literal["error", "warning"]


class NamedInLine(Model):
    """A name in a line of the frame's source; `this.total` is one too."""

    name: str
    line: int


class StreamStagesArguments(Model):
    frame_id: int


class StreamStagesBody(Model):
    """The calls of the chain as variables: the name is the call, the value what it gives."""

    stages: list[Variable]


class InlineValuesArguments(Model):
    frame_id: int
    names: list[NamedInLine]


class InlineValuesBody(Model):
    """One text for each name; null where it is not in scope in that line at this stop."""

    values: list[str | None]


class TraceArguments(Model):
    """A method, `shop.Cart#add`, or that of a frame."""

    method: str | None = None
    frame_id: int | None = None


class WhoSetsArguments(Model):
    """A field, `shop.Customer.name`, or that of a shown variable."""

    field: str | None = None
    variables_reference: int | None = None
    name: str | None = None


class ObservationBody(Model):
    """The body of the answer to `jvmdebug/trace` and `jvmdebug/whoSets`, and, at its end, of the
    event `jvmdebug/observationEnded`.
    """

    observation: int
    title: str


class StopObservingArguments(Model):
    observation: int | None = None


class OldFrameBody(Model):
    """A frame that runs code that was replaced, of a thread that is stopped."""

    frame_id: int
    thread_id: int
    name: str


class ReplaceSourcesBody(Model):
    """The body of the answer to `jvmdebug/replaceSources`."""

    classes: list[RedefinedClassBody]
    problems: list[SourceProblemBody]
    strangers: list[str]
    """Paths that are no sources of the program."""
    old_frames: list[OldFrameBody]


class FullModeNeededBody(Model):
    """The body of `jvmdebug/fullModeNeeded`: what the fast mode cannot do, as a sentence."""

    message: str


class TestFailureBody(Model):
    __test__ = False

    type: str
    message: str | None = None
    trace: str
    expected: str | None = None
    actual: str | None = None
    path: str | None = None
    line: int | None = None


class TestResultBody(Model):
    """The body of `jvmdebug/testResult`, a `TestEvent`, without what is not known."""

    __test__ = False

    event: Literal["begin", "started", "finished", "end"]
    id: str | None = None
    parent_id: str | None = None
    kind: Literal["class", "calls", "method", "call"] | None = None
    name: str | None = None
    class_name: str | None = None
    method_name: str | None = None
    call: int | None = None
    selector: str | None = None
    """What the launch attribute `test` takes to run it again."""
    path: str | None = None
    line: int | None = None
    status: Literal["passed", "failed", "skipped"] | None = None
    duration_ms: float | None = None
    reason: str | None = None
    failure: TestFailureBody | None = None
    passed: int | None = None
    failed: int | None = None
    skipped: int | None = None


class CoveredLineBody(Model):
    line: int
    has_run: bool
    branches: list[list[bool]]
    """For each branch in the line whether it went each of its ways."""


class CoveredMethodBody(Model):
    name: str
    """With its class: `Cart.add`."""
    line: int
    has_run: bool


class CoveredFileBody(Model):
    path: str
    lines: list[CoveredLineBody]
    methods: list[CoveredMethodBody]


class TestLinesBody(Model):
    __test__ = False

    test: str
    """What the launch attribute `test` takes to run it again."""
    path: str
    lines: list[int]
    """Those that it has run of the file."""


class CoverageBody(Model):
    """The body of `jvmdebug/coverage`: what has run of a program that has ended."""

    is_complete: bool
    """False if the program was killed: what it ran last is missing."""
    files: list[CoveredFileBody]
    tests: list[TestLinesBody] = Field(default=[])
    """With `coverage` `perTest`: for each test and file."""


class SuspendArguments(Model):
    """Says which threads stops suspend from now on, unless the breakpoint says so."""

    suspend: Literal["all", "thread"]


class PopFrameArguments(Model):
    frame_id: int


class ThrowArguments(Model):
    """What the thread of a frame throws: an expression."""

    frame_id: int
    expression: str


class RunToArguments(Model):
    """The place to run to: an address of `disassemble`, or a location such as `shop.Cart:42`."""

    thread_id: int
    instruction_reference: str | None = None
    location: str | None = None


class StepFiltersArguments(Model):
    """Attributes that are not given stay as they are."""

    enabled: bool | None = None
    just_my_code: bool | None = None
    filters: StepFilterAttributes | None = None
    """In place of `stepFilters` of the configuration."""


class InstancesArguments(Model):
    class_name: str
    count: int = 100


class InstancesBody(Model):
    """How many objects of a class there are, and the first of them."""

    class_name: str
    count: int
    instances: list[Variable]


class KeepArguments(Model):
    """What has this reference, as `variables` and `jvmdebug/instances` give them."""

    variables_reference: int


class ReleaseArguments(Model):
    number: int


class KeptBody(Model):
    """The kept objects; the name of each is `kept` and its number."""

    objects: list[Variable]


class InstanceCountsArguments(Model):
    class_names: list[str]


class LoadedClassesArguments(Model):
    text: str = ""
    """What the names contain; a simple name, or the beginning of one, comes first."""
    count: int = Field(default=200, ge=1, le=100_000)
    """Names, at most."""


class LoadedClassesBody(Model):
    class_names: list[str]
    total: int
    """How many names have the text."""


class ClassCountBody(Model):
    class_name: str
    count: int
    is_loaded: bool
    """Whether there is a class of that name."""


class InstanceCountsBody(Model):
    counts: list[ClassCountBody]


class HistogramArguments(Model):
    count: int = Field(default=500, ge=1, le=100_000)
    """Classes, at most."""
    collect: bool = False
    """Collect garbage before, so that only what is alive is counted."""


class ClassUsageBody(Model):
    """The objects of one class, without those that they refer to."""

    class_name: str
    instances: int
    bytes: int


class HistogramBody(Model):
    """The figures of all classes together, and the classes with the most bytes."""

    class_count: int
    instances: int
    bytes: int
    classes: list[ClassUsageBody]


class HeapDumpArguments(Model):
    path: str
    """The file to write (HPROF)."""
    redact: bool = False
    """With 0 in place of all numbers and characters."""


class HeapDumpBody(Model):
    """The file that was written."""

    path: str
    objects: int
    bytes: int
    held_ms: float
    """For how long the program was held."""


class ProfileArguments(Model):
    seconds: float = Field(gt=0, le=86_400)
    kind: Literal["cpu", "wall", "alloc", "locks"] = "cpu"
    live: bool = False
    """Of allocations: only what is alive at the end."""
    path: str | None = None
    """The file to write; its name says the format, as of `Profile.write`."""


class ProfiledMethodBody(Model):
    """A method, in the unit of the profile."""

    name: str
    own: int
    """Where it is on top of the stack."""
    total: int
    """Where it is on the stack."""
    count: int
    """How often it was seen on top."""


class ProfileBody(Model):
    """A profile's summary; the file has the stacks."""

    kind: str
    unit: str
    """`nanoseconds` or `bytes`."""
    how: str
    duration_ms: float
    samples: int
    total: int
    total_text: str
    is_complete: bool
    methods: list[ProfiledMethodBody]
    path: str | None = None


class OriginsArguments(Model):
    enabled: bool = True
    """Whether it is shown where tasks were submitted."""


class ThreadDumpArguments(Model):
    frames: int = Field(default=10, ge=0, le=1000)
    """Of each thread, at most."""
    virtual_threads: int = Field(default=1000, ge=0, le=1_000_000)
    """At most."""
    consistency: Literal["all", "stacks", "none"] = "all"


class DumpedMonitor(Model):
    """A monitor that a thread holds or waits for."""

    text: str
    owner: str | None = None


class DumpedOrigin(Model):
    label: str
    frames: list[str]


class DumpedThread(Model):
    thread_id: int | None
    """As `threads` has it; None for one that has ended meanwhile."""
    name: str
    status: str
    """Also `stopped` for the thread of a stop, `suspended` for one that would run without it."""
    is_virtual: bool
    is_of_vm: bool = False
    """Whether the VM starts it for itself: `Finalizer`."""
    frames: list[str]
    frame_count: int
    holds: list[DumpedMonitor]
    waits_for: DumpedMonitor | None = None
    cpu_ms: float | None = None
    origins: list[DumpedOrigin] = Field(default=[])
    """What submitted its task, the nearest first, while that is shown (`jvmdebug/origins`)."""


class ThreadDumpBody(Model):
    """What all threads do, and the names of those that wait for each other in a circle."""

    threads: list[DumpedThread]
    deadlocks: list[list[str]]
    held_ms: float | None = None
    """For how long the program was held."""
    left_out: int = 0
    """How many virtual threads are not in it."""
    monitors_unknown: str | None = None
    """Why monitors are not known."""


class RecordingBody(Model):
    """The body of `jvmdebug/recording`: the session shows the past."""

    path: str
    started: int
    """When it was recorded: milliseconds since 1970."""


class MomentArguments(Model):
    """A moment of a recording: a record of a thread."""

    thread: int
    """The number of the thread in the recording, as `jvmdebug/recordedCalls` gives it."""
    index: int


class RecordedCallsArguments(Model):
    """The call whose calls are asked for: its thread, and the record of its beginning. Without
    them the outermost calls of all threads are.
    """

    thread: int | None = None
    parent: int | None = None


class RecordedCall(Model):
    """A call that was recorded."""

    thread: int
    thread_name: str
    index: int
    """The record of its beginning."""
    name: str
    arguments: list[str]
    result: str
    exception: str
    start_ns: int
    """Since the recording began."""
    duration_ns: int


class RecordedCallsBody(Model):
    calls: list[RecordedCall]
    is_cut: bool = False
    """Whether a thread has 500 or more."""


class RecordedWritesArguments(Model):
    name: str
    """A variable or field; with a frame what it names there, as `this.total`."""
    value: str | None = None
    """Without a frame: only writes of this value."""
    frame_id: int | None = None
    last: bool = False
    """Of a frame: only the write that gave it the value that it has there, and the last ones of
    other threads if it is not known which was last.
    """


class RecordedWrite(Model):
    """A write of a variable or a field."""

    thread: int
    thread_name: str
    index: int
    value: str
    where: str


class RecordedWritesBody(Model):
    writes: list[RecordedWrite]
    is_cut: bool = False
    """Whether there are more."""
