# SPDX-License-Identifier: Apache-2.0
"""Finds where a suspending function of Kotlin suspends, and where it is resumed.

The compiler makes it a state machine: when a call suspends, the function returns
COROUTINE_SUSPENDED; whoever resumes the coroutine, in any thread, calls it again with the same
continuation, whose `label` leads behind the call. Called by `coroutine_watch`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import instructions
from jvmdebug.model.values import ObjectReference

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmdebug.classfile import Instruction
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.method import Method

_CONTINUATION: Final = "Lkotlin/coroutines/Continuation;"
_RESUMED: Final = "invokeSuspend"
_OF_LAMBDA: Final = "(Ljava/lang/Object;)Ljava/lang/Object;"
_VARIABLE: Final = "$continuation"
"""The local variable of a function; a lambda is its continuation itself."""


@dataclass(frozen=True, slots=True)
class SuspensionPoint:
    """One call that may suspend, as code indexes of the function."""

    call: int
    """Behind the call, on its line."""
    suspends: int
    """Where the function returns if the call has suspended; the code has another line there."""
    resumes: int
    """Where it goes on when it is resumed, or throws what it is resumed with."""


def is_suspending(method: Method) -> bool:
    """Whether the method may be such a state machine, by its name and types."""
    if method.name == _RESUMED:
        return method.signature == _OF_LAMBDA
    return method.argument_types[-1:] == (_CONTINUATION,)


async def suspension_points(method: Method) -> tuple[SuspensionPoint, ...]:
    """The points in the order of the code; none if it is no state machine or not known."""
    vm = method.declaring_type.vm
    if not (is_suspending(method) and method.has_code and vm.capabilities.can_get_bytecodes):
        return ()
    code = list(instructions(await method.bytecodes()))
    return tuple(_points(code))


async def continuation_of(frame: Frame) -> ObjectReference | None:
    """The object that stands for this activation in all threads; None if there is none yet."""
    if frame.location.method.name == _RESUMED:
        return await frame.this_object()
    for each in await frame.variables():
        if each.name == _VARIABLE:
            value = await frame.value(each)
            return value if isinstance(value, ObjectReference) else None
    return None


def _points(code: Sequence[Instruction]) -> Iterator[SuspensionPoint]:
    """`if (call() == COROUTINE_SUSPENDED) return COROUTINE_SUSPENDED`, and behind it a case of the
    switch that the function begins with.
    """
    switch = next((each for each in code if each.mnemonic.endswith("switch")), None)
    resumed = set[int]() if switch is None else set(switch.targets)
    for before, compare, pushed, left in zip(code, code[1:], code[2:], code[3:], strict=False):
        is_return = compare.mnemonic == "if_acmpne" and left.mnemonic == "areturn"
        if not is_return or before.local is None or before.local != pushed.local:
            continue
        resumes = left.index + left.size
        if resumes in resumed:
            yield SuspensionPoint(compare.index, pushed.index, resumes)
