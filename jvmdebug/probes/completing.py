# SPDX-License-Identifier: Apache-2.0
"""Has the agent put deferred checks into their classes, with as few changes of classes as possible
even if several tasks want some at once. Called by the code that has installed such checks.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.jdwp.ids import RequestId
from jvmdebug.to_the_end import begun, done

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from jvmdebug.model.virtual_machine import VirtualMachine


@dataclass(slots=True, eq=False)
class _Completion:
    """Requests whose checks are put in by one command."""

    requests: set[RequestId] = field(default_factory=set)
    task: asyncio.Task[dict[RequestId, str]] | None = None


class Completions:
    """The deferred checks that are about to be put into one program. While the agent installs
    checks or changes classes, further ones are collected, so that independent tasks that set
    breakpoints at the same time share a change.
    """

    def __init__(self) -> None:
        self._next: _Completion | None = None
        """The completion that has not begun yet."""
        self._changing = asyncio.Lock()
        self._installing: set[asyncio.Future[None]] = set()

    @contextlib.contextmanager
    def installing(self) -> Iterator[asyncio.Future[None]]:
        """A context around the request to install a deferred check. The future is done when the
        agent has answered.
        """
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._installing.add(ended)
        try:
            yield ended
        finally:
            self._installing.discard(ended)
            ended.set_result(None)

    async def complete(
        self, vm: VirtualMachine, requests: Collection[RequestId]
    ) -> dict[RequestId, str]:
        """Put the deferred checks of these requests in; see the function `complete`."""
        if self._next is None:
            made = self._next = _Completion()
            made.task = begun(self._run(vm, made), "putting probes in")
        mine = self._next
        mine.requests.update(requests)
        assert mine.task is not None
        refused = await done(mine.task)
        return {each: refused[each] for each in requests if each in refused}

    async def _run(self, vm: VirtualMachine, completion: _Completion) -> dict[RequestId, str]:
        async with self._changing:
            if self._installing:
                await asyncio.wait(set(self._installing))
            self._next = None
            deferred = tuple(wire.Complete.Deferred(int(each)) for each in completion.requests)
            # No deadline: with many classes and probes it takes long, and nothing is known before
            # it is done.
            reply = await vm.request(wire.Complete(deferred), timeout_s=None)
        return {RequestId(each.request_id): each.reason for each in reply.refused}

    async def close(self) -> None:
        """Do nothing: tasks that wait get the error of the lost connection."""


async def complete(vm: VirtualMachine, requests: Collection[RequestId]) -> dict[RequestId, str]:
    """Put the deferred checks of these requests into their classes. Returns the requests whose
    checks cannot be put in, with the reasons.
    """
    if not requests:
        return {}
    return await vm.companion(Completions).complete(vm, requests)
