# SPDX-License-Identifier: Apache-2.0
"""Threads that are held, because of the causes of reactions or on request.

A value with one piece of state, whether it is current. The router makes it and ends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.jdwp.generated.constants import SuspendPolicy

if TYPE_CHECKING:
    from jvmdebug.events.occurrences import Occurrence
    from jvmdebug.events.verdicts import Cause
    from jvmdebug.model.thread import Thread


class StopSet:
    """The held threads, and why they are held. Pass it to `Router.resume` to resume them.

    `occurrences` is the whole event set, `causes` are those of all reactions to it that wanted to
    stop; both are empty for a stop on request (`Router.suspend_all`, `suspend_thread`). `thread` is
    the thread in which the events happened. With the policy NONE nothing is held: the set only
    informs.
    """

    def __init__(
        self,
        suspend_policy: SuspendPolicy,
        thread: Thread | None,
        occurrences: tuple[Occurrence, ...] = (),
        causes: tuple[Cause, ...] = (),
    ) -> None:
        self.suspend_policy = suspend_policy
        self.thread = thread
        self.occurrences = occurrences
        self.causes = causes
        self.is_current = suspend_policy is not SuspendPolicy.NONE
        """Whether it still holds threads: it was not resumed, and the VM has not ended."""
        self.released: set[Thread] = set()
        """The threads that were resumed alone since (`Router.resume_thread`)."""
        self.lent: set[Thread] = set()
        """The threads that it does not hold until an invocation has returned (`suspended_once`)."""
        self.invoking: set[Thread] = set()
        """The threads that run a method on the suspension that this stop has made: the agent uses
        it for the method, and gives it back when the method returns (`suspended_once`).
        """
        self.kept: frozenset[Thread] | None = None
        """The threads that it still holds while all others run for an invocation
        (`others_running`).
        """

    @property
    def suspends_all(self) -> bool:
        """Whether it holds all threads."""
        return self.suspend_policy is SuspendPolicy.ALL

    @property
    def holds_everything(self) -> bool:
        """Whether it holds all threads, and none runs for an invocation or was resumed alone."""
        return self.suspends_all and not self.released and not self.lent and self.kept is None

    def holds(self, thread: Thread) -> bool:
        """Whether it holds this thread now."""
        if not self.is_current or thread in self.released or thread in self.lent:
            return False
        if self.kept is not None and thread not in self.kept:
            return False
        return self.suspends_all or self.thread is thread

    def __repr__(self) -> str:
        kinds = ", ".join(type(each).__name__ for each in self.occurrences)
        return f"StopSet({self.suspend_policy.name}, {self.thread!r}, [{kinds}])"
