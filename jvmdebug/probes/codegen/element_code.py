# SPDX-License-Identifier: Apache-2.0
"""The checks of a watched array: one in front of each instruction that may store into it.

    static Object watched;                  // the agent sets it, and clears it in the end
    static void c(Object array, int index, int value) {
        if (array != watched || index != 3) return;
        JvmdebugProbes.store(number, index, value, null);
    }

Where the VM reports no breakpoints, the check takes the variables of the frame too, and hands all
of them over (`handing_over`). Called by `element_checks`, which installs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.opcodes import Op
from jvmdebug.classfile.writer import ClassWriter, CodeWriter, Label
from jvmdebug.probes.codegen import handing_over
from jvmdebug.probes.codegen.check import HOLDS

if TYPE_CHECKING:
    from jvmdebug.probes.codegen.loads import FrameArguments

_PROBES: Final = "java/lang/JvmdebugProbes"
_OBJECT: Final = "Ljava/lang/Object;"
_STACK: Final = 8 + handing_over.STACK


def element_class(
    name: str, number: int, kind: str, index: int | None, frame: FrameArguments | None = None
) -> tuple[bytes, str]:
    """The class of a check, and the descriptor of its method. `kind`: that of the value, I J F D A.
    `frame`: the variables that it hands over, in a VM without breakpoint events.
    """
    class_ = ClassWriter(name)
    others = [] if frame is None else [each.kind for each in frame.loads]
    kinds = ["A", "I", kind, *others]
    code = CodeWriter(class_.pool, _STACK, sum(2 if each in "JD" else 1 for each in kinds))
    leave = Label()
    class_.static_field("watched", _OBJECT)
    code.load("A", 0)
    code.field(Op.GETSTATIC, name, "watched", _OBJECT)
    code.jump(Op.IF_ACMPNE, leave)
    if index is not None:
        code.load("I", 1)
        code.push_int(index)
        code.jump(Op.IF_ICMPNE, leave)
    code.push_int(number)
    if frame is None:
        code.load("I", 1)
        handing_over.push_value(code, kind, 2)
        code.invoke(Op.INVOKESTATIC, _PROBES, "store", f"(IIJ{_OBJECT})V")
    else:
        code.push_int(HOLDS)
        code.op(Op.LCONST_0)
        handing_over.push_arguments(code, kinds)
        code.invoke(Op.INVOKESTATIC, _PROBES, *handing_over.STOP)
    code.place(leave)
    code.op(Op.RETURN)
    descriptor = f"({''.join(_OBJECT if each == 'A' else each for each in kinds)})V"
    class_.static_method("c", descriptor, code)
    return class_.written(), descriptor
