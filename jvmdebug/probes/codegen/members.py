# SPDX-License-Identifier: Apache-2.0
"""Decides how code in a package of the program reaches the members that an expression uses.

A member is named directly if Java would let any class of that package name it. Private members,
members of other packages, and those with types that the code cannot name (`accessible`) are reached
by a method handle. Called by `check` before code is generated, because generating code sends no
requests to the VM.
"""

from __future__ import annotations

import asyncio
import dataclasses
from enum import Enum, auto
from typing import TYPE_CHECKING

from jvmdebug.classfile.access import Access
from jvmdebug.evaluator.bind import bound
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.declarations import FieldDeclaration, MethodDeclaration
from jvmdebug.evaluator.symbols.types import ArrayType
from jvmdebug.model.reference_type import InterfaceType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmdebug.probes.codegen.accessible import Home, Names

    Declaration = FieldDeclaration | MethodDeclaration


class NotCompiledError(Exception):
    """The expression cannot become a check; the text says why."""


class Reach(Enum):
    """How a member is reached."""

    DIRECT = auto()
    INTERFACE = auto()
    """Directly, where the owner is an interface."""
    HANDLE = auto()


def walk(node: object) -> Iterator[bound.BoundNode]:
    """The node and all nodes below it."""
    if isinstance(node, tuple):
        for each in node:
            yield from walk(each)
    elif isinstance(node, bound.BoundNode):
        yield node
        for part in dataclasses.fields(node):
            if part.name not in {"span", "type", "generic"}:
                yield from walk(getattr(node, part.name))


def is_clone_of_array(call: bound.InstanceCall) -> bool:
    """Whether it is `numbers.clone()`."""
    return isinstance(call.target.type, ArrayType) and call.method.name == "clone"


def _declarations(root: bound.Bound) -> Iterator[FieldDeclaration | MethodDeclaration]:
    for node in walk(root):
        match node:
            case bound.StaticField(field=declaration) | bound.InstanceField(field=declaration):
                yield declaration
            case bound.InstanceCall(is_virtual=False):
                pass  # always reached by a handle
            case bound.InstanceCall() if is_clone_of_array(node):
                pass  # public, although that of Object is not
            case bound.StaticCall(method=method) | bound.InstanceCall(method=method):
                yield method
            case bound.NewObject(constructor=constructor):
                yield constructor


async def reaches(root: bound.Bound, home: Home, names: Names) -> Mapping[int, Reach]:
    """How each member is reached, by the identity of its declaration.

    Raises NotCompiledError for a member that is not in the VM.
    """
    found = list(_declarations(root))
    how = await asyncio.gather(*(_reach(each, home, names) for each in found))
    return {id(each): reach for each, reach in zip(found, how, strict=True)}


async def _reach(declaration: Declaration, home: Home, names: Names) -> Reach:
    origin = declaration.origin
    if origin is None:
        raise NotCompiledError(f"{declaration.owner}.{declaration.name} is not in the VM")
    owner = origin.declaring_type
    is_method = isinstance(declaration, MethodDeclaration)
    is_interface = isinstance(owner, InterfaceType)
    if is_interface and declaration.is_static and is_method:
        return Reach.HANDLE  # class files of the version of checks cannot call these
    passed = _passed(declaration)
    if names.shown_descriptor(passed) != passed or not await home.can_name(owner):
        return Reach.HANDLE
    loader = await owner.class_loader()
    is_near = loader == home.loader and owner.name.rpartition(".")[0] == home.package
    is_open = bool(declaration.modifiers & Access.PUBLIC)
    if is_open or (is_near and not declaration.modifiers & Access.PRIVATE):
        return Reach.INTERFACE if is_interface else Reach.DIRECT
    return Reach.HANDLE


def _passed(declaration: Declaration) -> str:
    """The descriptors of the values that the code puts on the stack for a member, without the
    object.
    """
    if isinstance(declaration, FieldDeclaration):
        return types.erasure(declaration.type).descriptor
    return declaration.descriptor.partition(")")[0]
