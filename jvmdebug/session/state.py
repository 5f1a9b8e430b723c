# SPDX-License-Identifier: Apache-2.0
"""The states of a session and what each of them allows, as two tables.

Owns no I/O and no VM: the session calls `next_state` when something happened, and `require` before
it does something. Adding a state: (1) the enum, (2) its rows in `_TRANSITIONS`, (3) the operations
that it allows in `_ALLOWED`, (4) its sentence in `_SENTENCES`.
"""

from __future__ import annotations

from enum import Enum, StrEnum, auto

from jvmdebug.errors import StateError


class SessionState(StrEnum):
    """The state of the debuggee as the session knows it."""

    CONNECTING = "connecting"
    """The connection is open and the VM has not reported yet whether it is held."""
    HELD = "held"
    """The VM is held before the first instruction of the program; `start()` resumes it."""
    RUNNING = "running"
    """No stop is current."""
    STOPPED = "stopped"
    """At least one stop is current."""
    ENDED = "ended"
    """The VM exited, the session detached or the connection was lost."""


class StateEvent(Enum):
    """What moves a session from one state to the next."""

    VM_HELD = auto()
    VM_RUNNING = auto()
    STARTED = auto()
    STOP = auto()
    LAST_STOP_RESUMED = auto()
    END = auto()


class Operation(StrEnum):
    """Operations of the session, worded to fit "cannot ... now"."""

    ARM = "change breakpoints"
    START = "start the program"
    RESUME = "resume"
    SUSPEND = "suspend"
    WAIT_FOR_STOP = "wait for a stop"
    INSPECT = "look into the VM"
    DETACH = "detach"


_S, _E = SessionState, StateEvent

_TRANSITIONS: dict[tuple[SessionState, StateEvent], SessionState] = {
    (_S.CONNECTING, _E.VM_HELD): _S.HELD,
    (_S.CONNECTING, _E.VM_RUNNING): _S.RUNNING,
    (_S.CONNECTING, _E.STARTED): _S.RUNNING,
    (_S.CONNECTING, _E.STOP): _S.STOPPED,
    (_S.HELD, _E.STARTED): _S.RUNNING,
    (_S.HELD, _E.STOP): _S.STOPPED,
    (_S.RUNNING, _E.VM_HELD): _S.HELD,
    (_S.RUNNING, _E.STARTED): _S.RUNNING,
    (_S.RUNNING, _E.STOP): _S.STOPPED,
    (_S.STOPPED, _E.STOP): _S.STOPPED,
    (_S.STOPPED, _E.STARTED): _S.STOPPED,
    (_S.STOPPED, _E.LAST_STOP_RESUMED): _S.RUNNING,
    **{(state, _E.END): _S.ENDED for state in _S},
}

_LIVE = frozenset({_S.CONNECTING, _S.HELD, _S.RUNNING, _S.STOPPED})

_ALLOWED: dict[Operation, frozenset[SessionState]] = {
    Operation.ARM: _LIVE,
    Operation.START: _LIVE,
    Operation.RESUME: _LIVE,
    Operation.SUSPEND: frozenset({_S.CONNECTING, _S.RUNNING, _S.STOPPED}),
    Operation.WAIT_FOR_STOP: frozenset({_S.CONNECTING, _S.HELD, _S.RUNNING, _S.ENDED}),
    Operation.INSPECT: _LIVE,
    Operation.DETACH: frozenset(_S),
}

_SENTENCES: dict[SessionState, str] = {
    _S.CONNECTING: "the VM has not reported its start yet",
    _S.HELD: "the VM is held before its first instruction; start it first",
    _S.RUNNING: "the program is running; suspend it or wait for a stop first",
    _S.STOPPED: "the program is stopped; resume it first",
    _S.ENDED: "the session has ended; open a new one",
}


def next_state(state: SessionState, event: StateEvent) -> SessionState:
    """The state after `event`; an event that the table does not have changes nothing."""
    return _TRANSITIONS.get((state, event), state)


def require(operation: Operation, state: SessionState, detail: str = "") -> None:
    """Raise StateError unless `operation` is allowed in `state`."""
    if state in _ALLOWED[operation]:
        return
    because = detail or _SENTENCES[state]
    raise StateError(f"cannot {operation} now: {because}")
