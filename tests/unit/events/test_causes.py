# SPDX-License-Identifier: Apache-2.0
"""The causes of a stop: those of all reactions to one event set, and which threads they suspend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug.events import RESUME, BreakpointOccurrence, Cause, Occurrence, StopFor, Verdict
from tests.support.fake_vm import ALL, EVENT_THREAD, MAIN_THREAD, NONE, FakeVm
from tests.unit.events.conftest import (
    OTHER_THREAD,
    Asked,
    Stops,
    armed,
    hit,
    settled,
    thread,
)
from tests.unit.events.test_invocations import finish_invocation, invoke

if TYPE_CHECKING:
    from jvmdebug.events import Router
    from tests.support.failures import Failures


@dataclass(frozen=True, slots=True, kw_only=True)
class Private(Cause):
    """A cause that is claimed by a waiting caller."""

    key: int


def stopping(cause: Cause) -> Any:
    async def reaction(_: Occurrence) -> Verdict:
        return StopFor(cause)

    return reaction


async def fail(_: Occurrence) -> Verdict:
    raise RuntimeError("a bug")


async def test_a_stop_has_the_causes_of_all_reactions_in_their_order(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    first = await armed(router, stopping(Asked(name="first")))
    private = await armed(router, stopping(Private(key=7)))
    passing = await armed(router, stopping(Asked(name="not in this set")))

    async def subscriber(occurrence: BreakpointOccurrence) -> Verdict:
        is_first = occurrence.request_id == first.request_id
        return StopFor(Asked(name="subscriber")) if is_first else RESUME

    router.subscribe(BreakpointOccurrence, subscriber)
    await fake_vm.send_events(ALL, hit(private), hit(first))
    stopped = await stops.next()
    assert stopped.causes == (Private(key=7), Asked(name="first"), Asked(name="subscriber"))
    assert passing.is_armed
    await router.resume(stopped)
    assert not fake_vm.is_suspended


@pytest.mark.logs_errors
async def test_a_reaction_that_fails_takes_nothing_from_the_others(
    fake_vm: FakeVm, router: Router, stops: Stops, failures: Failures
) -> None:
    failing = await armed(router, fail)
    request = await armed(router, stopping(Private(key=1)))
    await fake_vm.send_events(ALL, hit(failing), hit(request))
    stopped = await stops.next()
    assert stopped.causes == (Private(key=1),)
    assert len(stopped.occurrences) == 2
    assert [str(error) for error, _ in failures.seen] == ["a bug"]


async def test_one_cause_can_suspend_all_threads(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    one = await armed(router, stopping(Asked(name="one")), EVENT_THREAD)
    every = await armed(router, stopping(Asked(name="all", suspends_all=True)), EVENT_THREAD)
    await fake_vm.send_events(EVENT_THREAD, hit(one))
    alone = await stops.next()
    assert (alone.suspends_all, fake_vm.threads) == (False, {MAIN_THREAD: 1, OTHER_THREAD: 0})
    await router.resume(alone)
    await fake_vm.send_events(EVENT_THREAD, hit(one), hit(every))
    stopped = await stops.next()
    assert (stopped.suspends_all, fake_vm.threads) == (True, {MAIN_THREAD: 1, OTHER_THREAD: 1})
    await router.resume(stopped)
    assert not fake_vm.is_suspended


async def test_a_set_of_policy_none_is_reported_and_not_widened(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    request = await armed(router, stopping(Asked(suspends_all=True)), NONE)
    await fake_vm.send_events(NONE, hit(request))
    reported = await stops.next()
    assert (reported.causes, reported.is_current) == ((Asked(suspends_all=True),), False)
    assert not fake_vm.is_suspended
    assert router.current_stops == ()


async def test_causes_of_a_set_that_waited_for_an_invocation(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    """It is narrowed while the method runs, and holds what its causes want when it is taken."""
    first = await armed(router)
    await fake_vm.send_events(EVENT_THREAD, hit(first))
    held = await stops.next()
    request = await armed(router, stopping(Private(key=2)))
    invoking = await invoke(fake_vm, router)
    await fake_vm.send_events(ALL, hit(request, OTHER_THREAD))
    stopped = await stops.next()
    assert (stopped.causes, stopped.suspends_all) == ((Private(key=2),), False)
    assert fake_vm.threads == {MAIN_THREAD: 0, OTHER_THREAD: 1}, "the method goes on"
    finish_invocation(fake_vm)
    await invoking
    await router.resume(stopped)
    await router.resume(held)
    assert not fake_vm.is_suspended


async def test_a_stop_of_all_threads_leaves_a_method_running_that_an_evaluation_waits_for(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    first = await armed(router)
    await fake_vm.send_events(EVENT_THREAD, hit(first))
    held = await stops.next()
    request = await armed(router, stopping(Asked(suspends_all=True)), EVENT_THREAD)
    third = 3
    fake_vm.threads[third] = 0
    invoking = await invoke(fake_vm, router)
    generation = thread(router, MAIN_THREAD).generation
    await fake_vm.send_events(EVENT_THREAD, hit(request, OTHER_THREAD))
    stopped = await stops.next()
    assert stopped.suspends_all
    assert fake_vm.threads == {MAIN_THREAD: 0, OTHER_THREAD: 1, third: 1}
    finish_invocation(fake_vm)
    await invoking
    assert thread(router, MAIN_THREAD).generation == generation, "its frames stay valid"
    await router.resume(stopped)
    assert fake_vm.threads == {MAIN_THREAD: 1, OTHER_THREAD: 0, third: 0}
    assert held.is_current
    await router.resume(held)
    assert not fake_vm.is_suspended


async def test_a_cause_inside_an_invocation_makes_no_stop(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    request = await armed(router, stopping(Private(key=3)))
    first = await armed(router)
    await fake_vm.send_events(ALL, hit(first))
    await stops.next()
    invoking = await invoke(fake_vm, router)
    await fake_vm.send_events(ALL, hit(request, MAIN_THREAD))
    await fake_vm.wait_for("VirtualMachine.Resume")
    await settled(router)
    assert stops.queue.empty()
    finish_invocation(fake_vm)
    await invoking
    assert len(router.current_stops) == 1
