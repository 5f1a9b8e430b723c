# SPDX-License-Identifier: Apache-2.0
"""The events of a session for its subscribers: one frozen dataclass per kind.

Owns the types and the fan-out to subscribers. Front ends translate them; scripts may match on them.
The events of the wire (event sets, requests) are in `jvmdebug.events`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, TypeAlias

from jvmdebug import acting
from jvmdebug.projects.testing import TestEvent

if TYPE_CHECKING:
    from jvmdebug.breakpoints import Breakpoint
    from jvmdebug.heap.marks import HeapMark
    from jvmdebug.hotswap import RedefinedClass
    from jvmdebug.session.stop import Stop
    from jvmdebug.session.threads import ThreadHandle
    from jvmdebug.sources import SourceFile


@dataclass(frozen=True, slots=True)
class Stopped:
    """Threads were suspended and wait for the user: `stop.thread`, or all if `stop.all_threads`."""

    stop: Stop


@dataclass(frozen=True, slots=True)
class Continued:
    """Threads run again. `thread` is the one that was named, None if all were resumed."""

    thread: ThreadHandle | None
    all_threads: bool
    notice: str | None = None
    """Why, if nobody has asked for it."""
    by: str | None = None
    """Who has resumed, in a session that several share: `prompt (process 4712)`; None for the one
    that is told.
    """


@dataclass(frozen=True, slots=True)
class ThreadStarted:
    """A thread of the debuggee started: a platform thread, or any one after
    `session.report_virtual_threads()`.
    """

    thread: ThreadHandle


@dataclass(frozen=True, slots=True)
class ThreadEnded:
    """A thread of the debuggee ended; its handle stays equal to the one of `ThreadStarted`. Of
    virtual threads as there.
    """

    thread: ThreadHandle


@dataclass(frozen=True, slots=True)
class BreakpointChanged:
    """A breakpoint got or lost locations, or its message changed, after it had been set. In a
    session that several share also: another one has set (`"new"`), changed or removed it.
    """

    breakpoint: Breakpoint
    change: Literal["changed", "removed", "new"]
    by: str | None = None
    """Which other one has done it; None if nobody has."""


@dataclass(frozen=True, slots=True)
class BreakpointLogged:
    """A logpoint was reached. `text` has the values filled in and no line end.

    Subscribers of batches get one for many hits that follow each other, with `lines` of them in
    `text`, and the thread of the first.
    """

    breakpoint: Breakpoint
    text: str
    thread: ThreadHandle
    source_path: str | None
    """`shop/Cart.java`: the package as directories and the source file's name."""
    line: int | None
    lines: int = 1


@dataclass(frozen=True, slots=True)
class Output:
    """Text that the debuggee wrote; chunks arrive in the order of each stream, line ends kept."""

    stream: Literal["stdout", "stderr"]
    text: str


@dataclass(frozen=True, slots=True)
class SourceLoaded:
    """The first class of a source was loaded; posted after `session.code.sources()` was called
    once.
    """

    source: SourceFile


@dataclass(frozen=True, slots=True)
class CodeReplaced:
    """Classes have new code; frames, breakpoints and listings of them must be shown again."""

    classes: tuple[RedefinedClass, ...]


@dataclass(frozen=True, slots=True)
class AnsweringChanged:
    """The VM owes replies and has sent nothing for a while, or it answers again."""

    is_answering: bool
    message: str


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """The link to the program was lost and is tried to be found again, or it is back. Requests are
    refused meanwhile, except that breakpoints are set once it is back.
    """

    is_up: bool
    message: str


@dataclass(frozen=True, slots=True)
class ObjectCollected:
    """An object that was marked (`session.heap.mark`) has been collected."""

    mark: HeapMark


@dataclass(frozen=True, slots=True)
class GuestChanged:
    """Another front end has joined the session, or has left it."""

    guest: str
    """What it is called: `assistant (process 4712)`."""
    kind: GuestKind
    role: GuestRole
    is_in: bool


@dataclass(frozen=True, slots=True)
class Exited:
    """The debuggee's process exited; all its output has been delivered. Only if we launched it."""

    exit_code: int


class EndReason(StrEnum):
    """Why a session is over."""

    EXITED = "exited"
    DETACHED = "detached"
    CONNECTION_LOST = "connection lost"


