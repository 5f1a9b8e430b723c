# SPDX-License-Identifier: Apache-2.0
"""Groups of breakpoints: what a new list changes, what fails, what is set again after a restart."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest

from jvmdebug.breakpoints import (
    BreakpointHit,
    BreakpointOptions,
    BreakpointRequest,
    BreakpointSet,
    BreakpointTable,
    FieldSpec,
)
from jvmdebug.events import Router
from jvmdebug.jdwp import transport
from jvmdebug.jdwp.generated.constants import Tag
from jvmdebug.jdwp.ids import ObjectId
from jvmdebug.model import VirtualMachine
from jvmdebug.sources import LineSpec
from tests.support.fake_classes import FakeClasses, FakeField, FakeMethod
from tests.support.fake_requests import BREAKPOINT, FIELD_MODIFICATION, EventRequests
from tests.support.fake_vm import FakeVm
from tests.unit.events.conftest import settled

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.unit.breakpoints.conftest import Listener

SOURCE = "shop/Cart.java"
ADD = FakeMethod("add", "(I)V", lines={0: 5, 4: 6})
OUT_OF_MEMORY = 110


def at(line: int, hit_condition: str | None = None) -> BreakpointRequest:
    options = BreakpointOptions(hit_condition=hit_condition)
    return BreakpointRequest(LineSpec(line, path=SOURCE), options)


def method(text: str) -> BreakpointRequest:
    return BreakpointRequest.of_method(text, BreakpointOptions())


async def test_a_new_list_changes_only_what_differs(
    breakpoints: BreakpointSet, classes: FakeClasses, requests: EventRequests
) -> None:
    cart = classes.load("shop.Cart", ADD)
    alone = await breakpoints.add(LineSpec(5, path=SOURCE), BreakpointOptions())
    first, second = await breakpoints.replace(SOURCE, [at(5), at(6)])
    armed = dict(requests.armed)
    assert await breakpoints.replace(SOURCE, [at(6), at(5)]) == (second, first)
    assert requests.armed == armed, "nothing has changed but the order"
    changed, new = await breakpoints.replace(SOURCE, [at(6, "3"), at(6)])
    assert (changed, changed.hit_condition) == (second, "3")
    assert first.is_removed
    assert new.id > second.id
    assert await breakpoints.replace("other", []) == ()
    assert await breakpoints.replace(SOURCE, []) == ()
    assert (breakpoints.breakpoints, requests.locations) == ((alone,), [cart.at("add", 0)])


async def test_a_breakpoint_that_cannot_be_set_gives_a_reason(
    breakpoints: BreakpointSet, classes: FakeClasses, requests: EventRequests
) -> None:
    cart = classes.load("shop.Cart", ADD)
    requests.refuse(BREAKPOINT, OUT_OF_MEMORY, location=cart.at("add", 4))
    good, ill_formed, refused, hopeless = await breakpoints.replace(
        SOURCE, [at(5), at(5, "never"), at(6), BreakpointRequest(at(6).spec, error="no such line")]
    )
    assert good.verified
    assert "hit condition" in str(ill_formed.message)
    assert "OUT_OF_MEMORY" in str(refused.message)
    assert hopeless.message == "no such line"
    for each in (ill_formed, refused, hopeless):
        assert (each.has_failed, each.is_removed, each.verified) == (True, True, False)
        assert each not in breakpoints.breakpoints
    (again,) = await breakpoints.replace(SOURCE, [at(5, "never")])
    assert (again.has_failed, good.is_removed) == (True, True)
    assert requests.of(BREAKPOINT) == []


async def test_a_cancelled_list_belongs_to_its_group(
    breakpoints: BreakpointSet,
    classes: FakeClasses,
    requests: EventRequests,
    fake_vm: FakeVm,
    router: Router,
) -> None:
    classes.load("shop.Cart", ADD)
    classes.load("shop.Slow", FakeMethod("run", lines={0: 3}))
    (kept,) = await breakpoints.replace("functions", [method("shop.Cart#add")])
    fake_vm.hold("Method.LineTable")
    asked = [method("shop.Cart#add"), method("Cart#add"), method("shop.Slow#run")]
    replacing = asyncio.create_task(breakpoints.replace("functions", asked))
    await fake_vm.wait_for("Method.LineTable", 2)
    await fake_vm.wait_until(lambda: len(requests.of(BREAKPOINT)) == 2)
    await settled(router)
    replacing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await replacing
    fake_vm.release("Method.LineTable")
    first, second = breakpoints.breakpoints
    assert first is kept
    assert str(second) == "Cart#add"
    assert await breakpoints.replace("functions", []) == ()
    assert breakpoints.breakpoints == ()
    assert requests.armed == {}


async def test_one_that_the_session_sets_for_itself_is_in_no_list(
    breakpoints: BreakpointSet, classes: FakeClasses, requests: EventRequests
) -> None:
    classes.load("shop.Cart", ADD)
    own = await breakpoints.add_own(at(5).spec, BreakpointHit)
    assert (own.verified, own.id, breakpoints.breakpoints) == (True, 0, ())
    await own.remove()
    assert requests.armed == {}


class NextProgram:
    """The program after a restart: another VM, with other ids, in which nothing is armed yet."""

    def __init__(self, fake_vm: FakeVm) -> None:
        self.classes = FakeClasses(fake_vm)
        self.requests = EventRequests(fake_vm)
        self.breakpoints: BreakpointSet


@pytest.fixture
async def next_program(listener: Listener) -> AsyncIterator[NextProgram]:
    async with AsyncExitStack() as stack:
        fake = await stack.enter_async_context(FakeVm())
        made = NextProgram(fake)
        made.classes.load("java.lang.String")  # so that ids differ from the first program's
        connection = await transport.connect(fake.host, fake.port, timeout_s=5)
        stack.push_async_callback(connection.close)
        vm = VirtualMachine(connection)
        await vm.initialize()
        router = Router(vm)
        router.start()
        stack.push_async_callback(router.close)
        made.breakpoints = BreakpointSet(BreakpointTable(vm, router, listener))
        yield made


async def test_set_again_in_the_next_program(
    breakpoints: BreakpointSet, classes: FakeClasses, next_program: NextProgram
) -> None:
    classes.load("shop.Cart", ADD)
    alone = await breakpoints.add(at(5).spec, BreakpointOptions())
    kept, removed, counted = await breakpoints.replace(SOURCE, [at(5), at(5, "7"), at(6, "2")])
    await breakpoints.add_own(at(5).spec, BreakpointHit)
    await removed.remove()
    await kept.disable()
    counted.hits = 5

    await next_program.breakpoints.set_again(breakpoints)
    assert next_program.breakpoints.breakpoints == (alone, kept, counted)
    assert [each.id for each in next_program.breakpoints.breakpoints] == [1, 2, 4]
    assert (alone.is_pending, counted.hits, kept.enabled) == (True, 0, False)
    cart = next_program.classes.load("shop.Cart", ADD)
    await next_program.requests.prepare(cart)
    assert next_program.requests.locations == [cart.at("add", 0), cart.at("add", 4)]
    # The group knows its breakpoints still, and numbers go on.
    same, new = await next_program.breakpoints.replace(SOURCE, [at(6, "2"), at(9)])
    assert (same, new.id, kept.is_removed) == (counted, 5, True)


async def test_a_failed_breakpoint_is_tried_again(
    breakpoints: BreakpointSet,
    classes: FakeClasses,
    requests: EventRequests,
    next_program: NextProgram,
) -> None:
    cart = classes.load("shop.Cart", ADD)
    next_program.classes.load("shop.Cart", ADD)
    requests.refuse(BREAKPOINT, OUT_OF_MEMORY, location=cart.at("add", 4))
    refused, ill_formed = await breakpoints.replace(SOURCE, [at(6), at(5, "never")])
    assert refused.has_failed
    await next_program.breakpoints.set_again(breakpoints)
    assert (refused.verified, refused.has_failed, refused.message) == (True, False, None)
    assert ill_formed.has_failed
    assert next_program.breakpoints.breakpoints == (refused,)


async def test_a_watch_of_one_object_ends_with_its_program(
    breakpoints: BreakpointSet,
    classes: FakeClasses,
    requests: EventRequests,
    next_program: NextProgram,
    vm: VirtualMachine,
) -> None:
    for each in (classes, next_program.classes):
        each.load("shop.Cart", fields=(FakeField("total"),))
    one = vm.reference(Tag.OBJECT, ObjectId(77))
    watched = [
        BreakpointRequest(FieldSpec("shop.Cart", "total", instance=instance))
        for instance in (one, None)
    ]
    of_one, of_all = await breakpoints.replace("data", watched)
    assert len(requests.of(FIELD_MODIFICATION)) == 2
    await next_program.breakpoints.set_again(breakpoints)
    assert (of_one.is_removed, of_all.verified) == (True, True)
    assert of_one.message == "the object whose total was watched is gone with its program"
    assert len(next_program.requests.of(FIELD_MODIFICATION)) == 1
