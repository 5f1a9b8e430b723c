# SPDX-License-Identifier: Apache-2.0
"""Breakpoints that count only after another one: in no code until that was reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.breakpoints import BreakpointOptions
from jvmdebug.sources import LineSpec
from tests.support.fake_classes import FakeMethod
from tests.support.fake_vm import EVENT_THREAD

if TYPE_CHECKING:
    from jvmdebug.breakpoints import BreakpointSet
    from tests.support.fake_classes import FakeClasses
    from tests.support.fake_requests import EventRequests
    from tests.support.fake_vm import FakeVm
    from tests.unit.breakpoints.conftest import Listener

PATH = "shop/Cart.java"
ADD = FakeMethod("add", "(I)V", lines={0: 5, 4: 6})
RUN = FakeMethod("run", lines={0: 16})


async def test_the_stop_comes_when_those_after_it_are_armed(
    breakpoints: BreakpointSet,
    classes: FakeClasses,
    requests: EventRequests,
    listener: Listener,
    fake_vm: FakeVm,
) -> None:
    cart = classes.load("shop.Cart", ADD, RUN)
    options = BreakpointOptions(suspend="thread", hit_condition=">= 1")
    first = await breakpoints.add(LineSpec(16, path=PATH), options)
    then = await breakpoints.add(LineSpec(6, path=PATH), BreakpointOptions(after=first))
    (where,) = then.locations
    assert (where.request, where.why_event) == (None, "it waits for another breakpoint")
    assert requests.hits(cart.at("add", 4)) == []
    before = len(fake_vm.commands("EventRequest.Set"))
    fake_vm.hold("EventRequest.Set")
    await fake_vm.send_events(EVENT_THREAD, requests.hit(cart.at("run", 0)))
    await fake_vm.wait_until(lambda: len(fake_vm.commands("EventRequest.Set")) > before)
    assert listener.stops.empty(), "it does not go on before"
    fake_vm.release("EventRequest.Set")
    await listener.next_stop()
    assert len(requests.hits(cart.at("add", 4))) == 1
    assert then.locations[0].why_event is None
    assert listener.changed == [then]
