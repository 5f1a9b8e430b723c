# SPDX-License-Identifier: Apache-2.0
"""Event requests that are made and cleared with the next resume, by one command of our agent.

A step takes two requests, a resume, and two clears when it is done: with a command for each, the
debugger would wait for two replies before the program runs. With another agent the commands follow
each other, and only the last one's reply is waited for. Owns the requests that wait for a resume.
Filled by `requests`; `suspensions` sends what is here with each resume.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.errors import JvmDebugError, VmError
from jvmdebug.jdwp.generated.agent import ResumeWith
from jvmdebug.jdwp.generated.event_request import Set
from jvmdebug.jdwp.ids import ObjectId, RequestId, ThreadId

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmdebug.events.requests import RequestHandle
    from jvmdebug.jdwp.generated.agent import ResumeWithReply
    from jvmdebug.jdwp.generated.event_request import Clear, SetReply
    from jvmdebug.jdwp.generated.events import Modifier


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request that waits for a resume."""

    handle: RequestHandle
    modifiers: tuple[Modifier, ...]
    refused: Callable[[JvmDebugError], None] | None
    """Called if it cannot be made; None: then the resume fails, after all."""


class SentWithResume:
    """What one command makes and clears; its replies are for the handles."""

    def __init__(
        self,
        waiting: Sequence[Waiting],
        cleared: Sequence[Clear],
        enter: Callable[[RequestHandle], None],
    ) -> None:
        """`enter` is called with each request that was made."""
        self._waiting = waiting
        self._cleared = cleared
        self._enter = enter
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the requests have their numbers, or were refused."""

    def command(self, thread: ThreadId | None) -> ResumeWith:
        """The command that resumes a thread; None: all."""
        return ResumeWith(
            thread or ThreadId(ObjectId(0)),
            tuple(ResumeWith.Cleared(each.event_kind, each.request_id) for each in self._cleared),
            tuple(
                ResumeWith.Wanted(
                    each.handle.kind,
                    each.handle.suspend_policy,
                    each.modifiers,
                    each.refused is not None,
                )
                for each in self._waiting
            ),
        )

    def commands(self) -> list[Set]:
        """The commands that make the requests one by one, for an agent without ResumeWith."""
        return [
            Set(each.handle.kind, each.handle.suspend_policy, each.modifiers)
            for each in self._waiting
        ]

    def made_one_by_one(self, replies: Sequence[asyncio.Future[SetReply]]) -> None:
        """Note the numbers of the requests that `commands` has made. Raises the reason why one was
        not made that nothing else is told of.
        """
        failure: BaseException | None = None
        for each, reply in zip(self._waiting, replies, strict=True):
            error = reply.exception()
            if error is None:
                each.handle.request_id = RequestId(reply.result().request_id)
                self._enter(each.handle)
            elif each.refused is not None and isinstance(error, JvmDebugError):
                each.refused(error)
            else:
                failure = failure or error
        self.done.set_result(None)
        if failure is not None:
            raise failure

    def made(self, reply: ResumeWithReply) -> None:
        """Note the numbers of the requests."""
        for each, made in zip(self._waiting, reply.made, strict=True):
            if not made.error:
                each.handle.request_id = RequestId(made.request_id)
                self._enter(each.handle)
            elif each.refused is not None:
                each.refused(VmError.of_code(made.error, f"a request for {each.handle.kind}"))
        self.done.set_result(None)

    def failed(self, error: JvmDebugError) -> None:
        """Note that none was made."""
        for each in self._waiting:
            if each.refused is not None:
                each.refused(error)
        self.done.set_result(None)
