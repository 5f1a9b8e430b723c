# SPDX-License-Identifier: Apache-2.0
"""Joining a session that another front end of this user has shared, and listing them.

Owns the guest's Session: what of it is the guest's own (its subscribers, leaving, its role) and
what is left of it once the owner is gone. Everything else of it is the owner's, see `remote`.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from jvmdebug import rendezvous
from jvmdebug.errors import ConnectionLost, LaunchError, WireError
from jvmdebug.joining import values
from jvmdebug.joining.known import Known
from jvmdebug.joining.link import Link
from jvmdebug.joining.sharing import VERSION
from jvmdebug.os_errors import reason
from jvmdebug.platform.system import has_unix_sockets
from jvmdebug.session.events import BreakpointLogged, Ended, EndReason, EventFeed, Exited
from jvmdebug.session.state import SessionState

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmdebug.rendezvous import Place
    from jvmdebug.session.events import GuestKind, GuestRole, SessionEvent
    from jvmdebug.session.session import Session

_SESSION: Final = "jvmdebug.session.session:Session"
_ANSWER_S: Final = 5.0
_SILENT_S: Final = 30.0
"""After so long without an answer to what is answered at once the owner is given up."""


@dataclass(frozen=True, slots=True)
class SharedSession:
    """A session of this user that can be joined."""

    name: str
    """For `jvmdebug.join(name)`."""
    program: str
    """The main class, file or address that its owner debugs."""
    owner: str
    """`prompt`, `editor`, `assistant` or `script`."""
    pid: int
    """Of the owner's process."""
    program_pid: int | None
    """Of the program, if the owner has started it."""
    state: str
    """What the program does: `running`, `stopped`, and so on."""
    guests: tuple[str, ...]
    """Those who have joined it."""


def sessions() -> list[SharedSession]:
    """The sessions of this user on this machine that can be joined, by name. What is left of
    processes that have died is removed. LaunchError if their folder cannot be read.
    """
    _require_sockets()
    found = []
    for place in rendezvous.places():
        try:
            said = _asked(place)
        except (OSError, WireError, KeyError, TypeError):
            continue  # it has just ended, or is busy
        found.append(said)
    return found


def _asked(place: Place) -> SharedSession:
    with rendezvous.connected(place) as stream:
        stream.settimeout(_ANSWER_S)
        stream.sendall(values.packed({"ask": "what"}))
        with stream.makefile("rb") as file:
            said = values.unpacked(file.read(values.length(_whole(file.read(4)))))
    return SharedSession(
        place.name,
        str(said["program"]),
        str(said["owner"]),
        place.pid,
        said["program_pid"],
        str(said["state"]),
        tuple(said["guests"]),
    )


def _whole(head: bytes) -> bytes:
    if len(head) < values.LENGTH.size:
        raise WireError("a shared session has not answered")
    return head


async def join(
    name: str | None = None, *, kind: GuestKind = "script", read_only: bool = False
) -> Session:
    """Join a session that another front end of this user has shared, on this machine: see the same
    stops, breakpoints and output, and act on them. It may be left out if there is one session.

    The session is that of its `owner`: closing or detaching leaves it, and changes nothing in it;
    breakpoints that were set stay. Events say what the others do: `Continued.by`,
    `BreakpointChanged.by`. `next_stop` first returns the stops that there are. The end of the
    owner's session is an `Ended` event that says so, and what is asked afterwards raises
    ConnectionLost. `kind` is what others are told of us. With `read_only` we only look: nothing is
    resumed, set or run. LaunchError, which lists the sessions, if none has the name.
    """
    _require_sockets()
    place = await asyncio.to_thread(_place, name)
    try:
        return await _joined(place, kind, "read-only" if read_only else "debug")
    except (OSError, EOFError, TimeoutError, WireError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error) or "it does not answer"
        raise LaunchError(f"cannot join the session {place.name}: {why}") from error


def _require_sockets() -> None:
    if not has_unix_sockets():
        raise LaunchError("sessions cannot be joined on this system: it has no UNIX sockets")


def _place(name: str | None) -> Place:
    places = [each for each in rendezvous.places() if each.pid != os.getpid()]
    if not places:
        raise LaunchError(
            "there is no session to join: none of this user's prompts, editors, assistants or"
            " scripts shares one on this machine"
        )
    if name is None:
        if len(places) == 1:
            return places[0]
        raise LaunchError(f"there are several sessions, say which: {_listed(places)}")
    if name.isdecimal() and (of_process := [each for each in places if each.pid == int(name)]):
        return of_process[0]
    found = [each for each in places if each.name == name]
    if not found:
        raise LaunchError(f"there is no session {name} to join; there is: {_listed(places)}")
    return found[0]


def _listed(places: Sequence[Place]) -> str:
    return ", ".join(each.name for each in places)


async def _joined(place: Place, kind: GuestKind, role: GuestRole) -> Session:
    reader, writer = await asyncio.open_unix_connection(str(place.path))
    try:
        hello = {"version": VERSION, "kind": kind, "role": role, "pid": os.getpid()}
        writer.write(values.packed(hello))
        said = await asyncio.wait_for(values.read(reader), _ANSWER_S)
        welcome = _welcome(said)
        at_once = await asyncio.to_thread(rendezvous.connected, place)
        at_once.settimeout(_SILENT_S)
        at_once.sendall(values.packed({"key": welcome["key"]}))
    except BaseException:
        writer.close()
        raise
    known = Known(lambda class_name: _EXTRA.get(class_name, {}))
    known.link = link = Link(reader, writer, at_once, known)
    link.owner_is_gone = (
        f"the session {place.name} has ended: its owner, the {welcome['owner']}, is gone"
    )
    session: Session = link.found(welcome["session"])
    object.__setattr__(session, "_guest", _OwnPart(session, link, welcome))
    return session


