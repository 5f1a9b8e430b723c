# SPDX-License-Identifier: Apache-2.0
"""The state table: how a request is refused that comes too early or too late."""

from __future__ import annotations

import pytest

from jvmdebug_dap import states
from jvmdebug_dap.states import StateEvent, StateTable


def table(*events: StateEvent) -> StateTable:
    made = StateTable()
    for each in events:
        made.move(each)
    return made


H = StateEvent
RUNNING = (H.INITIALIZED, H.START_BEGUN, H.CONNECTED, H.CONFIGURED)


@pytest.mark.parametrize(
    ("events", "when", "words"),
    [
        ((), states.IDLE, "initialize"),
        ((H.INITIALIZED,), states.NEW, "already been initialized"),
        ((H.INITIALIZED,), states.LIVE, "launch"),
        ((H.INITIALIZED, H.START_BEGUN), states.LIVE, "being started"),
        ((H.INITIALIZED, H.START_BEGUN, H.CONNECTED), states.STOPPED, "configurationDone"),
        (RUNNING, states.STOPPED, "is running"),
        (RUNNING, states.IDLE, "already has its program"),
        (RUNNING, states.CONFIGURING, "already been done"),
        ((*RUNNING, H.STOPPED), states.RUNNING, "is stopped"),
        ((*RUNNING, H.ENDED), states.STOPPED, "has ended"),
        ((*RUNNING, H.ENDED), states.NEW, "has ended"),
    ],
)
def test_a_refusal_says_what_to_do(
    events: tuple[StateEvent, ...], when: frozenset[states.State], words: str
) -> None:
    assert words in (table(*events).refusal(when) or "")


def test_a_failed_start_can_be_tried_again() -> None:
    made = table(H.INITIALIZED, H.START_BEGUN, H.START_FAILED)
    assert made.refusal(states.IDLE) is None


@pytest.mark.parametrize("event", [H.STOPPED, H.RESUMED, H.CONFIGURED])
def test_nothing_brings_an_ended_session_back(event: StateEvent) -> None:
    made = table(*RUNNING, H.ENDED, event)
    assert made.current is states.State.ENDED
