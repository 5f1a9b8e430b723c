# SPDX-License-Identifier: Apache-2.0
"""Tests which event requests a breakpoint has in the VM: from the first to the last class of its
name.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug.breakpoints import BreakpointHit, BreakpointOptions, ExceptionSpec
from jvmdebug.breakpoints.location_checker import LocationChecker
from jvmdebug.errors import BreakpointError, OutOfMemoryVmError
from jvmdebug.jdwp.generated import virtual_machine
from jvmdebug.jdwp.generated.constants import TypeTag
from jvmdebug.jdwp.generated.events import LocationOnlyModifier
from jvmdebug.jdwp.ids import Location as WireLocation
from jvmdebug.jdwp.ids import MethodId, ObjectId, ReferenceTypeId
from jvmdebug.sources import LineSpec, parse_spec
from tests.support.fake_classes import ABSTRACT, INVALID_CLASS, FakeMethod
from tests.support.fake_requests import BREAKPOINT, CLASS_PREPARE, EXCEPTION
from tests.support.fake_vm import ALL, EVENT_THREAD

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    from jvmdebug.breakpoints import BreakpointSet, BreakpointTable
    from jvmdebug.breakpoints.armed_location import ArmedLocation
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.events import RequestHandle, Router
    from jvmdebug.jdwp.generated.constants import EventKind
    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.model import VirtualMachine
    from tests.support.fake_classes import FakeClass, FakeClasses
    from tests.support.fake_requests import EventRequests
    from tests.support.fake_vm import FakeVm
    from tests.support.wire_reading import Message
    from tests.unit.breakpoints.conftest import Listener

PLAIN = BreakpointOptions()
CART = LineSpec(6, path="shop/Cart.java")
ADD = FakeMethod("add", "(I)V", lines={0: 5, 4: 6})
OUT_OF_MEMORY = 110


def _wire(class_: FakeClass) -> WireLocation:
    """The second line of `add`."""
    at = class_.at("add", 4)
    type_id, method_id = ReferenceTypeId(ObjectId(at["type_id"])), MethodId(at["method_id"])
    return WireLocation(TypeTag.CLASS, type_id, method_id, at["index"])


def _breakpoints_set(fake_vm: FakeVm) -> list[Message]:
    """The locations of all breakpoint requests that were ever sent."""
    sets = fake_vm.commands("EventRequest.Set")
    return [each["modifiers"][0]["location"] for each in sets if each["event_kind"] == BREAKPOINT]


async def test_in_a_class_that_is_loaded(
    breakpoints: BreakpointSet, classes: FakeClasses, requests: EventRequests, listener: Listener
) -> None:
    cart = classes.load("shop.Cart", ADD)
    made = await breakpoints.add(CART, PLAIN)
    assert requests.locations == [cart.at("add", 4)]
    assert [str(each) for each in made.locations] == ["shop.Cart.add(Cart.java:6)"]
    assert (made.verified, made.is_pending, made.line, made.id) == (True, False, 6, 1)
    assert made.locations[0].request is not None
    assert listener.changed == [], "the caller knows it from the answer"
    await made.remove()
    assert requests.armed == {}
    assert (made.locations, made.is_removed, breakpoints.breakpoints) == ((), True, ())


async def test_in_a_class_that_is_loaded_later(
    breakpoints: BreakpointSet, classes: FakeClasses, requests: EventRequests, listener: Listener
) -> None:
    made = await breakpoints.add(CART, PLAIN)
    assert (made.is_pending, requests.of(BREAKPOINT)) == (True, [])
    await requests.prepare(classes.load("other.Cart", ADD))
    assert listener.changed == []
    cart = classes.load("shop.Cart", ADD)
    await requests.prepare(cart)
    assert requests.locations == [cart.at("add", 4)]
    assert (made.is_pending, made.verified, listener.changed) == (False, True, [made])
    await made.remove()
    assert requests.armed == {}


async def test_in_the_class_of_each_loader(
    breakpoints: BreakpointSet, classes: FakeClasses, requests: EventRequests, listener: Listener
) -> None:
    first = classes.load("shop.Cart", ADD)
    made = await breakpoints.add(parse_spec("shop.Cart#add"), PLAIN)
    second = classes.load("shop.Cart", FakeMethod("other"), ADD)
    await requests.prepare(second)
    assert requests.locations == [first.at("add", 0), second.at("add", 0)]
    assert (len(made.locations), listener.changed) == (2, [made])


async def test_a_class_that_is_loaded_again_is_looked_at_alone(
    breakpoints: BreakpointSet,
    classes: FakeClasses,
    requests: EventRequests,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A program may generate classes of a file, or load them by one class loader after another."""
    looks: list[ArmedLocation] = []
    checked = LocationChecker._checked

    async def counted(checker: LocationChecker, placed: ArmedLocation) -> BreakpointLocation:
        looks.append(placed)
        return await checked(checker, placed)

    monkeypatch.setattr(LocationChecker, "_checked", counted)
    made = await breakpoints.add(CART, PLAIN)
    loaded = [classes.load("shop.Cart", ADD) for _ in range(40)]
    for each in loaded:
        await requests.prepare(each)
    assert requests.locations == [each.at("add", 4) for each in loaded]
    assert len(made.locations) == len(loaded)
    assert len(looks) == len(loaded)


