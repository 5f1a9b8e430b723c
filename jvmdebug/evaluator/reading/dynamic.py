# SPDX-License-Identifier: Apache-2.0
"""Calls that `invokedynamic` links: concatenation of strings, lambdas, and the methods of records.

Where a method of a record is concerned its fields say all; for the others the class file is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from jvmdebug.classfile.descriptors import is_primitive, parse_method_descriptor
from jvmdebug.errors import ClassFileError
from jvmdebug.evaluator.reading.arrays import ReadArray
from jvmdebug.evaluator.reading.errors import UnreadableError
from jvmdebug.evaluator.reading.heap import blank
from jvmdebug.evaluator.reading.numbers import int32
from jvmdebug.evaluator.reading.objects import LambdaCode, ReadObject
from jvmdebug.evaluator.reading.slots import SECOND, Slot, is_wide
from jvmdebug.model import java_text
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from jvmdebug.classfile import ConstantPool, MemberReference
    from jvmdebug.evaluator.reading.method_code import MethodCode
    from jvmdebug.evaluator.reading.object_access import Objects

_STATIC, _CONSTRUCTOR = 6, 8
_SERIALIZABLE: Final = 1
"""LambdaMetafactory.FLAG_SERIALIZABLE"""


class VirtualCall(NamedTuple):
    """A call that a computed method makes."""

    receiver: Slot
    name: str
    descriptor: str
    arguments: tuple[Slot, ...] = ()


class LambdaCall(NamedTuple):
    """What the call of a lambda runs."""

    code: MethodCode
    arguments: list[Slot]
    made: ReadObject | None = None
    """The new object, if it is a constructor."""


def primitive_text(objects: Objects, value: Slot, descriptor: str) -> str:
    """What string conversion makes of a number."""
    kind = PrimitiveKind(descriptor)
    number = bool(value) if kind is PrimitiveKind.BOOLEAN else value
    is_older = objects.heap.vm.version.writes_numbers_longer
    return java_text.java_text(PrimitiveValue(kind, number), is_older=is_older)


def text_of(objects: Objects, value: Slot, descriptor: str) -> Generator[Any, Any, str]:
    """String conversion (JLS 5.1.11), which may call toString()."""
    if is_primitive(descriptor):
        return primitive_text(objects, value, descriptor)
    if value is None:
        return "null"
    text = yield lambda: objects.text_if_string(value)
    if text is None:
        made = yield VirtualCall(value, "toString", "()Ljava/lang/String;")
        if made is None:
            return "null"
        text = yield lambda: objects.text(made)
    return str(text)


# --- records --------------------------------------------------------------------------------------


def of_record(
    objects: Objects, code: MethodCode, member: MemberReference
) -> Callable[[list[Slot]], Any] | None:
    """The toString(), hashCode() or equals() of a record; None for other calls."""
    above = code.of_class.superclass
    first = parse_method_descriptor(member.descriptor).parameters[:1]
    if above is None or above.name != "java/lang/Record":
        return None
    if first != (f"L{code.of_class.name};",) or code.name != member.name:
        return None
    compute = {"toString": _record_text, "hashCode": _record_hash, "equals": _record_equals}
    found = compute.get(member.name)
    return None if found is None else lambda arguments: found(objects, code, arguments)


def _components(code: MethodCode) -> list[tuple[str, str, str]]:
    """Name, key and descriptor of each."""
    of_class = code.of_class
    return [
        (each.name, f"{of_class.name}.{each.name}", each.signature)
        for each in of_class.fields
        if not each.is_static
    ]


def _record_text(
    objects: Objects, code: MethodCode, arguments: list[Slot]
) -> Generator[Any, Any, Slot]:
    parts = []
    for name, key, descriptor in _components(code):
        value = yield lambda key=key: objects.field(arguments[0], key)
        parts.append(f"{name}={(yield from text_of(objects, value, descriptor))}")
    simple = code.of_class.java_name.rpartition(".")[2].rpartition("$")[2].lstrip("0123456789")
    return objects.new_string(f"{simple}[{', '.join(parts)}]")


def _record_hash(
    objects: Objects, code: MethodCode, arguments: list[Slot]
) -> Generator[Any, Any, Slot]:
    result = 0
    for _, key, descriptor in _components(code):
        value = yield lambda key=key: objects.field(arguments[0], key)
        if is_primitive(descriptor):
            value = yield lambda value=value, kind=descriptor: objects.boxed(value, kind)
        part = 0 if value is None else (yield VirtualCall(value, "hashCode", "()I"))
        result = int32(31 * result + part)
    return result


def _record_equals(
    objects: Objects, code: MethodCode, arguments: list[Slot]
) -> Generator[Any, Any, Slot]:
    own, other = arguments
    if own is other:
        return 1
    of_class = yield lambda: objects.class_of(other) if isinstance(other, ReadObject) else None
    if of_class is not code.of_class:
        return 0
    for _, key, descriptor in _components(code):
        left = yield lambda key=key: objects.field(own, key)
        right = yield lambda key=key: objects.field(other, key)
        if is_primitive(descriptor):
            left = yield lambda value=left, kind=descriptor: objects.boxed(value, kind)
            right = yield lambda value=right, kind=descriptor: objects.boxed(value, kind)
        if left is right:
            continue
        if left is None:
            return 0
        if not (yield VirtualCall(left, "equals", "(Ljava/lang/Object;)Z", (right,))):
            return 0
    return 1


# --- what a bootstrap method links ----------------------------------------------------------------


def linked(
    objects: Objects,
    code: MethodCode,
    member: MemberReference,
    bootstrap: tuple[MemberReference, list[int], ConstantPool],
) -> Callable[[list[Slot]], Any]:
    """What computes the call. RefusedError for what is linked otherwise."""
    by, constants, pool = bootstrap
    if by.owner == "java/lang/invoke/StringConcatFactory":
        recipe = None if by.name == "makeConcat" else pool.string(constants[0])
        fixed = [_constant_text(pool, each) for each in constants[1:]]
        parameters = parse_method_descriptor(member.descriptor).parameters
        return lambda arguments: _concatenated(objects, parameters, recipe, fixed, arguments)
    if by.owner == "java/lang/invoke/LambdaMetafactory":
        kind, number = pool.method_handle(constants[1])
        target = pool.member(number)
        captured_kinds, result = parse_method_descriptor(member.descriptor)
        interface = result[1:-1]
        names = target.owner, target.name, target.descriptor
        of_class = objects.resolve(code.of_class, interface)
        flags = int(pool.number(constants[3])) if by.name == "altMetafactory" else 0
        is_serializable = bool(flags & _SERIALIZABLE)

        def made(arguments: list[Slot]) -> ReadObject:
            found = blank(of_class)
            captured = list(arguments)
            found.captured = LambdaCode(
                code.of_class, member.name, kind, names, captured, captured_kinds, is_serializable
            )
            return found

        return made
    raise UnreadableError(f"{code.label} uses what {by.owner.replace('/', '.')} links")


def _constant_text(pool: ConstantPool, index: int) -> str:
    try:
        return pool.string(index)
    except ClassFileError as error:
        raise UnreadableError("a concatenation has a constant that is no string") from error


def _concatenated(
    objects: Objects,
    parameters: tuple[str, ...],
    recipe: str | None,
    fixed: list[str],
    arguments: list[Slot],
) -> Generator[Any, Any, Slot]:
    values = iter([each for each in arguments if each is not SECOND])
    kinds, constants = iter(parameters), iter(fixed)
    parts = []
    for each in "\1" * len(parameters) if recipe is None else recipe:
        if each == "\1":
            parts.append((yield from text_of(objects, next(values), next(kinds))))
        else:
            parts.append(next(constants) if each == "\2" else each)
    return objects.new_string(java_text.joined(parts))


def lambda_call(
    objects: Objects, made: LambdaCode, arguments: list[Slot], kinds: tuple[str, ...]
) -> LambdaCall:
    """What the call of a lambda runs, with boxes opened and made where its method takes others.

    `kinds`: the descriptors of the arguments.
    """
    owner_name, name, descriptor = made.target
    owner = objects.resolve(made.home, owner_name)
    parameters = parse_method_descriptor(descriptor).parameters
    given = [each for each in (*made.captured, *arguments) if each is not SECOND]
    every = (*made.captured_kinds, *kinds)
    if made.kind == _CONSTRUCTOR:
        code = owner.methods.get((name, descriptor))
        if code is None:
            raise UnreadableError(f"{owner.java_name} has no such constructor")
        objects.require_initialized(owner)
        new = blank(owner)
        return LambdaCall(code, [new, *_fitted(objects, parameters, given, every)], new)
    if made.kind == _STATIC:
        code = owner.declared(name, descriptor)
        if code is None:
            raise UnreadableError(f"{owner.java_name} has no method {name}()")
        objects.require_initialized(code.of_class)
        return LambdaCall(code, _fitted(objects, parameters, given, every))
    receiver = given[0]
    if not isinstance(receiver, ReadObject | ReadArray):
        raise UnreadableError(f"the receiver of {name}() is no object")
    own = owner.methods.get((name, descriptor))
    is_exact = own is not None and own.is_private
    code = own if own and is_exact else objects.selected(receiver, name, descriptor)
    return LambdaCall(code, [receiver, *_fitted(objects, parameters, given[1:], every[1:])])


def adapted(objects: Objects, call: LambdaCall, result: str) -> Generator[Any, Any, Slot]:
    """The result of a lambda's method in a box, or out of one."""
    value = yield call
    own = call.code.result
    if is_primitive(result) and not is_primitive(own):
        value = yield lambda value=value: _unboxed(objects, value)
    elif is_primitive(own) and not is_primitive(result) and own != "V":
        value = yield lambda value=value: objects.boxed(value, own)
    return value


def needs_adapting(call: LambdaCall, result: str) -> bool:
    """Whether the lambda's method gives a number where an object is wanted, or the other way."""
    own = call.code.result
    if call.made is not None or "V" in (own, result):
        return False
    return is_primitive(own) != is_primitive(result)


def _fitted(
    objects: Objects, parameters: tuple[str, ...], values: list[Slot], kinds: tuple[str, ...]
) -> list[Slot]:
    """The arguments in the slots of the method's frame."""
    slots: list[Slot] = []
    for descriptor, value, kind in zip(parameters, values, kinds, strict=True):
        fitted = value
        if is_primitive(descriptor) and not is_primitive(kind):
            fitted = _unboxed(objects, value)
        elif is_primitive(kind) and not is_primitive(descriptor):
            fitted = objects.boxed(value, kind)
        slots.append(fitted)
        if is_wide(descriptor):
            slots.append(SECOND)
    return slots


def _unboxed(objects: Objects, value: Slot) -> Slot:
    return objects.field(value, f"{objects.class_of(value).name}.value")
