# SPDX-License-Identifier: Apache-2.0
"""The checks of a trace: one writes a record where a method is entered, one at each return.

    static void c(arguments) {              // or c(result)
        int[] runs = JvmdebugCheckGuard.running.get();  // made if there is none
        if (runs[0] != 0) return;           // what a check or the debugger calls
        runs[0] = 1;                        // the first time, a class loader is asked for classes
        runs[2]++;
        record(System.nanoTime(), runs[2], arguments);
        runs[0] = 0;
    }

The number counts the records of a thread, written or not: what was left out shows as a gap. Strings
are written as they are, other objects by their class and hash code. Called by `observing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.opcodes import Op
from jvmdebug.classfile.writer import ClassWriter, CodeWriter, Label
from jvmdebug.probes.codegen.check_form import Check
from jvmdebug.probes.codegen.code import letter_kind
from jvmdebug.probes.codegen.counting import COUNTER, Counters, push_now
from jvmdebug.probes.codegen.guard import Guard
from jvmdebug.probes.codegen.loads import Load
from jvmdebug.probes.codegen.log_code import MOST_VALUES, Kept, write_record
from jvmdebug.probes.codegen.members import NotCompiledError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.model.method import Method

_OPERAND: Final = 0xFFFF
_STACK: Final = 24
_NUMBER, _OBJECT = 0, 3
_BITS: Final = {
    "F": ("java/lang/Float", "floatToRawIntBits", "(F)I"),
    "D": ("java/lang/Double", "doubleToRawLongBits", "(D)J"),
}


def entry_check(number: int, name: str, log: int, arguments: Sequence[tuple[int, str]]) -> Check:
    """The check at the entry of a method. `arguments`: slots and descriptors; `log`: the number of
    its records.
    """
    loads = tuple(Load(letter_kind(descriptor[0]), slot) for slot, descriptor in arguments)
    return _check(number, name, log, loads)


def return_check(number: int, name: str, log: int, method: Method) -> Check:
    """The check at a return. It records the result, or for a constructor the object, which other
    code may use only then.
    """
    loads: tuple[Load, ...] = ()
    descriptor = method.return_type
    if method.is_constructor:
        loads = (Load("A", 0),)
    elif descriptor != "V":
        loads = (Load(letter_kind(descriptor[0]), _OPERAND),)
    return _check(number, name, log, loads)


def _check(number: int, name: str, log: int, loads: tuple[Load, ...]) -> Check:
    if len(loads) + 2 > MOST_VALUES:
        raise NotCompiledError(f"it has more than {MOST_VALUES - 2} arguments")
    class_ = ClassWriter(name)
    slots = sum(2 if each.kind in "JD" else 1 for each in loads)
    code = CodeWriter(class_.pool, _STACK, slots)
    start, counted, end, leave, lost = Label(), Label(), Label(), Label(), Label()
    failed, failed_later = Label(), Label()
    guard = Guard(code)
    code.place(start)
    guard.count_call(leave)
    code.place(counted)
    kept = _values(code, loads)
    write_record(code, name, log, kept, lost)
    code.place(end)
    guard.release()
    code.place(leave)
    code.op(Op.RETURN)
    code.place(lost)
    guard.release()
    Counters(code, name).call("lost", "incrementAndGet", "()J")
    code.op(Op.POP2)
    code.op(Op.RETURN)
    code.place(failed_later)
    guard.release()
    code.place(failed)  # for instance because the stack is full: the program goes on
    code.op(Op.POP)
    code.op(Op.RETURN)
    code.catch_all(start, counted, failed)
    code.catch_all(counted, end, failed_later)
    letters = "".join("Ljava/lang/Object;" if each.kind == "A" else each.kind for each in loads)
    class_.static_method("c", f"({letters})V", code)
    _initializer(class_, name)
    return Check(
        name, number, class_.written(), f"({letters})V", loads, calls_methods=False, keeps=None
    )


def _values(code: CodeWriter, loads: Sequence[Load]) -> list[Kept]:
    """Keep the values to record in local variables. The number of the record is on the stack."""
    now, counted = code.new_slot("J"), code.new_slot("J")
    code.op(Op.I2L)
    code.store("J", counted)
    push_now(code)
    code.store("J", now)
    kept = [Kept(_NUMBER, now, None), Kept(_NUMBER, counted, None)]
    slot = 0
    for each in loads:
        if each.kind == "A":
            kept.append(Kept(_OBJECT, None, slot))
        else:
            number = code.new_slot("J")
            code.load(each.kind, slot)
            if each.kind in _BITS:
                code.invoke(Op.INVOKESTATIC, *_BITS[each.kind])
            if each.kind in "IF":
                code.op(Op.I2L)
            code.store("J", number)
            kept.append(Kept(_NUMBER, number, None))
        slot += 2 if each.kind in "JD" else 1
    return kept


def _initializer(class_: ClassWriter, name: str) -> None:
    code = CodeWriter(class_.pool, 4)
    class_.static_final("lost", f"L{COUNTER};")
    class_.static_volatile("fence", "I")
    code.op_index(Op.NEW, class_.pool.class_(COUNTER))
    code.op(Op.DUP)
    code.invoke(Op.INVOKESPECIAL, COUNTER, "<init>", "()V")
    code.field(Op.PUTSTATIC, name, "lost", f"L{COUNTER};")
    code.op(Op.RETURN)
    class_.static_method("<clinit>", "()V", code)
