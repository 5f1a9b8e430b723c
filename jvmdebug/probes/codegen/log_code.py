# SPDX-License-Identifier: Apache-2.0
"""The code of a log point: its check writes a record (native/agent/probes/log_ring.h).

    values of the message, in local variables
    ring = JvmdebugProbeLog.ring; if (ring == null) { lost++; return; }
    do { at = ring.tail.get(); if (at + size - ring.head.get() > room) { lost++; return; } }
    while (!ring.tail.compareAndSet(at, at + size));
    ring.values[at] = header; ring.objects[at] = thread; ring.values[at + 1] = …; fence;
    ring.published[at] = at + 1;

Between taking the place and publishing it, nothing is called that could fail or wait. The static
type alone decides how a value is shown: primitives, their boxes and strings are written as they
are, other objects as string concatenation has them. Arrays, and what may be one, raise
NotCompiledError, and the debugger writes the message. Called by `check`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.opcodes import Op
from jvmdebug.classfile.writer import Label
from jvmdebug.evaluator.bind import bound
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import PrimitiveType
from jvmdebug.probes.codegen.code import class_operand, kind_of
from jvmdebug.probes.codegen.counting import COUNTER, Counters
from jvmdebug.probes.codegen.members import NotCompiledError
from jvmdebug.probes.codegen.values import unbox

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmdebug.classfile.writer import CodeWriter
    from jvmdebug.evaluator.symbols.types import JavaType
    from jvmdebug.probes.codegen.code import ExpressionCode

_RING: Final = "java/lang/JvmdebugProbeLog"
_CAPACITY: Final = 1 << 18
MOST_VALUES: Final = 14
_STRING: Final = "s"
_NUMBER_KIND, _STRING_KIND, _NULLABLE_KIND = 0, 1, 2
_LONGS, _OBJECTS = "[J", "[Ljava/lang/Object;"
_BITS: Final = {
    "F": ("java/lang/Float", "floatToRawIntBits", "(F)I"),
    "D": ("java/lang/Double", "doubleToRawLongBits", "(D)J"),
}
_OF_ARRAYS: Final = frozenset({"java.lang.Object", "java.lang.Cloneable", "java.io.Serializable"})
"""The types that an array may have too."""
_BOXES: Final[Mapping[JavaType, PrimitiveType]] = {
    types.boxed(each): each for each in types.PRIMITIVES.values()
}


@dataclass(frozen=True, slots=True)
class LogFormat:
    """The meaning of records with this number: texts in UTF-8, and the letters of the types of
    values, `s` for strings.
    """

    number: int
    parts: tuple[bytes | str, ...]


@dataclass(frozen=True, slots=True)
class BoundLog:
    """A message whose expressions have been bound."""

    number: int
    """The number of its format."""
    parts: tuple[str | bound.Bound, ...]

    @property
    def values(self) -> list[bound.Bound]:
        """The expressions of the message."""
        return [each for each in self.parts if not isinstance(each, str)]

    def format(self) -> LogFormat:
        """The format. Raises NotCompiledError for a value that only the debugger can show."""
        parts = (
            each.encode("utf-8", "surrogatepass") if isinstance(each, str) else _letter(each)
            for each in self.parts
        )
        return LogFormat(self.number, tuple(parts))


def written_as_text(value: bound.Bound) -> bound.Bound:
    """The value, or the string that concatenation makes of an object. The debugger shows arrays
    with their elements, and a value of type Object may be one.
    """
    java_type = value.type
    is_plain = isinstance(java_type, PrimitiveType) or java_type in _BOXES
    if is_plain or java_type == types.STRING or not isinstance(java_type, types.ClassType):
        return value
    if java_type.name in _OF_ARRAYS:
        return value
    return bound.Concatenation(value.span, types.STRING, (value,))


def _letter(value: bound.Bound) -> str:
    if value.type == types.STRING:
        return _STRING
    shown = value.type if isinstance(value.type, PrimitiveType) else _BOXES.get(value.type)
    if shown is not None:
        return shown.descriptor
    raise NotCompiledError(_shown_by_debugger(value))


def _shown_by_debugger(value: bound.Bound) -> str:
    return f"values of type {value.type} are shown by the debugger"


@dataclass(frozen=True, slots=True)
class Kept:
    """A value in local variables; a slot is None if values of its kind do not use it."""

    kind: int
    number: int | None
    reference: int | None


def write_values(expression: ExpressionCode, log: BoundLog) -> list[Kept]:
    """Evaluate the expressions of the message, which may throw."""
    if len(log.values) > MOST_VALUES:
        raise NotCompiledError(f"the message has more than {MOST_VALUES} values")
    return [_write_value(expression, each) for each in log.values]


def _write_value(expression: ExpressionCode, value: bound.Bound) -> Kept:
    code = expression.code
    expression.value(value)
    if value.type == types.STRING:
        reference = code.new_slot("A")
        code.store("A", reference)
        return Kept(_STRING_KIND, None, reference)
    number = code.new_slot("J")
    if isinstance(value.type, PrimitiveType):
        _to_long(expression, value.type)
        code.store("J", number)
        return Kept(_NUMBER_KIND, number, None)
    primitive = _BOXES.get(value.type)
    if primitive is None:
        raise NotCompiledError(_shown_by_debugger(value))
    reference, is_null = code.new_slot("A"), Label()
    expression.class_op(Op.CHECKCAST, class_operand(value.type))
    code.store("A", reference)
    code.op(Op.LCONST_0)
    code.store("J", number)
    code.load("A", reference)
    code.jump(Op.IFNULL, is_null)
    code.load("A", reference)
    unbox(expression, primitive)
    _to_long(expression, primitive)
    code.store("J", number)
    code.place(is_null)
    return Kept(_NULLABLE_KIND, number, reference)


def _to_long(expression: ExpressionCode, type_: PrimitiveType) -> None:
    kind = kind_of(type_)
    if kind in _BITS:
        expression.invoke(Op.INVOKESTATIC, *_BITS[kind])
    if kind in "IF":
        expression.code.op(Op.I2L)


def write_record(
    code: CodeWriter, class_name: str, number: int, values: Sequence[Kept], lost: Label
) -> None:
    """Put the record into the ring, or go to `lost` if there is no room. Half of the ring is
    reserved for checks that have lost no record yet, so a hot log point does not crowd out a rare
    one.
    """
    ring, ahead, has_room = _Ring(code), code.new_slot("J"), Label()
    at, index, thread = code.new_slot("J"), code.new_slot("I"), code.new_slot("A")
    size, again = 1 + len(values), Label()
    ring.open(lost)
    code.invoke(Op.INVOKESTATIC, "java/lang/Thread", "currentThread", "()Ljava/lang/Thread;")
    code.store("A", thread)
    code.place(again)
    ring.read("tail", "get", "()J")
    code.store("J", at)
    ring.end(at, size)
    ring.read("head", "get", "()J")
    code.op(Op.LSUB)
    code.store("J", ahead)
    code.load("J", ahead)
    code.push_long(_CAPACITY)
    code.op(Op.LCMP)
    code.jump(Op.IFGT, lost)
    code.load("J", ahead)
    code.push_long(_CAPACITY // 2)
    code.op(Op.LCMP)
    code.jump(Op.IFLE, has_room)
    Counters(code, class_name).call("lost", "get", "()J")
    code.op(Op.L2I)
    code.jump(Op.IFNE, lost)
    code.place(has_room)
    ring.get("tail", f"L{COUNTER};")
    code.load("J", at)
    ring.end(at, size)
    code.invoke(Op.INVOKEVIRTUAL, COUNTER, "compareAndSet", "(JJ)Z")
    code.jump(Op.IFEQ, again)
    code.load("J", at)
    code.op(Op.L2I)
    code.store("I", index)
    header = len(values) | number << 32
    for position, each in enumerate(values):
        header |= each.kind << 4 + 2 * position
    ring.number(index, 0, None, header)
    ring.object(index, 0, thread)
    for position, each in enumerate(values, 1):
        if each.number is not None:
            ring.number(index, position, each.number)
        if each.reference is not None:
            ring.object(index, position, each.reference)
    code.op(Op.ICONST_0)  # stores before this one become visible before those behind it
    code.field(Op.PUTSTATIC, class_name, "fence", "I")
    ring.get("published", _LONGS)
    ring.index(index, 0)
    ring.end(at, 1)
    code.op(Op.LASTORE)


class _Ring:
    """Instructions on the ring's fields."""

    def __init__(self, code: CodeWriter) -> None:
        self._code = code
        self._slot = code.new_slot("A")

    def open(self, lost: Label) -> None:
        """Read the ring, once: the agent may take it away at any time. Go to `lost` if there is
        none.
        """
        self._code.field(Op.GETSTATIC, _RING, "ring", f"L{_RING};")
        self._code.store("A", self._slot)
        self._code.load("A", self._slot)
        self._code.jump(Op.IFNULL, lost)

    def get(self, name: str, descriptor: str) -> None:
        self._code.load("A", self._slot)
        self._code.field(Op.GETFIELD, _RING, name, descriptor)

    def read(self, counter: str, method: str, descriptor: str) -> None:
        self.get(counter, f"L{COUNTER};")
        self._code.invoke(Op.INVOKEVIRTUAL, COUNTER, method, descriptor)

    def end(self, at: int, size: int) -> None:
        """Push the position `size` elements further."""
        self._code.load("J", at)
        self._code.push_long(size)
        self._code.op(Op.LADD)

    def index(self, index: int, offset: int) -> None:
        self._code.load("I", index)
        if offset:
            self._code.push_int(offset)
            self._code.op(Op.IADD)
        self._code.push_int(_CAPACITY - 1)
        self._code.op(Op.IAND)

    def number(self, index: int, offset: int, slot: int | None, constant: int = 0) -> None:
        self.get("values", _LONGS)
        self.index(index, offset)
        if slot is None:
            self._code.push_long(constant)
        else:
            self._code.load("J", slot)
        self._code.op(Op.LASTORE)

    def object(self, index: int, offset: int, slot: int) -> None:
        self.get("objects", _OBJECTS)
        self.index(index, offset)
        self._code.load("A", slot)
        self._code.op(Op.AASTORE)
