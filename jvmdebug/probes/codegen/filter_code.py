# SPDX-License-Identifier: Apache-2.0
"""The code that leaves a check where hits do not count at all: in threads or objects other than the
wanted one, where a field of another object is written, or on objects that are not of some types.
(Types matter if a breakpoint is for a method of an interface, and a class inherits the method from
one that does not implement the interface.) Called by `check`.

Threads and objects are referred to weakly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.opcodes import Op
from jvmdebug.classfile.writer import Label
from jvmdebug.probes.codegen.given import GivenKind
from jvmdebug.probes.codegen.members import NotCompiledError
from jvmdebug.probes.codegen.written_code import OWNER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.probes.codegen.code import ExpressionCode
    from jvmdebug.probes.codegen.given import Given
    from jvmdebug.probes.question import HitFilter

_THIS: Final = -1
_CLASS: Final = "java/lang/Class"


def leave_others(
    out: ExpressionCode,
    only: HitFilter,
    receivers: Mapping[ReferenceType, bool],
    leave: Label,
    *,
    is_static: bool,
) -> None:
    """Leave if the hit does not count. `receivers`: the types, and whether the VM keeps each as
    long as the check. The other types are referred to weakly; once such a type is unloaded, there
    are no objects of it.
    """
    if only.thread is not None:
        _push_referred(out, out.give(GivenKind.WEAK, None, object_id=int(only.thread)))
        out.invoke(Op.INVOKESTATIC, "java/lang/Thread", "currentThread", "()Ljava/lang/Thread;")
        out.code.jump(Op.IF_ACMPNE, leave)
    if only.owner is not None:
        _push_referred(out, out.give(GivenKind.WEAK, None, object_id=int(only.owner)))
        out.code.load("A", _slot(out, OWNER))
        out.code.jump(Op.IF_ACMPNE, leave)
    if not only.needs_this:
        return
    if is_static:
        out.code.jump(Op.GOTO, leave)
        return
    this = _slot(out, _THIS)
    if only.instance is not None:
        _push_referred(out, out.give(GivenKind.WEAK, None, object_id=int(only.instance)))
        out.code.load("A", this)
        out.code.jump(Op.IF_ACMPNE, leave)
    if receivers:
        _leave_other_types(out, receivers, leave)


def _slot(out: ExpressionCode, of: int) -> int:
    if of not in out.locals:
        raise NotCompiledError(
            "it needs the object, whose constructor has not called that of the superclass"
        )
    return out.locals[of][0]


def _push_referred(out: ExpressionCode, given: Given) -> None:
    """Push the object of a weak reference; null if it was collected."""
    out.push_given(given)
    out.invoke(Op.INVOKEVIRTUAL, "java/lang/ref/Reference", "get", "()Ljava/lang/Object;")


def _leave_other_types(
    out: ExpressionCode, receivers: Mapping[ReferenceType, bool], leave: Label
) -> None:
    is_meant = Label()
    for type_, stays in receivers.items():
        gone = Label()
        if stays:
            out.push_given(out.give(GivenKind.TYPE, type_))
        else:
            referred = out.code.new_slot("A")
            _push_referred(out, out.give(GivenKind.WEAK, None, object_id=int(type_.id)))
            out.code.store("A", referred)
            out.code.load("A", referred)
            out.code.jump(Op.IFNULL, gone)
            out.code.load("A", referred)
            out.class_op(Op.CHECKCAST, _CLASS)
        out.code.load("A", out.locals[-1][0])
        out.invoke(Op.INVOKEVIRTUAL, _CLASS, "isInstance", "(Ljava/lang/Object;)Z")
        out.code.jump(Op.IFNE, is_meant)
        out.code.place(gone)
    out.code.jump(Op.GOTO, leave)
    out.code.place(is_meant)
