# SPDX-License-Identifier: Apache-2.0
"""Constants of the constant pool as text: what the operands of instructions mean. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import ConstantTag
from jvmdebug.classfile.descriptors import java_name, parse_method_descriptor, simple_name
from jvmdebug.errors import ClassFileError

if TYPE_CHECKING:
    from jvmdebug.classfile import ConstantPool, MemberReference

_SUFFIXES: Final = {
    ConstantTag.INTEGER: "",
    ConstantTag.FLOAT: "f",
    ConstantTag.LONG: "L",
    ConstantTag.DOUBLE: "",
}


def constant_text(constants: ConstantPool, number: int) -> str:
    """The constant as Java would write it, as far as it can; `#7` for one that cannot be read."""
    try:
        return _text(constants, number)
    except (ClassFileError, ValueError):  # ValueError: not a descriptor
        return f"#{number}"


def _text(constants: ConstantPool, number: int) -> str:
    tag = constants.tag(number)
    match tag:
        case ConstantTag.INTEGER | ConstantTag.FLOAT | ConstantTag.LONG | ConstantTag.DOUBLE:
            text = f"{constants.number(number)}{_SUFFIXES[ConstantTag(tag)]}"
        case ConstantTag.CLASS:
            text = class_text(constants.class_name(number))
        case ConstantTag.STRING:
            text = json.dumps(constants.string(number), ensure_ascii=False)
        case ConstantTag.METHOD_HANDLE:
            text = _member_text(constants.member(constants.method_handle(number)[1]))
        case ConstantTag.METHOD_TYPE:
            text = constants.method_type(number)
        case _:
            text = _member_text(constants.member(number))
    return text


def class_text(name: str) -> str:
    """An internal name as a Java name: `java/util/Map$Entry` → `java.util.Map$Entry`, `[I` →
    `int[]`.
    """
    return java_name(name) if name.startswith("[") else name.replace("/", ".")


def _member_text(member: MemberReference) -> str:
    """`java.util.Map.get(Object) : java.lang.Object`, `shop.Cart.total : int`."""
    name = f"{class_text(member.owner)}.{member.name}" if member.owner else member.name
    if not member.descriptor.startswith("("):
        return f"{name} : {java_name(member.descriptor)}"  # a field, or a dynamic constant
    parsed = parse_method_descriptor(member.descriptor)
    parameters = ", ".join(simple_name(java_name(each)) for each in parsed.parameters)
    return f"{name}({parameters}) : {java_name(parsed.result)}"
