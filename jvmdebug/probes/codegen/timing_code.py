# SPDX-License-Identifier: Apache-2.0
"""The checks that measure the time between two places of the program. They neither stop nor ask
anything.

    static ThreadLocal starts;            // of Object[] {long[] {nanoTime, 1}, long[] figures}
    static ConcurrentHashMap times;       // name of the thread -> figures

The first check notes when its thread reaches the first place. The second takes the time that has
passed since then and adds it to the figures of the thread: their number, sum, minimum and maximum,
and how many times fall into each range of `first_of`. Both checks share the two fields, see
Probes.Install. A thread that reaches the first place again before the second begins again. Called
by `probe`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.opcodes import Op
from jvmdebug.classfile.writer import ClassWriter, CodeWriter, Label
from jvmdebug.probes.codegen.counting import push_now
from jvmdebug.probes.question import TimingEnd

if TYPE_CHECKING:
    from collections.abc import Callable

COUNT, SUM, LEAST, LONGEST = range(4)
"""The first elements of the figures."""
_RANGES: Final = 4
"""The index at which the ranges begin in the figures."""
_BITS: Final = 4
"""Each power of two is divided into 2 ** _BITS ranges."""
_PER_POWER: Final = 1 << _BITS
_SIZE: Final = _RANGES + (63 - _BITS + 1) * _PER_POWER
_MOST_NAMES: Final = 1_000
"""The most names of threads; threads with further names are counted together, without a name."""

STARTS: Final = ("starts", "java/lang/ThreadLocal")
TIMES: Final = ("times", "java/util/concurrent/ConcurrentHashMap")
_OBJECTS, _LONGS, _OF_LONGS = "[Ljava/lang/Object;", "[J", 11
_OBJECT: Final = "java/lang/Object"
_STACK: Final = 12


@dataclass(frozen=True, slots=True)
class Range:
    """The range of times from `first` to `last`, in nanoseconds."""

    first: int
    last: int
    count: int


def first_of(index: int) -> int:
    """The least time of a range."""
    power, part = divmod(index, _PER_POWER)
    return index if power == 0 else (_PER_POWER + part) << (power - 1)


def ranges_of(figures: dict[int, int]) -> tuple[Range, ...]:
    """The ranges with times in them. `figures`: those elements of the figures that are not 0."""
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
    code.op(Op.RETURN)
    code.place(failed)  # for instance because memory runs out: the program goes on
    code.op(Op.POP)
    code.op(Op.RETURN)
    code.catch_all(start, stop, failed)
    made.static_method("c", "()V", code)
    initializer = CodeWriter(made.pool, 4)
    for field, type_ in (STARTS, TIMES):
        made.static_field(field, f"L{type_};")
        initializer.op_index(Op.NEW, made.pool.class_(type_))
        initializer.op(Op.DUP)
        initializer.invoke(Op.INVOKESPECIAL, type_, "<init>", "()V")
        initializer.field(Op.PUTSTATIC, name, field, f"L{type_};")
    initializer.op(Op.RETURN)
    made.static_method("<clinit>", "()V", initializer)
    return made.written()


def _begin(code: CodeWriter, name: str) -> None:
    mine, known = code.new_slot("A"), Label()
    _of_thread(code, name)
    code.store("A", mine)
    code.load("A", mine)
    code.jump(Op.IFNONNULL, known)
    _first_time(code, name, mine)
    code.place(known)
    _element(code, mine, Op.ICONST_0)
    code.op(Op.DUP)
    code.op(Op.ICONST_1)
    code.op(Op.LCONST_1)
    code.op(Op.LASTORE)
    code.op(Op.ICONST_0)
    push_now(code)
    code.op(Op.LASTORE)


def _first_time(code: CodeWriter, name: str, mine: int) -> None:
    """Make the figures of a thread, or take those of all threads of that name."""
    key, few = code.new_slot("A"), Label()
    code.invoke(Op.INVOKESTATIC, "java/lang/Thread", "currentThread", "()Ljava/lang/Thread;")
    code.invoke(Op.INVOKEVIRTUAL, "java/lang/Thread", "getName", "()Ljava/lang/String;")
    code.store("A", key)
    _field(code, name, TIMES)
    code.invoke(Op.INVOKEVIRTUAL, TIMES[1], "size", "()I")
    code.push_int(_MOST_NAMES)
    code.jump(Op.IF_ICMPLT, few)
    code.push_string("")
    code.store("A", key)
    code.place(few)
    _field(code, name, TIMES)
    code.load("A", key)
    code.push_int(_SIZE)
    code.op(Op.NEWARRAY, _OF_LONGS)
    put = f"(L{_OBJECT};L{_OBJECT};)L{_OBJECT};"
    code.invoke(Op.INVOKEVIRTUAL, TIMES[1], "putIfAbsent", put)
    code.op(Op.POP)
    code.op(Op.ICONST_2)
    code.op_index(Op.ANEWARRAY, code.pool.class_(_OBJECT))
    code.op(Op.DUP)
    code.op(Op.ICONST_0)
    code.op(Op.ICONST_2)
    code.op(Op.NEWARRAY, _OF_LONGS)
    code.op(Op.AASTORE)
    code.op(Op.DUP)
    code.op(Op.ICONST_1)
    _field(code, name, TIMES)
    code.load("A", key)
    code.invoke(Op.INVOKEVIRTUAL, TIMES[1], "get", f"(L{_OBJECT};)L{_OBJECT};")
    code.op(Op.AASTORE)
    code.store("A", mine)
    _field(code, name, STARTS)
    code.load("A", mine)
    code.invoke(Op.INVOKEVIRTUAL, STARTS[1], "set", f"(L{_OBJECT};)V")


def _end(code: CodeWriter, name: str) -> None:
    time, mine, run = code.new_slot("J"), code.new_slot("A"), code.new_slot("A")
    figures, leave = code.new_slot("A"), Label()
    push_now(code)
    code.store("J", time)
    _of_thread(code, name)
    code.store("A", mine)
    code.load("A", mine)
    code.jump(Op.IFNULL, leave)
    _element(code, mine, Op.ICONST_0)
    code.store("A", run)
    code.load("A", run)
    code.op(Op.ICONST_1)
    code.op(Op.LALOAD)
    code.op(Op.L2I)
    code.jump(Op.IFEQ, leave)
    code.load("A", run)
    code.op(Op.ICONST_1)
    code.op(Op.LCONST_0)
    code.op(Op.LASTORE)
    code.load("J", time)
    code.load("A", run)
    code.op(Op.ICONST_0)
    code.op(Op.LALOAD)
    code.op(Op.LSUB)
    code.store("J", time)
    _element(code, mine, Op.ICONST_1)
    code.store("A", figures)
    code.load("A", figures)
    code.op(Op.MONITORENTER)  # threads of the same name share them
    _add(code, figures, time)
    code.load("A", figures)
    code.op(Op.MONITOREXIT)
    code.place(leave)


def _add(code: CodeWriter, figures: int, time: int) -> None:
    """Add one more time to the figures."""
    first, not_less, not_longer = Label(), Label(), Label()
    _increase(code, figures, COUNT, lambda: code.op(Op.LCONST_1))
    _increase(code, figures, SUM, lambda: code.load("J", time))
    code.load("A", figures)
    code.push_int(COUNT)
    code.op(Op.LALOAD)
    code.op(Op.LCONST_1)
    code.op(Op.LCMP)
    code.jump(Op.IFEQ, first)
    code.load("J", time)
    code.load("A", figures)
    code.push_int(LEAST)
    code.op(Op.LALOAD)
    code.op(Op.LCMP)
    code.jump(Op.IFGE, not_less)
    code.place(first)
    _put(code, figures, LEAST, time)
    code.place(not_less)
    code.load("J", time)
    code.load("A", figures)
    code.push_int(LONGEST)
    code.op(Op.LALOAD)
    code.op(Op.LCMP)
    code.jump(Op.IFLE, not_longer)
    _put(code, figures, LONGEST, time)
    code.place(not_longer)
    code.load("A", figures)
    _push_range(code, time)
    code.op(Op.DUP2)
    code.op(Op.LALOAD)
    code.op(Op.LCONST_1)
    code.op(Op.LADD)
    code.op(Op.LASTORE)


def _push_range(code: CodeWriter, time: int) -> None:
    """Push the index of the range: by the highest bit, and the _BITS bits behind it."""
    power, small, end = code.new_slot("I"), Label(), Label()
    code.push_int(63 - _BITS)
    code.load("J", time)
    code.push_long(_PER_POWER - 1)
    code.op(Op.LOR)
    code.invoke(Op.INVOKESTATIC, "java/lang/Long", "numberOfLeadingZeros", "(J)I")
    code.op(Op.ISUB)
    code.store("I", power)  # -1 if the time is less than _PER_POWER
    code.load("I", power)
    code.jump(Op.IFLT, small)
    code.load("I", power)
    code.op(Op.ICONST_1)
    code.op(Op.IADD)
    code.push_int(_PER_POWER)
    code.op(Op.IMUL)
    code.load("J", time)
    code.load("I", power)
    code.op(Op.LUSHR)
    code.op(Op.L2I)
    code.push_int(_PER_POWER - 1)
    code.op(Op.IAND)
    code.op(Op.IADD)
    code.jump(Op.GOTO, end)
    code.place(small)
    code.load("J", time)
    code.op(Op.L2I)
    code.place(end)
    code.push_int(_RANGES)
    code.op(Op.IADD)


def _increase(code: CodeWriter, figures: int, index: int, push: Callable[[], None]) -> None:
    code.load("A", figures)
    code.push_int(index)
    code.op(Op.DUP2)
    code.op(Op.LALOAD)
    push()
    code.op(Op.LADD)
    code.op(Op.LASTORE)


def _put(code: CodeWriter, figures: int, index: int, time: int) -> None:
    code.load("A", figures)
    code.push_int(index)
    code.load("J", time)
    code.op(Op.LASTORE)


def _of_thread(code: CodeWriter, name: str) -> None:
    """Push what the thread keeps; null before it has reached the first place."""
    _field(code, name, STARTS)
    code.invoke(Op.INVOKEVIRTUAL, STARTS[1], "get", f"()L{_OBJECT};")
    code.op_index(Op.CHECKCAST, code.pool.class_(_OBJECTS))


def _element(code: CodeWriter, mine: int, index: int) -> None:
    code.load("A", mine)
    code.op(index)
    code.op(Op.AALOAD)
    code.op_index(Op.CHECKCAST, code.pool.class_(_LONGS))


def _field(code: CodeWriter, name: str, field: tuple[str, str]) -> None:
    code.field(Op.GETSTATIC, name, field[0], f"L{field[1]};")
