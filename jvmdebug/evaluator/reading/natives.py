# SPDX-License-Identifier: Apache-2.0
"""Methods that are computed here instead of by their bytecode: native ones, those whose bytecode
takes locks or reads memory, and some of String that are called most.

A function takes the machine and the arguments, and gives the result, or a generator if it has to
call methods (see `machine.Generated`). To add one: 1. the function here, 2. its line in
`FUNCTIONS`, 3. an expression with it in tests/e2e/evaluate/test_reading.py.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.evaluator.reading import memory, mirrors
from jvmdebug.evaluator.reading.numbers import int32
from jvmdebug.evaluator.reading.objects import (
    STRING,
    MissingError,
    ReadArray,
    ReadObject,
    RefusedError,
    Slot,
    ThrownError,
    new_array,
    text_of_fields,
)
from jvmdebug.model.java_text import floating_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmdebug.evaluator.reading.classes import MethodCode
    from jvmdebug.evaluator.reading.machine import Machine

_CACHING: Final = {
    "java/lang/String": "hash hashIsZero",
    "java/lang/Enum": "hash",
    "java/lang/Class": "name",
    "java/math/BigDecimal": "precision stringCache",
    "java/math/BigInteger": (
        "bitCountPlusOne bitLengthPlusOne magBitLengthPlusOne lowestSetBitPlusTwo "
        "firstNonzeroIntNumPlusTwo"
    ),
    "java/net/URI": "hash string",
    "java/util/AbstractMap": "keySet values",
    "java/util/Collections$CheckedMap": "entrySet",
    "java/util/Collections$SynchronizedMap": "keySet entrySet values",
    "java/util/Collections$UnmodifiableMap": "keySet entrySet values",
    "java/util/EnumMap": "entrySet",
    "java/util/HashMap": "entrySet",
    "java/util/Hashtable": "keySet entrySet values",
    "java/util/IdentityHashMap": "entrySet",
    "java/util/TreeMap": "entrySet navigableKeySet descendingMap",
    "java/util/TreeMap$NavigableSubMap": "descendingMapView entrySetView navigableKeySetView",
    "java/util/WeakHashMap": "entrySet",
    "java/util/concurrent/ConcurrentHashMap": "keySet values entrySet",
    "java/util/concurrent/ConcurrentSkipListMap": "keySet values entrySet descendingMap",
    "sun/nio/fs/UnixPath": "hash stringValue offsets",
}
CACHED: Final = frozenset(
    f"{owner}.{field}" for owner, fields in _CACHING.items() for field in fields.split()
)
"""Fields of the JDK that hold what a method has computed before. A call may assign them: the value
is kept for the evaluation and the program's object stays as it is.
"""


def _nothing(_machine: Machine, _arguments: list[Slot]) -> Slot:
    """A lock that is not taken, or a fence."""
    return None


def _first(_machine: Machine, arguments: list[Slot]) -> Slot:
    return arguments[0]


def _true(_machine: Machine, _arguments: list[Slot]) -> Slot:
    return 1


def _false(_machine: Machine, _arguments: list[Slot]) -> Slot:
    return 0


# --- java.lang.Object, System, arrays -------------------------------------------------------------


def _hash(machine: Machine, arguments: list[Slot]) -> Slot:
    return 0 if arguments[0] is None else machine.identity_hash(arguments[0])


def _clone(machine: Machine, arguments: list[Slot]) -> Slot:
    (original,) = arguments
    if isinstance(original, ReadArray):
        length = machine.length(original)
        machine.count_made(1 + length)
        made = new_array(original.descriptor, length)
        made.items = [machine.element(original, index) for index in range(length)]
        return made
    of_class = machine.class_of(original)
    machine.read_fields(original)
    copy = ReadObject(of_class)
    copy.fields = dict(original.fields or {})
    return copy


def _arraycopy(machine: Machine, arguments: list[Slot]) -> Slot:
    source, start, target, to, count = arguments
    if not isinstance(source, ReadArray) or not isinstance(target, ReadArray):
        if source is None or target is None:
            raise ThrownError("java/lang/NullPointerException", None)
        raise ThrownError("java/lang/ArrayStoreException", "arraycopy: no array")
    lengths = machine.length(source), machine.length(target)
    if min(start, to, count) < 0 or start + count > lengths[0] or to + count > lengths[1]:
        raise ThrownError("java/lang/ArrayIndexOutOfBoundsException", "arraycopy: out of bounds")
    if target.reference is not None or not isinstance(target.items, list):
        raise RefusedError("java.lang.System.arraycopy() writes to an array of the program")
    machine.count_made(count // 64)
    if isinstance(source.items, list):
        target.items[to : to + count] = source.items[start : start + count]
    else:
        target.items[to : to + count] = [
            machine.element(source, index) for index in range(start, start + count)
        ]
    return None


def _refers_to(machine: Machine, arguments: list[Slot]) -> Slot:
    return int(machine.field(arguments[0], "java/lang/ref/Reference.referent") is arguments[1])


# --- numbers --------------------------------------------------------------------------------------


def _bits(write: str, read: str) -> Callable[[Machine, list[Slot]], Slot]:
    def run(_machine: Machine, arguments: list[Slot]) -> Slot:
        return struct.unpack(read, struct.pack(write, arguments[0]))[0]

    return run


def _square_root(_machine: Machine, arguments: list[Slot]) -> Slot:
    number = arguments[0]
    return math.sqrt(number) if number >= 0 else number if number == 0 else math.nan


def _float_text(machine: Machine, arguments: list[Slot]) -> Slot:
    return machine.new_string(floating_text(arguments[0], is_float=True))


def _double_text(machine: Machine, arguments: list[Slot]) -> Slot:
    return machine.new_string(floating_text(arguments[0], is_float=False))


# --- java.lang.String -----------------------------------------------------------------------------


def _string_hash(machine: Machine, arguments: list[Slot]) -> Slot:
    units = machine.text(arguments[0]).encode("utf-16-be", "surrogatepass")
    machine.count_steps(len(units) // 2)
    result = 0
    for unit in struct.unpack(f">{len(units) // 2}H", units):
        result = (31 * result + unit) & 0xFFFFFFFF
    return int32(result)


def _string_equals(machine: Machine, arguments: list[Slot]) -> Slot:
    own, other = arguments
    if not isinstance(other, ReadObject) or machine.class_of(other).name != STRING:
        return 0
    return int(machine.text(own) == machine.text(other))


_LOCKS: Final = "java/util/concurrent/locks"
FUNCTIONS: Final[Mapping[str, Callable[[Machine, list[Slot]], Any]]] = {
    "java/lang/Object.hashCode": _hash,
    "java/lang/System.identityHashCode": _hash,
    "java/lang/Object.clone": _clone,
    "java/lang/System.arraycopy": _arraycopy,
    "java/lang/Throwable.fillInStackTrace": _first,
    "java/lang/StrictMath.sqrt": _square_root,
    "java/lang/Math.sqrt": _square_root,
    "java/lang/Double.doubleToRawLongBits": _bits(">d", ">q"),
    "java/lang/Double.longBitsToDouble": _bits(">q", ">d"),
    "java/lang/Float.floatToRawIntBits": _bits(">f", ">i"),
    "java/lang/Float.intBitsToFloat": _bits(">i", ">f"),
    "java/lang/Double.toString(D)Ljava/lang/String;": _double_text,
    "java/lang/Float.toString(F)Ljava/lang/String;": _float_text,
    "java/lang/String.hashCode": _string_hash,
    "java/lang/String.equals": _string_equals,
    "java/lang/StringUTF16.isBigEndian": _false,
    "java/lang/ref/Reference.refersTo0": _refers_to,
    "java/lang/ref/PhantomReference.refersTo0": _refers_to,
    "java/lang/ref/Reference.reachabilityFence": _nothing,
    "java/lang/ref/ReferenceQueue.poll": _nothing,
    **{
        f"{_LOCKS}/{lock}.{name}": _nothing
        for lock in (
            "ReentrantLock",
            "ReentrantReadWriteLock$ReadLock",
            "ReentrantReadWriteLock$WriteLock",
        )
        for name in ("lock", "unlock", "lockInterruptibly")
    },
    **memory.FUNCTIONS,
    **mirrors.FUNCTIONS,
}


def function_of(code: MethodCode) -> Callable[[Machine, list[Slot]], Any] | None:
    """What computes a method; None if its bytecode does."""
    known = FUNCTIONS.get(code.key) or FUNCTIONS.get(f"{code.key}{code.descriptor}")
    return known or memory.writing(code)


def text_of(machine: Machine, found: ReadObject) -> str:
    """The text of a String that is at hand, or MissingError."""
    if found.text is not None:
        return found.text
    if found.reference is not None:

        async def read() -> None:
            await machine.heap.read_text(found)

        raise MissingError(read)
    text = None if found.fields is None else text_of_fields(found.fields)
    if text is None:
        raise RefusedError("a string is used before it has its characters")
    return text
