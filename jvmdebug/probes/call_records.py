# SPDX-License-Identifier: Apache-2.0
"""Calls of methods that the program records itself: the probes of these methods, and the meaning of
their records.

Called by `observing.recorded_calls`.
"""

from __future__ import annotations

import asyncio
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.probes.codegen.call_code import entry_check, return_check
from jvmdebug.probes.codegen.members import NotCompiledError
from jvmdebug.probes.completing import complete
from jvmdebug.probes.numbers import ProbeNumbers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from jvmdebug.jdwp.ids import RequestId
    from jvmdebug.model.method import Method
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.probes.codegen.check_form import Check

_HEAD: Final = struct.Struct(">ii")
_LONG: Final = struct.Struct(">q")
_INT: Final = struct.Struct(">i")


@dataclass(frozen=True, slots=True)
class RecordedObject:
    """An object of the program, as a record describes it."""

    signature: str
    """The descriptor of its class: `Lshop/Cart;`."""
    hash_code: int
    length: int | None = None
    """The length of an array; None for other objects."""


@dataclass(frozen=True, slots=True)
class RecordedBox:
    """A box of a primitive value, such as an `Integer`."""

    letter: str
    """The type of its value, as the letter of a descriptor."""
    bits: int


@dataclass(frozen=True, slots=True)
class RecordedEnum:
    """A constant of an enum."""

    signature: str
    """The descriptor of its class."""
    name: str


RecordedValue: TypeAlias = int | str | RecordedObject | RecordedBox | RecordedEnum | None
"""The bits of a number, a string, an object of another kind, or null."""


@dataclass(frozen=True, slots=True)
class CallRecord:
    """A record of a method that was entered or returns."""

    format: int
    thread: int
    """The index of its thread in the reply."""
    time_ns: int
    """The time by the program's System.nanoTime()."""
    number: int
    """The number of the record among all of its thread, including those that found no room."""
    values: tuple[RecordedValue, ...]


def call_records(records: bytes, formats: Collection[int]) -> Iterator[CallRecord]:
    """Returns the records with these formats among those that Probes.ReadLog returned."""
    at = 0
    while at < len(records):
        number, thread = _HEAD.unpack_from(records, at)
        values, at = _values(records, at + _HEAD.size)
        if number in formats:
            time_ns, counted, *others = values
            if isinstance(time_ns, int) and isinstance(counted, int):
                yield CallRecord(number, thread, time_ns, counted, tuple(others))


def _values(records: bytes, at: int) -> tuple[list[RecordedValue], int]:
    found: list[RecordedValue] = []
    while True:
        tag, at = records[at], at + 1
        match tag:
            case 0:
                found.append(None)
            case 1:
                found.append(_LONG.unpack_from(records, at)[0])
                at += _LONG.size
            case 2:
                text, at = _text(records, at)
                found.append(text)
            case 4 | 7:
                hash_code = _INT.unpack_from(records, at)[0]
                signature, at = _text(records, at + _INT.size)
                length = None
                if tag == 7:
                    length = _INT.unpack_from(records, at)[0]
                    at += _INT.size
                found.append(RecordedObject(signature, hash_code, length))
            case 5:
                found.append(RecordedBox(chr(records[at]), _LONG.unpack_from(records, at + 1)[0]))
                at += 1 + _LONG.size
            case 6:
                signature, at = _text(records, at)
                name, at = _text(records, at)
                found.append(RecordedEnum(signature, name))
            case _:
                return found, at


def _text(records: bytes, at: int) -> tuple[str, int]:
    length = _INT.unpack_from(records, at)[0]
    end = at + _INT.size + length
    return records[at + _INT.size : end].decode("utf-8", "surrogatepass"), end


@dataclass(frozen=True, slots=True)
class MethodFormats:
    """The formats of the records of one method."""

    entry: int
    returned: int


@dataclass(frozen=True, slots=True)
class RecordedMethod:
    """What to record of one method."""

    method: Method
    request: RequestId
    """The request of a breakpoint at its first instruction."""
    arguments: tuple[tuple[int, str], ...]
    """The slots and descriptors of its arguments."""
    formats: MethodFormats
    returns: tuple[int, ...]
    """The code indexes of its return instructions."""


async def record_methods(vm: VirtualMachine, methods: Sequence[RecordedMethod]) -> list[str | None]:
    """Have the program record the calls of methods, changing up to a hundred classes at once.
    Returns for each method why its calls cannot be recorded, or None.
    """
    reasons = await asyncio.gather(*(_record(vm, each) for each in methods))
    tried = list(zip(methods, reasons, strict=True))
    refused = await complete(vm, [each.request for each, reason in tried if reason is None])
    return [refused.get(each.request, reason) for each, reason in tried]


async def _record(vm: VirtualMachine, recorded: RecordedMethod) -> str | None:
    try:
        entry, companions = _checks(vm, recorded)
    except NotCompiledError as error:
        return str(error)
    installed = await vm.request(
        wire.Install(
            request_id=int(recorded.request),
            number=entry.number,
            name=entry.name,
            descriptor=entry.descriptor,
            class_file=entry.class_file,
            loads=tuple(wire.Install.Load(ord(each.kind), each.slot) for each in entry.loads),
            calls_methods=False,
            writes_log=True,
            deferred=True,
            shares=0,
            given=(),
            companions=companions,
        )
    )
    return None if installed.installed else installed.reason


def _checks(
    vm: VirtualMachine, recorded: RecordedMethod
) -> tuple[Check, tuple[wire.Install.Companion, ...]]:
    numbers = vm.companion(ProbeNumbers)
    signature = recorded.method.declaring_type.signature
    number = numbers.take()
    entry = entry_check(
        number, numbers.name(signature, number), recorded.formats.entry, recorded.arguments
    )
    companions: list[wire.Install.Companion] = []
    end: Check | None = None
    for index in recorded.returns:
        number = numbers.take()
        is_first = end is None
        if end is None:  # all returns share one check
            returned = recorded.formats.returned
            name = numbers.name(signature, number)
            end = return_check(number, name, returned, recorded.method)
        companions.append(
            wire.Install.Companion(
                index,
                number,
                end.name,
                end.descriptor,
                end.class_file if is_first else b"",
                tuple(wire.Install.Companion.Load(ord(each.kind), each.slot) for each in end.loads),
            )
        )
    return entry, tuple(companions)