@dataclass(frozen=True, slots=True)
class Ended:
    """The session is over: the last event."""

    reason: EndReason
    message: str | None = None
    """Why the connection was lost, or that the program was killed as it did not end by itself."""


GuestKind: TypeAlias = Literal["prompt", "editor", "assistant", "script"]
GuestRole: TypeAlias = Literal["read-only", "debug"]
SessionEvent: TypeAlias = (
    Stopped
    | Continued
    | ThreadStarted
    | ThreadEnded
    | BreakpointChanged
    | BreakpointLogged
    | Output
    | SourceLoaded
    | CodeReplaced
    | AnsweringChanged
    | LinkChanged
    | TestEvent
    | ObjectCollected
    | GuestChanged
    | Exited
    | Ended
)
Subscriber: TypeAlias = Callable[[SessionEvent], object]
"""Called on the event loop, in order; must not block and should not raise."""


class EventFeed:
    """Delivers events to subscribers in the order in which they were posted; `Ended` is the last.

    Output may still arrive after it from a detached program, or from a grandchild process.
    """

    def __init__(self) -> None:
        self._subscribers: dict[object, Subscriber] = {}
        self._of_batches: set[object] = set()
        self._names: dict[object, str | None] = {}
        self.guests: set[str] = set()
        """Those who have joined the session, beside its owner."""
        self.closers: list[Callable[[], Awaitable[None]]] = []
        """Called when the session is closed, after its last event."""
        self._has_ended = False
        self.has_virtual_threads = False
        """Whether subscribers are told of virtual threads too."""

    def subscribe(self, subscriber: Subscriber, *, batches: bool = False) -> Callable[[], None]:
        """Call `subscriber` for each event from now on; the returned function ends that.

        `batches`: many lines of a log point come as one BreakpointLogged, and a coroutine that is
        returned for it is awaited before more are read. Any other is closed.
        """
        key, subscribers, of_batches = object(), self._subscribers, self._of_batches
        names = self._names
        subscribers[key] = subscriber
        names[key] = acting.name()
        if batches:
            of_batches.add(key)

        def unsubscribe() -> None:
            subscribers.pop(key, None)
            of_batches.discard(key)
            names.pop(key, None)

        return unsubscribe

    @property
    def has_subscribers(self) -> bool:
        """Whether there is any subscriber."""
        return bool(self._subscribers)

    def transfer(self) -> EventFeed:
        """A new feed with these subscribers; this one has none any more."""
        successor = EventFeed()
        successor._subscribers, self._subscribers = self._subscribers, {}
        successor._of_batches, self._of_batches = self._of_batches, set()
        successor._names, successor.guests = self._names, self.guests
        successor.closers, self.closers = self.closers, []
        successor.has_virtual_threads = self.has_virtual_threads
        return successor

    def post(self, event: SessionEvent) -> None:
        """Notify every subscriber, unless the session is over."""
        if self._has_ended:
            return
        self._has_ended = isinstance(event, Ended)
        for subscriber in list(self._subscribers.values()):
            returned = subscriber(event)
            if isinstance(returned, Coroutine):
                returned.close()

    def post_to_others(self, event: SessionEvent) -> None:
        """Notify the subscribers of the other front ends than the one that acts now."""
        if self._has_ended or not self.guests:
            return
        own = acting.name()
        for key, subscriber in list(self._subscribers.items()):
            if self._names.get(key) != own:
                subscriber(event)

    def post_logged(
        self,
        runs: Sequence[BreakpointLogged],
        one_by_one: Callable[[], Sequence[BreakpointLogged]],
    ) -> list[Coroutine[object, object, object]]:
        """Notify of lines of log points, in batches or one by one; what subscribers of batches have
        returned, to be awaited or closed.
        """
        waiting: list[Coroutine[object, object, object]] = []
        if self._has_ended:
            return waiting
        single: Sequence[BreakpointLogged] | None = None
        for key, subscriber in list(self._subscribers.items()):
            if key in self._of_batches:
                returned = [subscriber(each) for each in runs]
                waiting += [each for each in returned if isinstance(each, Coroutine)]
                continue
            single = one_by_one() if single is None else single
            for event in single:
                subscriber(event)
        return waiting
