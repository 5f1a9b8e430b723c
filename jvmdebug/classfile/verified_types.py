# SPDX-License-Identifier: Apache-2.0
"""Tells what the VM's verifier knows at an instruction: the types of the local variables, and how
many values are on the operand stack (JVMS 4.10.1).

Between two frames of the `StackMapTable` the code is a straight line, so it is followed from the
last frame. Pure; called by `session.jumping`. A type is `I`, `F`, `J`, `D`, the descriptor of a
class or an array, `NULL`, or `UNUSABLE`.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.bytecode import instructions
from jvmdebug.classfile.constant_pool import ConstantTag
from jvmdebug.classfile.descriptors import parse_method_descriptor, slot_count
from jvmdebug.classfile.stack_map_frames import typed_frames
from jvmdebug.errors import ClassFileError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.classfile.attributes import Code
    from jvmdebug.classfile.bytecode import Instruction
    from jvmdebug.classfile.constant_pool import ConstantPool

NULL: Final = "null"
UNUSABLE: Final = "unusable"
NEW: Final = "new "
"""Begins the type of an object whose constructor has not run; the code index of `new` follows."""

_OF_LETTER: Final = {"i": "I", "l": "J", "f": "F", "d": "D", "b": "I", "c": "I", "s": "I"}
_SMALL: Final = frozenset("ZBCSI")
_WIDE: Final = frozenset("JD")
_OF_CONSTANT: Final = {
    ConstantTag.INTEGER: "I",
    ConstantTag.FLOAT: "F",
    ConstantTag.LONG: "J",
    ConstantTag.DOUBLE: "D",
    ConstantTag.STRING: "Ljava/lang/String;",
    ConstantTag.CLASS: "Ljava/lang/Class;",
    ConstantTag.METHOD_HANDLE: "Ljava/lang/invoke/MethodHandle;",
    ConstantTag.METHOD_TYPE: "Ljava/lang/invoke/MethodType;",
}
_ARRAYS: Final = {4: "[Z", 5: "[C", 6: "[F", 7: "[D", 8: "[B", 9: "[S", 10: "[I", 11: "[J"}
_COPIES: Final = {
    "dup": (1, 0),
    "dup_x1": (1, 1),
    "dup_x2": (1, 2),
    "dup2": (2, 0),
    "dup2_x1": (2, 1),
    "dup2_x2": (2, 2),
}
"""How many slots are copied, and below how many the copy goes."""
_TAKEN: Final = {
    **dict.fromkeys(("pop", "monitorenter", "monitorexit", "tableswitch", "lookupswitch"), 1),
    **dict.fromkeys(("ifnull", "ifnonnull", "athrow", "ireturn", "freturn", "areturn"), 1),
    **dict.fromkeys(("pop2", "lreturn", "dreturn"), 2),
    **dict.fromkeys(("nop", "goto", "goto_w", "iinc", "wide iinc", "return"), 0),
    **dict.fromkeys(("iastore", "fastore", "aastore", "bastore", "castore", "sastore"), 3),
    **dict.fromkeys(("lastore", "dastore"), 4),
}
"""Slots that instructions take from the stack which put nothing there."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What is known where an instruction begins."""

    locals: Mapping[int, str]
    """Slot → type, in order of slots; those that hold nothing usable are left out."""
    stack: int
    """Slots on the operand stack."""


class VerifiedTypes:
    """The verifier's knowledge of one method."""

    def __init__(
        self, code: Code, constants: ConstantPool, owner: str, descriptor: str, *, is_static: bool
    ) -> None:
        """`owner`: the internal name of the class. Raises ClassFileError if the code is not well
        formed.
        """
        this = [] if is_static else [f"L{owner};"]
        parameters = parse_method_descriptor(descriptor).parameters
        first = [*this, *map(_plain, parameters)]
        content = next(
            (each.content for each in code.attributes if each.name == "StackMapTable"), b"\0\0"
        )
        self.parameters: Mapping[int, str] = _slots(first)
        """Slot → type where the method begins, `this` too."""
        self._frames = {
            index: (types, stack) for index, types, stack in typed_frames(content, first, constants)
        }
        self._begins = sorted(self._frames)
        self._instructions = {each.index: each for each in instructions(code.code)}
        self._handlers = code.handlers
        self.has_monitors = any(
            each.mnemonic == "monitorenter" for each in self._instructions.values()
        )
        """Whether the method has `synchronized` blocks."""
        self._constants = constants

    def at(self, index: int) -> Verified | None:
        """What is known at the instruction at the code index; None if control never comes there,
        or if the class file is of a time before it told that.
        """
        start = self._begins[bisect_right(self._begins, index) - 1]
        types, stack = self._frames[start]
        state = _State(_slots(types), [slot for each in stack for slot in _doubled(each)])
        while start < index:
            instruction = self._instructions.get(start)
            if instruction is None or not instruction.falls_through:
                return None
            try:
                _follow(instruction, state, self._constants)
            except (IndexError, KeyError):
                raise ClassFileError(f"cannot follow {instruction} at {start}") from None
            start += instruction.size
        if start != index or start not in self._instructions:
            return None
        return Verified(dict(sorted(state.locals.items())), len(state.stack))

    def is_live(self, slot: int, index: int) -> bool:
        """Whether code from the index on may read the slot before it writes it."""
        waiting, seen = [index], set[int]()
        while waiting:
            each = waiting.pop()
            instruction = self._instructions.get(each)
            if each in seen or instruction is None:
                continue
            seen.add(each)
            waiting += [
                handler.handler for handler in self._handlers if handler.start <= each < handler.end
            ]
            if instruction.local == slot:
                if "store" not in instruction.mnemonic:
                    return True
                continue
            waiting += instruction.targets
            if instruction.falls_through:
                waiting.append(each + instruction.size)
        return False


