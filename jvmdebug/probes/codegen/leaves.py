# SPDX-License-Identifier: Apache-2.0
"""Decides whether a check needs a guard. It needs none if each of its calls certainly returns and
cannot reach the line of the check again. That is so for a few classes of the JDK, and for methods
of the program that only compute. Such a check also need not be watched for not returning.

A method only computes if no other method overrides it, and its code calls nothing else, has no loop
and waits for nothing. That is read from its bytecode, so it is decided again when its class is
redefined or a breakpoint is set in it. Called by `check`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import ConstantTag, instructions
from jvmdebug.classfile.access import Access
from jvmdebug.evaluator.bind import bound
from jvmdebug.evaluator.symbols.types import NullType, PrimitiveType
from jvmdebug.jdwp.generated.constants import ClassStatus
from jvmdebug.probes.codegen.members import is_clone_of_array
from jvmdebug.sources import constant_pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmdebug.classfile import ConstantPool, Instruction
    from jvmdebug.evaluator.symbols.declarations import MethodDeclaration
    from jvmdebug.evaluator.symbols.types import JavaType
    from jvmdebug.model.method import Method

_CLASS: Final = re.compile("L([^;]*);")
_PURE: Final = frozenset(
    {
        "java.lang.String",
        "java.lang.Math",
        "java.lang.Integer",
        "java.lang.Long",
        "java.lang.Short",
        "java.lang.Byte",
        "java.lang.Character",
        "java.lang.Boolean",
        "java.lang.Float",
        "java.lang.Double",
    }
)
"""Classes whose calls are known, unless they are given an object whose methods they call, as
String.valueOf(Object) is.
"""
_PURE_METHODS: Final = frozenset(
    {
        ("java.lang.Object", "getClass"),
        ("java.lang.Class", "getName"),
        ("java.lang.Class", "getSimpleName"),
        ("java.lang.Class", "isInstance"),
        ("java.lang.Enum", "name"),
        ("java.lang.Enum", "ordinal"),
        ("java.lang.System", "currentTimeMillis"),
        ("java.lang.System", "identityHashCode"),
        ("java.lang.System", "nanoTime"),
        ("java.lang.Thread", "currentThread"),
        ("java.lang.Thread", "getName"),
        ("java.lang.Thread", "threadId"),
    }
)
"""Methods that cannot be overridden."""
_LONGEST: Final = 400
"""The most bytes of code to look at."""
_REFUSED: Final = frozenset(
    {
        *("invokeinterface", "invokedynamic", "new", "anewarray", "multianewarray", "checkcast"),
        *("instanceof", "athrow", "monitorenter", "monitorexit", "jsr", "jsr_w", "ret", "wide ret"),
    }
)
"""Instructions that wait or go back, or for which the VM may have to load or initialize a class,
which runs code of the program.
"""
_NUMBERS: Final = frozenset(
    {
        *(ConstantTag.INTEGER, ConstantTag.FLOAT, ConstantTag.LONG, ConstantTag.DOUBLE),
        ConstantTag.STRING,
    }
)


@dataclass(frozen=True, slots=True)
class Calls:
    """What the code of a check calls."""

    needs_guard: bool
    """Whether code of the program may run that could reach the line again, or not return."""
    leaves: frozenset[Method] = field(default_factory=frozenset)
    """The methods of the program that only compute, according to their code."""


async def calls_of(nodes: Iterable[bound.BoundNode], is_watched: Callable[[Method], bool]) -> Calls:
    """What the code of these nodes calls. `is_watched`: whether there is a breakpoint in a
    method.
    """
    leaves: set[Method] = set()
    for node in nodes:
        match node:
            case bound.InstanceCall() if is_clone_of_array(node):
                continue
            case bound.InstanceCall(method=method, is_virtual=is_virtual):
                leaf = await _called(method, is_exact=not is_virtual)
            case bound.StaticCall(method=method):
                leaf = await _called(method, is_exact=True)
            case bound.CompiledCall():
                return Calls(needs_guard=True)
            case bound.NewObject(constructor=constructor) if not _is_pure(constructor):
                return Calls(needs_guard=True)
            case bound.Concatenation(parts=parts) if not all(_is_plain(p.type) for p in parts):
                return Calls(needs_guard=True)
            case _:
                continue
        if leaf is True:
            continue
        if leaf is False or is_watched(leaf):
            return Calls(needs_guard=True)
        leaves.add(leaf)
    return Calls(needs_guard=False, leaves=frozenset(leaves))


async def _called(declaration: MethodDeclaration, *, is_exact: bool) -> Method | bool:
    """The method of the program if it only computes; True for a safe one of the JDK, else False."""
    if _is_pure(declaration):
        return True
    method = declaration.origin
    if method is None or not await _only_computes(method, is_exact=is_exact):
        return False
    return method


async def _only_computes(method: Method, *, is_exact: bool) -> bool:
    owner = method.declaring_type
    if method.is_constructor or method.is_synchronized or not method.has_code:
        return False
    is_last = is_exact or method.is_private or method.is_static or method.is_final
    if not is_last and not await owner.modifiers() & Access.FINAL:
        return False
    if method.is_static and not await owner.status() & ClassStatus.INITIALIZED:
        return False
    code = await method.bytecodes()
    if len(code) > _LONGEST:
        return False
    pool = await constant_pool(owner)
    if pool is None:
        return False
    own = owner.name.replace(".", "/")
    return all(_is_harmless(each, pool, own) for each in instructions(code))


def _is_harmless(instruction: Instruction, pool: ConstantPool, own: str) -> bool:
    name, index = instruction.mnemonic, instruction.constant
    if name in _REFUSED or instruction.rest:
        return False
    if any(target <= instruction.index for target in instruction.targets):
        return False
    if index is None or name.startswith("ldc"):
        return index is None or pool.tag(index) in _NUMBERS
    member = pool.find_member(index)
    if member is not None and name.startswith("invoke"):
        return _is_pure_call(member.owner.replace("/", "."), member.name, member.descriptor)
    # Reading a static field of another class may initialize that class.
    return member is not None and (name.endswith("field") or member.owner == own)


def _is_pure(method: MethodDeclaration) -> bool:
    return _is_pure_call(method.owner, method.name, method.descriptor)


def _is_pure_call(owner: str, name: str, descriptor: str) -> bool:
    if (owner, name) in _PURE_METHODS:
        return True
    if owner not in _PURE:
        return False
    parameters = descriptor.partition(")")[0]
    given = {each.replace("/", ".") for each in _CLASS.findall(parameters)}
    return given <= _PURE or name == "equals"


def _is_plain(type_: JavaType) -> bool:
    return isinstance(type_, PrimitiveType | NullType) or str(type_) in _PURE
