# SPDX-License-Identifier: Apache-2.0
"""Steps out of frames that end in rare ways: in both modes they end where libjdwp's do.

`Exits` goes through a stack overflow, broken initialisers, class loaders, reflection, handlers and
monitors, streams, and a thread that dies. At each marked line the test steps a few times; where
each step ended is compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.support.debuggees import debuggee
from tests.support.jdwp_session import (
    BREAKPOINT,
    EVENT_THREAD,
    LINE,
    OUT,
    OVER,
    SINGLE_STEP,
    JdwpSession,
    session_of,
    thread_only,
)

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm

pytestmark = pytest.mark.agent

_PLACES = {
    "overflow": (1, 1),
    "endless": (1, 1),
    "overflow-handlers": (1, 1),
    "unwinding": (3, 1),
    "initial": (3, 3),
    "fails": (3, 1),
    "broken-again": (1, 0),
    "fails-by-name": (3, 1),
    "reflected": (1, 1),
    "fails-reflected": (3, 2),
    "given": (3, 3),
    "refused": (1, 1),
    "guarded": (1, 1),
    "fails-locked": (3, 1),
    "streamed": (1, 0),
    "tail-supplied": (3, 3),
}
"""How many steps over and out from each, in the order in which the program comes to them. Only one
from `refused`: the VM swallows the exception of a class loader, and where it has frame pop events
it goes on without single steps."""
_IN_VIRTUAL_THREADS = (
    "calls",
    "sleeps",
    "calls-failing",
    "fails",
    "calls-deep",
    "deep",
    "streams",
)
_SMALL_STACK = ("-Xss180k",)
"""With frame pop events an exception takes time with the square of the frames it passes."""


class End(NamedTuple):
    """The place of a stop."""

    what: str
    type: str
    method: str
    at: int
    frames: int


class Exits:
    """One debuggee on its way."""

    def __init__(self, session: JdwpSession) -> None:
        self.session = session
        self.thread = session.run_to("begin")
        self.ends: list[End] = []
        self._names: dict[tuple[int, int], tuple[str, str]] = {}

    def stopped(self, what: str, event: dict[str, Any]) -> End:
        """Note where the event's thread stands."""
        vm, where, thread = self.session.vm, event["location"], event["thread"]
        frames = vm.ask("ThreadReference.FrameCount", thread=thread)["frame_count"]
        self.ends.append(End(what, *self._name(where), where["index"], frames))
        return self.ends[-1]

    def run_to(self, place: str) -> int:
        """Resume until the thread, which is given, is at the line of the marker."""
        request = self.session.break_at(place, thread_only(self.thread))
        self.session.resume()
        self.session.next_event(BREAKPOINT)
        self.session.clear(BREAKPOINT, request)
        return self.thread

    def steps(self, place: str, depth: int, number: int) -> None:
        """Step so many times from where the thread stands."""
        for done in range(number):
            self.step(f"{place} {done}", depth)

    def step(self, what: str, depth: int) -> None:
        """One step."""
        request = self.session.request(SINGLE_STEP, of(self.thread, depth))
        self.session.resume()
        self.stopped(what, self.session.next_event(SINGLE_STEP))
        self.session.clear(SINGLE_STEP, request)

    def _name(self, where: dict[str, Any]) -> tuple[str, str]:
        known = where["type_id"], where["method_id"]
        if known not in self._names:
            vm = self.session.vm
            signature = vm.ask("ReferenceType.Signature", type_id=known[0])["signature"]
            # The names of hidden classes have a number or an address that differs in each VM.
            signature = signature.partition("$$Lambda")[0].partition("LambdaForm$")[0]
            for method in vm.ask("ReferenceType.Methods", type_id=known[0])["methods"]:
                called = method["name"] + method["signature"]
                self._names[known[0], method["method_id"]] = (signature, called)
        return self._names[known]


def of(thread: int, depth: int) -> dict[str, Any]:
    """The modifier of a step by line."""
    return {"kind": 10, "thread": thread, "size": LINE, "depth": depth}


def through_forced_returns(exits: Exits, depth: int) -> None:
    """The debugger ends a frame below the step's, that of the step, that where it has ended."""
    session, vm = exits.session, exits.session.vm
    thread = exits.run_to("inner")
    request = session.request(SINGLE_STEP, of(thread, depth))
    exits.run_to("innermost")
    for value in (40, 41, 42)[: 3 if depth == OVER else 2]:
        vm.ask("ThreadReference.ForceEarlyReturn", thread=thread, value=integer(value))
        session.resume()
        exits.stopped(f"returned {value}", session.next_event(SINGLE_STEP))
    session.clear(SINGLE_STEP, request)


