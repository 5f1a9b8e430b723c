# SPDX-License-Identifier: Apache-2.0
"""Methods that are computed here instead of by their bytecode: native ones, those whose bytecode
takes locks or reads memory, and some of String that are called most.

A function takes the objects and the arguments, and gives the result, or a generator if it has to
call methods (see `frame.Generated`). To add one: 1. the function here, 2. its line in
`FUNCTIONS`, 3. an expression with it in tests/e2e/evaluate/test_reading.py.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.evaluator.reading import memory, mirrors
from jvmdebug.evaluator.reading.arrays import ReadArray, new_array
from jvmdebug.evaluator.reading.dynamic import VirtualCall
from jvmdebug.evaluator.reading.errors import RefusedError, ThrownError
from jvmdebug.evaluator.reading.numbers import int32
from jvmdebug.evaluator.reading.objects import STRING, ReadObject
from jvmdebug.model.java_text import floating_text

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from jvmdebug.evaluator.reading.method_code import MethodCode
    from jvmdebug.evaluator.reading.object_access import Objects
    from jvmdebug.evaluator.reading.slots import Slot

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
    "jdk/internal/access/SharedSecrets": "javaUtilCollectionAccess",
    "sun/nio/fs/UnixPath": "hash stringValue offsets",
}
CACHED: Final = frozenset(
    f"{owner}.{field}" for owner, fields in _CACHING.items() for field in fields.split()
)
"""Fields of the JDK that hold what a method has computed before. A call may assign them: the value
is kept for the evaluation and the program's object stays as it is.
"""


def _nothing(_objects: Objects, _arguments: list[Slot]) -> Slot:
    """A lock that is not taken, or a fence."""
    return None


def _first(_objects: Objects, arguments: list[Slot]) -> Slot:
    return arguments[0]


def _true(_objects: Objects, _arguments: list[Slot]) -> Slot:
    return 1


def _false(_objects: Objects, _arguments: list[Slot]) -> Slot:
    return 0


# --- java.lang.Object, System, arrays -------------------------------------------------------------


def _hash(objects: Objects, arguments: list[Slot]) -> Slot:
    return 0 if arguments[0] is None else objects.identity_hash(arguments[0])


def _clone(objects: Objects, arguments: list[Slot]) -> Slot:
    (original,) = arguments
    if isinstance(original, ReadArray):
        length = objects.length(original)
        objects.count_made(1 + length)
        made = new_array(original.descriptor, length)
        made.items = [objects.element(original, index) for index in range(length)]
        return made
    of_class = objects.class_of(original)
    objects.read_fields(original)
    copy = ReadObject(of_class)
    copy.fields = dict(original.fields or {})
    return copy


def _arraycopy(objects: Objects, arguments: list[Slot]) -> Slot:
    source, start, target, to, count = arguments
    if not isinstance(source, ReadArray) or not isinstance(target, ReadArray):
        if source is None or target is None:
            raise ThrownError("java/lang/NullPointerException", None)
        raise ThrownError("java/lang/ArrayStoreException", "arraycopy: no array")
    lengths = objects.length(source), objects.length(target)
    if min(start, to, count) < 0 or start + count > lengths[0] or to + count > lengths[1]:
        raise ThrownError("java/lang/ArrayIndexOutOfBoundsException", "arraycopy: out of bounds")
    if target.reference is not None or not isinstance(target.items, list):
        raise RefusedError("java.lang.System.arraycopy() writes to an array of the program")
    objects.count_made(count // 64)
    if isinstance(source.items, list):
        target.items[to : to + count] = source.items[start : start + count]
    else:
        target.items[to : to + count] = [
            objects.element(source, index) for index in range(start, start + count)
        ]
    return None


def _privileged(_objects: Objects, arguments: list[Slot]) -> Generator[Any, Any, Slot]:
    """AccessController.doPrivileged: there is nobody to be kept from anything."""
    return (yield VirtualCall(arguments[0], "run", "()Ljava/lang/Object;"))


def _refers_to(objects: Objects, arguments: list[Slot]) -> Slot:
    return int(objects.field(arguments[0], "java/lang/ref/Reference.referent") is arguments[1])


# --- numbers --------------------------------------------------------------------------------------


def _bits(write: str, read: str) -> Callable[[Objects, list[Slot]], Slot]:
    def run(_objects: Objects, arguments: list[Slot]) -> Slot:
        return struct.unpack(read, struct.pack(write, arguments[0]))[0]

    return run


def _square_root(_objects: Objects, arguments: list[Slot]) -> Slot:
    number = arguments[0]
    return math.sqrt(number) if number >= 0 else number if number == 0 else math.nan


def _floating_text(objects: Objects, number: Slot, *, is_float: bool) -> str:
    is_older = objects.heap.vm.version.writes_numbers_longer
    return floating_text(number, is_float=is_float, is_older=is_older)


def _float_text(objects: Objects, arguments: list[Slot]) -> Slot:
    return objects.new_string(_floating_text(objects, arguments[0], is_float=True))


def _double_text(objects: Objects, arguments: list[Slot]) -> Slot:
    return objects.new_string(_floating_text(objects, arguments[0], is_float=False))


def _append_float(objects: Objects, arguments: list[Slot]) -> Generator[Any, Any, Slot]:
    return _append(objects, arguments[0], _floating_text(objects, arguments[1], is_float=True))


def _append_double(objects: Objects, arguments: list[Slot]) -> Generator[Any, Any, Slot]:
    return _append(objects, arguments[0], _floating_text(objects, arguments[1], is_float=False))


def _append(objects: Objects, builder: Slot, text: str) -> Generator[Any, Any, Slot]:
    """Older JDKs make the text in a buffer that the thread keeps."""
    made = yield lambda: objects.new_string(text)
    return (yield VirtualCall(builder, "append", _APPEND, (made,)))


# --- java.lang.String -----------------------------------------------------------------------------


def _string_hash(objects: Objects, arguments: list[Slot]) -> Slot:
    units = objects.text(arguments[0]).encode("utf-16-be", "surrogatepass")
    objects.count_steps(len(units) // 2)
    result = 0
    for unit in struct.unpack(f">{len(units) // 2}H", units):
        result = (31 * result + unit) & 0xFFFFFFFF
    return int32(result)


def _string_equals(objects: Objects, arguments: list[Slot]) -> Slot:
    own, other = arguments
    if not isinstance(other, ReadObject) or objects.class_of(other).name != STRING:
        return 0
    return int(objects.text(own) == objects.text(other))


_APPEND: Final = "(Ljava/lang/String;)Ljava/lang/AbstractStringBuilder;"
_LOCKS: Final = "java/util/concurrent/locks"
FUNCTIONS: Final[Mapping[str, Callable[[Objects, list[Slot]], Any]]] = {
    "java/lang/Object.hashCode": _hash,
    "java/lang/System.identityHashCode": _hash,
    "java/lang/Object.clone": _clone,
    "java/lang/System.arraycopy": _arraycopy,
    "java/lang/Throwable.fillInStackTrace": _first,
    "java/security/AccessController.doPrivileged(Ljava/security/PrivilegedAction;)"
    "Ljava/lang/Object;": _privileged,
    "jdk/internal/misc/CDS.initializeFromArchive": _nothing,
    "jdk/internal/misc/VM.initializeFromArchive": _nothing,
    "java/lang/StrictMath.sqrt": _square_root,
    "java/lang/Math.sqrt": _square_root,
    "java/lang/Double.doubleToRawLongBits": _bits(">d", ">q"),
    "java/lang/Double.longBitsToDouble": _bits(">q", ">d"),
    "java/lang/Float.floatToRawIntBits": _bits(">f", ">i"),
    "java/lang/Float.intBitsToFloat": _bits(">i", ">f"),
    "java/lang/Double.toString(D)Ljava/lang/String;": _double_text,
    "java/lang/Float.toString(F)Ljava/lang/String;": _float_text,
    "java/lang/AbstractStringBuilder.append(D)Ljava/lang/AbstractStringBuilder;": _append_double,
    "java/lang/AbstractStringBuilder.append(F)Ljava/lang/AbstractStringBuilder;": _append_float,
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


def function_of(code: MethodCode) -> Callable[[Objects, list[Slot]], Any] | None:
    """What computes a method; None if its bytecode does."""
    known = FUNCTIONS.get(code.key) or FUNCTIONS.get(f"{code.key}{code.descriptor}")
    return known or memory.writing(code)
