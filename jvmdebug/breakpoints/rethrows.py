# SPDX-License-Identifier: Apache-2.0
"""Distinguishes new exceptions from those that handlers, `finally` and proxies throw again.

The VM reports each throw of an object. A throw counts as new if it is where the object was first
thrown, or if the object has ended another thread before: the program or the VM keeps such an object
and throws it again. Called by `breakpoint_table`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import VmError

if TYPE_CHECKING:
    from jvmdebug.events import ExceptionOccurrence
    from jvmdebug.model.location import Location
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import ObjectReference

_MEMORY_ERROR: Final = "Ljava/lang/OutOfMemoryError;"
_MOST: Final = 200
"""The most exceptions that are remembered; the oldest are forgotten."""


@dataclass(slots=True)
class Throw:
    """The throws of one exception object."""

    first: Location
    thread: Thread
    """The thread that has thrown it last."""
    is_caught: bool
    """Whether it was caught the last time."""
    is_rethrown: bool = False
    has_stopped: bool = False
    """Whether the breakpoint has stopped, or logged, for one of them."""


@dataclass(slots=True)
class Rethrows:
    """The exceptions that one breakpoint has seen."""

    _known: dict[ObjectReference, Throw] = field(default_factory=dict)
    """The references keep the objects from getting other ids."""

    async def has_told(self, death: ExceptionOccurrence) -> bool:
        """Whether the thread is known to have thrown it. Also true for an OutOfMemoryError: in
        place of those that the VM has made in advance, our agent reports another one where the
        memory was requested.
        """
        known = self._known.get(death.exception)
        if known is not None and known.thread == death.thread:
            return True
        uncaught = [
            exception
            for exception, each in self._known.items()
            if each.thread == death.thread and not each.is_caught
        ]
        if not uncaught or not await _is_memory_error(death.exception):
            return False
        return any([await _is_memory_error(each) for each in uncaught])

    def note(self, occurrence: ExceptionOccurrence) -> Throw:
        """Note a throw."""
        known = self._known.pop(occurrence.exception, None)
        thread, is_caught = occurrence.thread, occurrence.catch_location is not None
        has_ended_another = known is not None and not known.is_caught and known.thread != thread
        if known is None or known.first == occurrence.location or has_ended_another:
            known = Throw(occurrence.location, thread, is_caught)
        else:
            known.is_rethrown = True
            known.thread, known.is_caught = thread, is_caught
        self._known[occurrence.exception] = known
        if len(self._known) > _MOST:
            self._known.pop(next(iter(self._known)))
        return known


async def _is_memory_error(exception: ObjectReference) -> bool:
    try:
        return (await exception.type()).signature == _MEMORY_ERROR
    except VmError:
        return False  # it was collected
