# SPDX-License-Identifier: Apache-2.0
"""Calls that the program records itself, without a stop: which methods, and their open calls.

Each record says where a thread is: so a call is over when one of an outer method comes, too, though
its own return was not seen. Called by `trace`.
"""

from __future__ import annotations

import asyncio
import struct
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

from jvmdebug.breakpoints.log_drain import LogDrain
from jvmdebug.classfile.descriptors import java_name, simple_name
from jvmdebug.errors import ClassFileError, VmError
from jvmdebug.jdwp.ids import ObjectId, ThreadId
from jvmdebug.model.frame import Frame
from jvmdebug.model.primitives import BOXES, PrimitiveKind, PrimitiveValue
from jvmdebug.model.thread_names import name_of_ended
from jvmdebug.observing.observed import (
    NamedValue,
    ObservedValue,
    observed_primitive,
    observed_string,
)
from jvmdebug.observing.returns import MethodReturns
from jvmdebug.printable import one_line
from jvmdebug.probes import NotCompiledError, silence
from jvmdebug.probes.call_records import (
    MethodFormats,
    RecordedBox,
    RecordedEnum,
    RecordedMethod,
    RecordedObject,
    record_methods,
)
from jvmdebug.probes.codegen.check import CALLED_BY_CHECKS
from jvmdebug.probes.numbers import ProbeNumbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.breakpoints.log_drain import Patience
    from jvmdebug.display import ValueStyle
    from jvmdebug.jdwp.ids import RequestId
    from jvmdebug.model.location import Location
    from jvmdebug.model.method import Method
    from jvmdebug.model.thread import Thread
    from jvmdebug.observing.observations import Observations
    from jvmdebug.probes.call_records import CallRecord, RecordedValue

_IN_USE: Final = "a thread runs the method now"
_TRIES: Final = 20
_PAUSE_S: Final = 0.01


class Recorder(Protocol):
    """The trace, as far as it is told here."""

    async def about_to_record(self, method: Method) -> None:
        """Prepares to record. Its calls may have stopped until now: no request is to be in it but
        that at its entry.
        """

    def call_began(self, at: RecordedAt, method: Method, arguments: Arguments) -> None:
        """A thread has entered a method."""

    def call_returned(
        self,
        at: RecordedAt,
        method: Method,
        result: ObservedValue | None,
        this: ObservedValue | None = None,
    ) -> None:
        """Called when it is about to return. `this`: what a constructor has made."""

    def calls_lost(self, thread: Thread, count: int) -> None:
        """Called when the thread may be anywhere, as so many entries and returns are missing."""


