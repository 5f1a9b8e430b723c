# SPDX-License-Identifier: Apache-2.0
"""The code of a method as a plan: the few instructions that join texts, with their constants.

Pure: bytes in, a plan out. Code that does anything else raises UnplannedError with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from jvmdebug.classfile import ConstantTag, instructions
from jvmdebug.classfile.descriptors import parse_method_descriptor
from jvmdebug.evaluator.plans.jdk_calls import (
    MAKERS,
    OF_ANY_OBJECT,
    OF_JDK,
    OF_STRINGS,
    STATIC,
    STRING,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.classfile import ConstantPool, Instruction, MemberReference

_MOST_STEPS: Final = 500
_JUMPS: Final = {
    **{f"if{name}": name for name in ("eq", "ne", "lt", "ge", "gt", "le", "null", "nonnull")},
    **{f"if_icmp{name}": f"icmp{name}" for name in ("eq", "ne", "lt", "ge", "gt", "le")},
}
CONDITIONS: Final = frozenset(_JUMPS.values())
_CONSTANTS: Final = {
    "aconst_null": None,
    "iconst_m1": -1,
    **{f"iconst_{number}": number for number in range(6)},
    **{f"lconst_{number}": number for number in range(2)},
    **{f"fconst_{number}": float(number) for number in range(3)},
    **{f"dconst_{number}": float(number) for number in range(2)},
}
_NUMBERS: Final = (ConstantTag.INTEGER, ConstantTag.FLOAT, ConstantTag.LONG, ConstantTag.DOUBLE)
_CALLS: Final = {
    "invokevirtual": "virtual",
    "invokeinterface": "virtual",
    "invokespecial": "special",
    "invokestatic": "static",
}


class UnplannedError(Exception):
    """The method does more than join texts; the message says what."""


class Step(NamedTuple):
    """`push`, `load`, `store`, `pop`, `dup`, `field`, `new`, `virtual`, `special`, `static`,
    `concat`, `record`, `goto`, `nop`, `return`, or a condition such as `null`.
    """

    name: str
    operand: object = None
    """A constant, a slot, a member, a class, what invokedynamic joins, or the step to go to."""
    jump: int = 0
    """Of a condition: the step to go to where it holds."""


class ClassName(NamedTuple):
    """A constant that is a class."""

    internal: str


class Concatenation(NamedTuple):
    """What string concatenation joins: a text, or the descriptor of the next argument."""

    parts: tuple[Part, ...]
    arguments: int


class Part(NamedTuple):
    """A piece of a concatenation."""

    text: str
    descriptor: str = ""
    """Of the argument that stands here; empty for a text."""


class RecordText(NamedTuple):
    """The toString() that javac makes for a record: the names of the components."""

    names: tuple[str, ...]


Linked: TypeAlias = Concatenation | RecordText


_PLAIN: Final = {
    **{name: Step("push", value) for name, value in _CONSTANTS.items()},
    **{name: Step("push") for name in ("bipush", "sipush")},
    **{name: Step(name) for name in ("pop", "dup", "nop")},
    "i2l": Step("nop"),  # numbers have no size here
    **{f"{kind}return": Step("return") for kind in "ailfd"},
}


@dataclass(frozen=True, slots=True)
class Plan:
    """What a method without parameters does."""

    steps: tuple[Step, ...]

    @property
    def is_of_record(self) -> bool:
        """Whether it is the toString() that javac makes for a record, and nothing more."""
        names = [each.name for each in self.steps]
        return names == ["load", "record", "return"]


def decoded(code: bytes, constants: ConstantPool, linked: Callable[[int, str], Linked]) -> Plan:
    """The plan of a method. `linked` tells what invokedynamic with a constant joins; the second
    argument is its descriptor.
    """
    found = list(instructions(code))
    if not found or len(found) > _MOST_STEPS:
        raise UnplannedError("its code is long" if found else "it has no code")
    positions = {each.index: number for number, each in enumerate(found)}
    return Plan(tuple(_step(each, constants, linked, positions) for each in found))


def _step(
    it: Instruction,
    constants: ConstantPool,
    linked: Callable[[int, str], Linked],
    positions: dict[int, int],
) -> Step:
    name = it.mnemonic
    if it.constant is not None:
        return _with_constant(it, it.constant, constants, linked)
    if it.targets:
        return _jump(it, positions)
    if it.local is not None and name.removeprefix("wide ")[1:].startswith(("load", "store")):
        return Step("load" if "load" in name else "store", it.local)
    known = _PLAIN.get(name)
    if known is None:
        raise UnplannedError(f"it uses {name}")
    return Step("push", it.number) if name in ("bipush", "sipush") else known


def _jump(it: Instruction, positions: dict[int, int]) -> Step:
    name = "goto" if it.mnemonic == "goto_w" else it.mnemonic
    if name != "goto" and name not in _JUMPS:
        raise UnplannedError(f"it uses {name}")
    (target,) = it.targets
    if target <= it.index or target not in positions:
        raise UnplannedError("it has a loop")
    return Step(_JUMPS.get(name, name), jump=positions[target])


def _with_constant(
    it: Instruction,
    index: int,
    constants: ConstantPool,
    linked: Callable[[int, str], Linked],
) -> Step:
    if it.mnemonic.startswith("ldc"):
        return Step("push", _constant(constants, index))
    if it.mnemonic == "new" and constants.class_name(index) in MAKERS:
        return Step("new", constants.class_name(index))
    if it.mnemonic == "checkcast":  # a compiler writes none that fails here
        return Step("nop")
    if it.mnemonic == "getfield":
        return Step("field", constants.member(index))
    if it.mnemonic == "invokedynamic":
        found = linked(index, constants.member(index).descriptor)
        return Step("concat" if isinstance(found, Concatenation) else "record", found)
    if it.mnemonic in _CALLS:
        return _call(_CALLS[it.mnemonic], constants.member(index))
    raise UnplannedError(f"it uses {it.mnemonic}")


def _constant(constants: ConstantPool, index: int) -> object:
    tag = constants.tag(index)
    if tag == ConstantTag.STRING:
        return constants.string(index)
    if tag == ConstantTag.CLASS:
        return ClassName(constants.class_name(index))
    if tag in _NUMBERS:
        return constants.number(index)
    raise UnplannedError("it uses a constant of another kind")


def _call(kind: str, member: MemberReference) -> Step:
    key = member.name, member.descriptor
    if kind == "static":
        is_known = (member.owner, *key) in STATIC
    elif member.owner in MAKERS:
        is_known = key in MAKERS[member.owner]
    elif member.owner.startswith(OF_JDK):
        is_known = key in OF_ANY_OBJECT or (member.owner == STRING and key in OF_STRINGS)
    else:
        is_known = not parse_method_descriptor(member.descriptor).parameters
        is_known = is_known and member.name != "<init>"
    if not is_known:
        raise UnplannedError(f"it calls {member.owner.replace('/', '.')}.{member.name}()")
    return Step(kind, member)