def _welcome(said: dict[str, Any]) -> dict[str, Any]:
    """The welcome of the owner; LaunchError with its reason if it lets us not in."""
    if "refused" in said:
        raise LaunchError(str(said["refused"]))
    welcome: dict[str, Any] = said["welcome"]
    return welcome


class _OwnPart:
    """What of a session that was joined is the guest's own."""

    def __init__(self, session: Any, link: Link, welcome: dict[str, Any]) -> None:  # noqa: ANN401
        self.link = link
        self.owner = str(welcome["owner"])
        self.name = str(welcome["guest"])
        self.program = str(welcome["program"])
        self.is_read_only = welcome["role"] == "read-only"
        self.feed = EventFeed()
        self.exit_code: int | None = None
        self.has_ended = False
        self.over = asyncio.Event()
        link.on_end = self._end
        link.ask_at_once("call", session, "subscribe", self._take, batches=True)

    def _take(self, event: SessionEvent) -> None:
        if self.has_ended:  # the owner has started the program again
            self.has_ended, self.exit_code = False, None
            self.feed, self.over = self.feed.transfer(), asyncio.Event()
        match event:
            case Exited(exit_code=code):
                self.exit_code = code
            case Ended():
                self.has_ended = True
                self.over.set()
                event = replace(event, message=event.message or self._why(event.reason))
            case BreakpointLogged():
                waiting = self.feed.post_logged([event], lambda: _one_by_one(event))
                for each in waiting:
                    each.close()
                return
            case _:
                pass
        self.feed.post(event)

    def _why(self, reason: EndReason) -> str:
        """The sentence for an end that the owner has not explained."""
        if reason is EndReason.DETACHED:
            return f"the {self.owner} has left the program, which goes on"
        code = "" if self.exit_code is None else f" with exit code {self.exit_code}"
        return f"the program that the {self.owner} debugs has ended{code}"

    def _end(self, why: str) -> None:
        self.over.set()
        if not self.has_ended:
            self.has_ended = True
            self.feed.post(Ended(EndReason.CONNECTION_LOST, why))


def _one_by_one(event: BreakpointLogged) -> list[BreakpointLogged]:
    if event.lines == 1:
        return [event]
    return [replace(event, text=each, lines=1) for each in event.text.split("\n")]


class _JoinedSession:
    """Members of a guest's Session that take the place of those that ask the owner."""

    _guest: _OwnPart
    _remote_after_end: Final = {
        "state": SessionState.ENDED,
        "is_disconnected": True,
        "current_stops": (),
        "exit_code": lambda self: self._guest.exit_code,
        "name": lambda self: self._guest.program,
        "pid": None,
        "takes_input": False,
        "why_no_return_values": None,
    }

    @property
    def owner(self) -> str | None:
        """The owner of the session."""
        return self._guest.owner

    past = None  # a recording is not shared

    @property
    def is_read_only(self) -> bool:
        """Whether we may only look."""
        return bool(self._guest.is_read_only)

    def forbid_changes(self) -> None:
        """We only look from now on; the others are not concerned."""
        self._guest.link.lower()
        self._guest.is_read_only = True

    def subscribe(
        self, subscriber: Callable[[SessionEvent], object], *, batches: bool = False
    ) -> Callable[[], None]:
        """Call `subscriber` for each event from now on."""
        return self._guest.feed.subscribe(subscriber, batches=batches)

    async def close(self) -> None:
        """Leave the session, which goes on."""
        await self._guest.link.close()
        self._guest.over.set()
        if not self._guest.has_ended:
            self._guest.has_ended = True
            self._guest.feed.post(Ended(EndReason.DETACHED))

    detach = close

    async def wait(self) -> int | None:
        """Wait for the end of the program, or of the session."""
        await self._guest.over.wait()
        return self._guest.exit_code

    async def next_stop(self, timeout_s: float | None = None) -> Any:  # noqa: ANN401 - a Stop
        """The next stop that was not returned to us yet."""
        link = self._guest.link
        try:
            return await link.ask("call", self, "next_stop", timeout_s)
        except ConnectionLost:
            if link.end is None:
                raise
            return None

    async def __aenter__(self) -> Any:  # noqa: ANN401 - itself
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"Session({self._guest.program}, joined, of the {self._guest.owner})"


def _members(class_: type) -> dict[str, Any]:
    left_out = ("__dict__", "__weakref__", "__module__", "__doc__", "__annotations__")
    return {name: each for name, each in vars(class_).items() if name not in left_out}


_EXTRA: Final[dict[str, dict[str, Any]]] = {
    _SESSION: _members(_JoinedSession),
    "jvmdebug.session.stop:Stop": {"_remote_after_end": {"is_current": False}},
    "jvmdebug.session.threads:ThreadHandle": {"_remote_after_end": {"stop": None}},
    "jvmdebug.breakpoints.breakpoint:Breakpoint": {"_remote_after_end": {"is_removed": True}},
}
