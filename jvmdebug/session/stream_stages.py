# SPDX-License-Identifier: Apache-2.0
"""What the stages of a stream have at a stop: the elements behind `filter`, `map`, `sorted`.

Each prefix of the chain is evaluated by reading alone, so nothing runs in the program and the
program's own stream is not used up. What does more than read is refused, with the call that does.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError, JvmDebugError
from jvmdebug.evaluator.errors import RefusedByCompilerError
from jvmdebug.sources.stream_chains import chains_at

if TYPE_CHECKING:
    from jvmdebug.session.frame_handle import FrameHandle
    from jvmdebug.session.variable import Variable

_MOST_ELEMENTS: Final = 1000
"""Of each stage; a stream may have no end."""
_LAMBDA: Final = re.compile(r"lambda\$(.+)\$\d+")
_MOST_FRAMES: Final = 100
_DEADLINE_S: Final = 20.0


@dataclass(frozen=True, slots=True)
class StreamStage:
    """One call of a chain and what it gives."""

    text: str
    """`.filter(x -> x > 1)`"""
    value: Variable | None
    """An array of the elements, at most 1,000; behind the last call its result. None if it cannot
    be computed by reading.
    """
    message: str | None = None
    """Why there is no value."""


async def stream_stages(frame: FrameHandle) -> list[StreamStage]:
    """The stages of the stream at the line of a frame. EvaluationError if there is none."""
    source = await frame.source()
    line = frame.line
    if source is None or line is None:
        raise EvaluationError("the source of this frame is not found")
    text = await asyncio.to_thread(source.as_text)
    chains = chains_at(text, line)
    if not chains:
        raise EvaluationError(f"there is no chain of calls on a stream at line {line}")
    frame = await _enclosing(frame)
    stages = []
    for call in chains[0]:
        try:
            value = await _value(frame, call.prefix)
        except JvmDebugError as error:
            stages.append(StreamStage(call.text, None, str(error)))
        else:
            stages.append(StreamStage(call.text, value))
    return stages


async def _enclosing(frame: FrameHandle) -> FrameHandle:
    """The frame of the method that a lambda is in, if the lambda runs below it: the stream has its
    variables. Else the frame itself.
    """
    while (found := _LAMBDA.fullmatch(frame.method_name)) is not None:
        below = await frame.stop.frames(frame.depth + 1, _MOST_FRAMES, thread=frame.thread)
        named = (each for each in below if each.type_name == frame.type_name)
        around = next((each for each in named if each.method_name == found[1]), None)
        if around is None:
            return frame
        frame = around
    return frame


async def _value(frame: FrameHandle, prefix: str) -> Variable:
    """The elements, where the prefix is a stream; else its value."""
    # In a lambda it is compiled by javac, which knows the types of classes that are not loaded.
    elements = (
        "((java.util.function.Supplier<Object>) () -> "
        f"({prefix}).limit({_MOST_ELEMENTS}).toArray()).get()"
    )
    try:
        return await frame.evaluate(elements, deadline_s=_DEADLINE_S, read_only=True)
    except RefusedByCompilerError:  # it is no stream
        return await frame.evaluate(prefix, deadline_s=_DEADLINE_S, read_only=True)
