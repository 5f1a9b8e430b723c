# SPDX-License-Identifier: Apache-2.0
"""The states of one DAP session, as a table, and the sets that requests name in `when=`.

Does no I/O. The router checks it, handlers and the event pump move it. To add a state: the enum,
its rows in `_TRANSITIONS`, its sentence in `_SENTENCES`, the sets that it belongs to.
"""

from enum import Enum, StrEnum, auto
from typing import Final


class State(StrEnum):
    NEW = "new"
    IDLE = "idle"
    STARTING = "starting"
    CONFIGURING = "configuring"
    RUNNING = "running"
    STOPPED = "stopped"
    ENDED = "ended"


class StateEvent(Enum):
    INITIALIZED = auto()
    START_BEGUN = auto()
    START_FAILED = auto()
    CONNECTED = auto()
    CONFIGURED = auto()
    STOPPED = auto()
    RESUMED = auto()
    ENDED = auto()


_S, _E = State, StateEvent

_TRANSITIONS: Final[dict[tuple[State, StateEvent], State]] = {
    (_S.NEW, _E.INITIALIZED): _S.IDLE,
    (_S.IDLE, _E.START_BEGUN): _S.STARTING,
    (_S.STARTING, _E.START_FAILED): _S.IDLE,
    (_S.STARTING, _E.CONNECTED): _S.CONFIGURING,
    (_S.CONFIGURING, _E.CONFIGURED): _S.RUNNING,
    (_S.RUNNING, _E.STOPPED): _S.STOPPED,
    (_S.STOPPED, _E.RESUMED): _S.RUNNING,
    (_S.CONFIGURING, _E.START_BEGUN): _S.STARTING,
    (_S.RUNNING, _E.START_BEGUN): _S.STARTING,
    (_S.STOPPED, _E.START_BEGUN): _S.STARTING,
    **{(state, _E.ENDED): _S.ENDED for state in State},
}

NEW: Final = frozenset({_S.NEW})
IDLE: Final = frozenset({_S.IDLE})
STARTING: Final = frozenset({_S.STARTING})
CONFIGURING: Final = frozenset({_S.CONFIGURING})
STOPPED: Final = frozenset({_S.STOPPED})
LIVE: Final = frozenset({_S.CONFIGURING, _S.RUNNING, _S.STOPPED})
RUNNING: Final = frozenset({_S.RUNNING})
STARTED: Final = frozenset({_S.RUNNING, _S.STOPPED})
INITIALIZED: Final = frozenset(_S) - NEW
ANY: Final = frozenset(_S)

PROGRAM_ENDED: Final = "the program has ended"
LINK_LOST: Final = "the link to the program is lost"

_SENTENCES: Final[dict[State, str]] = {
    _S.NEW: "the session has not been initialized: send `initialize` first",
    _S.IDLE: "no program is being debugged: send `launch` or `attach` first",
    _S.STARTING: "the program is being started; the `initialized` event will say when it is there",
    _S.CONFIGURING: "the program is held before its start: send `configurationDone` first",
    _S.RUNNING: "the program is running: pause it or wait for a `stopped` event first",
    _S.STOPPED: "the program is stopped: continue it first",
}
# The message for a request that comes too late instead of too early.
_ALREADY: Final[dict[frozenset[State], str]] = {
    NEW: "the session has already been initialized",
    IDLE: "this session already has its program: use a new connection for another one",
    CONFIGURING: "the configuration has already been done",
}
_ORDER: Final = list(State)


class StateTable:
    """The current state of one session."""

    def __init__(self) -> None:
        self.current = State.NEW
        self.end = PROGRAM_ENDED
        """Why there is no program any more, once there is none."""

    def move(self, event: StateEvent) -> None:
        """Move to the state that the table names; stay if it names none."""
        self.current = _TRANSITIONS.get((self.current, event), self.current)

    def refusal(self, when: frozenset[State]) -> str | None:
        """Why a request that is allowed in `when` cannot be served now; None if it can."""
        if self.current in when:
            return None
        too_late = _ORDER.index(self.current) > max(map(_ORDER.index, when))
        if too_late and self.current is not State.ENDED and when in _ALREADY:
            return _ALREADY[when]
        if self.current is State.ENDED:
            return f"{self.end}: start a new session"
        return _SENTENCES[self.current]
