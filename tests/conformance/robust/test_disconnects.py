# SPDX-License-Identifier: Apache-2.0
"""Debuggers that disconnect at any point of a scenario, and connections with faults.

Each scenario is held once undisturbed, to learn its packets; then it is held again and again
with one VM and cut at each of them, in both directions. Afterwards the next debugger must find a
program that runs, with nothing suspended, asked for or held back. The cut at every byte takes
minutes: `make e2e`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from tests.conformance.robust.running_target import SCENARIOS, RunningTarget, running_target
from tests.support.fault_proxy import TO_AGENT, TO_DEBUGGER, Direction, Fault, FaultProxy
from tests.support.jdks import jdks_to_test
from tests.support.jdwp_client import ConnectionLostError, RefusedError
from tests.support.jdwp_session import CLASS_PREPARE, METHOD_ENTRY, NONE, VM_START, class_match

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tests.support.jdks import Jdk
    from tests.support.jdwp_session import JdwpSession

    Scenario = Callable[[JdwpSession], None]

_LONG = 24
_OF_THE_SAME_SIZE = 8
"""Of packets like one before, every so many-th byte is cut at, in each of them others."""

_NAMED = [pytest.param(scenario, id=scenario.__name__) for scenario in SCENARIOS]


def hold(running: RunningTarget, scenario: Scenario, fault: Fault | None) -> FaultProxy:
    """One scenario through a proxy; what comes of the fault is for check() to see."""
    with FaultProxy(running.port, fault) as proxy:
        try:
            session = running.connect(proxy.port)
            try:
                scenario(session)
            finally:
                session.vm.close()
        except (ConnectionLostError, OSError):
            if fault is None or not proxy.has_struck.is_set():
                raise
        except (RefusedError, AssertionError, LookupError, ValueError):
            # What was asked for is another thing when it is garbled on the way.
            if fault is None or fault.action != "garble":
                raise
    return proxy


def disturb(running: RunningTarget, scenario: Scenario, faults: list[Fault]) -> int:
    """Hold the scenario with each fault, and look at the running after each; how many struck."""
    struck = 0
    for fault in faults:
        proxy = hold(running, scenario, fault)
        try:
            running.check()
        except (AssertionError, ConnectionLostError, OSError) as error:
            raise AssertionError(f"{scenario.__name__} after {fault}: {error}") from error
        struck += proxy.has_struck.is_set()
    return struck


def _packets(running: RunningTarget, scenario: Scenario) -> list[tuple[Direction, int, int]]:
    """Direction, number and size of each packet of the scenario."""
    proxy = hold(running, scenario, None)
    running.check()
    return [
        (direction, number, size)
        for direction in (TO_AGENT, TO_DEBUGGER)
        for number, size in enumerate(proxy.sizes[direction])
    ]


def _faults(cuts: Iterable[tuple[Direction, int, int]]) -> list[Fault]:
    """Cuts and resets in turn, each in a direction, at a packet and at a byte of it."""
    actions: tuple[Literal["cut"], Literal["reset"]] = ("cut", "reset")
    return [
        Fault(direction, number, actions[index % 2], at)
        for index, (direction, number, at) in enumerate(cuts)
    ]


def _faults_at_packets(running: RunningTarget, scenario: Scenario) -> list[Fault]:
    """Faults before each packet, inside it and after it."""
    return _faults(
        (direction, number, at)
        for direction, number, size in _packets(running, scenario)
        for at in sorted({0, size // 2, size})
    )


def _faults_at_bytes(running: RunningTarget, scenario: Scenario) -> list[Fault]:
    """Faults in long packets, which are lists, at the first bytes and at the last one."""
    known: set[tuple[Direction, int]] = set()
    cuts: list[tuple[Direction, int, int]] = []
    for direction, number, size in _packets(running, scenario):
        every = _OF_THE_SAME_SIZE if (direction, size) in known else 1
        known.add((direction, size))
        ats = {*range(number % every, min(size, _LONG), every), size - 1}
        cuts += ((direction, number, at) for at in sorted(ats))
    return _faults(cuts)


@pytest.fixture(scope="module", params=[pytest.param(jdk, id=jdk.label) for jdk in jdks_to_test()])
def running(request: pytest.FixtureRequest) -> Iterator[RunningTarget]:
    """One VM for all scenarios; in the end it must end by itself."""
    with running_target(request.param) as running:
        yield running
        assert running.end().endswith("stopped\n")


@pytest.mark.agent
@pytest.mark.parametrize("scenario", _NAMED)
def test_cut_at_some_packets(running: RunningTarget, scenario: Scenario) -> None:
    faults = _faults_at_packets(running, scenario)
    some = faults[:: len(faults) // 10 + 1]
    assert disturb(running, scenario, some) > len(some) // 2


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("scenario", _NAMED)
def test_cut_at_every_packet(running: RunningTarget, scenario: Scenario) -> None:
    faults = _faults_at_packets(running, scenario)
    assert disturb(running, scenario, faults) > len(faults) // 2


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("scenario", _NAMED)
def test_cut_at_every_byte(running: RunningTarget, scenario: Scenario) -> None:
    """Cuts alike packets at every byte of the first, and of the others some in turn."""
    faults = _faults_at_bytes(running, scenario)
    assert disturb(running, scenario, faults) > len(faults) // 2


@pytest.mark.parametrize("scenario", _NAMED)
def test_bytes_that_arrive_one_by_one(running: RunningTarget, scenario: Scenario) -> None:
    """Nothing is lost when a packet is never whole at once."""
    proxy = hold(running, scenario, Fault(TO_AGENT, 0, "dribble"))
    assert proxy.has_struck.is_set()
    assert len(proxy.sizes[TO_AGENT]) > 5
    running.check()


@pytest.mark.parametrize("scenario", _NAMED)
def test_garbled_bytes(running: RunningTarget, scenario: Scenario) -> None:
    """A wrong length, or a wrong byte in what is asked; the command itself is left as it is."""
    faults = [
        Fault(direction, number, "garble", at)
        for direction, number, size in _packets(running, scenario)
        for at in (number % 4, 11 + number % max(size - 11, 1))
        if direction == TO_AGENT and number > 0 and (at < 4 or size > 11)
    ]
    some = faults[:: len(faults) // 4 + 1]
    assert disturb(running, scenario, some) > len(some) // 2


def test_a_debugger_gets_all_events_after_an_earlier_one(running: RunningTarget) -> None:
    """The method entry was reported at its first instruction, where a breakpoint is set next."""
    for _ in range(3):
        with running.debugged() as session:
            session.request(METHOD_ENTRY, class_match("endless.Endless"), policy=NONE)
            turn = session.methods()["turn"]
            while session.vm.next_set()["events"][0]["location"]["method_id"] != turn:
                pass
        running.check()


@pytest.mark.parametrize("number", [0, 1, 2, 4])
def test_a_debugger_lost_before_the_program_has_begun(jdk: Jdk, number: int) -> None:
    def begin(session: JdwpSession) -> None:
        session.next_event(VM_START)
        session.threads()
        session.request(CLASS_PREPARE, class_match("endless.Endless"))
        session.resume()
        session.next_event(CLASS_PREPARE)

    with running_target(jdk, suspend=True) as waiting:
        hold(waiting, begin, Fault(TO_AGENT, number, "reset" if number % 2 else "cut"))
        if number == 0:
            # It has not been there at all: the program waits on for one that is.
            assert not waiting.runs()
            session = waiting.connect()
            session.next_event(VM_START)
            session.vm.close()
        waiting.wait_until_it_runs()
        waiting.check()
        assert waiting.end().endswith("stopped\n")