def through_pops(exits: Exits, depth: int) -> None:
    """The same with frames popped, where ours differs from libjdwp (see the reference)."""
    session, vm = exits.session, exits.session.vm
    ends = []
    for popped in (0, 1):
        thread = exits.run_to("inner")
        request = session.request(SINGLE_STEP, of(thread, depth))
        exits.run_to("innermost")
        frame = session.frames(thread)[popped]["frame_id"]
        vm.ask("StackFrame.PopFrames", thread=thread, frame=frame)
        session.resume()
        location = session.next_event(SINGLE_STEP)["location"]
        ends.append((session.line_of(location), len(session.frames(thread))))
        session.clear(SINGLE_STEP, request)
    markers = ("inner-end", "caller-third") if depth == OVER else ("caller", "after-caller")
    frames = (3, 2) if depth == OVER else (2, 1)
    assert ends == [
        (session.marked_line(marker), number)
        for marker, number in zip(markers, frames, strict=True)
    ]


def through_threads(exits: Exits, depth: int) -> None:
    """Two threads step at the same time from the same line."""
    session, vm = exits.session, exits.session.vm
    place = session.break_at("both", policy=EVENT_THREAD)
    session.resume()
    threads = [session.next_event(BREAKPOINT)["thread"] for _ in range(2)]
    session.clear(BREAKPOINT, place)
    names = {thread: vm.ask("ThreadReference.Name", thread=thread)["name"] for thread in threads}
    for _ in range(2 if depth == OVER else 1):
        requests = [
            session.request(SINGLE_STEP, of(thread, depth), policy=EVENT_THREAD)
            for thread in threads
        ]
        session.resume()
        events = [session.next_event(SINGLE_STEP) for _ in threads]
        for event in sorted(events, key=lambda event: names[event["thread"]]):
            exits.stopped(names[event["thread"]], event)
        for request in requests:
            session.clear(SINGLE_STEP, request)


def integer(value: int) -> dict[str, Any]:
    """A tagged value."""
    return {"tag": ord("I"), "value": value}


def ends_of_steps(jdk: Jdk, agent: AgentInVm, depth: int) -> list[End]:
    """All of it."""
    program = debuggee("exits", "Exits")
    with session_of(jdk, agent, "", program=program, vm_args=_SMALL_STACK) as session:
        exits = Exits(session)
        for place, (over, out) in _PLACES.items():
            exits.run_to(place)
            exits.steps(place, depth, over if depth == OVER else out)
        through_forced_returns(exits, depth)
        if agent != "stock":
            through_pops(exits, depth)
        through_threads(exits, depth)
        exits.ends.append(End(session.run_out(), "", "", 0, 0))
    return exits.ends


@pytest.mark.parametrize("depth", [OVER, OUT], ids=["over", "out"])
def test_rare_exits(jdk: Jdk, depth: int) -> None:
    full = ends_of_steps(jdk, "jvmdebug", depth)
    assert ends_of_steps(jdk, "jvmdebug-fast", depth) == full
    if jdk.has_jdwp:
        assert full == ends_of_steps(jdk, "stock", depth)


def ends_in_virtual_thread(jdk: Jdk, agent: AgentInVm, depth: int) -> list[End]:
    """Steps of one virtual thread that leaves its carrier in the middle of each; others do too."""
    with session_of(jdk, agent, "", program=debuggee("virtual_exits", "VirtualExits")) as session:
        exits = Exits(session)
        for place in ("sleeps", "fails", "deep") if depth == OUT else _IN_VIRTUAL_THREADS:
            exits.run_to(place)
            exits.step(place, depth)
        exits.ends.append(End(session.run_out(), "", "", 0, 0))
    return exits.ends


@pytest.mark.parametrize("depth", [OVER, OUT], ids=["over", "out"])
def test_exits_in_virtual_threads(jdk: Jdk, depth: int) -> None:
    if jdk.version < debuggee("virtual_exits", "VirtualExits").release:
        pytest.skip("no virtual threads")
    expected = ends_in_virtual_thread(jdk, "stock", depth)
    assert ends_in_virtual_thread(jdk, "jvmdebug-fast", depth) == expected
    assert ends_in_virtual_thread(jdk, "jvmdebug", depth) == expected
