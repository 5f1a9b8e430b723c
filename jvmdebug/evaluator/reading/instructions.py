# SPDX-License-Identifier: Apache-2.0
"""What each instruction does (JVMS 6.5), but for those about members, which are in
`member_instructions`.

A function takes the machine, the frame and its operand, and returns the position to go on at, or
None for the next one. It may raise MissingError as long as it has changed nothing: it is called
again when what is missing was read.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from jvmdebug.classfile import instructions
from jvmdebug.evaluator.bind import arithmetic
from jvmdebug.evaluator.reading import member_instructions as members
from jvmdebug.evaluator.reading import numbers
from jvmdebug.evaluator.reading.arrays import ReadArray
from jvmdebug.evaluator.reading.errors import ThrownError, UnreadableError
from jvmdebug.evaluator.reading.numbers import int8, int16, int32, int64, rounded
from jvmdebug.evaluator.reading.slots import SECOND, Slot

if TYPE_CHECKING:
    from jvmdebug.classfile import Instruction
    from jvmdebug.evaluator.reading.frame import Frame
    from jvmdebug.evaluator.reading.machine import Machine

Run: TypeAlias = Callable[["Machine", "Frame", Any], int | None]
Step: TypeAlias = tuple[Run, Any]

_INT: Final = 2**31
_LONG: Final = 2**63


def decoded(code: bytes) -> tuple[list[Step], dict[int, int], int]:
    """The instructions of a method with their functions, their positions by code index, and how
    many slots of variables they use.
    """
    found = list(instructions(code))
    positions = {each.index: position for position, each in enumerate(found)}
    slots = max((each.local + 2 for each in found if each.local is not None), default=0)
    return [_step(each, positions) for each in found], positions, slots


def _step(instruction: Instruction, positions: dict[int, int]) -> Step:
    name = instruction.mnemonic.removeprefix("wide ")
    if name.endswith("switch"):
        targets = [positions.get(each, -1) for each in instruction.targets]
        cases = dict(zip(instruction.keys, targets, strict=False))
        return _switch, (cases, targets[-1])
    if instruction.targets:
        return _BRANCHES.get(name, _refused), positions.get(instruction.targets[0], -1)
    if instruction.local is not None and name not in ("iinc", "ret"):
        access = _LOCALS[name[1:].partition("_")[0], name[0] in "ld"]
        return access, instruction.local
    constant = _CONSTANTS.get(name)
    if constant is not None:
        return (_push_wide if name[0] in "ld" else _push), constant[0]
    run = members.TABLE.get(name)
    if run is not None:
        return run, instruction.constant
    return _PLAIN.get(name, _refused), _OPERANDS.get(name, _name_of)(instruction)


def _name_of(instruction: Instruction) -> Slot:
    return instruction.mnemonic


_OPERANDS: Final[dict[str, Callable[[Instruction], Slot]]] = {
    "iinc": lambda each: (each.local, each.number),
    "bipush": lambda each: each.number,
    "sipush": lambda each: each.number,
    "newarray": lambda each: each.number,
    "multianewarray": lambda each: (each.constant, each.number),
}


def _refused(_machine: Machine, _frame: Frame, name: Slot) -> int | None:
    raise UnreadableError(f"the instruction {name} is not interpreted")


# --- constants and locals -------------------------------------------------------------------------


def _push(_machine: Machine, frame: Frame, value: Slot) -> None:
    frame.stack.append(value)


def _push_wide(_machine: Machine, frame: Frame, value: Slot) -> None:
    frame.stack += (value, SECOND)


def _load(_machine: Machine, frame: Frame, slot: int) -> None:
    frame.stack.append(frame.locals[slot])


def _load_wide(_machine: Machine, frame: Frame, slot: int) -> None:
    frame.stack += (frame.locals[slot], SECOND)


def _store(_machine: Machine, frame: Frame, slot: int) -> None:
    frame.locals[slot] = frame.stack.pop()


def _store_wide(_machine: Machine, frame: Frame, slot: int) -> None:
    frame.stack.pop()
    frame.locals[slot] = frame.stack.pop()


def _increment(_machine: Machine, frame: Frame, operand: tuple[int, int]) -> None:
    slot, by = operand
    frame.locals[slot] = int32(frame.locals[slot] + by)


_LOCALS: Final[dict[tuple[str, bool], Run]] = {
    ("load", False): _load,
    ("load", True): _load_wide,
    ("store", False): _store,
    ("store", True): _store_wide,
}
_CONSTANTS: Final[dict[str, tuple[Slot]]] = {
    "aconst_null": (None,),
    "iconst_m1": (-1,),
    **{f"iconst_{number}": (number,) for number in range(6)},
    **{f"lconst_{number}": (number,) for number in range(2)},
    **{f"fconst_{number}": (float(number),) for number in range(3)},
    **{f"dconst_{number}": (float(number),) for number in range(2)},
}


# --- the stack ------------------------------------------------------------------------------------


def _nop(_machine: Machine, _frame: Frame, _name: Slot) -> None:
    """Nothing."""


def _pop(_machine: Machine, frame: Frame, _name: Slot) -> None:
    frame.stack.pop()


def _pop2(_machine: Machine, frame: Frame, _name: Slot) -> None:
    del frame.stack[-2:]


def _copying(count: int, below: int) -> Run:
    """Copies the topmost `count` slots and puts them under `below` more."""

    def run(_machine: Machine, frame: Frame, _name: Slot) -> None:
        stack = frame.stack
        stack[len(stack) - count - below : len(stack) - count - below] = stack[-count:]

    return run


def _swap(_machine: Machine, frame: Frame, _name: Slot) -> None:
    stack = frame.stack
    stack[-1], stack[-2] = stack[-2], stack[-1]


# --- arithmetic -----------------------------------------------------------------------------------


def _of_two(compute: Callable[[Any, Any], Any], fit: Callable[[Any], Any]) -> Run:
    def run(_machine: Machine, frame: Frame, _name: Slot) -> None:
        stack = frame.stack
        right = stack.pop()
        stack[-1] = fit(compute(stack[-1], right))

    return run


def _of_two_wide(compute: Callable[[Any, Any], Any], fit: Callable[[Any], Any]) -> Run:
    def run(_machine: Machine, frame: Frame, _name: Slot) -> None:
        stack = frame.stack
        stack[-4] = fit(compute(stack[-4], stack[-2]))
        del stack[-2:]

    return run


def _of_one(compute: Callable[[Any], Any], before: int, after: int) -> Run:
    """A computation on a value that takes `before` slots, with a result that takes `after`."""

    def run(_machine: Machine, frame: Frame, _name: Slot) -> None:
        stack = frame.stack
        result = compute(stack[-before])
        del stack[-before:]
        stack.append(result)
        if after == 2:
            stack.append(SECOND)

    return run


def _shifting(compute: Callable[[int, int], int], *, is_long: bool) -> Run:
    mask, fit, at = (63, int64, -2) if is_long else (31, int32, -1)

    def run(_machine: Machine, frame: Frame, _name: Slot) -> None:
        stack = frame.stack
        distance = stack.pop() & mask
        stack[at] = fit(compute(stack[at], distance))

    return run


def _comparing(size: int, of_nan: int) -> Run:
    def run(_machine: Machine, frame: Frame, _name: Slot) -> None:
        stack = frame.stack
        result = numbers.compared(stack[-2 * size], stack[-size], of_nan)
        del stack[-2 * size :]
        stack.append(result)

    return run


def _same(value: float) -> float:
    return value


def _unsigned_shift(bits: int) -> Callable[[int, int], int]:
    mask = (1 << bits) - 1
    return lambda value, distance: (value & mask) >> distance


_INTEGERS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": numbers.divided,
    "rem": numbers.remainder,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}
_FLOATS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": arithmetic.divide_floating,
    "rem": arithmetic.remainder_floating,
}
_PLAIN: Final[dict[str, Run]] = {
    "nop": _nop,
    "pop": _pop,
    "pop2": _pop2,
    "swap": _swap,
    **{
        f"dup{'' if count == 1 else 2}{'' if below == 0 else f'_x{below}'}": _copying(count, below)
        for count in (1, 2)
        for below in range(3)
    },
    **{f"i{name}": _of_two(compute, int32) for name, compute in _INTEGERS.items()},
    **{f"l{name}": _of_two_wide(compute, int64) for name, compute in _INTEGERS.items()},
    **{f"f{name}": _of_two(compute, rounded) for name, compute in _FLOATS.items()},
    **{f"d{name}": _of_two_wide(compute, _same) for name, compute in _FLOATS.items()},
    "ineg": _of_one(lambda value: int32(-value), 1, 1),
    "lneg": _of_one(lambda value: int64(-value), 2, 2),
    "fneg": _of_one(operator.neg, 1, 1),
    "dneg": _of_one(operator.neg, 2, 2),
    "ishl": _shifting(operator.lshift, is_long=False),
    "ishr": _shifting(operator.rshift, is_long=False),
    "iushr": _shifting(_unsigned_shift(32), is_long=False),
    "lshl": _shifting(operator.lshift, is_long=True),
    "lshr": _shifting(operator.rshift, is_long=True),
    "lushr": _shifting(_unsigned_shift(64), is_long=True),
    "i2l": _of_one(_same, 1, 2),
    "i2f": _of_one(numbers.float_of, 1, 1),
    "i2d": _of_one(float, 1, 2),
    "l2i": _of_one(int32, 2, 1),
    "l2f": _of_one(numbers.float_of, 2, 1),
    "l2d": _of_one(float, 2, 2),
    "f2i": _of_one(lambda value: arithmetic.truncated(value, _INT), 1, 1),
    "f2l": _of_one(lambda value: arithmetic.truncated(value, _LONG), 1, 2),
    "f2d": _of_one(_same, 1, 2),
    "d2i": _of_one(lambda value: arithmetic.truncated(value, _INT), 2, 1),
    "d2l": _of_one(lambda value: arithmetic.truncated(value, _LONG), 2, 2),
    "d2f": _of_one(rounded, 2, 1),
    "i2b": _of_one(int8, 1, 1),
    "i2c": _of_one(lambda value: value & 0xFFFF, 1, 1),
    "i2s": _of_one(int16, 1, 1),
    "lcmp": _comparing(2, 0),
    "fcmpl": _comparing(1, -1),
    "fcmpg": _comparing(1, 1),
    "dcmpl": _comparing(2, -1),
    "dcmpg": _comparing(2, 1),
}


# --- branches -------------------------------------------------------------------------------------


def _go(_machine: Machine, _frame: Frame, target: int) -> int:
    return target


def _if_zero(test: Callable[[Any, Any], bool]) -> Run:
    def run(_machine: Machine, frame: Frame, target: int) -> int | None:
        return target if test(frame.stack.pop(), 0) else None

    return run


def _if_two(test: Callable[[Any, Any], bool]) -> Run:
    def run(_machine: Machine, frame: Frame, target: int) -> int | None:
        right = frame.stack.pop()
        return target if test(frame.stack.pop(), right) else None

    return run


def _if_same(*, wanted: bool) -> Run:
    def run(machine: Machine, frame: Frame, target: int) -> int | None:
        is_same = machine.objects.is_same(frame.stack[-2], frame.stack[-1], frame.code)
        del frame.stack[-2:]
        return target if is_same is wanted else None

    return run


def _if_null(*, wanted: bool) -> Run:
    def run(_machine: Machine, frame: Frame, target: int) -> int | None:
        return target if (frame.stack.pop() is None) is wanted else None

    return run


def _switch(_machine: Machine, frame: Frame, operand: tuple[dict[int, int], int]) -> int:
    cases, default = operand
    return cases.get(frame.stack.pop(), default)


_TESTS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "ge": operator.ge,
    "gt": operator.gt,
    "le": operator.le,
}
_BRANCHES: Final[dict[str, Run]] = {
    "goto": _go,
    "goto_w": _go,
    **{f"if{name}": _if_zero(test) for name, test in _TESTS.items()},
    **{f"if_icmp{name}": _if_two(test) for name, test in _TESTS.items()},
    "if_acmpeq": _if_same(wanted=True),
    "if_acmpne": _if_same(wanted=False),
    "ifnull": _if_null(wanted=True),
    "ifnonnull": _if_null(wanted=False),
}


# --- arrays and returning -------------------------------------------------------------------------


def _element_load(kind: str) -> Run:
    is_wide = kind in "ld"

    def run(machine: Machine, frame: Frame, _name: Slot) -> None:
        stack = frame.stack
        value = machine.objects.element(_array(stack[-2], "load from"), stack[-1])
        del stack[-2:]
        stack.append(value)
        if is_wide:
            stack.append(SECOND)

    return run


def _element_store(kind: str) -> Run:
    size = 2 if kind in "ld" else 1
    fit = _FITS.get(kind, _same)

    def run(machine: Machine, frame: Frame, _name: Slot) -> None:
        stack = frame.stack
        array, index, value = stack[-2 - size], stack[-1 - size], stack[-size]
        machine.objects.set_element(_array(array, "store to"), index, fit(value), frame.code)
        del stack[-2 - size :]

    return run


def _array(found: Slot, what: str) -> ReadArray:
    if isinstance(found, ReadArray):
        return found
    raise ThrownError("java/lang/NullPointerException", f"cannot {what} a null array")


def _array_length(machine: Machine, frame: Frame, _name: Slot) -> None:
    array = _array(frame.stack[-1], "read the length of")
    frame.stack[-1] = machine.objects.length(array)


def _leave(machine: Machine, frame: Frame, name: str) -> None:
    if name == "return":
        machine.leave(None)
    else:
        machine.leave(frame.stack[-2 if name[0] in "ld" else -1])


def _throw(machine: Machine, frame: Frame, _name: Slot) -> None:
    machine.throw(frame.stack[-1])


def _monitor(_machine: Machine, frame: Frame, _name: Slot) -> None:
    """Takes no lock: reading waits for nobody, as when a debugger shows a field."""
    if frame.stack[-1] is None:
        raise ThrownError("java/lang/NullPointerException", "cannot lock null")
    frame.stack.pop()


_FITS: Final[dict[str, Callable[[Any], Any]]] = {
    "b": int8,
    "c": lambda value: value & 0xFFFF,
    "s": int16,
}
_PLAIN.update(
    {
        **{f"{kind}aload": _element_load(kind) for kind in "ilfdabcs"},
        **{f"{kind}astore": _element_store(kind) for kind in "ilfdabcs"},
        **{f"{kind}return": _leave for kind in ("i", "l", "f", "d", "a", "")},
        "arraylength": _array_length,
        "iinc": _increment,
        "bipush": _push,
        "sipush": _push,
        "newarray": members.new_array_of,
        "multianewarray": members.new_arrays,
        "athrow": _throw,
        "monitorenter": _monitor,
        "monitorexit": _monitor,
    }
)
