# SPDX-License-Identifier: Apache-2.0
"""Tests which events subscribers receive, and that none comes after the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug import Ended, EndReason, Output
from jvmdebug.session.events import EventFeed

if TYPE_CHECKING:
    from jvmdebug import SessionEvent


def test_the_end_is_the_last_event() -> None:
    received: list[SessionEvent] = []
    feed = EventFeed()
    feed.subscribe(received.append)
    events: list[SessionEvent] = [Output("stdout", "before"), Ended(EndReason.DETACHED)]
    for event in (*events, Output("stdout", "the program goes on"), Ended(EndReason.EXITED)):
        feed.post(event)
    assert received == events


def test_a_restarted_session_keeps_its_subscribers() -> None:
    received: list[SessionEvent] = []
    feed = EventFeed()
    unsubscribe = feed.subscribe(received.append)
    successor = feed.transfer()
    feed.post(Ended(EndReason.EXITED))
    successor.post(Output("stdout", "again"))
    assert received == [Output("stdout", "again")]
    unsubscribe()
    successor.post(Output("stdout", "to nobody"))
    assert received == [Output("stdout", "again")]
