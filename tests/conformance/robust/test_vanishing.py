# SPDX-License-Identifier: Apache-2.0
"""Debuggers that vanish at any point of a conversation, and wires that break.

Each conversation is held once undisturbed, to learn its packets; then it is held again and again
with one VM and cut at each of them, in both directions. Afterwards the next debugger must find a
program that runs, with nothing suspended, asked for or held back. The cut at every byte takes
minutes: `make e2e`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from tests.conformance.jdwp.conversation import ConnectionLostError, RefusedError
from tests.conformance.jdwp.stage import CLASS_PREPARE, METHOD_ENTRY, NONE, VM_START, class_match
from tests.conformance.robust.mill import CONVERSATIONS, Mill, milling
from tests.support.fault_proxy import TO_AGENT, TO_DEBUGGER, Direction, Fault, FaultProxy
from tests.support.jdks import jdks_to_test

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tests.conformance.jdwp.stage import Stage
    from tests.support.jdks import Jdk

    Conversation = Callable[[Stage], None]

_LONG = 24
_OF_THE_SAME_SIZE = 8
"""Of packets like one before, every so many-th byte is cut at, in each of them others."""

_NAMED = [pytest.param(conversation, id=conversation.__name__) for conversation in CONVERSATIONS]


def hold(mill: Mill, conversation: Conversation, fault: Fault | None) -> FaultProxy:
    """One conversation through a proxy; what comes of the fault is for check() to see."""
    with FaultProxy(mill.port, fault) as proxy:
        try:
            stage = mill.visit(proxy.port)
            try:
                conversation(stage)
            finally:
                stage.vm.close()
        except (ConnectionLostError, OSError):
            if fault is None or not proxy.has_struck.is_set():
                raise
        except (RefusedError, AssertionError, LookupError, ValueError):
            # What was asked for is another thing when it is garbled on the way.
            if fault is None or fault.action != "garble":
                raise
    return proxy


def disturb(mill: Mill, conversation: Conversation, faults: list[Fault]) -> int:
    """Hold the conversation with each fault, and look at the mill after each; how many struck."""
    struck = 0
    for fault in faults:
        proxy = hold(mill, conversation, fault)
        try:
            mill.check()
        except (AssertionError, ConnectionLostError, OSError) as error:
            raise AssertionError(f"{conversation.__name__} after {fault}: {error}") from error
        struck += proxy.has_struck.is_set()
    return struck


def _packets(mill: Mill, conversation: Conversation) -> list[tuple[Direction, int, int]]:
    """Direction, number and size of each packet of the conversation."""
    proxy = hold(mill, conversation, None)
    mill.check()
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


def _faults_at_packets(mill: Mill, conversation: Conversation) -> list[Fault]:
    """Before each packet, inside it and after it."""
    return _faults(
        (direction, number, at)
        for direction, number, size in _packets(mill, conversation)
        for at in sorted({0, size // 2, size})
    )


def _faults_at_bytes(mill: Mill, conversation: Conversation) -> list[Fault]:
    """Of long packets, which are lists, at the first bytes and at the last one."""
    known: set[tuple[Direction, int]] = set()
    cuts: list[tuple[Direction, int, int]] = []
    for direction, number, size in _packets(mill, conversation):
        every = _OF_THE_SAME_SIZE if (direction, size) in known else 1
        known.add((direction, size))
        ats = {*range(number % every, min(size, _LONG), every), size - 1}
        cuts += ((direction, number, at) for at in sorted(ats))
    return _faults(cuts)


@pytest.fixture(scope="module", params=[pytest.param(jdk, id=jdk.label) for jdk in jdks_to_test()])
def mill(request: pytest.FixtureRequest) -> Iterator[Mill]:
    """One VM for all conversations; in the end it must end by itself."""
    with milling(request.param) as running:
        yield running
        assert running.end().endswith("stopped\n")


@pytest.mark.agent
@pytest.mark.parametrize("conversation", _NAMED)
def test_cut_at_some_packets(mill: Mill, conversation: Conversation) -> None:
    faults = _faults_at_packets(mill, conversation)
    some = faults[:: len(faults) // 10 + 1]
    assert disturb(mill, conversation, some) > len(some) // 2


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("conversation", _NAMED)
def test_cut_at_every_packet(mill: Mill, conversation: Conversation) -> None:
    faults = _faults_at_packets(mill, conversation)
    assert disturb(mill, conversation, faults) > len(faults) // 2


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("conversation", _NAMED)
def test_cut_at_every_byte(mill: Mill, conversation: Conversation) -> None:
    """Of packets that look alike, every byte of the first, and of the others some in turn."""
    faults = _faults_at_bytes(mill, conversation)
    assert disturb(mill, conversation, faults) > len(faults) // 2


@pytest.mark.parametrize("conversation", _NAMED)
def test_bytes_that_arrive_one_by_one(mill: Mill, conversation: Conversation) -> None:
    """Nothing is lost when a packet is never whole at once."""
    proxy = hold(mill, conversation, Fault(TO_AGENT, 0, "dribble"))
    assert proxy.has_struck.is_set()
    assert len(proxy.sizes[TO_AGENT]) > 5
    mill.check()


@pytest.mark.parametrize("conversation", _NAMED)
def test_garbled_bytes(mill: Mill, conversation: Conversation) -> None:
    """A wrong length, or a wrong byte in what is asked; the command itself is left as it is."""
    faults = [
        Fault(direction, number, "garble", at)
        for direction, number, size in _packets(mill, conversation)
        for at in (number % 4, 11 + number % max(size - 11, 1))
        if direction == TO_AGENT and number > 0 and (at < 4 or size > 11)
    ]
    some = faults[:: len(faults) // 4 + 1]
    assert disturb(mill, conversation, some) > len(some) // 2


def test_what_one_debugger_saw_hides_nothing_from_the_next(mill: Mill) -> None:
    """The thread was told of at its first instruction, without a breakpoint; then it is one."""
    for _ in range(3):
        with mill.debugged() as stage:
            stage.request(METHOD_ENTRY, class_match("mill.Mill"), policy=NONE)
            turn = stage.methods()["turn"]
            while stage.vm.next_set()["events"][0]["location"]["method_id"] != turn:
                pass
        mill.check()


@pytest.mark.parametrize("number", [0, 1, 2, 4])
def test_a_debugger_that_vanishes_before_the_program_has_begun(jdk: Jdk, number: int) -> None:
    def begin(stage: Stage) -> None:
        stage.next_event(VM_START)
        stage.threads()
        stage.request(CLASS_PREPARE, class_match("mill.Mill"))
        stage.resume()
        stage.next_event(CLASS_PREPARE)

    with milling(jdk, suspend=True) as waiting:
        hold(waiting, begin, Fault(TO_AGENT, number, "reset" if number % 2 else "cut"))
        if number == 0:
            # It has not been there at all: the program waits on for one that is.
            assert not waiting.runs()
            stage = waiting.visit()
            stage.next_event(VM_START)
            stage.vm.close()
        waiting.wait_until_it_runs()
        waiting.check()
        assert waiting.end().endswith("stopped\n")
