# SPDX-License-Identifier: Apache-2.0
"""The code of fields, elements of arrays and calls. See `code`, and `members` for the two ways to
reach a member.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.access import Access
from jvmdebug.classfile.constant_pool import ConstantTag
from jvmdebug.classfile.descriptors import parse_method_descriptor
from jvmdebug.classfile.opcodes import Op
from jvmdebug.evaluator.bind import bound
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.declarations import MethodDeclaration
from jvmdebug.evaluator.symbols.types import ArrayType, PrimitiveType
from jvmdebug.probes.codegen.code import class_operand, is_known_as, operand_of
from jvmdebug.probes.codegen.given import OBJECT, GivenKind
from jvmdebug.probes.codegen.members import NotCompiledError, Reach, is_clone_of_array

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmdebug.evaluator.symbols.declarations import FieldDeclaration
    from jvmdebug.evaluator.symbols.types import JavaType
    from jvmdebug.probes.codegen.code import ExpressionCode, Writer

_ELEMENT: Final = {
    "I": Op.IALOAD,
    "J": Op.LALOAD,
    "F": Op.FALOAD,
    "D": Op.DALOAD,
    "A": Op.AALOAD,
    "B": Op.BALOAD,
    "Z": Op.BALOAD,
    "C": Op.CALOAD,
    "S": Op.SALOAD,
}


def _static_field(out: ExpressionCode, node: bound.StaticField) -> None:
    for_side_effects(out, node.target)
    read_field(out, node.field, Op.GETSTATIC, lambda: None)


def _instance_field(out: ExpressionCode, node: bound.InstanceField) -> None:
    owner = node.field.owner.replace(".", "/")
    read_field(out, node.field, Op.GETFIELD, lambda: receiver(out, node.target, owner))


def read_field(
    out: ExpressionCode, declaration: FieldDeclaration, opcode: int, put_object: Callable[[], None]
) -> None:
    """Read a field. `put_object` leaves the object on the stack, unless the field is static."""
    descriptor = types.erasure(declaration.type).descriptor
    owner = declaration.owner.replace(".", "/")
    if out.reach[id(declaration)] is Reach.HANDLE:
        handle = out.member_handle(GivenKind.READ, declaration)
        put_object()
        out.call_handle(handle)
        return
    put_object()
    member = out.code.pool.member(ConstantTag.FIELD_REFERENCE, owner, declaration.name, descriptor)
    out.code.op_index(opcode, member)


def _array_length(out: ExpressionCode, node: bound.ArrayLength) -> None:
    out.value(node.array)
    out.code.op(Op.ARRAYLENGTH)


def _element(out: ExpressionCode, node: bound.Element) -> None:
    letter = element_letter(node.array.type)
    out.value(node.array)
    out.value(node.index)
    load_element(out, letter)


def load_element(out: ExpressionCode, letter: str) -> None:
    """Load the element of the array and index that are on the stack."""
    out.code.op(_ELEMENT[letter])


def element_letter(array: JavaType) -> str:
    """The kind of the elements of an array: the letter of a primitive type, or A."""
    if not isinstance(array, ArrayType):
        raise NotCompiledError("an element of something that is no array")
    element = types.erasure(array.element)
    return element.descriptor if isinstance(element, PrimitiveType) else "A"


def _static_call(out: ExpressionCode, node: bound.StaticCall) -> None:
    for_side_effects(out, node.target)
    method = node.method
    if out.reach[id(method)] is Reach.HANDLE:
        handle = out.member_handle(GivenKind.CALL, method)
        put_arguments(out, method, node.arguments)
        out.call_handle(handle)
        return
    put_arguments(out, method, node.arguments)
    owner = method.owner.replace(".", "/")
    out.invoke(Op.INVOKESTATIC, owner, method.name, method.descriptor)


def _instance_call(out: ExpressionCode, node: bound.InstanceCall) -> None:
    method, owner = node.method, node.method.owner.replace(".", "/")
    if not node.is_virtual:
        _super_call(out, node)
        return
    if is_clone_of_array(node):
        array = out.names.shown(class_operand(node.target.type))
        out.value(node.target)
        out.invoke(Op.INVOKEVIRTUAL, array, "clone", "()Ljava/lang/Object;")
        out.cast(array)  # its type in Java, which the VM does not know
        return
    reach = out.reach[id(method)]
    if reach is Reach.HANDLE:
        handle = out.member_handle(GivenKind.CALL, method)
        receiver(out, node.target, owner)
        put_arguments(out, method, node.arguments)
        out.call_handle(handle)
        return
    receiver(out, node.target, owner)
    put_arguments(out, method, node.arguments)
    if reach is Reach.INTERFACE:
        member = out.code.pool.member(
            ConstantTag.INTERFACE_METHOD_REFERENCE, owner, method.name, method.descriptor
        )
        parameters = parse_method_descriptor(method.descriptor).parameters
        out.code.op_index(Op.INVOKEINTERFACE, member)
        out.code.op(1 + sum(2 if each in "JD" else 1 for each in parameters), 0)
    else:
        out.invoke(Op.INVOKEVIRTUAL, owner, method.name, method.descriptor)


def _super_call(out: ExpressionCode, node: bound.InstanceCall) -> None:
    """Call by a handle of the class from which `super` is called; it takes objects of that class
    alone.
    """
    home = class_operand(node.target.type)
    handle = out.member_handle(GivenKind.CALL_SUPER, node.method, home)
    out.value(node.target)
    put_arguments(out, node.method, node.arguments)
    out.call_handle(handle)


def _compiled_call(out: ExpressionCode, node: bound.CompiledCall) -> None:
    """Call the method of a hidden class, which is unloaded when the check is removed."""
    method, owner = node.method, node.method.declaring_type
    declaration = MethodDeclaration(
        method.name, method.signature, (), types.OBJECT, Access.STATIC, owner.name, origin=method
    )
    handle = out.give(GivenKind.CALL, owner, declaration, method.signature, is_final=False)
    out.push_given(handle)
    for each in node.arguments:
        out.value(each)
    out.code.op(Op.ACONST_NULL)
    out.call_handle(handle)
    out.cast(class_operand(node.type))


def put_arguments(
    out: ExpressionCode,
    method: MethodDeclaration,
    arguments: tuple[bound.Bound, ...],
    *,
    first: int = 0,
) -> None:
    """Leave the arguments of a call on the stack, beginning with that of index `first`."""
    for index in range(first, len(arguments)):
        put_argument(out, method, index, arguments[index])


def put_argument(
    out: ExpressionCode, method: MethodDeclaration, index: int, argument: bound.Bound
) -> None:
    """Leave one argument of a call on the stack."""
    parameter = parse_method_descriptor(method.descriptor).parameters[index]
    out.value(argument)
    if parameter[0] in "L[" and not is_known_as(argument, operand_of(parameter)):
        out.cast(operand_of(parameter))


def receiver(out: ExpressionCode, target: bound.Bound, owner: str) -> None:
    """Leave the value on the stack. The VM then knows that it is of the class that declares the
    member.
    """
    out.value(target)
    if owner != OBJECT and not is_known_as(target, owner):
        out.cast(owner)


def for_side_effects(out: ExpressionCode, target: bound.Bound | None) -> None:
    """Evaluate the expression by which a static member is named, and drop its value."""
    if target is not None:
        out.value(target)
        out.drop(target.type)


MEMBERS: Final[Mapping[type[bound.BoundNode], Writer]] = {
    bound.StaticField: _static_field,
    bound.InstanceField: _instance_field,
    bound.ArrayLength: _array_length,
    bound.Element: _element,
    bound.StaticCall: _static_call,
    bound.InstanceCall: _instance_call,
    bound.CompiledCall: _compiled_call,
}
