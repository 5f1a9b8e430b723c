# SPDX-License-Identifier: Apache-2.0
"""Requests that are made and cleared with a resume, by one command of our agent."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug.errors import IllegalArgumentError, JvmDebugError
from jvmdebug.events import RESUME, StopFor
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import CountModifier
from tests.support.fake_vm import ALL, MAIN_THREAD, Refusal, location
from tests.unit.events.conftest import ADD, CART, Asked, armed, hit, stop

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.events import Occurrence, RequestHandle, Router, StopSet, Verdict
    from tests.support.failures import Failures
    from tests.support.fake_vm import FakeVm
    from tests.support.wire_reading import Message
    from tests.unit.events.conftest import Stops

_ILLEGAL_ARGUMENT = 103
STEP = EventKind.SINGLE_STEP


@pytest.fixture
async def stopped_by_another(fake_vm: FakeVm, router: Router, stops: Stops) -> StopSet:
    """A stop of all threads of a VM with the JDK's agent."""
    await fake_vm.send_events(ALL, hit(await armed(router, stop)))
    return await stops.next()


async def test_another_agent_gets_both_at_once(
    fake_vm: FakeVm, router: Router, stops: Stops, stopped_by_another: StopSet
) -> None:
    handle = await wanted(router)
    known = len(fake_vm.names())
    fake_vm.hold("EventRequest.Set")
    resuming = asyncio.create_task(router.resume(stopped_by_another))
    await fake_vm.wait_for("VirtualMachine.Resume")  # the reply of the first is not waited for
    fake_vm.release("EventRequest.Set")
    await resuming
    assert fake_vm.names()[known:] == ["EventRequest.Set", "VirtualMachine.Resume"]
    assert handle.is_armed
    await fake_vm.send_events(ALL, step_event(handle.request_id))
    assert (await stops.next()).causes == (Asked(name="step"),)


async def test_the_program_runs_on_if_another_agent_refuses(
    fake_vm: FakeVm, router: Router, stopped_by_another: StopSet
) -> None:
    fake_vm.on("EventRequest.Set", Refusal(_ILLEGAL_ARGUMENT))
    told: list[JvmDebugError] = []
    optional, handle = await wanted(router, told.append), await wanted(router)
    with pytest.raises(IllegalArgumentError):
        await router.resume(stopped_by_another)
    assert not fake_vm.is_suspended
    assert (optional.is_armed, handle.is_armed) == (False, False)
    assert [type(each) for each in told] == [IllegalArgumentError]


@pytest.fixture
async def stopped(fake_vm: FakeVm, router: Router, stops: Stops) -> StopSet:
    """A stop of all threads of a VM with our agent."""
    name = "Java Debug Wire Protocol (jvmdebug)"
    capabilities = [{"name": "resume_with", "is_on": True, "reason": ""}]
    fake_vm.on("Agent.Capabilities", {"version": "1", "mode": "full", "capabilities": capabilities})
    fake_vm.on("Agent.ResumeWith", _made)
    paths: Message = {"base_directory": "/", "class_paths": [], "boot_class_paths": []}
    fake_vm.on("VirtualMachine.ClassPaths", paths)
    version = router.vm.version
    object.__setattr__(version, "description", name)
    await router.vm.describe_agent()
    await fake_vm.send_events(ALL, hit(await armed(router, stop)))
    return await stops.next()


def _made(request: Message) -> Message:
    return {"made": [{"request_id": 700 + n, "error": 0} for n in range(len(request["wanted"]))]}


def step_event(handle_id: int) -> Message:
    place = location(CART, ADD, 0)
    return {"kind": 1, "request_id": handle_id, "thread": MAIN_THREAD, "location": place}


async def on_step(_: Occurrence) -> Verdict:
    return StopFor(Asked(name="step"))


async def wanted(
    router: Router, refused: Callable[[JvmDebugError], None] | None = None
) -> RequestHandle:
    return await router.arm_with_resume(
        STEP, (CountModifier(1),), SuspendPolicy.ALL, on_step, refused
    )


async def test_it_is_made_with_the_resume(
    fake_vm: FakeVm, router: Router, stops: Stops, stopped: StopSet
) -> None:
    handle = await wanted(router)
    known = len(fake_vm.names())
    await router.resume(stopped)
    assert fake_vm.names()[known:] == ["Agent.ResumeWith"]
    assert (handle.is_armed, handle.request_id) == (True, 700)
    await fake_vm.send_events(ALL, step_event(700))
    again = await stops.next()
    handle.clear_soon()  # nothing runs: it does nothing until the next resume
    assert not handle.is_armed
    await router.resume(again)
    assert fake_vm.names()[known + 1 :] == ["Agent.ResumeWith"]
    assert fake_vm.commands("Agent.ResumeWith")[-1]["cleared"] == [
        {"event_kind": int(STEP), "request_id": 700}
    ]


