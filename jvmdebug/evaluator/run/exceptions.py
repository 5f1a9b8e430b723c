# SPDX-License-Identifier: Apache-2.0
"""Exceptions of an evaluation: those that Java would throw, and those that invoked code threw.

The latter are described as Java prints them: `toString()` and `getStackTrace()` are invoked in the
debuggee; if they fail, the description is shorter. Frames below the evaluation are omitted. Called
by `expression`, and by all that runs nodes.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError, JvmDebugError
from jvmdebug.evaluator.run.invoker import Invoker
from jvmdebug.model.debuggee_exception import DebuggeeException
from jvmdebug.model.values import ArrayReference, ObjectReference, PrimitiveValue, StringReference

if TYPE_CHECKING:
    from jvmdebug.evaluator.parse.syntax import Span
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import Value

EVALUATED_CLASS: Final = "$JvmdebugCode"
"""Prefix of the names of classes compiled for an evaluation."""
_MAX_FRAMES: Final = 30
_MAX_CAUSES: Final = 5
_TIMEOUT_S: Final = 2.0
_THROWABLE: Final = "java.lang.Throwable"


class JavaThrowsError(EvaluationError):
    """The exception that Java would throw, found by the evaluator without running Java code."""

    def __init__(self, exception: str, detail: str, span: Span) -> None:
        super().__init__(f"{exception}: {detail}", span.column)
        self.exception = exception


async def described(thread: Thread, error: DebuggeeException) -> DebuggeeException:
    """The error with the message and the stack trace of the exception."""
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            trace = await _trace(thread, error.exception)
    except (JvmDebugError, TimeoutError):
        return error  # the connection is lost, or toString() hangs
    head = trace[0]
    type_name = (await error.exception.type()).name
    message = str(error)
    if message.endswith(type_name):
        message = f"{message.removesuffix(type_name)}{head}"
    return DebuggeeException(message, error.exception, error.column, trace)


async def _trace(thread: Thread, exception: ObjectReference) -> tuple[str, ...]:
    lines = [await _text(thread, exception)]
    lines += await _frames(thread, exception)
    cause = await _cause(exception)
    for _ in range(_MAX_CAUSES):
        if cause is None:
            break
        lines.append(f"Caused by: {await _text(thread, cause)}")
        cause = await _cause(cause)
    return tuple(lines)


async def _text(thread: Thread, exception: ObjectReference) -> str:
    try:
        text = await _call(thread, exception, "toString", "()Ljava/lang/String;")
    except DebuggeeException:
        text = None
    return (
        await text.as_text() if isinstance(text, StringReference) else (await exception.type()).name
    )


async def _frames(thread: Thread, exception: ObjectReference) -> list[str]:
    found = await _call(thread, exception, "getStackTrace", "()[Ljava/lang/StackTraceElement;")
    if not isinstance(found, ArrayReference):
        return []
    own = await _own_frames(thread, found)
    shown = [await _frame(each) for each in await found.get(0, min(own, _MAX_FRAMES))]
    return [*shown, f"\t... {own - _MAX_FRAMES} more"] if own > _MAX_FRAMES else shown


async def _own_frames(thread: Thread, trace: ArrayReference) -> int:
    """The number of frames above those that the thread had before the evaluation."""
    length, below = await asyncio.gather(trace.length(), thread.frame_count())
    own = length - below
    if own < 0:
        return length
    (top,) = await trace.get(own, 1)
    location = (await thread.frame(0)).location
    class_name, method, _, _ = await _element(top)
    is_there = class_name == location.type.name and method == location.method.name
    return own if is_there else length  # created elsewhere, and rethrown


async def _frame(element: Value) -> str:
    class_name, method, file, line = await _element(element)
    if EVALUATED_CLASS in class_name:
        return "\tat (the evaluated code)"
    where = file or "Unknown Source"
    if line == "-2":
        where = "Native Method"
    elif file and not line.startswith("-"):
        where = f"{file}:{line}"
    return f"\tat {class_name}.{method}({where})"


async def _element(element: Value) -> tuple[str, str, str, str]:
    """Class, method, file and line of a StackTraceElement."""
    if not isinstance(element, ObjectReference):
        return "", "", "", ""
    wanted = ("declaringClass", "methodName", "fileName", "lineNumber")
    fields = {each.name: each for each in await (await element.type()).fields()}
    values = await element.get_values([fields[name] for name in wanted])
    class_name, method, file, line = [await _shown(each) for each in values]
    return class_name, method, file, line


async def _shown(value: Value) -> str:
    if isinstance(value, StringReference):
        return await value.as_text()
    return str(value.value) if isinstance(value, PrimitiveValue) else ""


async def _cause(exception: ObjectReference) -> ObjectReference | None:
    for field in await (await exception.type()).all_fields():
        if field.name == "cause" and field.declaring_type.name == _THROWABLE:
            (cause,) = await exception.get_values([field])
            # The field `cause` of a Throwable without cause refers to the Throwable.
            is_other = isinstance(cause, ObjectReference) and cause != exception
            return cause if is_other and isinstance(cause, ObjectReference) else None
    return None


async def _call(thread: Thread, target: ObjectReference, name: str, signature: str) -> Value | None:
    """A method of java.lang.Throwable."""
    for type_ in await thread.vm.classes_by_signature(f"L{_THROWABLE.replace('.', '/')};"):
        for method in await type_.methods():
            if method.name == name and method.signature == signature:
                call = target.invoke(method, (), thread, timeout_s=_TIMEOUT_S)
                return await thread.vm.companion(Invoker).result(thread, call)
    return None
