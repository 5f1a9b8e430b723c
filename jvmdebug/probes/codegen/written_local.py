# SPDX-License-Identifier: Apache-2.0
"""The variable that an instruction writes, in a check in front of the instruction. There its name
means the new value, as it does behind the instruction, where the debugger stops. Called by `probe`
and `check`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from jvmdebug.classfile.opcodes import Op
from jvmdebug.probes.codegen.code import letter_kind
from jvmdebug.probes.codegen.given import OBJECT
from jvmdebug.probes.codegen.loads import FrameArguments, Load
from jvmdebug.probes.codegen.members import NotCompiledError
from jvmdebug.probes.codegen.written_code import NEW, OLD, OLD_VALUE, OPERAND, VALUE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.classfile.writer import CodeWriter, Label
    from jvmdebug.model.location import Location


@dataclass(frozen=True, slots=True)
class WrittenLocal:
    """A local variable, and how the instruction changes it."""

    slot: int
    signature: str
    behind: Location
    """The instruction behind, where the names in expressions are looked up."""
    increment: int | None
    """The number that it adds; None if it stores the topmost operand."""

    old: ClassVar[None] = None

    @property
    def names(self) -> Mapping[str, str]:
        """The names that expressions may use, and their descriptors."""
        return {OLD: self.signature, NEW: self.signature}

    def arguments(self, frame: FrameArguments) -> FrameArguments:
        """The arguments of the check: the operand, if there is one, then the variables of the
        frame.
        """
        before = frame.locals.get(self.slot)
        if self.increment is not None:
            if before is None:
                raise NotCompiledError("a variable that is not passed")
            new = frame.slots, self.signature  # `begin` puts it there
            own = {self.slot: new, VALUE: new, OLD_VALUE: before}
            return FrameArguments(
                frame.loads, frame.descriptor, {**frame.locals, **own}, frame.slots + 1
            )
        kind = letter_kind(self.signature[0])
        size = 2 if kind in "JD" else 1
        moved = {key: (slot + size, each) for key, (slot, each) in frame.locals.items()}
        new = 0, self.signature
        # A variable has no value before the instruction that declares it.
        own = {self.slot: new, VALUE: new, OLD_VALUE: moved.get(self.slot, new)}
        return FrameArguments(
            (Load(kind, OPERAND), *frame.loads),
            f"({f'L{OBJECT};' if kind == 'A' else kind}{frame.descriptor[1:]}",
            moved | own,
            size + frame.slots,
        )

    def begin(self, code: CodeWriter, locals_: Mapping[int, tuple[int, str]], _: Label) -> None:
        """Compute the new value."""
        if self.increment is not None:
            code.load("I", locals_[OLD_VALUE][0])
            code.push_int(self.increment)
            code.op(Op.IADD)
            code.store("I", locals_[VALUE][0])
