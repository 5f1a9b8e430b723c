# SPDX-License-Identifier: Apache-2.0
"""Finds where a suspending function of Kotlin suspends, and where it is resumed.

The compiler makes it a state machine: when a call suspends, the function returns
COROUTINE_SUSPENDED; whoever resumes the coroutine, in any thread, calls it again with the same
continuation, whose `label` leads behind the call. Called by
`prologues` and by steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import instructions
from jvmdebug.model.values import ObjectReference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jvmdebug.classfile import Instruction
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.method import Method

CONTINUATION: Final = "Lkotlin/coroutines/Continuation;"
"""The type of the last parameter of a suspending function."""
RESUMED: Final = "invokeSuspend"
"""The method by which Kotlin's own code resumes a continuation; the body of a lambda."""
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
    behind: int
    """Where it then is behind the call, on its line, as if the call had not suspended."""


def is_suspending(method: Method) -> bool:
    """Whether the method may be such a state machine, by its name and types."""
    if method.name == RESUMED:
        return method.signature == _OF_LAMBDA
    return method.argument_types[-1:] == (CONTINUATION,)


async def suspension_points(method: Method) -> tuple[SuspensionPoint, ...]:
    """The points in the order of the code; none if it is no state machine or not known. Found once
    for each method.
    """
    return await method.derived("suspension points", lambda: _found(method))


async def resumed_point(method: Method, label: int) -> SuspensionPoint | None:
    """The point that a continuation with this `label` waits at."""
    points = await suspension_points(method)
    resumes = _cases(tuple(instructions(await method.bytecodes()))).get(label)
    return next((each for each in points if each.resumes == resumes), None)


async def _found(method: Method) -> tuple[SuspensionPoint, ...]:
    vm = method.declaring_type.vm
    if not (is_suspending(method) and method.has_code and vm.capabilities.can_get_bytecodes):
        return ()
    code = list(instructions(await method.bytecodes()))
    return tuple(_points(code))


async def beginning(method: Method) -> int | None:
    """The code index where the source of the function begins; None if it is no state machine.

    What is before it runs each time that the function is resumed.
    """
    points = await suspension_points(method)
    if not points:
        return None
    cases = _cases(tuple(instructions(await method.bytecodes())))
    begin = cases.get(0)
    return begin if begin is not None and begin < points[0].suspends else None


async def continuation_of(frame: Frame) -> ObjectReference | None:
    """The object that stands for this activation in all threads; None if there is none yet."""
    if frame.location.method.name == RESUMED:
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
    resumed = set(_cases(code).values())
    for before, compare, pushed, left in zip(code, code[1:], code[2:], code[3:], strict=False):
        is_return = compare.mnemonic == "if_acmpne" and left.mnemonic == "areturn"
        if not is_return or before.local is None or before.local != pushed.local:
            continue
        resumes = left.index + left.size
        if resumes in resumed:
            yield SuspensionPoint(compare.index, pushed.index, resumes, *compare.targets)


def _cases(code: Iterable[Instruction]) -> dict[int, int]:
    """Maps each label to where the function goes on: the switch that it begins with."""
    switch = next((each for each in code if each.mnemonic.endswith("switch")), None)
    return {} if switch is None else dict(zip(switch.keys, switch.targets, strict=False))
