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
    HandleKind,
    class_operand,
    is_known_as,
    operand_of,
)
from jvmdebug.probes.members import BY_HANDLE, NotCompiledError, Reach, is_clone_of_array

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmdebug.evaluator.symbols.declarations import FieldDeclaration, MethodDeclaration
    from jvmdebug.evaluator.symbols.types import JavaType
    from jvmdebug.probes.code import ExpressionCode, Writer

_ELEMENT: Final = {"I": 46, "J": 47, "F": 48, "D": 49, "A": 50, "B": 51, "Z": 51, "C": 52, "S": 53}
_GETSTATIC, _GETFIELD, _ARRAYLENGTH, _CHECKCAST = 178, 180, 190, 192
_INVOKEVIRTUAL, _INVOKESTATIC, _INVOKEINTERFACE = 182, 184, 185


def _static_field(out: ExpressionCode, node: bound.StaticField) -> None:
    for_side_effects(out, node.target)
    read_field(out, node.field, _GETSTATIC, lambda: "")


def _instance_field(out: ExpressionCode, node: bound.InstanceField) -> None:
    owner = node.field.owner.replace(".", "/")
    read_field(out, node.field, _GETFIELD, lambda: receiver(out, node.target, owner))


def read_field(
    out: ExpressionCode, declaration: FieldDeclaration, opcode: int, put_object: Callable[[], str]
) -> None:
    """`put_object` leaves the object on the stack and gives its descriptor; "" if it is static."""
    descriptor = types.erasure(declaration.type).descriptor
    owner = declaration.owner.replace(".", "/")
    by_handle = out.reach[id(declaration)] is Reach.HANDLE
    if by_handle:
        push_handle(out, declaration, HandleKind.READ)
    taken = put_object()
    if by_handle:
        invoke_exact(out, f"({taken}){descriptor}")
        return
    member = out.code.pool.member(ConstantTag.FIELD_REFERENCE, owner, declaration.name, descriptor)
    out.code.op_index(opcode, member)


def _array_length(out: ExpressionCode, node: bound.ArrayLength) -> None:
    out.value(node.array)
    out.code.op(_ARRAYLENGTH)


def _element(out: ExpressionCode, node: bound.Element) -> None:
    letter = element_letter(node.array.type)
    out.value(node.array)
    out.value(node.index)
    load_element(out, letter)


def load_element(out: ExpressionCode, letter: str) -> None:
    """The element of the array and the index on the stack."""
    out.code.op(_ELEMENT[letter])


def element_letter(array: JavaType) -> str:
    """What the elements of an array are: the letter of a primitive type, or A."""
    if not isinstance(array, ArrayType):
        raise NotCompiledError("an element of something that is no array")
    element = types.erasure(array.element)
    return element.descriptor if isinstance(element, PrimitiveType) else "A"


def _static_call(out: ExpressionCode, node: bound.StaticCall) -> None:
    for_side_effects(out, node.target)
    method = node.method
    by_handle = out.reach[id(method)] in BY_HANDLE
    if by_handle:
        push_handle(out, method, HandleKind.CALL)
    put_arguments(out, method, node.arguments)
    if by_handle:
        invoke_exact(out, method.descriptor)
    else:
        owner = method.owner.replace(".", "/")
        out.invoke(_INVOKESTATIC, owner, method.name, method.descriptor)


def _instance_call(out: ExpressionCode, node: bound.InstanceCall) -> None:
    method, owner = node.method, node.method.owner.replace(".", "/")
    if not node.is_virtual:
        _super_call(out, node)
        return
    if is_clone_of_array(node):
        array = class_operand(node.target.type)
        out.value(node.target)
        out.invoke(_INVOKEVIRTUAL, array, "clone", "()Ljava/lang/Object;")
        out.cast(array)  # its type in Java, of which the VM knows nothing
        return
    reach = out.reach[id(method)]
    if reach is Reach.HANDLE:
        push_handle(out, method, HandleKind.CALL)
    taken = receiver(out, node.target, owner)
    put_arguments(out, method, node.arguments)
    if reach is Reach.HANDLE:
        invoke_exact(out, f"({taken}{method.descriptor[1:]}")
    elif reach is Reach.INTERFACE:
        member = out.code.pool.member(
            ConstantTag.INTERFACE_METHOD_REFERENCE, owner, method.name, method.descriptor
        )
        parameters = parse_method_descriptor(method.descriptor).parameters
        out.code.op_index(_INVOKEINTERFACE, member)
        out.code.op(1 + sum(2 if each in "JD" else 1 for each in parameters), 0)
    else:
        out.invoke(_INVOKEVIRTUAL, owner, method.name, method.descriptor)


def _super_call(out: ExpressionCode, node: bound.InstanceCall) -> None:
    """The handle is that of the class whose super it is, and takes objects of that class alone."""
    home = class_operand(node.target.type)
    push_handle(out, node.method, HandleKind.CALL_SUPER, home)
    out.value(node.target)
    put_arguments(out, node.method, node.arguments)
    invoke_exact(out, f"(L{home};{node.method.descriptor[1:]}")


def put_arguments(
    out: ExpressionCode,
    method: MethodDeclaration,
    arguments: tuple[bound.Bound, ...],
    *,
    first: int = 0,
) -> None:
    """Leave the arguments of a call on the stack, from the first-th on."""
    for index in range(first, len(arguments)):
        put_argument(out, method, index, arguments[index])


def put_argument(
    out: ExpressionCode, method: MethodDeclaration, index: int, argument: bound.Bound
) -> None:
    """Leave one argument of a call on the stack."""
    parameter = parse_method_descriptor(method.descriptor).parameters[index]
    out.value(argument)
    if parameter[0] in "L[" and not is_known_as(argument, operand_of(parameter)):
        out.class_op(_CHECKCAST, operand_of(parameter))


def receiver(out: ExpressionCode, target: bound.Bound, owner: str) -> str:
    """The value, which the VM then knows to be of the class that declares the member."""
    out.value(target)
    if owner != OBJECT and not is_known_as(target, owner):
        out.class_op(_CHECKCAST, owner)
    return f"L{owner};"


def for_side_effects(out: ExpressionCode, target: bound.Bound | None) -> None:
    """Evaluate what a static member is named by, and drop it."""
    if target is not None:
        out.value(target)
        out.drop(target.type)


def push_handle(
    out: ExpressionCode,
    member: FieldDeclaration | MethodDeclaration,
    kind: HandleKind,
    home: str | None = None,
) -> None:
    """Leave a method handle on the stack; its arguments and `invoke_exact` follow.

    `home`: the class that may use the member; None: the one that declares it.
    """
    is_open = out.reach.get(id(member)) is Reach.OPEN_HANDLE
    rights = None if is_open else home or member.owner.replace(".", "/")
    handle = Handle(f"h{len(out.handles)}", member, kind, rights)
    out.handles.append(handle)
    kept = out.code.pool.member(ConstantTag.FIELD_REFERENCE, out.class_name, handle.name, HANDLE)
    out.code.op_index(_GETSTATIC, kept)


def invoke_exact(out: ExpressionCode, descriptor: str) -> None:
    """Call the method handle below the arguments."""
    out.invoke(_INVOKEVIRTUAL, operand_of(HANDLE), "invokeExact", descriptor)


MEMBERS: Final[Mapping[type[bound.BoundNode], Writer]] = {
    bound.StaticField: _static_field,
    bound.InstanceField: _instance_field,
    bound.ArrayLength: _array_length,
    bound.Element: _element,
    bound.StaticCall: _static_call,
    bound.InstanceCall: _instance_call,
}
