# SPDX-License-Identifier: Apache-2.0
"""Tells when a test of our runner ends, with the program held there: what it has run is read then.

Owns the breakpoint in the runner. It is compiled without names of variables: the first argument is
the id of a node of its tree, the second one its kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.events import RESUME, ClassPrepareOccurrence, LocatedOccurrence
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import ClassMatchModifier, LocationOnlyModifier
from jvmdebug.model.values import StringReference
from jvmdebug.to_the_end import all_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug.events import Occurrence, RequestHandle, Router, Verdict
    from jvmdebug.model.frame import Frame

_RUNNER: Final = "jvmdebug.runner.Results"
_END: Final = "finish"
_TESTS: Final = ("method", "call")
"""Kinds of nodes that are tests."""


class EachTest:
    """The ends of tests in one program, from `begin` to `end`."""

    def __init__(self, router: Router, take: Callable[[str], Awaitable[None]]) -> None:
        """`take` is called with the id of each test that has ended."""
        self._router = router
        self._take = take
        self._requests: list[RequestHandle] = []

    async def begin(self) -> None:
        """Wait for the runner, which has not been loaded yet."""
        only = (ClassMatchModifier(_RUNNER),)
        self._requests.append(
            await self._router.arm(
                EventKind.CLASS_PREPARE, only, SuspendPolicy.EVENT_THREAD, self._on_runner
            )
        )

    async def end(self) -> None:
        """Tell no more tests."""
        requests, self._requests = self._requests, []
        await all_of(*(each.clear() for each in requests))

    async def _on_runner(self, occurrence: Occurrence) -> Verdict:
        if isinstance(occurrence, ClassPrepareOccurrence):
            for method in await occurrence.type.methods():
                if method.name == _END:
                    at = LocationOnlyModifier(method.location(0).wire)
                    self._requests.append(
                        await self._router.arm(
                            EventKind.BREAKPOINT, (at,), SuspendPolicy.ALL, self._on_test_end
                        )
                    )
        return RESUME

    async def _on_test_end(self, occurrence: Occurrence) -> Verdict:
        if isinstance(occurrence, LocatedOccurrence):
            (frame,) = await occurrence.thread.frames(0, 1)
            name, kind = await _first_arguments(frame)
            if kind in _TESTS:
                await self._take(name)
        return RESUME


async def _first_arguments(frame: Frame) -> tuple[str, str]:
    arguments = [each for each in await frame.variables() if each.is_argument][:2]
    values = await frame.values(arguments)
    one, two = [
        await each.as_text() if isinstance(each, StringReference) else "" for each in values
    ]
    return one, two
