# SPDX-License-Identifier: Apache-2.0
"""The code of new objects and arrays. See `code`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.opcodes import Op
from jvmdebug.evaluator.bind import bound
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import ArrayType, PrimitiveType
from jvmdebug.probes.codegen.code import class_operand
from jvmdebug.probes.codegen.given import OBJECT, GivenKind
from jvmdebug.probes.codegen.member_code import (
    element_letter,
    put_argument,
    put_arguments,
)
from jvmdebug.probes.codegen.members import NotCompiledError, Reach

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.probes.codegen.code import ExpressionCode, Writer

_NEWARRAY_TYPES: Final = {"Z": 4, "C": 5, "F": 6, "D": 7, "B": 8, "S": 9, "I": 10, "J": 11}
_STORES: Final = {
    "I": Op.IASTORE,
    "J": Op.LASTORE,
    "F": Op.FASTORE,
    "D": Op.DASTORE,
    "A": Op.AASTORE,
    "B": Op.BASTORE,
    "Z": Op.BASTORE,
    "C": Op.CASTORE,
    "S": Op.SASTORE,
}


def store_element(out: ExpressionCode, letter: str) -> None:
    """Store the value on top of the stack; below it are the index and the array."""
    out.code.op(_STORES[letter])


def require_object(out: ExpressionCode) -> None:
    """Throw the VM's NullPointerException if null is on the stack; an object stays there."""
    out.code.op(Op.DUP)
    out.invoke(Op.INVOKEVIRTUAL, OBJECT, "getClass", "()Ljava/lang/Class;")
    out.code.op(Op.POP)


def _new_object(out: ExpressionCode, node: bound.NewObject) -> None:
    constructor = node.constructor
    owner = constructor.owner.replace(".", "/")
    handle = None
    if out.reach[id(constructor)] is Reach.HANDLE:
        handle = out.member_handle(GivenKind.NEW, constructor)
    else:
        out.class_op(Op.NEW, owner)
        out.code.op(Op.DUP)
    if node.has_outer:
        put_argument(out, constructor, 0, node.arguments[0])
        require_object(out)
    put_arguments(out, constructor, node.arguments, first=int(node.has_outer))
    if handle is not None:
        out.call_handle(handle)
    else:
        out.invoke(Op.INVOKESPECIAL, owner, "<init>", constructor.descriptor)


def _new_array(out: ExpressionCode, node: bound.NewArray) -> None:
    _require_named(out, node.array_type)
    for length in node.lengths:
        out.value(length)
    if len(node.lengths) == 1:
        _allocate(out, node.array_type)
        return
    out.class_op(Op.MULTIANEWARRAY, class_operand(node.array_type))
    out.code.op(len(node.lengths))


def _new_array_of(out: ExpressionCode, node: bound.NewArrayOf) -> None:
    letter = element_letter(node.array_type)
    _require_named(out, node.array_type)
    out.code.push_int(len(node.elements))
    _allocate(out, node.array_type)
    for index, element in enumerate(node.elements):
        out.code.op(Op.DUP)
        out.code.push_int(index)
        out.value(element)
        store_element(out, letter)


def _require_named(out: ExpressionCode, array: ArrayType) -> None:
    if not out.names.can(class_operand(array)):
        raise NotCompiledError(f"a new {array}, which code there cannot name")


def _allocate(out: ExpressionCode, array: ArrayType) -> None:
    """Make an array of one dimension, with the length on the stack."""
    element = types.erasure(array.element)
    if isinstance(element, PrimitiveType):
        out.code.op(Op.NEWARRAY, _NEWARRAY_TYPES[element.descriptor])
    else:
        out.class_op(Op.ANEWARRAY, class_operand(array.element))


CREATION: Final[Mapping[type[bound.BoundNode], Writer]] = {
    bound.NewObject: _new_object,
    bound.NewArray: _new_array,
    bound.NewArrayOf: _new_array_of,
}
