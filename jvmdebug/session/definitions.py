# SPDX-License-Identifier: Apache-2.0
"""Source positions for a variable view: the declaration of a variable, the code of a
lambda, the class of a Class object.

Asks the VM and reads sources, and runs no code. Called by `Variable`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.classfile.descriptors import descriptor_of
from jvmdebug.errors import EvaluationError, JvmDebugError, SourceError
from jvmdebug.model.values import ClassObjectReference, ObjectReference
from jvmdebug.sources import source_line, source_paths
from jvmdebug.sources.declarations import field_line, type_line, variable_line
from jvmdebug.sources.lambdas import is_lambda, lambda_method

if TYPE_CHECKING:
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.session.frame_handle import FrameHandle
    from jvmdebug.session.stop import Stop
    from jvmdebug.sources import ClassListing, SourceFile


@dataclass(frozen=True, slots=True)
class Definition:
    """A line (from 1) of a source, or of the listing of a class without one."""

    source: SourceFile | ClassListing
    line: int


def may_be_declared(evaluate_name: str | None, name: str) -> bool:
    """Whether an expression denotes a variable or a field, judging by its text alone."""
    if evaluate_name is None or not name.replace("$", "_").isidentifier() or name == "this":
        return False
    return evaluate_name == name or evaluate_name.endswith(f".{name}")


async def declaration(frame: FrameHandle, expression: str) -> Definition | None:
    """The declaration of the local variable, parameter or field that `expression` denotes."""
    owner, _, name = expression.rpartition(".")
    if not owner:
        local = await _of_local(frame, name)
        if local is not None:
            return local
        owner = "this"
    for type_ in await _types_of(frame, owner):
        for each in (type_, *await type_.supertypes()):
            if any(field.name == name for field in await each.fields()):
                return await _of_field(frame.stop, each, name)
    return None


async def _of_local(frame: FrameHandle, name: str) -> Definition | None:
    source = await frame.source()
    if source is None or frame.line is None:
        return None
    text = await _text(source)
    line = await asyncio.to_thread(variable_line, text, name, frame.line)
    return None if line is None else Definition(source, line)


async def _types_of(frame: FrameHandle, expression: str) -> list[ReferenceType]:
    """The type of a value, or the types that a name means."""
    try:
        value = (await frame.evaluate(expression, read_only=True)).value
        return [await value.type()] if isinstance(value, ObjectReference) else []
    except EvaluationError:
        try:
            return await frame.stop.vm.classes_by_signature(descriptor_of(expression))
        except ValueError:
            return []


async def _of_field(stop: Stop, type_: ReferenceType, name: str) -> Definition | None:
    for path in await source_paths(type_):
        source = await stop.find_source(path)
        if source is not None:
            text = await _text(source)
            line = await asyncio.to_thread(field_line, text, _nest(type_), name)
            if line is not None:
                return Definition(source, line)
    return None


async def has_definition(value: object) -> bool:
    """Whether the value is a lambda or a class object; asks no more than its type."""
    if isinstance(value, ClassObjectReference):
        return True
    return isinstance(value, ObjectReference) and is_lambda(await value.type())


async def definition(stop: Stop, value: object) -> Definition | None:
    """The code of a lambda or method reference; the declaration of a Class object's class."""
    if isinstance(value, ClassObjectReference):
        return await _of_type(stop, await value.reflected_type())
    if not isinstance(value, ObjectReference) or not await has_definition(value):
        return None
    method = await lambda_method(await value.type())
    return None if method is None else await _of_method(stop, method)


async def _of_method(stop: Stop, method: Method) -> Definition | None:
    location = method.location(0)
    source_location = await source_line(location)
    if source_location is not None:
        source = await stop.find_source(source_location.path)
        if source is not None:
            return Definition(source, source_location.line)
    return await _of_listing(stop, method)


async def _of_listing(stop: Stop, method: Method) -> Definition | None:
    try:
        listing = await stop.code.listing_of(method.declaring_type)
    except JvmDebugError:
        return None
    line = listing.line_of(method.location(0))
    return None if line is None else Definition(listing, line)


async def _of_type(stop: Stop, type_: ReferenceType) -> Definition | None:
    if type_.name.endswith("[]"):
        return None
    for path in await source_paths(type_):
        source = await stop.find_source(path)
        if source is not None:
            text = await _text(source)
            line = await asyncio.to_thread(type_line, text, _nest(type_))
            return Definition(source, line or 1)
    try:
        return Definition(await stop.code.listing_of(type_), 1)
    except JvmDebugError:
        return None


def _nest(type_: ReferenceType) -> list[str]:
    """`shop.Cart$Item` → Cart, Item; a local class `Main$1Local` → Main, Local."""
    simple = type_.name.rpartition(".")[2]
    return [part for each in simple.split("$") if (part := each.lstrip("0123456789"))]


async def _text(source: SourceFile) -> str:
    try:
        return await asyncio.to_thread(source.as_text)
    except SourceError:
        return ""
