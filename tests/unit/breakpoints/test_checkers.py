# SPDX-License-Identifier: Apache-2.0
"""The way of reporting hits that a VM gets, and what a location says of it without probes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug.breakpoints import BreakpointOptions
from jvmdebug.breakpoints.checkers import checker_for
from jvmdebug.breakpoints.event_checker import EventChecker
from jvmdebug.breakpoints.late_checker import LateChecker
from jvmdebug.breakpoints.probe_checker import ProbeChecker
from jvmdebug.model.agent import AgentCapability, AgentDescription
from jvmdebug.sources import parse_spec
from tests.support.fake_classes import FakeMethod

if TYPE_CHECKING:
    from jvmdebug.breakpoints import BreakpointSet
    from jvmdebug.events import Router
    from jvmdebug.model import VirtualMachine
    from tests.support.fake_classes import FakeClasses
    from tests.unit.breakpoints.conftest import Listener

ADD = FakeMethod("add", "(I)V", lines={0: 5, 4: 6})


@pytest.mark.parametrize(
    ("off", "expected"),
    [
        ((), ProbeChecker),
        ((AgentCapability.PROBES,), EventChecker),
        ((AgentCapability.BREAKPOINT_EVENTS,), LateChecker),
        ((AgentCapability.BREAKPOINT_EVENTS, AgentCapability.PROBES), LateChecker),
    ],
)
async def test_the_agent_decides(
    vm: VirtualMachine,
    router: Router,
    listener: Listener,
    monkeypatch: pytest.MonkeyPatch,
    off: tuple[AgentCapability, ...],
    expected: type,
) -> None:
    why_off = dict.fromkeys(map(str, AgentCapability)) | dict.fromkeys(off, "it is off")
    monkeypatch.setattr(vm, "agent", AgentDescription("1", "full", why_off))
    made = checker_for(vm, router, listener, lambda _: None)
    assert type(made) is expected
    is_off = AgentCapability.PROBES in off
    assert made.why_no_records == ("it is off" if is_off else made.why_no_probes)


async def test_the_agent_of_the_jdk_has_events_only(
    vm: VirtualMachine, router: Router, listener: Listener
) -> None:
    made = checker_for(vm, router, listener, lambda _: None)
    assert type(made) is EventChecker
    assert made.why_no_records == "only the jvmdebug agent has the program record its calls"


async def test_a_location_says_why_the_program_does_not_check_it(
    breakpoints: BreakpointSet,
    classes: FakeClasses,
    listener: Listener,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    classes.load("shop.Cart", ADD)
    spec = parse_spec("shop.Cart#add")
    plain = await breakpoints.add(spec, BreakpointOptions())
    made = await breakpoints.add(spec, BreakpointOptions(hit_condition="3"))
    assert [(at.how, at.why_event) for at in plain.locations] == [("event", None)]
    assert [at.why_event for at in made.locations] == ["probes are off"]
    monkeypatch.setattr(listener, "uses_probes", lambda: True)
    await made.set_hit_condition("4")
    assert [at.why_event for at in made.locations] == ["only the jvmdebug agent can"]
    assert [each.breakpoint for each in await breakpoints.probes()] == [made]
