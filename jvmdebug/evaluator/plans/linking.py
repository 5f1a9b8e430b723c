# SPDX-License-Identifier: Apache-2.0
"""What a class file says of a class beside its code: what invokedynamic joins, and simple names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import bootstrap_methods, inner_classes
from jvmdebug.classfile.descriptors import parse_method_descriptor
from jvmdebug.errors import ClassFileError
from jvmdebug.evaluator.plans.decoding import (
    Concatenation,
    Part,
    RecordText,
    UnplannedError,
)

if TYPE_CHECKING:
    from jvmdebug.classfile import BootstrapMethod, ClassFile, ConstantPool
    from jvmdebug.evaluator.plans.decoding import Linked

_DYNAMIC: Final = 18
_HANDLE_BYTES: Final = 2
_ARGUMENT, _CONSTANT = "\1", "\2"


def linked(
    file: ClassFile, constants: ConstantPool, index: int, descriptor: str, of_record: str
) -> Linked:
    """What a call of invokedynamic joins. `constants` and `index` are those of the code, which may
    be numbered in another way than the file's; `of_record` is the class, by its internal name.

    Raises UnplannedError for what is linked otherwise.
    """
    attribute = file.attribute("BootstrapMethods")
    methods = () if attribute is None else bootstrap_methods(attribute.content)
    wanted = int.from_bytes(constants.content(index, _DYNAMIC)[:_HANDLE_BYTES])
    if wanted >= len(methods):
        raise UnplannedError("it links what the class file lacks")
    method, pool = methods[wanted], file.constants
    by = pool.member(pool.method_handle(method.handle)[1])
    if by.owner == "java/lang/invoke/StringConcatFactory":
        return _concatenation(pool, by.name, method, parse_method_descriptor(descriptor).parameters)
    name, _ = constants.name_and_type(_second(constants.content(index, _DYNAMIC)))
    is_record = by.owner == "java/lang/runtime/ObjectMethods" and name == "toString"
    if is_record and pool.class_name(method.arguments[0]) == of_record:
        names = pool.string(method.arguments[1])
        return RecordText(tuple(names.split(";")) if names else ())
    raise UnplannedError(f"it uses what {by.owner.replace('/', '.')} links")


def _second(content: bytes) -> int:
    return int.from_bytes(content[_HANDLE_BYTES:])


def _concatenation(
    pool: ConstantPool, name: str, method: BootstrapMethod, parameters: tuple[str, ...]
) -> Concatenation:
    recipe = _ARGUMENT * len(parameters)
    fixed: list[str] = []
    if name != "makeConcat":
        recipe = pool.string(method.arguments[0])
        fixed = [_fixed(pool, each) for each in method.arguments[1:]]
    kinds, constants = iter(parameters), iter(fixed)
    parts: list[Part] = []
    for each in recipe:
        if each == _ARGUMENT:
            parts.append(Part("", next(kinds)))
        else:
            parts.append(Part(next(constants) if each == _CONSTANT else each))
    return Concatenation(tuple(parts), len(parameters))


def _fixed(pool: ConstantPool, index: int) -> str:
    try:
        return pool.string(index)
    except ClassFileError as error:
        raise UnplannedError("it joins a constant that is no string") from error


def simple_name(internal: str, file: ClassFile | None) -> str:
    """What `Class.getSimpleName()` gives. `file`: that of the class, or of one that names it; it is
    needed where the name has a `$`. Raises UnplannedError if it is not known.
    """
    last = internal.rpartition("/")[2]
    if "$" not in last:
        return last
    if file is None:
        raise UnplannedError("the simple name of a nested class is in its class file")
    attribute, pool = file.attribute("InnerClasses"), file.constants
    for each in () if attribute is None else inner_classes(attribute.content):
        if pool.class_name(each.inner) == internal:
            return pool.utf8(each.name) if each.name else ""
    return last
