# SPDX-License-Identifier: Apache-2.0
"""The table of session states."""

from __future__ import annotations

import pytest

from jvmdebug.errors import StateError
from jvmdebug.session.state import Operation, SessionState, StateEvent, next_state, require


def test_the_states_of_a_session() -> None:
    state = SessionState.CONNECTING
    seen = []
    for event in (
        StateEvent.VM_HELD,
        StateEvent.STARTED,
        StateEvent.STOP,
        StateEvent.STOP,
        StateEvent.LAST_STOP_RESUMED,
        StateEvent.END,
        StateEvent.STOP,
    ):
        state = next_state(state, event)
        seen.append(state.value)
    assert seen == ["held", "running", "stopped", "stopped", "running", "ended", "ended"]


@pytest.mark.parametrize("operation", list(Operation))
@pytest.mark.parametrize("state", list(SessionState))
def test_a_refusal_names_the_request_and_the_reason(
    operation: Operation, state: SessionState
) -> None:
    try:
        require(operation, state)
    except StateError as error:
        text = str(error)
        assert text.startswith(f"cannot {operation} now: ")
        assert ";" in text or state is SessionState.CONNECTING, "it says what to do"
    else:
        assert state is not SessionState.ENDED or operation in (
            Operation.DETACH,
            Operation.WAIT_FOR_STOP,
        )