@dataclass(frozen=True, slots=True)
class RecordedAt:
    """Tells who it was, and when by the program's clock."""

    thread: Thread
    thread_name: str
    time_ns: int


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a method was called with."""

    this: ObservedValue | None
    values: tuple[NamedValue, ...]


@dataclass(frozen=True, slots=True)
class _Recorded:
    method: Method
    names: tuple[str, ...] = ()
    descriptors: tuple[str, ...] = ()
    has_this: bool = False
    is_entry: bool = True


class RecordedCalls:
    """The methods of one trace whose calls the program records."""

    def __init__(self, observations: Observations, style: ValueStyle, recorder: Recorder) -> None:
        self._observations = observations
        self._style = style
        self._recorder = recorder
        self._formats: dict[int, _Recorded] = {}
        self._of_methods: dict[Method, RequestId] = {}
        self._names: dict[str, str] = {}
        """Of threads, as they are shown."""
        self.why_not: dict[Method, str] = {}
        """Why the calls of a method are not recorded."""

    @property
    def why_none(self) -> str | None:
        """Why no calls are recorded at all."""
        return self._observations.breakpoints.checker.why_no_records

    def has(self, method: Method) -> bool:
        """Whether the calls of the method are recorded, or are not yet known not to be."""
        if method.is_native:
            self.why_not[method] = "the method is native"
        return method not in self.why_not

    async def record_calls(self, entries: Sequence[tuple[Location, RequestId]]) -> list[str | None]:
        """See `breakpoints.CallRecorder`."""
        reasons: dict[Method, str | None] = {}
        wanted: list[RecordedMethod] = []
        prepared = await asyncio.gather(*(self._prepared(*each) for each in entries))
        for (code, _), found in zip(entries, prepared, strict=True):
            if isinstance(found, RecordedMethod):
                wanted.append(found)
            else:
                reasons[code.method] = found
        reasons.update(await self._install(wanted))
        for code, request in entries:
            reason = reasons[code.method]
            if reason is None:
                self._of_methods[code.method] = request
                self.why_not.pop(code.method, None)
            else:
                self.why_not[code.method] = reason
        return [reasons[code.method] for code, _ in entries]

    async def _install(self, wanted: Sequence[RecordedMethod]) -> dict[Method, str | None]:
        """Installs the probes. Methods that a thread is just about to enter are tried again."""
        reasons: dict[Method, str | None] = {}
        for _ in range(_TRIES):
            if not wanted:
                break
            told = await record_methods(self._observations.vm, wanted)
            reasons.update(zip((each.method for each in wanted), told, strict=True))
            wanted = [each for each in wanted if (reasons[each.method] or "").startswith(_IN_USE)]
            if wanted:
                await asyncio.sleep(_PAUSE_S)
        return reasons

    async def _prepared(self, code: Location, request: RequestId) -> RecordedMethod | str | None:
        """What is to be recorded, or why that cannot be; None: it is recorded already."""
        if self._of_methods.get(code.method) == request:
            return None
        await self._recorder.about_to_record(code.method)
        try:
            return await self._recorded_method(code, request)
        except (NotCompiledError, ClassFileError, VmError) as error:
            return str(error)

    async def _recorded_method(self, code: Location, request: RequestId) -> RecordedMethod | str:
        vm, method = self._observations.vm, code.method
        if method.declaring_type.name in CALLED_BY_CHECKS:
            return "what records calls uses this class itself"
        returns = await MethodReturns.of(method)
        if returns.is_jumped_to(code.index):
            return "a loop comes back to its first instruction"
        frame = Frame(vm.thread(ThreadId(ObjectId(0))), 0, code, None, 0, (0, 0))
        found = [each for each in await frame.variables() if each.is_argument]
        found.sort(key=lambda each: each.slot)
        has_this = not (method.is_static or method.is_constructor)
        slots = [(0, "Ljava/lang/Object;")] if has_this else []
        slots += [(each.slot, each.signature) for each in found]
        numbers = vm.companion(ProbeNumbers)
        formats = MethodFormats(numbers.take_format(), numbers.take_format())
        names = tuple(one_line(each.name) for each in found)
        descriptors = tuple(descriptor for _, descriptor in slots)
        self._formats[formats.entry] = _Recorded(method, names, descriptors, has_this=has_this)
        self._formats[formats.returned] = _Recorded(method, is_entry=False)
        self._observations.breakpoints.checker.add_calls((formats.entry, formats.returned), self)
        return RecordedMethod(method, request, tuple(slots), formats, returns.indexes)

    async def end(self) -> None:
        """Be told of what was recorded until now, or of its beginning if that is much: no more is
        recorded, or a hot program would write faster than this reads.
        """
        await silence(self._observations.vm, tuple(self._of_methods.values()))
        await self.flush(patience="some")

    async def close(self) -> None:
        """The requests at the entries have been cleared, and the checks with them."""
        self._observations.vm.companion(LogDrain).forget_calls(self)
        await self.flush()  # the ring would keep objects of the program

    async def flush(self, *, patience: Patience = "all") -> None:
        """Be told of what has been recorded until now."""
        await self._observations.breakpoints.checker.flush_logs(patience=patience)

    # What the drain tells

    def record(self, thread: Thread, thread_name: str, record: CallRecord) -> None:
        """Takes a record, in the order of its thread."""
        of = self._formats.get(record.format)
        if of is None:
            return
        name = self._names.get(thread_name)
        if name is None:
            name = self._names[thread_name] = one_line(thread_name)
        at = RecordedAt(thread, name or name_of_ended(thread.id), record.time_ns)
        if of.is_entry:
            values = [
                self._observed(value, descriptor)
                for value, descriptor in zip(record.values, of.descriptors, strict=True)
            ]
            this = values.pop(0) if of.has_this else None
            named = tuple(map(NamedValue, of.names, values))
            self._recorder.call_began(at, of.method, Arguments(this, named))
            return
        value = None
        if record.values:
            value = self._observed(record.values[0], of.method.return_type)
        if of.method.is_constructor:
            self._recorder.call_returned(at, of.method, None, this=value)
        else:
            self._recorder.call_returned(at, of.method, value)

    def lost(self, thread: Thread, count: int) -> None:
        """Notes that so many were left out."""
        self._recorder.calls_lost(thread, count)

    def _observed(self, value: RecordedValue, descriptor: str) -> ObservedValue:
        match value:
            case None:
                return ObservedValue("null", "null")
            case str():
                return observed_string(value, self._style)
            case RecordedObject():
                return _object(value)
            case RecordedBox():
                kind = PrimitiveKind(value.letter)
                held = observed_primitive(PrimitiveValue(kind, _number(value.bits, kind)))
                return replace(held, type_name=BOXES[kind])
            case RecordedEnum():
                name = java_name(value.signature)
                return ObservedValue(one_line(value.name), one_line(name))
        kind = PrimitiveKind(descriptor)
        return observed_primitive(PrimitiveValue(kind, _number(value, kind)))


def _object(value: RecordedObject) -> ObservedValue:
    name = java_name(value.signature)
    if value.length is None:
        shown = simple_name(name)
    else:  # of `int[][]` the first length is known
        element, brackets, inner = simple_name(name).partition("[]")
        shown = f"{element}[{value.length}]{inner}" if brackets else element
    text = f"{shown}@{value.hash_code & 0xFFFFFFFF:x}"
    return ObservedValue(one_line(text), one_line(name))


def _number(bits: int, kind: PrimitiveKind) -> bool | int | float:
    match kind:
        case PrimitiveKind.BOOLEAN:
            return bits != 0
        case PrimitiveKind.FLOAT:
            return float(struct.unpack(">f", struct.pack(">i", bits))[0])
        case PrimitiveKind.DOUBLE:
            return float(struct.unpack(">d", struct.pack(">q", bits))[0])
        case _:
            return bits