async def test_a_class_with_other_lines_changes_the_line(
    breakpoints: BreakpointSet,
    classes: FakeClasses,
    requests: EventRequests,
    listener: Listener,
) -> None:
    listener.sources["shop/Cart.java"] = (
        "package shop;\n\nclass Cart {\n  void add(int n) {\n    other(\n        n);\n  }\n}\n"
    )
    first = classes.load("shop.Cart", FakeMethod("add", "(I)V", lines={0: 5}))
    made = await breakpoints.add(CART, PLAIN)
    assert (requests.locations, made.message) == ([first.at("add", 0)], "moved to line 5")
    again = classes.load("shop.Cart", FakeMethod("add", "(I)V", lines={0: 5}))
    await requests.prepare(again)
    assert requests.locations == [first.at("add", 0), again.at("add", 0)]
    assert made.message == "moved to line 5"
    other = classes.load("shop.Cart", FakeMethod("add", "(I)V", lines={0: 5, 4: 6}))
    await requests.prepare(other)
    assert requests.locations == [other.at("add", 4)]
    assert made.message is None


async def test_implementations_are_armed_when_they_are_prepared(
    breakpoints: BreakpointSet, classes: FakeClasses, requests: EventRequests
) -> None:
    priced = classes.load_interface("shop.Priced", FakeMethod("price", "()I", ABSTRACT))
    made = await breakpoints.add(parse_spec("shop.Priced#price"), PLAIN)
    assert made.is_pending
    price = FakeMethod("price", "()I", lines={0: 3})
    book = classes.load("shop.Book", price, interfaces=(priced,))
    await requests.prepare(book)
    assert requests.locations == [book.at("price", 0)]
    await made.remove()
    assert requests.armed == {}


async def test_a_class_that_was_unloaded_is_left_out(
    breakpoints: BreakpointSet,
    classes: FakeClasses,
    requests: EventRequests,
    vm: VirtualMachine,
) -> None:
    old = classes.load("shop.Cart", ADD)
    made = await breakpoints.add(CART, PLAIN)
    classes.unload(old)
    vm.forget_types(old.signature)
    requests.refuse(BREAKPOINT, INVALID_CLASS, location=old.at("add", 4))
    new = classes.load("shop.Cart", ADD)
    await requests.prepare(new)
    assert new.at("add", 4) in requests.locations
    await made.disable()
    assert requests.locations == []
    await made.enable()
    assert requests.locations == [new.at("add", 4)]
    assert len(made.locations) == 1