class _State:
    """The types while the code is followed. A long or double has two entries on the stack."""

    def __init__(self, local: dict[int, str], stack: list[str]) -> None:
        self.locals = local
        self.stack = stack

    def push(self, type_: str) -> None:
        self.stack += _doubled(type_)

    def take(self, slots: int) -> None:
        if slots > len(self.stack):
            raise IndexError
        if slots:
            del self.stack[-slots:]

    def store(self, slot: int, type_: str) -> None:
        if self.locals.get(slot - 1) in _WIDE:
            del self.locals[slot - 1]
        if type_ in _WIDE:
            self.locals.pop(slot + 1, None)
        self.locals[slot] = type_

    def made(self, what: str) -> None:
        """The constructor of an object has run."""
        owner = what.removeprefix(NEW).partition(" ")[2]
        self.stack = [owner if each == what else each for each in self.stack]
        self.locals = {slot: owner if each == what else each for slot, each in self.locals.items()}


def _follow(instruction: Instruction, state: _State, constants: ConstantPool) -> None:
    """Do to the types what the instruction does to the values."""
    name = instruction.mnemonic.removeprefix("wide ")
    kind = name.partition("_")[0]
    if instruction.local is not None and kind != "iinc":
        _local(instruction.local, kind, state)
    elif name in _TAKEN:
        state.take(_TAKEN[name])
    elif name in _COPIES:
        copied, below = _COPIES[name]
        at = len(state.stack) - copied - below
        if at < 0:
            raise IndexError
        state.stack[at:at] = state.stack[-copied:]
    elif name == "swap":
        state.stack[-2:] = reversed(state.stack[-2:])
    elif name == "aaload":
        array = state.stack[-2]
        state.take(2)
        state.push(_plain(array[1:]) if array.startswith("[") else NULL)
    elif instruction.constant is not None or kind == "newarray":
        _constant(instruction, name, state, constants)
    else:
        _arithmetic(name, state)


def _local(slot: int, kind: str, state: _State) -> None:
    if kind.endswith("load"):
        state.push(state.locals[slot] if kind == "aload" else _OF_LETTER[kind[0]])
    else:
        type_ = state.stack[-1]
        state.take(len(_doubled(type_)))
        state.store(slot, type_)


def _constant(instruction: Instruction, name: str, state: _State, constants: ConstantPool) -> None:
    number = instruction.constant or 0
    if name.startswith("ldc"):
        tag = constants.tag(number)
        known = None if tag is None else _OF_CONSTANT.get(ConstantTag(tag))
        state.push(known or _plain(constants.member(number).descriptor))
    elif name.startswith("invoke") or "field" in name or "static" in name:
        _member(name, state, constants, number)
    elif name == "newarray":
        state.take(1)
        state.push(_ARRAYS[instruction.number or 0])
    elif name == "instanceof":
        state.take(1)
        state.push("I")
    else:
        class_ = constants.class_name(number)
        descriptor = class_ if class_.startswith("[") else f"L{class_};"
        if name == "new":
            state.push(f"{NEW}{instruction.index} {descriptor}")
        else:
            state.take((instruction.number or 1) if name == "multianewarray" else 1)
            state.push("[" + descriptor if name == "anewarray" else descriptor)


def _member(name: str, state: _State, constants: ConstantPool, number: int) -> None:
    member = constants.member(number)
    if not name.startswith("invoke"):
        slots = slot_count(member.descriptor)
        state.take((slots if name.startswith("put") else 0) + (1 if "field" in name else 0))
        if name.startswith("get"):
            state.push(_plain(member.descriptor))
        return
    parsed = parse_method_descriptor(member.descriptor)
    state.take(sum(map(slot_count, parsed.parameters)))
    if name not in ("invokestatic", "invokedynamic"):
        receiver = state.stack[-1]
        state.take(1)
        if member.name == "<init>" and receiver.startswith(NEW):
            state.made(receiver)
    if parsed.result != "V":
        state.push(_plain(parsed.result))


def _arithmetic(name: str, state: _State) -> None:
    """What is left: constants, conversions, comparisons, loads from arrays, calculations."""
    letter, what = name[0], name[1:]
    pair = 2 if letter in "ld" else 1
    if name == "aconst_null":
        state.push(NULL)
    elif name in ("bipush", "sipush") or what.startswith("const"):
        state.push("I" if name.endswith("push") else _OF_LETTER[letter])
    elif name.startswith("if"):
        state.take(2 if name.startswith("if_") else 1)
    elif what == "aload" or name == "arraylength":
        state.take(2 if what == "aload" else 1)
        state.push(_OF_LETTER[letter] if what == "aload" else "I")
    elif what.startswith("cmp"):
        state.take(2 * pair)
        state.push("I")
    elif what[:1] == "2":
        state.take(pair)
        state.push(_OF_LETTER[what[1]])
    elif what != "neg":
        state.take(1 if what in ("shl", "shr", "ushr") else pair)


def _plain(descriptor: str) -> str:
    """The type for the verifier, to which the small types are ints."""
    return "I" if descriptor in _SMALL else descriptor


def _doubled(type_: str) -> list[str]:
    return [type_, type_] if type_ in _WIDE else [type_]


def _slots(types: list[str]) -> dict[int, str]:
    found, slot = {}, 0
    for each in types:
        if each != UNUSABLE:
            found[slot] = each
        slot += len(_doubled(each))
    return found
