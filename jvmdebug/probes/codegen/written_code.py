# SPDX-License-Identifier: Apache-2.0
"""The operands of an instruction that writes a field, in its check: `$new`, and the value of
`$old`.

They are the first arguments of the check: the object that has the field (not for a static field,
nor in a constructor that has not called that of the superclass), and the value. Called by `probe`
and `check`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.opcodes import Op
from jvmdebug.evaluator.bind import bound
from jvmdebug.probes.codegen import handing_over
from jvmdebug.probes.codegen.code import letter_kind
from jvmdebug.probes.codegen.given import OBJECT
from jvmdebug.probes.codegen.loads import FrameArguments, Load
from jvmdebug.probes.codegen.members import NotCompiledError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.classfile.writer import CodeWriter, Label
    from jvmdebug.model.field import Field
    from jvmdebug.model.location import Location
    from jvmdebug.probes.codegen.code import ExpressionCode, Writer

OLD: Final = "$old"
NEW: Final = "$new"
_INSTANCE: Final = "$instance"
"""The object that has the field; users cannot use this name."""
VALUE, OLD_VALUE, OWNER = -2, -4, -3
"""Slots of the frame for these, where `this` is -1."""
_STORE: Final = "P"
"""The kind of load that takes the operands of a putfield."""
OPERAND: Final = 65_535
"""The slot of a load that takes the topmost operand."""
WRITE: Final = "write", f"(IIJL{OBJECT};JL{OBJECT};)V"
"""The method of the agent's class that is called in place of `hit`."""


@dataclass(frozen=True, slots=True)
class Written:
    """The field that the instruction behind the check writes."""

    field: Field
    has_object: bool
    """Whether the check takes the object that has the field."""
    old: bound.Bound | None = None
    """The value that the field has, if an expression uses it."""

    @property
    def names(self) -> Mapping[str, str]:
        """The names that expressions may use, and their descriptors."""
        return {OLD: self.field.signature, NEW: self.field.signature}

    @property
    def value_kind(self) -> str:
        """The kind of the value: I J F D A."""
        return letter_kind(self.field.signature[0])

    @property
    def kinds(self) -> list[str]:
        """The kinds of the arguments."""
        return ["A", self.value_kind] if self.has_object else [self.value_kind]

    async def with_old(self, location: Location) -> Written:
        """A copy that can read the old value, for an expression that names `$old`."""
        from jvmdebug.evaluator import CompiledExpression  # noqa: PLC0415 - slow to import

        owner = self.field.declaring_type
        of = owner.name.replace("$", ".") if self.field.is_static else _INSTANCE
        read = CompiledExpression(f"{of}.{self.field.name}")
        try:
            old = await read.bound_at(location, {_INSTANCE: owner.signature})
        finally:
            await read.release()
        if not isinstance(old, bound.InstanceField | bound.StaticField):
            raise NotCompiledError(f"{owner.name}.{self.field.name} cannot be read there")
        if old.field.origin is not self.field:
            raise NotCompiledError(f"{owner.name}.{self.field.name} is another field there")
        return replace(self, old=old)

    def arguments(self, frame: FrameArguments) -> FrameArguments:
        """The arguments of the check: the operands of the instruction, then the variables of the
        frame.
        """
        signature = self.field.signature
        slots = 2 if self.value_kind in "JD" else 1
        own: dict[int, tuple[int, str]] = {VALUE: (int(self.has_object), signature)}
        load = Load(self.value_kind, OPERAND)
        letters = f"L{OBJECT};" if self.value_kind == "A" else self.value_kind
        if self.has_object:
            own[OWNER] = (0, self.field.declaring_type.signature)
            load = Load(_STORE, ord(self.value_kind))
            letters = f"L{OBJECT};{letters}"
            slots += 1
        moved = {key: (slot + slots, each) for key, (slot, each) in frame.locals.items()}
        return FrameArguments(
            (load, *frame.loads),
            f"({letters}{frame.descriptor[1:]}",
            own | moved,
            slots + frame.slots,
        )

    def begin(self, code: CodeWriter, _: Mapping[int, tuple[int, str]], leave: Label) -> None:
        """Leave where the instruction is about to throw a NullPointerException."""
        if self.has_object:
            code.load("A", 0)
            code.jump(Op.IFNULL, leave)

    def push(self, code: CodeWriter) -> None:
        """Push the last arguments of `WRITE`."""
        if self.has_object:
            code.load("A", 0)
        else:
            code.op(Op.ACONST_NULL)
        handing_over.push_value(code, self.value_kind, int(self.has_object))


def _extra_variable(out: ExpressionCode, node: bound.ExtraVariable) -> None:
    if node.name == NEW and VALUE in out.locals:
        out.local(VALUE)
    elif node.name == _INSTANCE:
        out.local(OWNER)
    elif node.name == OLD and OLD_VALUE in out.locals:
        out.local(OLD_VALUE)
    elif node.name == OLD and out.old is not None:
        out.value(out.old)
    else:
        raise NotCompiledError("a variable of the debugger")


WRITTEN: Final[Mapping[type[bound.BoundNode], Writer]] = {bound.ExtraVariable: _extra_variable}