async def test_disabled_and_enabled(
    breakpoints: BreakpointSet, classes: FakeClasses, requests: EventRequests
) -> None:
    cart = classes.load("shop.Cart", ADD)
    made = await breakpoints.add(CART, PLAIN)
    await made.disable()
    assert requests.of(BREAKPOINT) == []
    assert (made.verified, made.is_pending, made.message) == (False, False, None)
    other = classes.load("shop.Cart", ADD)
    await requests.prepare(other)
    assert requests.of(BREAKPOINT) == [], "it waits for classes, and arms nothing in them"
    await made.enable()
    assert requests.locations == [cart.at("add", 4), other.at("add", 4)]


async def test_options_decide_which_threads_are_suspended(
    breakpoints: BreakpointSet, classes: FakeClasses, requests: EventRequests
) -> None:
    classes.load("shop.Cart", ADD)
    made = await breakpoints.add(CART, PLAIN)
    kept = await breakpoints.add(parse_spec("shop.Cart#add"), PLAIN)
    untouched = kept.locations[0].request

    def policies() -> list[int]:
        return sorted(each["suspend_policy"] for each in requests.of(BREAKPOINT))

    assert policies() == [ALL, ALL]
    await made.set_hit_condition("3")
    assert policies() == [EVENT_THREAD, ALL], "the others run on while it is decided"
    with pytest.raises(BreakpointError):
        await made.set_hit_condition("never")
    assert made.hit_condition == "3"
    await made.set_hit_condition(None)
    assert policies() == [ALL, ALL]
    await made.set_options(BreakpointOptions(suspend="thread"))
    assert policies() == [EVENT_THREAD, ALL]
    assert kept.locations[0].request is untouched


async def test_a_wrong_condition_arms_where_it_means_something(
    breakpoints: BreakpointSet, classes: FakeClasses, requests: EventRequests
) -> None:
    run = FakeMethod("run", lines={0: 6}, variables=(("this", "Lshop/Cart;"),))
    body = FakeMethod("lambda$run$0", "(I)V", 0x100A, {0: 6}, variables=(("item", "I"),))
    cart = classes.load("shop.Cart", run, body)
    made = await breakpoints.add(replace(CART, part="all"), BreakpointOptions("item > 3"))
    assert requests.locations == [cart.at("lambda$run$0", 0)]
    await made.set_condition("itm > 3")
    assert requests.of(BREAKPOINT) == []
    assert "condition 'itm > 3' is wrong here" in str(made.message)
    await made.set_condition(None)
    assert len(requests.locations) == 2


async def test_a_hit_is_counted_and_stops_with_its_cause(
    breakpoints: BreakpointSet,
    classes: FakeClasses,
    requests: EventRequests,
    listener: Listener,
    fake_vm: FakeVm,
) -> None:
    cart = classes.load("shop.Cart", ADD)
    made = await breakpoints.add(CART, BreakpointOptions(hit_condition="2"))
    await fake_vm.send_events(EVENT_THREAD, requests.hit(cart.at("add", 4)))
    await fake_vm.wait_for("ThreadReference.Resume")
    assert made.hits == 1
    await fake_vm.send_events(EVENT_THREAD, requests.hit(cart.at("add", 4)))
    stop = await listener.next_stop()
    (cause,) = stop.causes
    assert isinstance(cause, BreakpointHit)
    assert (cause.breakpoint, made.hits) == (made, 2)


@pytest.mark.parametrize("way", ["reached", "removed"])
async def test_one_that_is_set_after_another_waits_for_it(
    breakpoints: BreakpointSet,
    classes: FakeClasses,
    requests: EventRequests,
    listener: Listener,
    fake_vm: FakeVm,
    way: str,
) -> None:
    cart = classes.load("shop.Cart", ADD, FakeMethod("run", lines={0: 16}))
    first = await breakpoints.add(LineSpec(16, path=CART.path), BreakpointOptions(log_message="x"))
    then = await breakpoints.add(CART, BreakpointOptions(hit_condition="1", after=first))
    await fake_vm.send_events(EVENT_THREAD, requests.hit(cart.at("add", 4)))
    await fake_vm.wait_for("ThreadReference.Resume")
    assert (then.waits, then.hits) == (True, 0), "it is not counted before"
    if way == "removed":
        await first.remove()
    else:
        await fake_vm.send_events(EVENT_THREAD, requests.hit(cart.at("run", 0)))
        await fake_vm.wait_for("ThreadReference.Resume", 2)
    assert not then.waits
    await fake_vm.send_events(EVENT_THREAD, requests.hit(cart.at("add", 4)))
    (cause,) = (await listener.next_stop()).causes
    assert isinstance(cause, BreakpointHit)
    assert (cause.breakpoint, then.hits) == (then, 1)


