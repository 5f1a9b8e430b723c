# SPDX-License-Identifier: Apache-2.0
"""The method handles of a check: looked up once, when its class is initialized.

A lookup with all rights on the class that declares the member finds what is private. The handles
are in static final fields, so that the compilers of the VM see through them. Called by `check`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.constant_pool import ConstantTag
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.declarations import FieldDeclaration
from jvmdebug.evaluator.symbols.types import PrimitiveType
from jvmdebug.probes.code import HANDLE, HandleKind, class_operand

if TYPE_CHECKING:
    from jvmdebug.classfile.writer import CodeWriter
    from jvmdebug.evaluator.symbols.declarations import MethodDeclaration
    from jvmdebug.evaluator.symbols.types import ErasedType
    from jvmdebug.probes.code import Handle

_HANDLES: Final = "java/lang/invoke/MethodHandles"
_LOOKUP: Final = "java/lang/invoke/MethodHandles$Lookup"
_TYPE: Final = "java/lang/invoke/MethodType"
_CLASS: Final = "Ljava/lang/Class;"
_STRING: Final = "Ljava/lang/String;"
_FIELD: Final = {HandleKind.READ: "Getter", HandleKind.WRITE: "Setter"}
_INVOKEVIRTUAL, _INVOKESTATIC, _GETSTATIC, _PUTSTATIC = 182, 184, 178, 179


def write_handles(code: CodeWriter, class_name: str, handles: list[Handle]) -> None:
    """Fill the static field of each handle."""
    for handle in handles:
        member, kind = handle.member, handle.kind
        owner = member.owner.replace(".", "/")
        _push_lookup(code, handle.home)
        code.push_class(owner)
        if isinstance(member, FieldDeclaration):
            code.push_string(member.name)
            _push_type(code, types.erasure(member.type))
            find = f"find{'Static' if member.is_static else ''}{_FIELD[kind]}"
            found = f"({_CLASS}{_STRING}{_CLASS}){HANDLE}"
        elif kind is HandleKind.NEW:
            _push_method_type(code, member, owner)
            find, found = "findConstructor", f"({_CLASS}L{_TYPE};){HANDLE}"
        else:
            code.push_string(member.name)
            _push_method_type(code, member, owner)
            find = "findStatic" if member.is_static else "findVirtual"
            found = f"({_CLASS}{_STRING}L{_TYPE};){HANDLE}"
            if kind is HandleKind.CALL_SUPER:
                code.push_class(handle.home or owner)
                find, found = "findSpecial", f"({_CLASS}{_STRING}L{_TYPE};{_CLASS}){HANDLE}"
        _call(code, _INVOKEVIRTUAL, _LOOKUP, find, found)
        kept = code.pool.member(ConstantTag.FIELD_REFERENCE, class_name, handle.name, HANDLE)
        code.op_index(_PUTSTATIC, kept)


def _push_lookup(code: CodeWriter, home: str | None) -> None:
    """One with all rights of the class."""
    if home is None:
        _call(code, _INVOKESTATIC, _HANDLES, "lookup", f"()L{_LOOKUP};")
        return
    code.push_class(home)
    _call(code, _INVOKESTATIC, _HANDLES, "lookup", f"()L{_LOOKUP};")
    descriptor = f"({_CLASS}L{_LOOKUP};)L{_LOOKUP};"
    _call(code, _INVOKESTATIC, _HANDLES, "privateLookupIn", descriptor)


def _push_method_type(code: CodeWriter, method: MethodDeclaration, owner: str) -> None:
    code.push_string(method.descriptor)
    code.push_class(owner)
    _call(code, _INVOKEVIRTUAL, "java/lang/Class", "getClassLoader", "()Ljava/lang/ClassLoader;")
    descriptor = f"({_STRING}Ljava/lang/ClassLoader;)L{_TYPE};"
    _call(code, _INVOKESTATIC, _TYPE, "fromMethodDescriptorString", descriptor)


def _push_type(code: CodeWriter, type_: ErasedType) -> None:
    if not isinstance(type_, PrimitiveType):
        code.push_class(class_operand(type_))
        return
    box = class_operand(types.boxed(type_))
    code.op_index(_GETSTATIC, code.pool.member(ConstantTag.FIELD_REFERENCE, box, "TYPE", _CLASS))


def _call(code: CodeWriter, opcode: int, owner: str, name: str, descriptor: str) -> None:
    member = code.pool.member(ConstantTag.METHOD_REFERENCE, owner, name, descriptor)
    code.op_index(opcode, member)
