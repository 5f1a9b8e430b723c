# SPDX-License-Identifier: Apache-2.0
"""Instructions that name a constant: fields, calls, classes, new objects and arrays.

The rules are those of `instructions`. What a constant means is found once for each method.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from jvmdebug.classfile import ConstantTag
from jvmdebug.classfile.descriptors import parse_method_descriptor, slot_count
from jvmdebug.evaluator.reading import dynamic, memory, natives
from jvmdebug.evaluator.reading.arrays import ReadArray, new_array
from jvmdebug.evaluator.reading.errors import (
    MissingError,
    RefusedError,
    ThrownError,
    UnreadableError,
)
from jvmdebug.evaluator.reading.heap import blank
from jvmdebug.evaluator.reading.numbers import int8, int16, rounded
from jvmdebug.evaluator.reading.objects import LambdaCode, ReadObject
from jvmdebug.evaluator.reading.slots import SECOND, Slot, is_wide

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmdebug.classfile import ConstantPool, MemberReference
    from jvmdebug.evaluator.reading.frame import Frame
    from jvmdebug.evaluator.reading.machine import Machine
    from jvmdebug.evaluator.reading.method_code import MethodCode
    from jvmdebug.evaluator.reading.read_class import ReadClass

_ARRAY_TYPES: Final = {4: "Z", 5: "C", 6: "F", 7: "D", 8: "B", 9: "S", 10: "I", 11: "J"}
_FITS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "Z": lambda value: value & 1,
    "B": int8,
    "C": lambda value: value & 0xFFFF,
    "S": int16,
    "F": rounded,
}
_NUMBERS: Final = (ConstantTag.INTEGER, ConstantTag.FLOAT)
_WIDE_NUMBERS: Final = (ConstantTag.LONG, ConstantTag.DOUBLE)


class _FieldSite(NamedTuple):
    """What an instruction for a field names."""

    owner: ReadClass
    """Where it is declared."""
    name: str
    key: str
    descriptor: str
    is_wide: bool


class _CallSite(NamedTuple):
    """What an instruction for a call names."""

    owner: ReadClass | None
    """None for a method of arrays."""
    member: MemberReference
    slots: int
    """The arguments, without the receiver."""


def _pool(frame: Frame) -> ConstantPool:
    pool = frame.code.of_class.pool
    if pool is None:
        raise UnreadableError(f"the constants of {frame.code.of_class.java_name} are not known")
    return pool


# --- constants ------------------------------------------------------------------------------------


def load_constant(machine: Machine, frame: Frame, index: int) -> None:
    pool = _pool(frame)
    tag = pool.tag(index)
    value: Slot
    if tag in _NUMBERS or tag in _WIDE_NUMBERS:
        value = pool.number(index)
    elif tag == ConstantTag.STRING:
        value = machine.objects.literal(_text(pool, index))
    elif tag == ConstantTag.CLASS:
        name = pool.class_name(index)
        of = name if name.startswith("[") else machine.objects.resolve(frame.code.of_class, name)
        value = machine.objects.mirror(of)
    else:
        raise UnreadableError(f"{frame.code.label} uses a constant that it links dynamically")
    frame.stack.append(value)
    if tag in _WIDE_NUMBERS:
        frame.stack.append(SECOND)


def _text(pool: ConstantPool, index: int) -> str:
    return pool.string(index)


# --- fields ---------------------------------------------------------------------------------------


def _field_site(machine: Machine, frame: Frame, index: int) -> _FieldSite:
    known = frame.code.sites.get(index)
    if known is None:
        member = _pool(frame).member(index)
        owner = machine.objects.resolve(frame.code.of_class, member.owner)
        found = owner.field_named(member.name, member.descriptor)
        if found is None:
            raise UnreadableError(f"{owner.java_name} has no field {member.name}")
        declared, _ = found
        key = f"{declared.name}.{member.name}"
        wide = is_wide(member.descriptor)
        known = _FieldSite(declared, member.name, key, member.descriptor, wide)
        if owner.type is not None:
            frame.code.sites[index] = known
    if not isinstance(known, _FieldSite):
        raise TypeError(f"{known} is no field")
    return known


def get_static(machine: Machine, frame: Frame, index: int) -> None:
    site = _field_site(machine, frame, index)
    frame.stack.append(machine.objects.static(site.owner, site.name))
    if site.is_wide:
        frame.stack.append(SECOND)


def put_static(machine: Machine, frame: Frame, index: int) -> None:
    site = _field_site(machine, frame, index)
    is_own = site.owner.beside is not None or site.owner in machine.objects.heap.initialized
    if site.key not in natives.CACHED and not is_own:
        raise RefusedError(f"{frame.code.label} writes the field {_shown(site)}")
    machine.objects.static(site.owner, site.name)
    value = _popped(frame, is_wide=site.is_wide)
    machine.objects.heap.statics[site.owner][site.name] = value


def get_field(machine: Machine, frame: Frame, index: int) -> None:
    site = _field_site(machine, frame, index)
    value = machine.objects.field(_object(frame.stack[-1], f"read the field {site.name}"), site.key)
    frame.stack[-1] = value
    if site.is_wide:
        frame.stack.append(SECOND)


def put_field(machine: Machine, frame: Frame, index: int) -> None:
    site = _field_site(machine, frame, index)
    target = _object(frame.stack[-3 if site.is_wide else -2], f"write the field {site.name}")
    if target.reference is not None:
        if site.key not in natives.CACHED:
            raise RefusedError(f"{frame.code.label} writes the field {_shown(site)}")
        machine.objects.field(target, site.key)  # the others are read before this one is covered
    value = _popped(frame, is_wide=site.is_wide)
    frame.stack.pop()
    fit = _FITS.get(site.descriptor)
    if target.fields is not None:
        target.fields[site.key] = value if fit is None else fit(value)


def _shown(site: _FieldSite) -> str:
    return f"{site.owner.java_name}.{site.name}"


def _popped(frame: Frame, *, is_wide: bool) -> Slot:
    if is_wide:
        frame.stack.pop()
    return frame.stack.pop()


def _object(found: Slot, what: str) -> ReadObject:
    if isinstance(found, ReadObject):
        return found
    raise ThrownError("java/lang/NullPointerException", f"cannot {what}: null")


# --- calls ----------------------------------------------------------------------------------------


def _call_site(machine: Machine, frame: Frame, index: int) -> _CallSite:
    known = frame.code.sites.get(index)
    if known is None:
        member = _pool(frame).member(index)
        owner = None
        if not member.owner.startswith("["):
            owner = machine.objects.resolve(frame.code.of_class, member.owner)
        parameters = parse_method_descriptor(member.descriptor).parameters
        known = _CallSite(owner, member, sum(map(slot_count, parameters)))
        if owner is None or owner.type is not None:
            frame.code.sites[index] = known
    if not isinstance(known, _CallSite):
        raise TypeError(f"{known} is no method")
    return known


def call_static(machine: Machine, frame: Frame, index: int) -> None:
    site = _call_site(machine, frame, index)
    code = None if site.owner is None else _declared(site.owner, site)
    if code is None:
        raise UnreadableError(f"{site.member.owner} has no method {site.member.name}()")
    machine.objects.require_initialized(code.of_class)
    _call(machine, frame, code, site.slots)


def call_special(machine: Machine, frame: Frame, index: int) -> None:
    site = _call_site(machine, frame, index)
    _receiver(frame, site)
    owner = site.owner
    if owner is None:
        raise UnreadableError(f"{site.member.owner} has no method {site.member.name}()")
    code = _declared(owner, site)
    if site.member.name != "<init>" and owner is not frame.code.of_class:
        # super.m() begins at the superclass of the class of the code (JVMS 6.5.invokespecial).
        above = frame.code.of_class.superclass
        if above is not None and owner in above.supers and not owner.is_interface:
            code = above.selected(site.member.name, site.member.descriptor) or code
    _call(machine, frame, code, site.slots + 1)


def call_virtual(machine: Machine, frame: Frame, index: int) -> None:
    site = _call_site(machine, frame, index)
    receiver = _receiver(frame, site)
    polymorphic = memory.polymorphic(site.member.owner, site.member.name)
    if polymorphic is not None:
        arguments = [each for each in frame.stack[-1 - site.slots :] if each is not SECOND]
        result = polymorphic(machine.objects, arguments)
        del frame.stack[-1 - site.slots :]
        machine.push(frame, result, parse_method_descriptor(site.member.descriptor).result)
        return
    made = receiver.captured if isinstance(receiver, ReadObject) else None
    if made is not None and _call_lambda(machine, frame, site, made):
        return
    if site.owner is not None:
        declared = site.owner.declared(site.member.name, site.member.descriptor)
        if declared is not None and declared.is_private:
            _call(machine, frame, declared, site.slots + 1)
            return
    code = machine.objects.selected(receiver, site.member.name, site.member.descriptor)
    _call(machine, frame, code, site.slots + 1)


def _receiver(frame: Frame, site: _CallSite) -> ReadObject | ReadArray:
    found = frame.stack[-1 - site.slots]
    if isinstance(found, ReadObject | ReadArray):
        return found
    raise ThrownError("java/lang/NullPointerException", f"cannot call {site.member.name}(): null")


def _declared(owner: ReadClass, site: _CallSite) -> MethodCode:
    found = owner.declared(site.member.name, site.member.descriptor)
    if found is None:
        raise UnreadableError(f"{owner.java_name} has no method {site.member.name}()")
    return found


def _call(machine: Machine, frame: Frame, code: MethodCode, slots: int) -> None:
    start = len(frame.stack) - slots
    machine.enter(code, frame.stack[start:], frame)
    # What was entered has its own copy of the arguments, and returns to behind them.
    del frame.stack[start : start + slots]


def _call_lambda(machine: Machine, frame: Frame, site: _CallSite, made: LambdaCode) -> bool:
    """Calls what a lambda stands for; False for another method, which its interface has."""
    if site.member.name != made.name:
        return False
    kinds, result = parse_method_descriptor(site.member.descriptor)
    arguments = frame.stack[len(frame.stack) - site.slots :]
    call = dynamic.lambda_call(machine.objects, made, arguments, kinds)
    start = len(frame.stack) - site.slots - 1
    if dynamic.needs_adapting(call, result):
        machine.push_computed(frame, dynamic.adapted(machine.objects, call, result), result)
    elif call.made is None:
        machine.enter(call.code, call.arguments, frame)
    else:
        machine.enter_constructor(call.code, call.arguments, call.made)
    del frame.stack[start : start + site.slots + 1]
    return True


def call_dynamic(machine: Machine, frame: Frame, index: int) -> None:
    member = _pool(frame).member(index)
    parameters, result = parse_method_descriptor(member.descriptor)
    slots = sum(map(slot_count, parameters))
    start = len(frame.stack) - slots
    arguments = frame.stack[start:]
    linked = dynamic.of_record(machine.objects, frame.code, member)
    if linked is None:
        bootstrap = frame.code.sites.get(index)
        if bootstrap is None:

            async def read() -> None:
                frame.code.sites[index] = await frame.code.of_class.bootstrap(index)

            raise MissingError(read)
        linked = dynamic.linked(machine.objects, frame.code, member, bootstrap)
    found = linked(arguments)
    del frame.stack[start : start + slots]
    machine.push_computed(frame, found, result)


# --- classes and new objects ----------------------------------------------------------------------


def new_object(machine: Machine, frame: Frame, index: int) -> None:
    name = _pool(frame).class_name(index)
    is_thrown = name.endswith(("Exception", "Error"))
    if is_thrown and machine.objects.is_unknown(frame.code.of_class, name):
        # The VM would load it now; which one it is says enough.
        raise ThrownError(name, None)
    of_class = machine.objects.resolve(frame.code.of_class, name)
    machine.objects.require_initialized(of_class)
    machine.objects.count_made(1)
    frame.stack.append(blank(of_class))


def new_array_of(machine: Machine, frame: Frame, kind: int) -> None:
    frame.stack[-1] = _made(machine, "[" + _ARRAY_TYPES[kind], frame.stack[-1])


def new_reference_array(machine: Machine, frame: Frame, index: int) -> None:
    name = _pool(frame).class_name(index)
    descriptor = f"[{name}" if name.startswith("[") else f"[L{name};"
    frame.stack[-1] = _made(machine, descriptor, frame.stack[-1])


def new_arrays(machine: Machine, frame: Frame, operand: tuple[int, int]) -> None:
    index, dimensions = operand
    lengths = frame.stack[-dimensions:]
    made = _nested(machine, _pool(frame).class_name(index), lengths)
    del frame.stack[-dimensions:]
    frame.stack.append(made)


def _nested(machine: Machine, descriptor: str, lengths: list[int]) -> ReadArray:
    made = _made(machine, descriptor, lengths[0])
    if len(lengths) > 1 and isinstance(made.items, list):
        made.items[:] = [_nested(machine, descriptor[1:], lengths[1:]) for _ in range(lengths[0])]
    return made


def _made(machine: Machine, descriptor: str, length: int) -> ReadArray:
    if length < 0:
        raise ThrownError("java/lang/NegativeArraySizeException", str(length))
    machine.objects.count_made(1 + length)
    return new_array(descriptor, length)


def check_cast(machine: Machine, frame: Frame, index: int) -> None:
    value = frame.stack[-1]
    name = _pool(frame).class_name(index)
    if value is not None and not machine.objects.is_instance(value, frame.code.of_class, name):
        shown = name.replace("/", ".")
        raise ThrownError("java/lang/ClassCastException", f"an object cannot be cast to {shown}")


def instance_of(machine: Machine, frame: Frame, index: int) -> None:
    value = frame.stack[-1]
    name = _pool(frame).class_name(index)
    is_one = value is not None and machine.objects.is_instance(value, frame.code.of_class, name)
    frame.stack[-1] = int(is_one)


TABLE: Final[Mapping[str, Callable[[Machine, Frame, Any], int | None]]] = {
    "ldc": load_constant,
    "ldc_w": load_constant,
    "ldc2_w": load_constant,
    "getstatic": get_static,
    "putstatic": put_static,
    "getfield": get_field,
    "putfield": put_field,
    "invokestatic": call_static,
    "invokespecial": call_special,
    "invokevirtual": call_virtual,
    "invokeinterface": call_virtual,
    "invokedynamic": call_dynamic,
    "new": new_object,
    "anewarray": new_reference_array,
    "checkcast": check_cast,
    "instanceof": instance_of,
}