async def test_removal_while_it_is_armed_leaves_no_request(
    breakpoints: BreakpointSet, classes: FakeClasses, requests: EventRequests, fake_vm: FakeVm
) -> None:
    classes.load("shop.Cart", ADD)
    made = await breakpoints.add(CART, PLAIN)
    await made.disable()
    fake_vm.hold("EventRequest.Set")
    enabling = asyncio.create_task(made.enable())
    await fake_vm.wait_until(lambda: len(fake_vm.commands("EventRequest.Set")) == 5)
    removing = asyncio.create_task(made.remove())
    await asyncio.sleep(0)
    fake_vm.release("EventRequest.Set")
    await asyncio.gather(enabling, removing)
    assert requests.armed == {}
    assert made.locations == ()


@pytest.mark.parametrize("spec", ["shop.*#add", "shop.Priced#add", "shop.*#gone"])
async def test_each_class_of_a_pattern_costs_the_same(
    breakpoints: BreakpointSet, classes: FakeClasses, requests: EventRequests, spec: str
) -> None:
    """It costs no more when many others match already."""
    priced = classes.load_interface("shop.Priced", FakeMethod("add", "(I)V", modifiers=ABSTRACT))
    made = await breakpoints.add(parse_spec(spec), PLAIN)
    loaded = 0

    async def calls_of(count: int) -> int:
        nonlocal loaded
        calls = 0

        def count_call(frame: FrameType, event: str, argument: object) -> None:
            nonlocal calls
            del frame, argument
            calls += event in ("call", "c_call")

        sys.setprofile(count_call)
        try:
            for _ in range(count):
                loaded += 1
                named = f"shop.Cart{loaded}"
                await requests.prepare(classes.load(named, ADD, interfaces=(priced,)))
        finally:
            sys.setprofile(None)
        return calls

    first, many = await calls_of(20), await calls_of(80)
    assert len(made.locations) == (0 if "gone" in spec else 100)
    assert many < 5 * first


async def test_removal_while_a_class_is_prepared_leaves_no_request(
    breakpoints: BreakpointSet, classes: FakeClasses, requests: EventRequests, fake_vm: FakeVm
) -> None:
    made = await breakpoints.add(CART, PLAIN)
    fake_vm.hold("ReferenceType.MethodsWithGeneric")
    preparing = asyncio.create_task(requests.prepare(classes.load("shop.Cart", ADD)))
    await fake_vm.wait_for("ReferenceType.MethodsWithGeneric")
    await made.remove()
    fake_vm.release("ReferenceType.MethodsWithGeneric")
    await preparing
    assert (requests.armed, made.locations) == ({}, ())


async def test_cancelled_arming_leaves_no_request(
    breakpoints: BreakpointSet, classes: FakeClasses, requests: EventRequests, fake_vm: FakeVm
) -> None:
    classes.load("shop.Cart", ADD)
    fake_vm.hold("Method.LineTable")
    adding = asyncio.create_task(breakpoints.add(CART, PLAIN))
    await fake_vm.wait_for("Method.LineTable")
    assert len(requests.of(CLASS_PREPARE)) == 2  # by the source, and where none is named
    adding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await adding
    fake_vm.release("Method.LineTable")
    assert (requests.armed, breakpoints.breakpoints) == ({}, ())


