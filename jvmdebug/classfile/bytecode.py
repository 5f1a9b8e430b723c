# SPDX-License-Identifier: Apache-2.0
"""A method's code (JVMS 6.5) as instructions: their lengths, operands and branch targets.

Pure: bytes in, values out. What the numbers of constants mean is in the constant pool.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.classfile.opcodes import MNEMONICS, Op

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOT_AN_INSTRUCTION: Final = "(not an instruction)"
_CONSTANT_OPERANDS: Final = frozenset(
    (
        *("ldc_w", "ldc2_w", "getstatic", "putstatic", "getfield", "putfield", "invokevirtual"),
        *("invokespecial", "invokestatic", "invokeinterface", "invokedynamic", "new", "anewarray"),
        *("checkcast", "instanceof", "multianewarray"),
    )
)
"""Those with a constant in two bytes; `ldc` has it in one."""
_LONGER: Final = {"invokeinterface": 5, "invokedynamic": 5, "multianewarray": 4}
_NAMES_OF_LOCALS: Final = frozenset(
    {"ret", *(kind + what for kind in "ilfda" for what in ("load", "store"))}
)
_LOCALS: Final = frozenset(map(MNEMONICS.index, _NAMES_OF_LOCALS))
_LEAVING: Final = frozenset({"goto", "goto_w", "athrow", "ret", "wide ret", NOT_AN_INSTRUCTION})
_ARRAY_TYPES: Final = {
    4: "boolean", 5: "char", 6: "float", 7: "double", 8: "byte", 9: "short", 10: "int", 11: "long",
}  # fmt: skip


# Not frozen: that would double the time to decode a method.
@dataclass(slots=True)
class Instruction:
    """One instruction. `index` and `targets` are code indexes, `size` is in bytes."""

    index: int
    size: int
    mnemonic: str
    """`wide iload` for the form with longer operands."""
    local: int | None = None
    """The slot that it reads or writes: 1 for `iload_1` as well."""
    constant: int | None = None
    """The index of its constant."""
    number: int | None = None
    """What bipush and sipush push, what iinc adds, newarray's type, multianewarray's dimensions."""
    targets: tuple[int, ...] = ()
    """The code indexes that it may jump to; the default of a switch comes last."""
    keys: tuple[int, ...] = ()
    """Of a switch: the value that leads to each target but the default."""
    rest: bytes = b""
    """The bytes that are not an instruction."""

    @property
    def falls_through(self) -> bool:
        """Whether the next instruction may run after it."""
        return not (self.mnemonic.endswith(("return", "switch")) or self.mnemonic in _LEAVING)

    def text(self, constant: str | None = None) -> str:
        """`invokestatic #7`, or with the text of its constant instead of the number."""
        return f"{self.mnemonic} {self._operands(constant)}".rstrip()

    def _operands(self, constant: str | None) -> str:
        if self.constant is not None:
            text = f"#{self.constant}" if constant is None else constant
            text += "" if self.number is None else f" {self.number}"
        elif self.mnemonic.endswith("switch"):
            cases = [f"{key}: {to}" for key, to in zip(self.keys, self.targets, strict=False)]
            text = f"{{{', '.join([*cases, f'default: {self.targets[-1]}'])}}}"
        elif self.mnemonic == "newarray" and self.number is not None:
            text = _ARRAY_TYPES[self.number]
        elif self.local is not None and self.number is not None:
            text = f"{self.local} by {self.number}"
        elif self.local is not None:
            text = "" if "_" in self.mnemonic else str(self.local)
        elif self.number is not None:
            text = str(self.number)
        else:
            text = str(self.targets[0]) if self.targets else self.rest.hex(" ")
        return text

    def __str__(self) -> str:
        return self.text()


def instructions(code: bytes) -> Iterator[Instruction]:
    """The instructions of a method in their order, without a gap.

    From the first byte on that does not begin an instruction, the rest is one `NOT_AN_INSTRUCTION`.
    """
    index = 0
    while index < len(code):
        found = _instruction(code, index)
        if found is None or index + found.size > len(code):
            rest = code[index:]
            yield Instruction(index, len(rest), NOT_AN_INSTRUCTION, rest=rest)
            return
        yield found
        index += found.size


@lru_cache(maxsize=64)
def exception_entries(code: bytes) -> dict[int, int]:
    """The code indexes that only an exception leads to: no instruction goes on there. Those are the
    handlers that a compiler makes, and code that never runs. The instruction behind is in it too,
    as a step may report that one: both with the index of the first.
    """
    found: dict[int, int] = {}
    reached: set[int] = set()
    falls_through, entry = True, None
    for each in instructions(code):
        if not falls_through:
            found[each.index] = entry = each.index
        elif entry is not None:
            found[each.index], entry = entry, None
        reached.update(each.targets)
        falls_through = each.falls_through
    return {
        index: entry
        for index, entry in found.items()
        if index not in reached and entry not in reached
    }


def _instruction(code: bytes, index: int) -> Instruction | None:
    """The instruction at the index; may reach behind the end of code that is cut off."""
    opcode = code[index]
    if opcode >= len(MNEMONICS):
        return None
    size, read = _FORMS[opcode]
    if index + size > len(code):
        return None
    return read(code, index, size, MNEMONICS[opcode])


def _plain(_code: bytes, index: int, size: int, name: str) -> Instruction:
    kind, _, digit = name.partition("_")
    has_local = kind[1:] in ("load", "store")  # iload_1
    return Instruction(index, size, name, int(digit) if has_local else None)


def _with_number(code: bytes, index: int, size: int, name: str) -> Instruction:
    return Instruction(index, size, name, number=_signed(code, index + 1, size - 1))


def _with_local(code: bytes, index: int, size: int, name: str) -> Instruction:
    return Instruction(index, size, name, code[index + 1])


def _with_constant(code: bytes, index: int, size: int, name: str) -> Instruction:
    constant = _unsigned(code, index + 1, 1 if size == 2 else 2)
    number = code[index + 3] if name == "multianewarray" else None
    return Instruction(index, size, name, constant=constant, number=number)


def _branch(code: bytes, index: int, size: int, name: str) -> Instruction:
    target = index + _signed(code, index + 1, size - 1)
    return Instruction(index, size, name, targets=(target,))


def _increment(code: bytes, index: int, size: int, name: str) -> Instruction:
    return Instruction(index, size, name, code[index + 1], number=_signed(code, index + 2, 1))


def _new_array(code: bytes, index: int, size: int, name: str) -> Instruction | None:
    kind = code[index + 1]
    return Instruction(index, size, name, number=kind) if kind in _ARRAY_TYPES else None


def _wide(code: bytes, index: int, _size: int, name: str) -> Instruction | None:
    opcode, slot = code[index + 1], _unsigned(code, index + 2, 2)
    if opcode == Op.IINC:
        return Instruction(index, 6, f"{name} iinc", slot, number=_signed(code, index + 4, 2))
    return Instruction(index, 4, f"{name} {MNEMONICS[opcode]}", slot) if opcode in _LOCALS else None


def _table_switch(code: bytes, index: int, _size: int, name: str) -> Instruction | None:
    operands = index + 4 - index % 4  # aligned to four
    default, low, high = (
        index + _signed(code, operands, 4),
        _signed(code, operands + 4, 4),
        _signed(code, operands + 8, 4),
    )
    end = operands + 12 + 4 * (high - low + 1)
    # Checked before anything of that size is made.
    if low > high or end > len(code):
        return None
    offsets = range(operands + 12, end, 4)
    targets = (*(index + _signed(code, each, 4) for each in offsets), default)
    return Instruction(index, end - index, name, targets=targets, keys=tuple(range(low, high + 1)))


def _lookup_switch(code: bytes, index: int, _size: int, name: str) -> Instruction | None:
    operands = index + 4 - index % 4
    default, count = index + _signed(code, operands, 4), _signed(code, operands + 4, 4)
    end = operands + 8 + 8 * count
    if count < 0 or end > len(code):
        return None
    pairs = range(operands + 8, end, 8)
    keys = tuple(_signed(code, each, 4) for each in pairs)
    targets = (*(index + _signed(code, each + 4, 4) for each in pairs), default)
    return Instruction(index, end - index, name, targets=targets, keys=keys)


def _unsigned(code: bytes, at: int, size: int) -> int:
    return int.from_bytes(code[at : at + size])


def _signed(code: bytes, at: int, size: int) -> int:
    return int.from_bytes(code[at : at + size], signed=True)


_Read: TypeAlias = "Callable[[bytes, int, int, str], Instruction | None]"
_OTHER_FORMS: Final[dict[str, tuple[int, _Read]]] = {
    "ldc": (2, _with_constant),
    "bipush": (2, _with_number),
    "sipush": (3, _with_number),
    "iinc": (3, _increment),
    "newarray": (2, _new_array),
    "wide": (4, _wide),
    "tableswitch": (13, _table_switch),
    "lookupswitch": (9, _lookup_switch),
}


def _form_of(name: str) -> tuple[int, _Read]:
    """The size of an instruction, the least one if it varies, and what reads its operands."""
    if name in _CONSTANT_OPERANDS:
        return _LONGER.get(name, 3), _with_constant
    if name.startswith(("if", "goto", "jsr")):
        return 5 if name.endswith("_w") else 3, _branch
    if name in _NAMES_OF_LOCALS:
        return 2, _with_local
    return _OTHER_FORMS.get(name, (1, _plain))


_FORMS: Final = [_form_of(name) for name in MNEMONICS]
