# SPDX-License-Identifier: Apache-2.0
"""The code that takes what the agent gives a check while its class is initialized: method handles
of members that it may not name, and classes that it cannot name
(native/agent/probes/given_objects.h).

These objects are in static final fields, so that the compilers of the VM treat them as constants.
Objects that would keep classes of another loader alive are not; their fields are cleared by the
agent when the check is removed. Called by `check`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from jvmdebug.classfile.opcodes import Op
from jvmdebug.evaluator.symbols.declarations import MethodDeclaration
from jvmdebug.jdwp.ids import FieldId, MethodId, ObjectId, ReferenceTypeId
from jvmdebug.probes.codegen.code import operand_of
from jvmdebug.probes.codegen.given import CLEARED, HANDLE, OBJECT, GivenKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmdebug.classfile.writer import ClassWriter, CodeWriter
    from jvmdebug.probes.codegen.given import Given

W = TypeVar("W")

_PLACES: Final = 4
"""The number of fields for what may be given later and for what may be cleared, together."""
_PROBES: Final = "java/lang/JvmdebugProbes"
_TYPE: Final = "java/lang/invoke/MethodType"
_OBJECTS: Final = "[Ljava/lang/Object;"


def ask_agent(code: CodeWriter) -> None:
    """Push the array of the given objects."""
    code.invoke(Op.INVOKESTATIC, _PROBES, "given", f"(){_OBJECTS}")


def write_given(
    made: ClassWriter,
    code: CodeWriter,
    given: Sequence[Given],
    ask: Callable[[CodeWriter], None] = ask_agent,
) -> None:
    """Write the fields, and in the initializer the code that fills them."""
    if not given:
        return
    for each in sorted(given, key=lambda each: not each.is_final):  # the VM compares their order
        add = made.static_final if each.is_final else made.static_field
        add(each.name, each.field_type)
    ask(code)
    objects = code.new_slot("A")
    code.store("A", objects)
    for index, each in enumerate(given):
        code.load("A", objects)
        code.push_int(index)
        code.op(Op.AALOAD)
        code.op_index(Op.CHECKCAST, made.pool.class_(operand_of(each.object_type)))
        if each.member is not None:
            _fit(code, made.name, each.descriptor)
        code.field(Op.PUTSTATIC, made.name, each.name, each.field_type)


def leave_places(made: ClassWriter, given: Sequence[Given]) -> None:
    """Add fields for what a check is given that replaces this one."""
    for number in range(_not_final(given), _PLACES):
        made.static_field(f"{CLEARED}{number}", f"L{OBJECT};")


def given_names(given: Sequence[Given]) -> frozenset[str]:
    """The names of all fields for what this check, and one that replaces it, is given."""
    places = (f"{CLEARED}{number}" for number in range(_PLACES))
    return frozenset({*(each.name for each in given), *places})


def given_later(before: Sequence[Given], after: Sequence[Given]) -> tuple[Given, ...] | None:
    """What a check is given in addition to what the check before it has, whose fields stay because
    threads may be in it. None if that is not possible.
    """
    known = {each.name: each for each in before}
    if any(known.get(each.name, each) != each for each in after):
        return None
    more = tuple(each for each in after if each.name not in known)
    return more if all(map(_is_used_as_it_is, more)) else None


def places_taken(given: Sequence[Given], later: Sequence[Given]) -> int:
    """The number of fields that have something already when the agent fills in the rest."""
    return _not_final(given) - len(later)


def _not_final(given: Sequence[Given]) -> int:
    return sum(not each.is_final for each in given)


def _is_used_as_it_is(given: Given) -> bool:
    """Whether a handle may be given later, and has exactly the types that the code can name."""
    member = given.member
    if given.is_final or given.kind is not GivenKind.CALL:
        return False
    return isinstance(member, MethodDeclaration) and member.descriptor == given.descriptor


def _fit(code: CodeWriter, class_name: str, descriptor: str) -> None:
    """Convert a handle to one with the types that the code can name."""
    code.invoke(Op.INVOKEVIRTUAL, operand_of(HANDLE), "asFixedArity", f"(){HANDLE}")
    code.push_string(descriptor)
    code.push_class(class_name)
    code.invoke(Op.INVOKEVIRTUAL, "java/lang/Class", "getClassLoader", "()Ljava/lang/ClassLoader;")
    made = f"(Ljava/lang/String;Ljava/lang/ClassLoader;)L{_TYPE};"
    code.invoke(Op.INVOKESTATIC, _TYPE, "fromMethodDescriptorString", made)
    code.invoke(Op.INVOKEVIRTUAL, operand_of(HANDLE), "asType", f"(L{_TYPE};){HANDLE}")


def to_wire(given: Given, made: Callable[..., W]) -> W:
    """Describe a given object to the agent. `made`: the class of that part of the request."""
    member = None if given.member is None else given.member.origin
    is_field = given.kind in (GivenKind.READ, GivenKind.WRITE)
    id_ = 0 if member is None else int(member.id)
    object_ = given.object_id if given.caller is None else int(given.caller.id)
    return made(
        kind=given.kind.value,
        type_id=ReferenceTypeId(ObjectId(0)) if given.type is None else given.type.id,
        field_id=FieldId(id_ if is_field else 0),
        method_id=MethodId(0 if is_field else id_),
        object=ObjectId(object_),
    )
