# SPDX-License-Identifier: Apache-2.0
"""The code of fields, elements of arrays and calls. See `code`, and `members` for the two ways to
reach a member.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.constant_pool import ConstantTag
from jvmdebug.classfile.descriptors import parse_method_descriptor
from jvmdebug.evaluator.bind import bound
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import ArrayType, PrimitiveType
from jvmdebug.probes.code import (
    HANDLE,
    OBJECT,
    Handle,
    is_known_as,
    operand_of,
)
from jvmdebug.probes.members import NotCompiledError, Reach

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.evaluator.symbols.declarations import FieldDeclaration, MethodDeclaration
    from jvmdebug.probes.code import ExpressionCode, Writer

_ELEMENT: Final = {"I": 46, "J": 47, "F": 48, "D": 49, "A": 50, "B": 51, "Z": 51, "C": 52, "S": 53}
_GETSTATIC, _GETFIELD, _ARRAYLENGTH, _CHECKCAST = 178, 180, 190, 192
_INVOKEVIRTUAL, _INVOKESTATIC, _INVOKEINTERFACE = 182, 184, 185


def _static_field(out: ExpressionCode, node: bound.StaticField) -> None:
    _for_side_effects(out, node.target)
    _read(out, node.field, _GETSTATIC, None)


def _instance_field(out: ExpressionCode, node: bound.InstanceField) -> None:
    _read(out, node.field, _GETFIELD, node.target)


def _read(
    out: ExpressionCode, declaration: FieldDeclaration, opcode: int, target: bound.Bound | None
) -> None:
    descriptor = types.erasure(declaration.type).descriptor
    owner = declaration.owner.replace(".", "/")
    by_handle = out.reach[id(declaration)] is Reach.HANDLE
    if by_handle:
        _push_handle(out, declaration)
    taken = "" if target is None else _receiver(out, target, owner)
    if by_handle:
        _invoke_exact(out, f"({taken}){descriptor}")
        return
    member = out.code.pool.member(ConstantTag.FIELD_REFERENCE, owner, declaration.name, descriptor)
    out.code.op_index(opcode, member)


def _array_length(out: ExpressionCode, node: bound.ArrayLength) -> None:
    out.value(node.array)
    out.code.op(_ARRAYLENGTH)


def _element(out: ExpressionCode, node: bound.Element) -> None:
    array = node.array.type
    if not isinstance(array, ArrayType):
        raise NotCompiledError("an element of something that is no array")
    out.value(node.array)
    out.value(node.index)
    element = types.erasure(array.element)
    out.code.op(_ELEMENT[element.descriptor if isinstance(element, PrimitiveType) else "A"])


def _static_call(out: ExpressionCode, node: bound.StaticCall) -> None:
    _for_side_effects(out, node.target)
    method = node.method
    by_handle = out.reach[id(method)] is Reach.HANDLE
    if by_handle:
        _push_handle(out, method)
    _arguments(out, method, node.arguments)
    if by_handle:
        _invoke_exact(out, method.descriptor)
    else:
        owner = method.owner.replace(".", "/")
        out.invoke(_INVOKESTATIC, owner, method.name, method.descriptor)


def _instance_call(out: ExpressionCode, node: bound.InstanceCall) -> None:
    if not node.is_virtual:
        raise NotCompiledError("a call by super")
    if isinstance(node.target.type, ArrayType):
        raise NotCompiledError("a method of an array")
    method, owner = node.method, node.method.owner.replace(".", "/")
    reach = out.reach[id(method)]
    if reach is Reach.HANDLE:
        _push_handle(out, method)
    taken = _receiver(out, node.target, owner)
    _arguments(out, method, node.arguments)
    if reach is Reach.HANDLE:
        _invoke_exact(out, f"({taken}{method.descriptor[1:]}")
    elif reach is Reach.INTERFACE:
        member = out.code.pool.member(
            ConstantTag.INTERFACE_METHOD_REFERENCE, owner, method.name, method.descriptor
        )
        parameters = parse_method_descriptor(method.descriptor).parameters
        out.code.op_index(_INVOKEINTERFACE, member)
        out.code.op(1 + sum(2 if each in "JD" else 1 for each in parameters), 0)
    else:
        out.invoke(_INVOKEVIRTUAL, owner, method.name, method.descriptor)


def _arguments(
    out: ExpressionCode, method: MethodDeclaration, arguments: tuple[bound.Bound, ...]
) -> None:
    parameters = parse_method_descriptor(method.descriptor).parameters
    for argument, parameter in zip(arguments, parameters, strict=True):
        out.value(argument)
        if parameter[0] in "L[" and not is_known_as(argument.type, operand_of(parameter)):
            out.class_op(_CHECKCAST, operand_of(parameter))


def _receiver(out: ExpressionCode, target: bound.Bound, owner: str) -> str:
    """The value, which the VM then knows to be of the class that declares the member."""
    out.value(target)
    if owner != OBJECT and not is_known_as(target.type, owner):
        out.class_op(_CHECKCAST, owner)
    return f"L{owner};"


def _for_side_effects(out: ExpressionCode, target: bound.Bound | None) -> None:
    if target is not None:
        out.value(target)
        out.drop(target.type)


def _push_handle(out: ExpressionCode, member: FieldDeclaration | MethodDeclaration) -> None:
    handle = Handle(f"h{len(out.handles)}", member)
    out.handles.append(handle)
    kept = out.code.pool.member(ConstantTag.FIELD_REFERENCE, out.class_name, handle.name, HANDLE)
    out.code.op_index(_GETSTATIC, kept)


def _invoke_exact(out: ExpressionCode, descriptor: str) -> None:
    out.invoke(_INVOKEVIRTUAL, operand_of(HANDLE), "invokeExact", descriptor)


MEMBERS: Final[Mapping[type[bound.BoundNode], Writer]] = {
    bound.StaticField: _static_field,
    bound.InstanceField: _instance_field,
    bound.ArrayLength: _array_length,
    bound.Element: _element,
    bound.StaticCall: _static_call,
    bound.InstanceCall: _instance_call,
}