async def test_an_event_that_comes_before_the_reply(
    fake_vm: FakeVm, router: Router, stops: Stops, stopped: StopSet
) -> None:
    await wanted(router)

    def late(request: Message) -> Message:
        fake_vm._send_event_payload(fake_vm.wire.encode_event_set(ALL, [step_event(700)]))
        return _made(request)

    fake_vm.on("Agent.ResumeWith", late)
    await router.resume(stopped)
    assert (await stops.next()).causes == (Asked(name="step"),)


async def test_the_program_runs_on_if_it_is_refused(
    fake_vm: FakeVm, router: Router, stopped: StopSet
) -> None:
    fake_vm.on("Agent.ResumeWith", Refusal(_ILLEGAL_ARGUMENT))
    handle = await wanted(router)
    with pytest.raises(IllegalArgumentError):
        await router.resume(stopped)
    assert fake_vm.names()[-2:] == ["Agent.ResumeWith", "VirtualMachine.Resume"]
    assert not fake_vm.is_suspended
    assert not handle.is_armed


async def test_a_caller_that_is_cancelled_leaves_no_request(
    fake_vm: FakeVm, router: Router, stopped: StopSet
) -> None:
    handle = await wanted(router)
    fake_vm.hold("Agent.ResumeWith")
    resuming = asyncio.create_task(router.resume(stopped))
    await fake_vm.wait_for("Agent.ResumeWith")
    resuming.cancel()
    clearing = asyncio.create_task(handle.clear())
    fake_vm.release("Agent.ResumeWith")
    with pytest.raises(asyncio.CancelledError):
        await resuming
    await clearing
    assert fake_vm.commands("EventRequest.Clear")[-1]["request_id"] == 700


@pytest.mark.logs_errors
async def test_a_refusal_in_a_reaction_is_reported(
    fake_vm: FakeVm, router: Router, stops: Stops, stopped: StopSet, failures: Failures
) -> None:
    async def goes_on(_: Occurrence) -> Verdict:
        await wanted(router)
        return RESUME

    request = await armed(router, goes_on)
    await router.resume(stopped)
    fake_vm.on("Agent.ResumeWith", Refusal(_ILLEGAL_ARGUMENT))
    await fake_vm.send_events(ALL, hit(request))
    await fake_vm.wait_for("VirtualMachine.Resume", 2)
    assert not fake_vm.is_suspended
    await fake_vm.send_events(ALL, hit(await armed(router, stop)))
    await stops.next()  # the set before is done
    ((error, _),) = failures.seen
    assert isinstance(error, IllegalArgumentError)


async def test_what_is_optional_is_refused_alone(
    fake_vm: FakeVm, router: Router, stopped: StopSet
) -> None:
    made = [{"request_id": 0, "error": _ILLEGAL_ARGUMENT}, {"request_id": 9, "error": 0}]
    fake_vm.on("Agent.ResumeWith", {"made": made})
    refused: list[Any] = []
    optional = await wanted(router, refused.append)
    other = await wanted(router)
    await router.resume(stopped)
    assert [type(each) for each in refused] == [IllegalArgumentError]
    assert (optional.is_armed, other.is_armed, other.request_id) == (False, True, 9)
    asked = fake_vm.commands("Agent.ResumeWith")[-1]["wanted"]
    assert [each["is_optional"] for each in asked] == [True, False]


async def test_what_is_given_up_before_is_not_made(
    fake_vm: FakeVm, router: Router, stopped: StopSet
) -> None:
    first, second, third = [await wanted(router) for _ in range(3)]
    first.clear_soon()
    second.clear_with_resume()
    await third.clear()
    await router.resume(stopped)
    assert fake_vm.names()[-1] == "VirtualMachine.Resume"
    assert "Agent.ResumeWith" not in fake_vm.names()


async def test_what_is_cleared_goes_before_what_may_be_changed(
    fake_vm: FakeVm, router: Router, stops: Stops, stopped: StopSet
) -> None:
    handle = await wanted(router)
    await router.resume(stopped)
    await fake_vm.send_events(ALL, step_event(700))
    await stops.next()
    handle.clear_soon()
    known = len(fake_vm.names())
    await armed(router, stop)
    assert fake_vm.names()[known:] == ["EventRequest.Clear", "EventRequest.Set"]
