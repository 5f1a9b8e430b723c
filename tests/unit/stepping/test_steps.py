# SPDX-License-Identifier: Apache-2.0
"""The states of a step: armed, continued through filtered code, done or cancelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug.jdwp.generated.constants import StepDepth
from jvmdebug.stepping import NO_FILTERS, CallSite, StepEnded, StepFilters, returned
from tests.support.fake_vm import ALL, EVENT_THREAD, MAIN_THREAD, NONE

if TYPE_CHECKING:
    from tests.support.wire_reading import Message
    from tests.unit.stepping.conftest import Stepping

STEP, BREAKPOINT, METHOD_EXIT = 1, 2, 42
INTO, OVER, OUT = StepDepth.INTO, StepDepth.OVER, StepDepth.OUT


async def begin(
    stepping: Stepping,
    depth: StepDepth,
    filters: StepFilters = NO_FILTERS,
    *,
    suspends_all: bool = False,
) -> None:
    """The thread is resumed with the step."""
    thread = stepping.thread
    await stepping.router.suspend_thread(thread)
    await stepping.stepper.begin(thread, depth, "line", filters, suspends_all=suspends_all)
    await stepping.router.resume_thread(thread)
    stepping.steps += 1


@pytest.mark.parametrize("suspends_all", [False, True])
async def test_a_step_is_armed_and_ends_with_its_cause(
    stepping: Stepping, *, suspends_all: bool
) -> None:
    await begin(stepping, OVER, StepFilters(skip_classes=("lib.*",)), suspends_all=suspends_all)
    (request,) = stepping.requests.of(STEP)
    assert request["suspend_policy"] == (ALL if suspends_all else EVENT_THREAD)
    step, excluded = request["modifiers"]
    assert (step["thread"], step["depth"]) == (MAIN_THREAD, OVER)
    assert excluded["pattern"] == "lib.*"
    await stepping.ends_at(STEP, stepping.cart.at("run", 8))
    stopped = await stepping.stopped()
    assert stopped.causes == (StepEnded(suspends_all=suspends_all),)
    stepping.stepper.cancel(stepping.thread)
    await stepping.vm.wait_for("EventRequest.Clear")
    assert stepping.requests.of(STEP) == []


async def test_a_step_continues_through_filtered_methods(stepping: Stepping) -> None:
    """It does not end where it comes back to the middle of its line."""
    await begin(stepping, INTO, StepFilters(skip_classes=("lib.*",), skip_constructors=True))
    at = stepping.cart.at
    run = at("run", 0)
    left_out = [at("access$0", 0), at("<init>", 0), stepping.library.at("add", 0)]
    for resumes, place in enumerate(left_out, 1):
        await stepping.ends_at(STEP, place, run)
        await stepping.goes_on(resumes)
    await stepping.ends_at(STEP, at("run", 5))
    await stepping.goes_on(len(left_out) + 1)
    await stepping.ends_at(STEP, at("add", 0), at("run", 5))
    assert (await stepping.stopped()).causes == (StepEnded(),)


async def test_a_step_that_began_in_a_filtered_class_ends_there(stepping: Stepping) -> None:
    place = stepping.library.at
    stepping.stacks.move(MAIN_THREAD, place("add", 0))
    await begin(stepping, OVER, StepFilters(skip_classes=("lib.*",)))
    (request,) = stepping.requests.of(STEP)
    assert len(request["modifiers"]) == 1, "no class is excluded"
    await stepping.ends_at(STEP, place("add", 4))
    assert (await stepping.stopped()).causes == (StepEnded(),)


async def test_a_cancelled_step_makes_no_stop(stepping: Stepping) -> None:
    await begin(stepping, OVER)
    late = stepping.event(STEP, stepping.cart.at("run", 8))
    stepping.stepper.cancel()
    await stepping.vm.send_events(EVENT_THREAD, late)
    await stepping.goes_on(1)
    assert stepping.requests.of(STEP) == []
    await begin(stepping, OVER)
    await begin(stepping, INTO)
    await stepping.vm.wait_for("EventRequest.Clear", 2)
    (only,) = stepping.requests.of(STEP)
    assert only["modifiers"][0]["depth"] == INTO


async def leave(stepping: Stepping, times: int) -> None:
    """`add` returns 3 that often."""
    exit_ = stepping.event(METHOD_EXIT, stepping.cart.at("add", 4))
    for _ in range(times):
        await stepping.vm.send_events(NONE, exit_ | {"value": {"tag": ord("I"), "value": 3}})


async def stepped_out(stepping: Stepping, returns: int) -> StepEnded:
    at = stepping.cart.at
    stepping.stacks.move(MAIN_THREAD, at("add", 0), at("run", 0))
    await begin(stepping, OUT)
    await leave(stepping, returns)
    await stepping.ends_at(STEP, at("run", 5))
    (cause,) = (await stepping.stopped()).causes
    assert isinstance(cause, StepEnded)
    return cause


async def test_the_cause_has_the_returned_value(stepping: Stepping) -> None:
    cause = await stepped_out(stepping, 2)
    assert cause.returned is not None
    method, value = cause.returned
    assert (str(method), str(value)) == ("shop.Cart.add(int)", "3")
    assert cause.why_not_returned is None


async def test_the_cause_says_why_no_returned_value_is_known(
    stepping: Stepping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(returned, "_MAX_RETURNS", 3)
    cause = await stepped_out(stepping, 4)
    assert cause.returned is None
    assert "more than 3 calls returned" in str(cause.why_not_returned)


# --- into one call --------------------------------------------------------------------------------


async def begin_into(stepping: Stepping, index: int = 2) -> tuple[Message, Message]:
    """Begins a step into `add`, which is called at `index` of `run`; the stacks at the call and in
    `add`.
    """
    target = CallSite("Cart.add(int)", index, "add", "(I)I")
    await stepping.stepper.begin_into(stepping.thread, target, suspends_all=True)
    return stepping.cart.at("run", index), stepping.cart.at("add", 0)


async def test_into_a_call_by_a_breakpoint_there(stepping: Stepping) -> None:
    call, inside = await begin_into(stepping)
    (breakpoint_,), (over,) = stepping.requests.of(BREAKPOINT), stepping.requests.of(STEP)
    assert breakpoint_["modifiers"][0]["location"] == call
    assert breakpoint_["modifiers"][1]["thread"] == MAIN_THREAD
    assert over["modifiers"][0]["depth"] == OVER
    await stepping.ends_at(BREAKPOINT, call)
    await stepping.goes_on(1)
    (into,) = stepping.requests.of(STEP, BREAKPOINT)
    assert into["modifiers"][0]["depth"] == INTO
    await stepping.ends_at(STEP, inside, call)
    stopped = await stepping.stopped()
    assert stopped.causes == (StepEnded(suspends_all=True),)
    assert stopped.suspends_all, "as the step before it"


async def test_into_a_call_through_initializers_and_bridges(stepping: Stepping) -> None:
    """Class initialisation and the like is left again; a bridge leads on to the method."""
    call, inside = await begin_into(stepping, 0)
    assert stepping.requests.of(BREAKPOINT) == [], "it is called right here"
    await stepping.ends_at(STEP, stepping.cart.at("access$0", 0), call)
    await stepping.goes_on(1)
    (out,) = stepping.requests.of(STEP)
    assert out["modifiers"][0]["depth"] == OUT
    await stepping.ends_at(STEP, call)
    await stepping.goes_on(2)
    bridge = {**inside, "method_id": stepping.cart.method_id("<init>") + 1}
    await stepping.ends_at(STEP, bridge, call)
    await stepping.goes_on(3)
    await stepping.ends_at(STEP, inside, bridge, call)
    assert (await stepping.stopped()).causes == (StepEnded(suspends_all=True),)


async def test_a_call_that_is_not_reached_ends_with_the_line(stepping: Stepping) -> None:
    call, _ = await begin_into(stepping)
    recursion = (call, stepping.cart.at("run", 0))
    await stepping.ends_at(BREAKPOINT, *recursion)
    await stepping.goes_on(1)
    await stepping.ends_at(STEP, stepping.cart.at("run", 8))
    assert (await stepping.stopped()).causes == (StepEnded(suspends_all=True),)
    stepping.stepper.cancel()
    await stepping.vm.wait_for("EventRequest.Clear", 2)
    assert stepping.requests.of(STEP, BREAKPOINT) == []
