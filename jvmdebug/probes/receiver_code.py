# SPDX-License-Identifier: Apache-2.0
"""The code that leaves a check unless `this` is of one of some types: of a method of an interface
that a class has inherited from one that is not of that interface. Called by `check`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.writer import Label
from jvmdebug.probes.given import GivenKind
from jvmdebug.probes.members import NotCompiledError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.probes.code import ExpressionCode

_IFNULL, _IFNE, _GOTO = 198, 154, 167
_CLASS: Final = "java/lang/Class"
_INVOKEVIRTUAL, _CHECKCAST = 182, 192


def leave_others(
    out: ExpressionCode, receivers: Mapping[ReferenceType, bool], leave: Label
) -> None:
    """`receivers`: the types, and whether the VM keeps each as long as the check. The others are
    only referred to weakly: where there is none any more, there is no object of it.
    """
    if not receivers:
        return
    if -1 not in out.locals:
        raise NotCompiledError(
            "it needs the object, whose constructor has not called that of the superclass"
        )
    is_meant = Label()
    for type_, stays in receivers.items():
        gone = Label()
        out.push_given(out.give(GivenKind.TYPE if stays else GivenKind.WEAK_TYPE, type_))
        if not stays:
            referred = out.code.new_slot("A")
            out.invoke(_INVOKEVIRTUAL, "java/lang/ref/Reference", "get", "()Ljava/lang/Object;")
            out.code.store("A", referred)
            out.code.load("A", referred)
            out.code.jump(_IFNULL, gone)
            out.code.load("A", referred)
            out.class_op(_CHECKCAST, _CLASS)
        out.code.load("A", out.locals[-1][0])
        out.invoke(_INVOKEVIRTUAL, _CLASS, "isInstance", "(Ljava/lang/Object;)Z")
        out.code.jump(_IFNE, is_meant)
        out.code.place(gone)
    out.code.jump(_GOTO, leave)
    out.code.place(is_meant)