async def test_a_failure_half_way_leaves_no_request(
    breakpoints: BreakpointSet,
    classes: FakeClasses,
    requests: EventRequests,
    fake_vm: FakeVm,
    router: Router,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, bad, last = (classes.load("shop.Cart", ADD) for _ in range(3))
    requests.refuse(BREAKPOINT, OUT_OF_MEMORY, location=bad.at("add", 4))
    arm, failed = router.arm, asyncio.Event()

    async def arm_in_an_unlucky_order(
        kind: EventKind, modifiers: Sequence[Modifier], *more: Any
    ) -> RequestHandle:
        if LocationOnlyModifier(_wire(last)) in modifiers:
            await failed.wait()
        try:
            return await arm(kind, modifiers, *more)
        except OutOfMemoryVmError:
            failed.set()
            raise

    monkeypatch.setattr(router, "arm", arm_in_an_unlucky_order)
    with pytest.raises(OutOfMemoryVmError):
        await breakpoints.add(CART, PLAIN)
    await fake_vm.wait_until(lambda: len(_breakpoints_set(fake_vm)) == 3)
    await router.vm.request(virtual_machine.ReleaseEvents())
    assert [each["type_id"] for each in _breakpoints_set(fake_vm)] == [first.id, bad.id, last.id]
    assert (requests.armed, breakpoints.breakpoints) == ({}, ())


async def test_new_code_of_a_class_is_armed(
    breakpoints: BreakpointSet,
    table: BreakpointTable,
    classes: FakeClasses,
    requests: EventRequests,
    vm: VirtualMachine,
    listener: Listener,
) -> None:
    cart = classes.load("shop.Cart", ADD)
    other = classes.load("shop.Other", ADD)
    made = await breakpoints.add(CART, PLAIN)
    untouched = await breakpoints.add(parse_spec("shop.Other#add"), PLAIN)
    old, kept = made.locations[0].request, untouched.locations[0].request
    (type_,) = await vm.classes_by_signature(cart.signature)
    classes.redefine(cart, FakeMethod("add", "(I)V", lines={0: 5, 7: 6}))
    type_.forget_members()
    await table.redefined([type_])
    assert requests.locations == [other.at("add", 0), cart.at("add", 7)]
    assert made.locations[0].request is not old
    assert untouched.locations[0].request is kept
    assert listener.changed == [made]


async def test_breakpoints_of_one_source_ask_for_the_loaded_classes_once(
    breakpoints: BreakpointSet, classes: FakeClasses, fake_vm: FakeVm, requests: EventRequests
) -> None:
    classes.load("shop.Cart", ADD)
    lines = [LineSpec(line, path="shop/Cart.java") for line in (5, 6, 7)]
    await asyncio.gather(*(breakpoints.add(line, PLAIN) for line in lines))
    assert len(fake_vm.commands("VirtualMachine.AllClassesWithGeneric")) == 1
    assert len(requests.of(CLASS_PREPARE)) == 2  # by the source, and where none is named
    assert len(requests.locations) == 2


async def test_an_exception_waits_for_its_class(
    breakpoints: BreakpointSet, classes: FakeClasses, requests: EventRequests
) -> None:
    throwable = classes.load("java.lang.Throwable")
    made = await breakpoints.add(ExceptionSpec("shop.ShopException", caught=False), PLAIN)
    assert (made.is_pending, requests.of(EXCEPTION)) == (True, [])
    error = classes.load("shop.ShopException", superclass=throwable)
    await requests.prepare(error)
    (request,) = requests.of(EXCEPTION)
    (only,) = request["modifiers"]
    assert (only["exception_type"], only["caught"], only["uncaught"]) == (error.id, False, True)


async def test_disarming_clears_all_requests_and_keeps_the_breakpoints(
    breakpoints: BreakpointSet,
    table: BreakpointTable,
    classes: FakeClasses,
    requests: EventRequests,
) -> None:
    classes.load("shop.Cart", ADD)
    made = await breakpoints.add(CART, PLAIN)
    await table.disarm_all()
    assert (requests.armed, breakpoints.breakpoints) == ({}, (made,))
