# SPDX-License-Identifier: Apache-2.0
"""Classes of lambdas for a hidden class where the platform's LambdaMetafactory cannot make them.

In JDK 15 to 24 the class that it makes for a static lambda body mentions the class with the body by
name, and a hidden class has none. So the class with the code has a method `metafactory` of its own
(`runtime`), which defines one class for each place that makes lambdas. It is written here, from the
descriptors of the place, and calls the body through a method handle in a final field, which
compilers take for a constant:

    final class Code$lambda implements Predicate {
        private final MethodHandle body; private final int c0; ...
        Code$lambda(MethodHandle body, int c0, ...) { ... }
        public boolean test(Object p0) { return (boolean) body.invokeExact(c0, p0); }
    }
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import ClassFile, ConstantTag
from jvmdebug.classfile.access import Access
from jvmdebug.classfile.descriptors import parse_method_descriptor, slot_count
from jvmdebug.classfile.opcodes import Op
from jvmdebug.classfile.writer import ClassWriter, CodeWriter, modified_utf8
from jvmdebug.errors import ClassFileError
from jvmdebug.evaluator.compiling.runtime import LAMBDA_CLASSES

if TYPE_CHECKING:
    from collections.abc import Iterator

_METAFACTORY: Final = "java/lang/invoke/LambdaMetafactory"
_HANDLE: Final = "java/lang/invoke/MethodHandle"
_HANDLE_TYPE: Final = f"L{_HANDLE};"
_JAVA_8: Final = 52
_RETURNS: Final = {
    "J": Op.LRETURN,
    "F": Op.FRETURN,
    "D": Op.DRETURN,
    "A": Op.ARETURN,
    "V": Op.RETURN,
}
_LONGEST: Final = 0xFFFF
"""Of a text in a class file."""


def with_own_metafactory(class_file: bytes) -> bytes:
    """The class file with lambdas made by its own method `metafactory`, of the same descriptor, and
    with the classes that this defines.
    """
    file = ClassFile.read(class_file)
    changed = bytearray(class_file)
    for each in file.constants:
        if (
            each.tag == ConstantTag.METHOD_REFERENCE
            and file.constants.member(each.number).owner == _METAFACTORY
        ):
            changed[each.start : each.start + 2] = file.this_class.to_bytes(2)
    return bytes(changed).replace(_utf8(LAMBDA_CLASSES), _utf8(_classes(file)), 1)


def _utf8(text: str) -> bytes:
    content = modified_utf8(text)
    return struct.pack(">BH", ConstantTag.UTF8, len(content)) + content


def _classes(file: ClassFile) -> str:
    """What finds a class (`metafactory` makes the same text), its length, and its bytes, each as a
    character; for all classes. Those that do not fit are left out.
    """
    text = ""
    for name, site, erased in sorted(set(_places(file))):
        content = lambda_class(f"{file.name}$lambda", name, site, erased)
        entry = f"{name}{site}{erased}\n{chr(len(content))}{content.decode('latin-1')}"
        if len(content) < 0xD800 and len(modified_utf8(text + entry)) <= _LONGEST:
            text += entry
    return text


def _places(file: ClassFile) -> Iterator[tuple[str, str, str]]:
    """The places where the class makes lambdas: the name of the method of the interface, the
    descriptor of the making (captured values, interface), and that of the method.
    """
    constants = file.constants
    attribute = file.attribute("BootstrapMethods")
    methods = [] if attribute is None else bootstraps(attribute.content)
    for each in constants:
        if each.tag != ConstantTag.INVOKE_DYNAMIC:
            continue
        content = constants.content(each.number, ConstantTag.INVOKE_DYNAMIC)
        handle, arguments = methods[int.from_bytes(content[:2])]
        _, member = constants.method_handle(handle)
        if constants.member(member)[:2] == (_METAFACTORY, "metafactory"):
            place = constants.member(each.number)
            yield place.name, place.descriptor, constants.method_type(arguments[0])


def bootstraps(content: bytes) -> list[tuple[int, tuple[int, ...]]]:
    """The attribute (JVMS 4.7.23): the handle of each method, and its static arguments."""
    found = []
    at = 2
    for _ in range(int.from_bytes(content[:2])):
        handle, count = struct.unpack_from(">HH", content, at)
        found.append((handle, struct.unpack_from(f">{count}H", content, at + 4)))
        at += 4 + 2 * count
    if at != len(content):
        raise ClassFileError("the attribute BootstrapMethods has another length than it says")
    return found


def lambda_class(class_name: str, name: str, site: str, erased: str) -> bytes:
    """A class file. `site`: the descriptor of the place that makes the lambdas."""
    captured, interface = parse_method_descriptor(site)
    parameters, result = parse_method_descriptor(erased)
    lambda_ = ClassWriter(class_name, (interface[1:-1],), _JAVA_8)
    fields = [("b", _HANDLE_TYPE), *((f"c{at}", type_) for at, type_ in enumerate(captured))]

    made = CodeWriter(lambda_.pool, 3)
    made.load("A", 0)
    made.invoke(Op.INVOKESPECIAL, "java/lang/Object", "<init>", "()V")
    slot = 1
    for field, type_ in fields:
        made.load("A", 0)
        slot = _load(made, type_, slot)
        made.field(Op.PUTFIELD, class_name, field, type_)
    made.op(Op.RETURN)

    called = CodeWriter(lambda_.pool, 2 + sum(map(slot_count, (*captured, *parameters))))
    for field, type_ in fields:
        called.load("A", 0)
        called.field(Op.GETFIELD, class_name, field, type_)
    slot = 1
    for type_ in parameters:
        slot = _load(called, type_, slot)
    whole = f"({''.join((*captured, *parameters))}){result}"
    called.invoke(Op.INVOKEVIRTUAL, _HANDLE, "invokeExact", whole)
    called.op(_RETURNS.get(_kind(result), Op.IRETURN))

    for field, type_ in fields:
        lambda_.field(Access.PRIVATE | Access.FINAL, field, type_)
    lambda_.method(0, "<init>", f"({''.join(type_ for _, type_ in fields)})V", made)
    lambda_.method(Access.PUBLIC, name, erased, called)
    return lambda_.written()


def _load(code: CodeWriter, type_: str, slot: int) -> int:
    """The next slot."""
    code.load(_kind(type_), slot)
    return slot + slot_count(type_)


def _kind(type_: str) -> str:
    return type_ if type_ in "JFDV" else "A" if type_[0] in "L[" else "I"
