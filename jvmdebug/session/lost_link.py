# SPDX-License-Identifier: Apache-2.0
"""What a session does while the link to its program is lost, and when it is back.

The connection finds the link again by itself (`jdwp.link`), and nothing of the session is lost with
it: breakpoints, log points and traces are in the agent all the time. Here it is told, questions are
refused until it is back, and stops are ended if the program went on without us.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final

from jvmdebug.jdwp.link import LinkChange, LinkState, LinkTerms
from jvmdebug.model.agent import AgentCapability
from jvmdebug.session.events import AnsweringChanged, Continued, LinkChanged

if TYPE_CHECKING:
    import socket
    from collections.abc import Awaitable, Callable

    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.session.services import Services

_WENT_ON: Final = "the program went on, as the link to it was lost"


def begin_watch(
    vm: VirtualMachine, reach: Callable[[], Awaitable[socket.socket]], terms: LinkTerms
) -> None:
    """Watch the link to a program that was attached to over a network, or through a tunnel."""
    link = vm.connection.watch_link(reach, terms)
    if vm.agent_can(AgentCapability.LINK):
        link.begin()
    else:
        link.watch_only()


class LostLink:
    """The changes of the link of one session."""

    def __init__(self, services: Services, went_on: Callable[[], None]) -> None:
        """`went_on` is called when a program that was held runs since the link was lost."""
        self._services = services
        self._went_on = went_on
        self._link = services.vm.connection.link

    def watch(self) -> None:
        """Tell changes from now on, if the link is watched."""
        if self._link is not None:
            self._link.sink = functools.partial(self._on_change, self._link.terms)

    def _on_change(self, terms: LinkTerms, change: LinkChange) -> None:
        services = self._services
        match change.state:
            case LinkState.SILENT:
                text = f"the link to the program may be lost: {change.why}"
                services.feed.post(AnsweringChanged(is_answering=False, message=text))
            case LinkState.LOST:
                seconds = f"it is tried again for {terms.reconnect_s:g} s"
                stays = services.stops.nothing_runs and terms.holds
                meanwhile = "stays stopped" if stays else "runs"
                text = f"the link to the program is lost: {change.why}; {seconds}, and the program"
                text = f"{text} {meanwhile} meanwhile"
                services.stops.link_lost = f"the link to the program is lost; {seconds}"
                services.feed.post(LinkChanged(is_up=False, message=text))
            case LinkState.BACK if services.stops.link_lost:
                services.stops.link_lost = ""
                text = "the link to the program is back"
                services.feed.post(LinkChanged(is_up=True, message=text))
                if change.went_on:
                    self._end_stops()
            case LinkState.BACK:
                text = "the program's machine answers again"
                services.feed.post(AnsweringChanged(is_answering=True, message=text))

    def _end_stops(self) -> None:
        stops = self._services.stops
        had_stopped = stops.nothing_runs or bool(stops.current)
        self._services.stepper.cancel()
        self._services.router.went_on()
        stops.end_all(_WENT_ON)
        stops.went_on()
        self._went_on()
        if had_stopped:
            self._services.feed.post(Continued(None, all_threads=True, notice=_WENT_ON))
