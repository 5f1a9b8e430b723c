# SPDX-License-Identifier: Apache-2.0
"""The code of assignments, and of values that are computed once (JLS 15.26). See `code`.

The operands of a target are kept in local variables: array and index, or the object, before the new
value is computed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.classfile.constant_pool import ConstantTag
from jvmdebug.classfile.opcodes import Op
from jvmdebug.evaluator.bind import bound
from jvmdebug.evaluator.symbols import types
from jvmdebug.probes.codegen.code import class_operand, is_known_as, kind_of, operand_of
from jvmdebug.probes.codegen.creation_code import store_element
from jvmdebug.probes.codegen.given import GivenKind
from jvmdebug.probes.codegen.member_code import (
    element_letter,
    for_side_effects,
    load_element,
    read_field,
    receiver,
)
from jvmdebug.probes.codegen.members import NotCompiledError, Reach

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.evaluator.symbols.declarations import FieldDeclaration
    from jvmdebug.evaluator.symbols.types import JavaType
    from jvmdebug.probes.codegen.code import ExpressionCode, Writer


_Step: TypeAlias = Callable[[], None]


def _assign(out: ExpressionCode, node: bound.Assign) -> None:
    _, store = _place(out, node.target)
    out.value(node.value)
    kept = _keep(out, node.target.type, node.value)
    store(kept)
    out.code.load(kind_of(node.type), kept)


def _compound_assign(out: ExpressionCode, node: bound.CompoundAssign) -> None:
    load, store = _place(out, node.target)
    load()
    if kind_of(node.temporary.type) == "A":
        out.cast(class_operand(node.temporary.type))  # the VM knows the erased type
    out.keep(node.temporary)
    out.value(node.combined)
    kept = _keep(out, node.target.type, node.combined)
    store(kept)
    if node.gives_old:
        out.kept(node.temporary)
    else:
        out.code.load(kind_of(node.type), kept)


def _keep(out: ExpressionCode, to: JavaType, of: bound.Bound) -> int:
    """Keep the value on the stack in a slot, and return the slot."""
    kind = kind_of(to)
    if kind == "A" and not is_known_as(of, class_operand(to)):
        out.cast(class_operand(to))
    slot = out.code.new_slot(kind)
    out.code.store(kind, slot)
    return slot


def _place(
    out: ExpressionCode, target: bound.AssignmentTarget
) -> tuple[_Step, Callable[[int], None]]:
    """Compute the operands of a target. Returns what reads the target, and what stores the value in
    a slot there.
    """
    match target:
        case bound.FrameLocal():
            # The check only has a copy.
            raise NotCompiledError("an assignment to a local variable of the program")
        case bound.DeclaredLocal(variable=variable):
            kind, slot = kind_of(variable.type), out.declared_slot(variable)

            def store_own(value: int) -> None:
                out.code.load(kind, value)
                out.code.store(kind, slot)

            return lambda: out.code.load(kind, slot), store_own
        case bound.Element():
            return _element(out, target)
        case bound.StaticField(field=declaration):
            for_side_effects(out, target.target)
            return _field(out, declaration, None)
        case bound.InstanceField(field=declaration):
            receiver(out, target.target, declaration.owner.replace(".", "/"))
            kept = out.code.new_slot("A")
            out.code.store("A", kept)
            return _field(out, declaration, kept)


def _element(out: ExpressionCode, target: bound.Element) -> tuple[_Step, Callable[[int], None]]:
    letter = element_letter(target.array.type)
    array, index = out.code.new_slot("A"), out.code.new_slot("I")
    out.value(target.array)
    out.code.store("A", array)
    out.value(target.index)
    out.code.store("I", index)

    def place() -> None:
        out.code.load("A", array)
        out.code.load("I", index)

    def load() -> None:
        place()
        load_element(out, letter)

    def store(value: int) -> None:
        place()
        out.code.load(kind_of(target.type), value)
        store_element(out, letter)

    return load, store


def _field(
    out: ExpressionCode, declaration: FieldDeclaration, of: int | None
) -> tuple[_Step, Callable[[int], None]]:
    """A field as a target. `of`: the slot with the object; None for a static field."""
    if declaration.is_final:
        raise NotCompiledError(f"an assignment to {declaration.name}, which is final")
    descriptor = types.erasure(declaration.type).descriptor
    kind = kind_of(declaration.type)
    by_handle = out.reach[id(declaration)] is Reach.HANDLE

    def put_object() -> None:
        if of is not None:
            out.code.load("A", of)

    def load() -> None:
        read_field(out, declaration, Op.GETSTATIC if of is None else Op.GETFIELD, put_object)

    def store(value: int) -> None:
        handle = out.member_handle(GivenKind.WRITE, declaration) if by_handle else None
        put_object()
        out.code.load(kind, value)
        if kind == "A":
            out.cast(operand_of(descriptor))
        if handle is not None:
            out.call_handle(handle)
            return
        owner = declaration.owner.replace(".", "/")
        member = out.code.pool.member(
            ConstantTag.FIELD_REFERENCE, owner, declaration.name, descriptor
        )
        out.code.op_index(Op.PUTSTATIC if of is None else Op.PUTFIELD, member)

    return load, store


def _temporary(out: ExpressionCode, node: bound.Temporary) -> None:
    out.kept(node)


STORES: Final[Mapping[type[bound.BoundNode], Writer]] = {
    bound.Assign: _assign,
    bound.CompoundAssign: _compound_assign,
    bound.Temporary: _temporary,
}
