# SPDX-License-Identifier: Apache-2.0
"""Finds the suspending function of Kotlin that awaits another one, and where it will go on.

A function that was resumed returns to Kotlin's own code, not to the function that has called it:
that one has suspended, is kept by the continuation, and is resumed with what was returned. Called
by `coroutine_watch`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import instructions
from jvmdebug.classfile.descriptors import parse_method_descriptor
from jvmdebug.model.values import ObjectReference, PrimitiveValue
from jvmdebug.sources import CONTINUATION, RESUMED, constant_pool, resumed_point

if TYPE_CHECKING:
    from jvmdebug.classfile import MemberReference
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value
    from jvmdebug.sources import SuspensionPoint

_INTERNAL: Final = "kotlin.coroutines.jvm.internal."
_BASE: Final = f"{_INTERNAL}BaseContinuationImpl"
_OF_FUNCTIONS: Final = (f"{_INTERNAL}ContinuationImpl", f"{_INTERNAL}RestrictedContinuationImpl")
_ACCESSOR: Final = "access$"
_MOST_SCOPES: Final = 8
"""`withContext`, `coroutineScope` and the like, one in another, without a function between."""


@dataclass(frozen=True, slots=True)
class Awaiting:
    """A function that waits for another one."""

    method: Method
    point: SuspensionPoint
    """Where it waits."""
    continuation: ObjectReference


async def is_resumer(type_: ReferenceType) -> bool:
    """Whether the class only resumes a function: the user has not written it."""
    superclass = await type_.superclass()
    return superclass is not None and superclass.name in _OF_FUNCTIONS


async def was_resumed(frame: Frame) -> bool:
    """Whether the function of the frame was resumed, so that it returns to Kotlin's own code."""
    # A private function is called by an accessor.
    callers = await frame.thread.frames(frame.depth + 1, 2)
    for each in callers:
        if each.location.type.name == _BASE:
            return True
        if each.location.method.name == RESUMED:
            return await is_resumer(each.location.type)
        if not each.location.method.name.startswith(_ACCESSOR):
            return False
    return False


async def awaiting_of(continuation: ObjectReference) -> Awaiting | None:
    """What waits for the function of a continuation; None if nothing of Kotlin's does."""
    value: Value | None = await _field(continuation, "completion")
    for _ in range(_MOST_SCOPES):
        if not isinstance(value, ObjectReference):
            return None
        type_ = await value.type()
        if await type_.is_subtype_of(_BASE):
            return await _resumed_at(value, type_)
        value = await _field(value, "uCont")  # of a scope
    return None


async def _resumed_at(continuation: ObjectReference, type_: ReferenceType) -> Awaiting | None:
    label, method = await asyncio.gather(
        _field(continuation, "label"), type_.derived("resumed function", lambda: _resumed(type_))
    )
    if method is None or not isinstance(label, PrimitiveValue):
        return None
    point = await resumed_point(method, int(label.value))
    return None if point is None else Awaiting(method, point, continuation)


async def _resumed(type_: ReferenceType) -> Method | None:
    """The state machine that a class of continuations resumes: its own, or the function's."""
    own = [each for each in await type_.methods() if each.name == RESUMED]
    if not own or not await is_resumer(type_):
        return own[0] if own else None
    code, constants = await asyncio.gather(own[0].bytecodes(), constant_pool(type_))
    if constants is None:
        return None
    called = [
        member
        for each in instructions(code)
        if each.mnemonic.startswith("invoke") and each.constant is not None
        if (member := constants.find_member(each.constant)) is not None
        if parse_method_descriptor(member[2]).parameters[-1:] == (CONTINUATION,)
    ]
    return await _declared(type_, called[-1]) if called else None


async def _declared(near: ReferenceType, called: MemberReference) -> Method | None:
    """The method that is called; for an accessor the private one behind it."""
    owner, name, descriptor = called
    name = name.removeprefix(_ACCESSOR)
    loader = await near.class_loader()
    for each in await near.vm.classes_by_signature(f"L{owner};"):
        if await each.class_loader() != loader:
            continue
        named = [method for method in await each.methods() if method.name == name]
        exact = [method for method in named if method.signature == descriptor]
        if exact or len(named) == 1:
            return (exact or named)[0]
    return None


async def _field(of: ObjectReference, name: str) -> Value | None:
    for each in await (await of.type()).instance_fields():
        if each.name == name:
            (value,) = await of.get_values([each])
            return value
    return None
