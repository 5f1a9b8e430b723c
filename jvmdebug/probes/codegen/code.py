# SPDX-License-Identifier: Apache-2.0
"""Compiles the bound tree of an expression to bytecode.

Each node leaves its value on the operand stack, as javac would; a condition becomes jumps. The
functions for single nodes are in `values` and `member_code`, by the class of the node. A node
without such a function raises NotCompiledError, and the expression is interpreted. Called by
`check`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.classfile.constant_pool import ConstantTag
from jvmdebug.classfile.descriptors import parse_method_descriptor
from jvmdebug.classfile.opcodes import Op
from jvmdebug.classfile.writer import Label
from jvmdebug.evaluator.bind import bound
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import ArrayType, PrimitiveType
from jvmdebug.probes.codegen.accessible import Names
from jvmdebug.probes.codegen.given import (
    CLEARED,
    HANDLE,
    OBJECT,
    Given,
    GivenKind,
    handle_descriptor,
)
from jvmdebug.probes.codegen.members import NotCompiledError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmdebug.classfile.writer import CodeWriter
    from jvmdebug.evaluator.symbols.declarations import FieldDeclaration, MethodDeclaration
    from jvmdebug.evaluator.symbols.types import JavaType
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.probes.codegen.members import Reach

    Writer = Callable[["ExpressionCode", Any], None]

_CLASS: Final = "java/lang/Class"

_IF_INT: Final = {
    "==": Op.IF_ICMPEQ,
    "!=": Op.IF_ICMPNE,
    "<": Op.IF_ICMPLT,
    ">=": Op.IF_ICMPGE,
    ">": Op.IF_ICMPGT,
    "<=": Op.IF_ICMPLE,
}
_IF_ZERO: Final = {
    "==": Op.IFEQ,
    "!=": Op.IFNE,
    "<": Op.IFLT,
    ">=": Op.IFGE,
    ">": Op.IFGT,
    "<=": Op.IFLE,
}
_NOT: Final = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_IF_SAME: Final = {True: Op.IF_ACMPEQ, False: Op.IF_ACMPNE}
"""The jumps if two references are the same, or are not."""


def kind_of(java_type: JavaType) -> str:
    """The kind in which the VM keeps a value: I J F D A."""
    if isinstance(java_type, PrimitiveType):
        return letter_kind(java_type.descriptor)
    return "A"


def letter_kind(letter: str) -> str:
    """The kind by the first letter of a descriptor."""
    return letter if letter in "JFD" else "A" if letter in "L[" else "I"


def class_operand(java_type: JavaType) -> str:
    """A class as an instruction names it: `a/b/C`, `[La/b/C;`."""
    if isinstance(java_type, PrimitiveType | types.NullType | types.VoidType):
        raise NotCompiledError(f"{java_type} is no class")
    erased = types.erased_reference(java_type)
    if isinstance(erased, ArrayType):
        return erased.descriptor
    return erased.descriptor[1:-1]


def operand_of(descriptor: str) -> str:
    """The name of a class or array type in an instruction, from its descriptor."""
    return descriptor if descriptor.startswith("[") else descriptor[1:-1]


def is_known_as(node: bound.Bound, operand: str) -> bool:
    """Whether the VM knows that the value is of the class."""
    if operand == OBJECT or isinstance(node.type, types.NullType):
        return True
    if isinstance(node, bound.StaticCall | bound.InstanceCall):
        # Its static type may be an intersection type, of which the VM only knows the type that the
        # method declares.
        result = parse_method_descriptor(node.method.descriptor).result
        return result[0] in "L[" and operand_of(result) == operand
    if isinstance(node, bound.ReferenceCast):
        if not node.checks:
            return is_known_as(node.operand, operand)
        return class_operand(node.checks[-1]) == operand
    return not isinstance(node.type, PrimitiveType) and class_operand(node.type) == operand


@dataclass(slots=True)
class ExpressionCode:
    """Writes the code of one expression."""

    code: CodeWriter
    class_name: str
    """The name of the class that is written: `a/b/C`."""
    locals: Mapping[int, tuple[int, str]]
    """Maps the slot in the frame to the slot in the check and its descriptor; slot -1 is `this`."""
    reach: Mapping[int, Reach]
    writers: Mapping[type[bound.BoundNode], Writer]
    names: Names = field(default_factory=Names)
    old: bound.Bound | None = None
    """The value that the field has, in a check of an instruction that writes the field."""
    given: list[Given] = field(default_factory=list)
    _declared: dict[bound.Variable, int] = field(default_factory=dict)
    _temporaries: dict[bound.Temporary, int] = field(default_factory=dict)

    def value(self, node: bound.Bound) -> None:
        """Leave the value on the stack."""
        writer = self.writers.get(type(node))
        if writer is None:
            raise NotCompiledError("a part of it")
        writer(self, node)

    def branch(self, node: bound.Bound, target: Label, *, when: bool) -> None:
        """Go to `target` if the value is `when`; else continue behind."""
        match node:
            case bound.Constant(value=bool() as value):
                if value == when:
                    self.code.jump(Op.GOTO, target)
            case bound.Unary(operator="!", operand=operand):
                self.branch(operand, target, when=not when)
            case bound.ShortCircuit():
                self._short_circuit(node, target, when=when)
            case bound.Comparison():
                self._compare(node, target, when=when)
            case bound.ReferenceEquality(left=left, right=right, is_negated=is_negated):
                self._same(left, right, target, when=when != is_negated)
            case bound.PatternTest():
                self._match(node, target, when=when)
            case _:
                self.value(node)
                self.code.jump(Op.IFNE if when else Op.IFEQ, target)

    def _short_circuit(self, node: bound.ShortCircuit, target: Label, *, when: bool) -> None:
        if (node.operator == "||") == when:  # one of the two is enough
            self.branch(node.left, target, when=when)
            self.branch(node.right, target, when=when)
            return
        past = Label()
        self.branch(node.left, past, when=not when)
        self.branch(node.right, target, when=when)
        self.code.place(past)

    def _compare(self, node: bound.Comparison, target: Label, *, when: bool) -> None:
        kind = kind_of(node.left.type)
        self.value(node.left)
        self.value(node.right)
        operator = node.operator if when else _NOT[node.operator]
        if kind == "I":
            self.code.jump(_IF_INT[operator], target)
            return
        if kind == "J":
            self.code.op(Op.LCMP)
        else:
            # NaN makes every comparison except != false, so use the instruction that gives -1 or 1
            # for it.
            is_less = node.operator in {"<", "<="}
            greater, lesser = (Op.FCMPG, Op.FCMPL) if kind == "F" else (Op.DCMPG, Op.DCMPL)
            self.code.op(greater if is_less else lesser)
        self.code.jump(_IF_ZERO[operator], target)

    def _same(self, left: bound.Bound, right: bound.Bound, target: Label, *, when: bool) -> None:
        for operand, other in ((left, right), (right, left)):
            if isinstance(other, bound.NullConstant):
                self.value(operand)
                self.code.jump(Op.IFNULL if when else Op.IFNONNULL, target)
                return
        self.value(left)
        self.value(right)
        self.code.jump(_IF_SAME[when], target)

    def _match(self, node: bound.PatternTest, target: Label, *, when: bool) -> None:
        kept, past = self.code.new_slot("A"), Label()
        fails = past if when else target
        self.value(node.operand)
        self.code.store("A", kept)
        self.code.load("A", kept)
        self.code.jump(Op.IFNULL, fails)
        self._fit(node.pattern, kept, "A", fails)
        if when:
            self.code.jump(Op.GOTO, target)
        self.code.place(past)

    def _fit(self, pattern: bound.BoundPattern, kept: int, kind: str, fails: Label) -> None:
        """Set the variables of a pattern if the value in the slot `kept` matches; else go to
        `fails`.
        """
        match pattern:
            case bound.Deconstruction():
                self._deconstruct(pattern, kept, fails)
            case bound.BindingPattern(tested=tested, variable=variable):
                if tested is not None:
                    self.code.load(kind, kept)
                    self.instance_of(class_operand(tested))
                    self.code.jump(Op.IFEQ, fails)
                if variable is not None:
                    self.code.load(kind, kept)
                    if kind == "A":
                        self.cast(class_operand(variable.type))
                    self.code.store(kind, self.declared_slot(variable))
            case _:
                raise NotCompiledError("a pattern")

    def _deconstruct(self, pattern: bound.Deconstruction, kept: int, fails: Label) -> None:
        tested = class_operand(pattern.tested)
        self.code.load("A", kept)
        self.instance_of(tested)
        self.code.jump(Op.IFEQ, fails)
        self.code.load("A", kept)
        self.cast(tested)
        self.keep(pattern.temporary)
        for accessor, component in zip(pattern.accessors, pattern.components, strict=True):
            kind = kind_of(accessor.type)
            part = self.code.new_slot(kind)
            self.value(accessor)
            self.code.store(kind, part)
            self._fit(component, part, kind, fails)

    def keep(self, temporary: bound.Temporary) -> None:
        """Take the value of the temporary from the stack."""
        kind = kind_of(temporary.type)
        slot = self._temporaries.get(temporary)
        if slot is None:
            slot = self._temporaries[temporary] = self.code.new_slot(kind)
        self.code.store(kind, slot)

    def kept(self, temporary: bound.Temporary) -> None:
        """Leave the value of the temporary on the stack."""
        self.code.load(kind_of(temporary.type), self._temporaries[temporary])

    def cast(self, operand: str) -> None:
        """Have the VM know that the reference on the stack is of the class, if the code can name
        it.
        """
        shown = self.names.shown(operand)
        if shown != OBJECT:
            self.class_op(Op.CHECKCAST, shown)

    def checked_cast(self, operand: str) -> None:
        """The same, but throw an exception if it is not."""
        if not self.names.can(operand):
            self._call_class(operand, "cast", f"(L{OBJECT};)L{OBJECT};")
        self.cast(operand)

    def instance_of(self, operand: str) -> None:
        """Replace the reference on the stack by whether it is of the class."""
        if self.names.can(operand):
            self.class_op(Op.INSTANCEOF, operand)
        else:
            self._call_class(operand, "isInstance", f"(L{OBJECT};)Z")

    def _call_class(self, operand: str, name: str, descriptor: str) -> None:
        self.class_object(operand)
        self.code.op(Op.SWAP)
        self.invoke(Op.INVOKEVIRTUAL, _CLASS, name, descriptor)

    def class_object(self, operand: str) -> None:
        """Leave the class object on the stack."""
        if self.names.can(operand):
            self.code.push_class(operand)
            return
        type_ = self.names.known.get(operand)
        if type_ is None:
            name = operand.replace("/", ".")
            raise NotCompiledError(f"{name} is not loaded, or an array of what it cannot name")
        kept = next((e for e in self.given if e.type is type_ and e.kind is GivenKind.TYPE), None)
        self.push_given(kept or self.give(GivenKind.TYPE, type_, is_final=self._stays(operand)))

    def give(
        self,
        kind: GivenKind,
        type_: ReferenceType | None,
        member: FieldDeclaration | MethodDeclaration | None = None,
        descriptor: str = "",
        *,
        caller: ReferenceType | None = None,
        object_id: int = 0,
        is_final: bool = True,
    ) -> Given:
        """Note that the class of the check is given an object."""
        number = sum(each.is_final == is_final for each in self.given)
        name = f"{'given' if is_final else CLEARED}{number}"
        made = Given(name, kind, type_, member, caller, descriptor, object_id, is_final)
        self.given.append(made)
        return made

    def push_given(self, given: Given) -> None:
        """Leave a given object on the stack."""
        self.code.field(Op.GETSTATIC, self.class_name, given.name, given.field_type)
        if not given.is_final:
            self.class_op(Op.CHECKCAST, operand_of(given.object_type))

    def _stays(self, operand: str) -> bool:
        return operand not in self.names.unloadable

    def member_handle(
        self,
        kind: GivenKind,
        member: FieldDeclaration | MethodDeclaration,
        caller: str | None = None,
    ) -> Given:
        """Leave a method handle on the stack; its arguments and `call_handle` follow. `caller`: the
        class from which `super` is called.
        """
        origin, owner = member.origin, member.owner.replace(".", "/")
        if origin is None:
            raise NotCompiledError(f"{member.owner}.{member.name} is not in the VM")
        calling = None if caller is None else self.names.known.get(caller)
        descriptor = self.names.shown_descriptor(handle_descriptor(kind, member, caller or owner))
        given = self.give(
            kind,
            origin.declaring_type,
            member,
            descriptor,
            caller=calling,
            is_final=self._stays(owner),
        )
        self.push_given(given)
        return given

    def call_handle(self, given: Given) -> None:
        """Call the method handle below the arguments."""
        self.invoke(Op.INVOKEVIRTUAL, operand_of(HANDLE), "invokeExact", given.descriptor)

    def boolean(self, node: bound.Bound) -> None:
        """Leave the value of a condition on the stack."""
        holds, end = Label(), Label()
        self.branch(node, holds, when=True)
        self.code.op(Op.ICONST_0)
        self.code.jump(Op.GOTO, end)
        self.code.place(holds)
        self.code.op(Op.ICONST_1)
        self.code.place(end)

    def local(self, slot: int) -> None:
        """Leave a variable of the frame on the stack."""
        if slot not in self.locals:
            raise NotCompiledError(
                "it needs the object, whose constructor has not called that of the superclass"
                if slot < 0
                else "a variable that is not passed"
            )
        at, descriptor = self.locals[slot]
        kind = letter_kind(descriptor[0])
        self.code.load(kind, at)
        if kind == "A":
            self.cast(operand_of(descriptor))

    def declared_slot(self, variable: bound.Variable) -> int:
        """The slot of a variable that the expression declares."""
        if variable not in self._declared:
            self._declared[variable] = self.code.new_slot(kind_of(variable.type))
        return self._declared[variable]

    def class_op(self, opcode: int, operand: str) -> None:
        """An instruction that names a class."""
        self.code.op_index(opcode, self.code.pool.class_(operand))

    def invoke(self, opcode: int, owner: str, name: str, descriptor: str) -> None:
        """Write a call, other than by invokeinterface."""
        member = self.code.pool.member(ConstantTag.METHOD_REFERENCE, owner, name, descriptor)
        self.code.op_index(opcode, member)

    def drop(self, java_type: JavaType) -> None:
        """Take a value from the stack."""
        self.code.op(Op.POP2 if kind_of(java_type) in "JD" else Op.POP)
