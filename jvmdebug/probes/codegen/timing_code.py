# SPDX-License-Identifier: Apache-2.0
"""The checks that time the program between two places, which neither stop nor ask anything.

    static ThreadLocal starts;            // of Object[] {long[] {nanoTime, 1}, long[] figures}
    static ConcurrentHashMap times;       // name of the thread -> figures

The first notes when its thread has come there. The second takes the time that has passed since, and
adds it to the figures of the thread: how many, their sum, the least, the longest, and how many
there were in each of the ranges of `first_of`. Both share the two fields, see Probes.Install. A
thread that comes to the first place again before it has come to the second begins anew. Called by
`probe`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.writer import ClassWriter, CodeWriter, Label
from jvmdebug.probes.codegen.counting import push_now
from jvmdebug.probes.question import TimingEnd

if TYPE_CHECKING:
    from collections.abc import Callable

COUNT, SUM, LEAST, LONGEST = range(4)
"""What the figures begin with."""
_RANGES: Final = 4
"""Where the ranges begin in them."""
_BITS: Final = 4
"""Each power of two is divided into 2 ** _BITS ranges."""
_PER_POWER: Final = 1 << _BITS
_SIZE: Final = _RANGES + (63 - _BITS + 1) * _PER_POWER
_MOST_NAMES: Final = 1_000
"""Threads of further names are counted together, without a name."""

STARTS: Final = ("starts", "java/lang/ThreadLocal")
TIMES: Final = ("times", "java/util/concurrent/ConcurrentHashMap")
_OBJECTS, _LONGS, _OF_LONGS = "[Ljava/lang/Object;", "[J", 11
_OBJECT: Final = "java/lang/Object"
_ICONST_0, _ICONST_1, _ICONST_2, _LCONST_0, _LCONST_1 = 3, 4, 5, 9, 10
_LALOAD, _AALOAD, _LASTORE, _AASTORE = 47, 50, 80, 83
_POP, _DUP, _DUP2, _IADD, _LADD, _ISUB, _LSUB, _IMUL = 87, 89, 92, 96, 97, 100, 101, 104
_LUSHR, _IAND, _LOR, _L2I, _LCMP = 125, 126, 129, 136, 148
_IFEQ, _IFLT, _IFGE, _IFLE, _IF_ICMPLT, _GOTO = 153, 155, 156, 158, 161, 167
_RETURN, _GETSTATIC, _PUTSTATIC = 177, 178, 179
_INVOKEVIRTUAL, _INVOKESPECIAL, _INVOKESTATIC = 182, 183, 184
_NEW, _NEWARRAY, _ANEWARRAY, _CHECKCAST = 187, 188, 189, 192
_MONITORENTER, _MONITOREXIT, _IFNULL, _IFNONNULL = 194, 195, 198, 199
_STACK: Final = 12


@dataclass(frozen=True, slots=True)
class Range:
    """Times from `first` to `last`, in nanoseconds."""

    first: int
    last: int
    count: int


def first_of(index: int) -> int:
    """The least time of a range."""
    power, part = divmod(index, _PER_POWER)
    return index if power == 0 else (_PER_POWER + part) << (power - 1)


def ranges_of(figures: dict[int, int]) -> tuple[Range, ...]:
    """The ranges with times in them, of the elements of the figures that are not 0."""
    return tuple(
        Range(first_of(at - _RANGES), first_of(at - _RANGES + 1) - 1, count)
        for at, count in sorted(figures.items())
        if at >= _RANGES
    )


def timing_class(name: str, end: TimingEnd) -> bytes:
    """The class of a check that takes no arguments."""
    made = ClassWriter(name)
    code = CodeWriter(made.pool, _STACK)
    start, stop, failed = Label(), Label(), Label()
    code.place(start)
    if end is TimingEnd.FROM:
        _begin(code, name)
    else:
        _end(code, name)
    code.place(stop)
    code.op(_RETURN)
    code.place(failed)  # no memory is left, say: the program goes on
    code.op(_POP)
    code.op(_RETURN)
    code.catch_all(start, stop, failed)
    made.static_method("c", "()V", code)
    initializer = CodeWriter(made.pool, 4)
    for field, type_ in (STARTS, TIMES):
        made.static_field(field, f"L{type_};")
        initializer.op_index(_NEW, made.pool.class_(type_))
        initializer.op(_DUP)
        initializer.invoke(_INVOKESPECIAL, type_, "<init>", "()V")
        initializer.field(_PUTSTATIC, name, field, f"L{type_};")
    initializer.op(_RETURN)
    made.static_method("<clinit>", "()V", initializer)
    return made.written()


def _begin(code: CodeWriter, name: str) -> None:
    mine, known = code.new_slot("A"), Label()
    _of_thread(code, name)
    code.store("A", mine)
    code.load("A", mine)
    code.jump(_IFNONNULL, known)
    _first_time(code, name, mine)
    code.place(known)
    _element(code, mine, _ICONST_0)
    code.op(_DUP)
    code.op(_ICONST_1)
    code.op(_LCONST_1)
    code.op(_LASTORE)
    code.op(_ICONST_0)
    push_now(code)
    code.op(_LASTORE)


def _first_time(code: CodeWriter, name: str, mine: int) -> None:
    """The figures are those of all threads of that name."""
    key, few = code.new_slot("A"), Label()
    code.invoke(_INVOKESTATIC, "java/lang/Thread", "currentThread", "()Ljava/lang/Thread;")
    code.invoke(_INVOKEVIRTUAL, "java/lang/Thread", "getName", "()Ljava/lang/String;")
    code.store("A", key)
    _field(code, name, TIMES)
    code.invoke(_INVOKEVIRTUAL, TIMES[1], "size", "()I")
    code.push_int(_MOST_NAMES)
    code.jump(_IF_ICMPLT, few)
    code.push_string("")
    code.store("A", key)
    code.place(few)
    _field(code, name, TIMES)
    code.load("A", key)
    code.push_int(_SIZE)
    code.op(_NEWARRAY, _OF_LONGS)
    put = f"(L{_OBJECT};L{_OBJECT};)L{_OBJECT};"
    code.invoke(_INVOKEVIRTUAL, TIMES[1], "putIfAbsent", put)
    code.op(_POP)
    code.op(_ICONST_2)
    code.op_index(_ANEWARRAY, code.pool.class_(_OBJECT))
    code.op(_DUP)
    code.op(_ICONST_0)
    code.op(_ICONST_2)
    code.op(_NEWARRAY, _OF_LONGS)
    code.op(_AASTORE)
    code.op(_DUP)
    code.op(_ICONST_1)
    _field(code, name, TIMES)
    code.load("A", key)
    code.invoke(_INVOKEVIRTUAL, TIMES[1], "get", f"(L{_OBJECT};)L{_OBJECT};")
    code.op(_AASTORE)
    code.store("A", mine)
    _field(code, name, STARTS)
    code.load("A", mine)
    code.invoke(_INVOKEVIRTUAL, STARTS[1], "set", f"(L{_OBJECT};)V")


def _end(code: CodeWriter, name: str) -> None:
    time, mine, run = code.new_slot("J"), code.new_slot("A"), code.new_slot("A")
    figures, leave = code.new_slot("A"), Label()
    push_now(code)
    code.store("J", time)
    _of_thread(code, name)
    code.store("A", mine)
    code.load("A", mine)
    code.jump(_IFNULL, leave)
    _element(code, mine, _ICONST_0)
    code.store("A", run)
    code.load("A", run)
    code.op(_ICONST_1)
    code.op(_LALOAD)
    code.op(_L2I)
    code.jump(_IFEQ, leave)
    code.load("A", run)
    code.op(_ICONST_1)
    code.op(_LCONST_0)
    code.op(_LASTORE)
    code.load("J", time)
    code.load("A", run)
    code.op(_ICONST_0)
    code.op(_LALOAD)
    code.op(_LSUB)
    code.store("J", time)
    _element(code, mine, _ICONST_1)
    code.store("A", figures)
    code.load("A", figures)
    code.op(_MONITORENTER)  # threads of the same name share them
    _add(code, figures, time)
    code.load("A", figures)
    code.op(_MONITOREXIT)
    code.place(leave)


def _add(code: CodeWriter, figures: int, time: int) -> None:
    """One more time."""
    first, not_less, not_longer = Label(), Label(), Label()
    _increase(code, figures, COUNT, lambda: code.op(_LCONST_1))
    _increase(code, figures, SUM, lambda: code.load("J", time))
    code.load("A", figures)
    code.push_int(COUNT)
    code.op(_LALOAD)
    code.op(_LCONST_1)
    code.op(_LCMP)
    code.jump(_IFEQ, first)
    code.load("J", time)
    code.load("A", figures)
    code.push_int(LEAST)
    code.op(_LALOAD)
    code.op(_LCMP)
    code.jump(_IFGE, not_less)
    code.place(first)
    _put(code, figures, LEAST, time)
    code.place(not_less)
    code.load("J", time)
    code.load("A", figures)
    code.push_int(LONGEST)
    code.op(_LALOAD)
    code.op(_LCMP)
    code.jump(_IFLE, not_longer)
    _put(code, figures, LONGEST, time)
    code.place(not_longer)
    code.load("A", figures)
    _push_range(code, time)
    code.op(_DUP2)
    code.op(_LALOAD)
    code.op(_LCONST_1)
    code.op(_LADD)
    code.op(_LASTORE)


def _push_range(code: CodeWriter, time: int) -> None:
    """The index of the range: of the highest bit, and of the _BITS behind it."""
    power, small, end = code.new_slot("I"), Label(), Label()
    code.push_int(63 - _BITS)
    code.load("J", time)
    code.push_long(_PER_POWER - 1)
    code.op(_LOR)
    code.invoke(_INVOKESTATIC, "java/lang/Long", "numberOfLeadingZeros", "(J)I")
    code.op(_ISUB)
    code.store("I", power)  # -1 where it is less than _PER_POWER
    code.load("I", power)
    code.jump(_IFLT, small)
    code.load("I", power)
    code.op(_ICONST_1)
    code.op(_IADD)
    code.push_int(_PER_POWER)
    code.op(_IMUL)
    code.load("J", time)
    code.load("I", power)
    code.op(_LUSHR)
    code.op(_L2I)
    code.push_int(_PER_POWER - 1)
    code.op(_IAND)
    code.op(_IADD)
    code.jump(_GOTO, end)
    code.place(small)
    code.load("J", time)
    code.op(_L2I)
    code.place(end)
    code.push_int(_RANGES)
    code.op(_IADD)


def _increase(code: CodeWriter, figures: int, index: int, push: Callable[[], None]) -> None:
    code.load("A", figures)
    code.push_int(index)
    code.op(_DUP2)
    code.op(_LALOAD)
    push()
    code.op(_LADD)
    code.op(_LASTORE)


def _put(code: CodeWriter, figures: int, index: int, time: int) -> None:
    code.load("A", figures)
    code.push_int(index)
    code.load("J", time)
    code.op(_LASTORE)


def _of_thread(code: CodeWriter, name: str) -> None:
    """What the thread keeps; null before it has come to the first place."""
    _field(code, name, STARTS)
    code.invoke(_INVOKEVIRTUAL, STARTS[1], "get", f"()L{_OBJECT};")
    code.op_index(_CHECKCAST, code.pool.class_(_OBJECTS))


def _element(code: CodeWriter, mine: int, index: int) -> None:
    code.load("A", mine)
    code.op(index)
    code.op(_AALOAD)
    code.op_index(_CHECKCAST, code.pool.class_(_LONGS))


def _field(code: CodeWriter, name: str, field: tuple[str, str]) -> None:
    code.field(_GETSTATIC, name, field[0], f"L{field[1]};")
