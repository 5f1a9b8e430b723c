# SPDX-License-Identifier: Apache-2.0
"""Methods of the JDK's collections, run on a thread that is stopped, for views of large ones.

Called through `display.use_calls`. Other threads stay suspended, however long the method takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError, VmError
from jvmdebug.session.causes import Paused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.model.method import Method
    from jvmdebug.model.values import ObjectReference, Value
    from jvmdebug.session.stop_registry import StopRegistry

_DEADLINE_S: Final = 10.0


class CollectionCalls:
    """A `Call` of the display."""

    def __init__(self, stops: StopRegistry) -> None:
        self._stops = stops

    async def __call__(
        self, target: ObjectReference, method: Method, arguments: Sequence[Value]
    ) -> Value:
        """Run exactly this method, not one that overrides it. EvaluationError if no thread can run
        it.
        """
        for stop in reversed(self._stops.current):
            if all(isinstance(each, Paused) for each in stop.causes):
                continue
            async with stop.thread.lock:
                stop.require_current(stop.thread)
                try:
                    return await target.invoke(
                        method,
                        arguments,
                        stop.thread.thread,
                        non_virtual=True,
                        timeout_s=_DEADLINE_S,
                    )
                except VmError as error:
                    raise EvaluationError(f"no method could be run: {error}") from error
        raise EvaluationError(
            "a paused program runs no method of the collection (stop it at a breakpoint)"
        )
