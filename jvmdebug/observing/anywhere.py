# SPDX-License-Identifier: Apache-2.0
"""The value of an expression outside of any frame: over static fields, and calls on them.

Fields are read while the program runs, and methods that only read are computed from them. What has
to run a method does so in the next thread that enters one of the program: the VM runs code for a
debugger only where an event has stopped a thread.
Called by the session.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

from jvmdebug import evaluator
from jvmdebug.errors import EvaluationError, JvmDebugError, ReadOnlyError
from jvmdebug.events import RESUME
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import ClassExcludeModifier, CountModifier
from jvmdebug.model.agent import AgentCapability
from jvmdebug.observing.observed import observe

if TYPE_CHECKING:
    from jvmdebug.display import ValueStyle
    from jvmdebug.events import MethodEntryOccurrence, Router, Verdict
    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.observing.observed import ObservedValue

_PLATFORM: Final = ("java.*", "javax.*", "jdk.*", "sun.*", "com.sun.*")
_ENTRIES: Final = AgentCapability.METHOD_ENTRY_EVENTS
_SHARE: Final = 0.6
"""Of the time that is waited for code of the program itself; then any will do."""


async def value_anywhere(
    router: Router, text: str, style: ValueStyle, *, timeout_s: float, nothing_runs: bool
) -> ObservedValue:
    """See Session.evaluate."""
    reading = evaluator.ClassExpression(text)
    why = "it"
    try:
        return await observe(await reading.evaluate(router.vm), style)
    except (evaluator.ReadOnlyError, evaluator.NoClassError) as error:
        # It runs a method, or a frame is needed to say what its names mean.
        if isinstance(error, evaluator.ReadOnlyError) and router.vm.connection.is_read_only:
            why = router.vm.connection.why_read_only
            raise ReadOnlyError(f"{error}: {why}") from error
        if isinstance(error, evaluator.NoClassError) and not router.vm.agent_can(_ENTRIES):
            raise
        if isinstance(error, evaluator.NoClassError):
            why = "it names no class that is loaded, and to find what else it means"
        router.vm.require_of_agent(_ENTRIES, f"calling a method for {text!r} ({error})")
    finally:
        await reading.release()
    if nothing_runs:
        raise EvaluationError(
            f"cannot evaluate {text!r}: it calls a method, in the next thread that enters one, and"
            " nothing of the program runs: let it go on (session.resume()), or evaluate in a frame"
            " of a stop (stop.frame.evaluate)"
        )
    of_program: list[Modifier] = [ClassExcludeModifier(each) for each in _PLATFORM]
    for modifiers, share in ((of_program, _SHARE), ([], 1 - _SHARE)):
        with contextlib.suppress(TimeoutError):
            return await _in_next_method(router, text, style, modifiers, timeout_s * share)
    raise EvaluationError(
        f"cannot evaluate {text!r}: {why} takes a thread of the program that enters a method; "
        f"none did within {timeout_s:g} s"
    )


async def _in_next_method(
    router: Router, text: str, style: ValueStyle, modifiers: list[Modifier], timeout_s: float
) -> ObservedValue:
    """TimeoutError if none is entered."""
    expression = evaluator.compile_expression(text)
    found: asyncio.Future[ObservedValue] = asyncio.get_running_loop().create_future()
    entered = asyncio.Event()

    async def on_entry(occurrence: MethodEntryOccurrence) -> Verdict:
        if not entered.is_set():
            entered.set()
            try:
                frame = await occurrence.thread.frame(0)
                value = await expression.evaluate(frame, deadline_s=timeout_s)
                observed = await observe(value, style)
            except JvmDebugError as error:
                if not found.done():
                    found.set_exception(error)
            else:
                if not found.done():
                    found.set_result(observed)
        return RESUME

    request = await router.arm(
        EventKind.METHOD_ENTRY, (*modifiers, CountModifier(1)), SuspendPolicy.EVENT_THREAD, on_entry
    )
    try:
        async with asyncio.timeout(timeout_s):
            await entered.wait()
        return await found
    finally:
        await request.clear()
        await expression.release()
