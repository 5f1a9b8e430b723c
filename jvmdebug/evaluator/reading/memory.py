# SPDX-License-Identifier: Apache-2.0
"""What jdk.internal.misc.Unsafe and VarHandles read, and write to new arrays: see `natives`.

Elements of arrays have known offsets, those of Unsafe's own constants; fields of objects have not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Literal

from jvmdebug.evaluator.reading.arrays import ReadArray, new_array
from jvmdebug.evaluator.reading.errors import RefusedError, ThrownError, UnreadableError
from jvmdebug.evaluator.reading.numbers import int8
from jvmdebug.evaluator.reading.objects import ReadObject

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmdebug.evaluator.reading.method_code import MethodCode
    from jvmdebug.evaluator.reading.object_access import Objects
    from jvmdebug.evaluator.reading.slots import Slot

_UNSAFE: Final = "jdk/internal/misc/Unsafe"
_KINDS: Final = {
    "Z": "Boolean", "B": "Byte", "C": "Char", "S": "Short",
    "I": "Int", "J": "Long", "F": "Float", "D": "Double",
}  # fmt: skip
_SIZES: Final = {"Byte": 1, "Boolean": 1, "Char": 2, "Short": 2, "Int": 4, "Long": 8}
_WRITING: Final = re.compile(r"getAnd|(weakC|c)ompareAnd|put|copy|setMemory|free|allocateM")
_READS: Final = ("get", "getAcquire", "getOpaque", "getVolatile")
_WRITES: Final = ("set", "setRelease", "setOpaque", "setVolatile")
_FIELD_HANDLE: Final = "$FieldInstance"
_BYTES_HANDLE: Final = re.compile(r"VarHandleByteArrayAs(\w+)s\$ArrayHandle")
_KIND_OF_HANDLE: Final = {
    "Booleans": "Z", "Bytes": "B", "Chars": "C", "Shorts": "S",
    "Ints": "I", "Longs": "J", "Floats": "F", "Doubles": "D",
}  # fmt: skip


def _place(objects: Objects, array: Slot, offset: int, method: str) -> tuple[ReadArray, int, str]:
    """The array that memory at an offset of an object is in, the index, and the kind of its
    elements.
    """
    if not isinstance(array, ReadArray):
        raise UnreadableError(f"jdk.internal.misc.Unsafe.{method}() reads memory")
    objects.length(array)
    kind = _KINDS.get(array.descriptor[1], "Object")
    unsafe = objects.bootstrap(_UNSAFE)
    base = objects.static(unsafe, f"ARRAY_{kind.upper()}_BASE_OFFSET")
    scale = objects.static(unsafe, f"ARRAY_{kind.upper()}_INDEX_SCALE")
    index, rest = divmod(offset - base, scale)
    if rest:
        raise UnreadableError(f"jdk.internal.misc.Unsafe.{method}() reads memory")
    return array, index, kind


def _read(objects: Objects, array: ReadArray, index: int, kind: str, *, is_big: bool) -> Slot:
    """A number in several bytes of an array."""
    size = _SIZES.get(kind, 0)
    if array.descriptor != "[B" or not size:
        raise UnreadableError("jdk.internal.misc.Unsafe reads memory")
    content = bytes(objects.element(array, at) & 0xFF for at in range(index, index + size))
    order: Literal["big", "little"] = "big" if is_big else "little"
    return int.from_bytes(content, order, signed=kind != "Char")


def _write(array: ReadArray, index: int, value: int, kind: str, *, is_big: bool) -> None:
    """The same for an array that the call has made."""
    size = _SIZES.get(kind, 0)
    if array.reference is not None or array.descriptor != "[B" or not size:
        raise RefusedError("jdk.internal.misc.Unsafe writes memory")
    order: Literal["big", "little"] = "big" if is_big else "little"
    content = (value & ((1 << (8 * size)) - 1)).to_bytes(size, order)
    if not 0 <= index <= array.length - size:
        raise ThrownError("java/lang/IndexOutOfBoundsException", str(index))
    for at, each in enumerate(content):
        array.items[index + at] = int8(each)


def _unsafe_get(kind: str) -> Callable[[Objects, list[Slot]], Slot]:
    """Unsafe.getInt(array, offset) and the like; a last argument says whether it is big-endian."""

    def run(objects: Objects, arguments: list[Slot]) -> Slot:
        if len(arguments) < 3:
            raise UnreadableError(f"jdk.internal.misc.Unsafe.get{kind}() reads memory")
        array, index, own = _place(objects, arguments[1], arguments[2], f"get{kind}")
        if own == kind or (own == "Object" and kind in ("Object", "Reference")):
            return objects.element(array, index)
        return _read(objects, array, index, kind, is_big=bool(arguments[3:] and arguments[3]))

    return run


def _unsafe_put(kind: str) -> Callable[[Objects, list[Slot]], Slot]:
    def run(objects: Objects, arguments: list[Slot]) -> Slot:
        if len(arguments) < 4:
            raise RefusedError(f"jdk.internal.misc.Unsafe.put{kind}() writes memory")
        array, index, _ = _place(objects, arguments[1], arguments[2], f"put{kind}")
        _write(array, index, arguments[3], kind, is_big=bool(arguments[4:] and arguments[4]))

    return run


def writing(code: MethodCode) -> Callable[[Objects, list[Slot]], Slot] | None:
    """What refuses a method that writes memory and is not in `FUNCTIONS`; None for others."""
    if code.of_class.name != _UNSAFE or not _WRITING.match(code.name):
        return None

    def run(_objects: Objects, _arguments: list[Slot]) -> Slot:
        raise RefusedError(f"{code.label} writes memory")

    return run


def _new_array(objects: Objects, arguments: list[Slot]) -> Slot:
    """Unsafe.allocateUninitializedArray(byte.class, 5)"""
    kind, length = objects.mirrored(arguments[1]), arguments[2]
    if not isinstance(kind, str) or length < 0:
        raise ThrownError("java/lang/IllegalArgumentException", "Component type is not primitive")
    objects.count_made(1 + length)
    return new_array(f"[{kind}", length)


def _no_mismatch(_objects: Objects, arguments: list[Slot]) -> Slot:
    """None was found in the first 0 elements, so the caller compares them all itself."""
    return ~arguments[4]


def _nothing(_objects: Objects, _arguments: list[Slot]) -> Slot:
    """A fence."""
    return None


# --- handles --------------------------------------------------------------------------------------


def polymorphic(owner: str, name: str) -> Callable[[Objects, list[Slot]], Slot] | None:
    """What computes a call of a signature-polymorphic method; None for other methods."""
    if owner == "java/lang/invoke/VarHandle":
        if name in _READS:
            return _variable
        if name in _WRITES:
            return _set_variable
        return _refuse_variable if _WRITING.match(name) else None
    if owner == "java/lang/invoke/MethodHandle" and name in ("invoke", "invokeExact"):
        return _refuse_handle
    return None


def _refuse_variable(_objects: Objects, _arguments: list[Slot]) -> Slot:
    raise RefusedError("a java.lang.invoke.VarHandle writes memory")


def _refuse_handle(_objects: Objects, _arguments: list[Slot]) -> Slot:
    raise UnreadableError("java.lang.invoke.MethodHandle.invoke() is native")


def _handle(objects: Objects, arguments: list[Slot]) -> tuple[ReadObject, str]:
    handle = arguments[0]
    if not isinstance(handle, ReadObject):
        raise ThrownError("java/lang/NullPointerException", "the VarHandle is null")
    return handle, objects.class_of(handle).name


def _part(objects: Objects, handle: ReadObject, name: str) -> Slot:
    """A field of a handle, whichever of its classes has it."""
    for key, value in objects.read_fields(handle).items():
        if key.rpartition(".")[2] == name:
            return value
    raise UnreadableError(f"a VarHandle has no {name}")


def _variable(objects: Objects, arguments: list[Slot]) -> Slot:
    """The variable that a VarHandle reads: an element, a number in bytes, or a field that is the
    only one of its type in the class.
    """
    handle, name = _handle(objects, arguments)
    of = arguments[1] if len(arguments) > 1 else None
    if isinstance(of, ReadArray) and len(arguments) == 3:
        in_bytes = _BYTES_HANDLE.search(name)
        if in_bytes is not None:
            is_big = bool(_part(objects, handle, "be"))
            return _read(objects, of, arguments[2], in_bytes[1], is_big=is_big)
        if name.endswith("$Array"):
            return objects.element(of, arguments[2])
    if _FIELD_HANDLE in name and len(arguments) == 2 and isinstance(of, ReadObject):
        holder = objects.mirrored(_part(objects, handle, "receiverType"))
        wide = name.removeprefix("java/lang/invoke/VarHandle").partition("$")[0]
        kind = _KIND_OF_HANDLE.get(wide, "L")
        fields = [
            field
            for field in (() if isinstance(holder, str) else holder.fields)
            if not field.is_static and field.signature[0].replace("[", "L") == kind
        ]
        if len(fields) == 1 and not isinstance(holder, str):
            return objects.field(of, f"{holder.name}.{fields[0].name}")
    raise UnreadableError("java.lang.invoke.VarHandle.get() reads memory")


def _set_variable(objects: Objects, arguments: list[Slot]) -> Slot:
    """Assigns a number in bytes of an array that the call has made."""
    handle, name = _handle(objects, arguments)
    in_bytes = _BYTES_HANDLE.search(name)
    array = arguments[1] if len(arguments) == 4 else None
    if in_bytes is None or not isinstance(array, ReadArray):
        raise RefusedError("java.lang.invoke.VarHandle.set() writes memory")
    is_big = bool(_part(objects, handle, "be"))
    _write(array, arguments[2], arguments[3], in_bytes[1], is_big=is_big)
    return None


FUNCTIONS: Final[Mapping[str, Callable[[Objects, list[Slot]], Any]]] = {
    f"{_UNSAFE}.allocateUninitializedArray": _new_array,
    "jdk/internal/util/ArraysSupport.vectorizedMismatch": _no_mismatch,
    **{
        f"{_UNSAFE}.get{kind}{mode}": _unsafe_get(kind)
        for kind in (*_KINDS.values(), "Reference", "Object")
        for mode in ("", "Acquire", "Volatile", "Opaque", "Unaligned")
    },
    **{
        f"{_UNSAFE}.put{kind}{mode}": _unsafe_put(kind)
        for kind in _SIZES
        for mode in ("", "Unaligned")
    },
    **{
        f"{owner}.{name}Fence": _nothing
        for owner in (_UNSAFE, "java/lang/invoke/VarHandle")
        for name in ("load", "store", "full", "acquire", "release", "loadLoad", "storeStore")
    },
}
