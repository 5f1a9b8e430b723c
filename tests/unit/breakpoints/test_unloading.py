# SPDX-License-Identifier: Apache-2.0
"""Breakpoints in classes that the VM unloads while they are looked at."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug.breakpoints import BreakpointOptions
from jvmdebug.breakpoints.line_locations import line_locations
from jvmdebug.breakpoints.location_checker import LocationChecker
from jvmdebug.model.reference_type import ReferenceType
from jvmdebug.sources import parse_spec
from tests.support.fake_classes import FakeMethod

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.breakpoints import BreakpointSet
    from jvmdebug.breakpoints.armed_location import ArmedLocation
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.model.method import Method
    from tests.support.fake_classes import FakeClass, FakeClasses
    from tests.support.fake_requests import EventRequests
    from tests.support.fake_vm import FakeVm

PLAIN = BreakpointOptions()
CLASS_UNLOAD = 9
ADD = FakeMethod("add", "(I)V", lines={0: 5, 4: 6})


@pytest.mark.parametrize("is_told", [False, True])
@pytest.mark.parametrize("spec", ["shop/Cart.java:6", "shop.Cart#add"])
async def test_a_class_that_is_unloaded_while_its_lines_are_read_is_left_out(
    breakpoints: BreakpointSet,
    classes: FakeClasses,
    fake_vm: FakeVm,
    spec: str,
    *,
    is_told: bool,
) -> None:
    gone, kept = classes.load("shop.Cart", ADD), classes.load("shop.Cart", ADD)
    fake_vm.hold("Method.LineTable")
    adding = asyncio.create_task(breakpoints.add(parse_spec(spec), PLAIN))
    await fake_vm.wait_for("Method.LineTable", 2)
    if is_told:
        await _unload(fake_vm, classes, [gone])
    else:
        classes.unload(gone)
    fake_vm.release("Method.LineTable")
    made = await adding
    assert [each.code.type.id for each in made.locations if each.code] == [kept.id]


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[ArmedLocation]:
    """The locations that were looked at, in order."""
    found: list[ArmedLocation] = []
    checked = LocationChecker._checked

    async def counted(checker: LocationChecker, placed: ArmedLocation) -> BreakpointLocation:
        found.append(placed)
        return await checked(checker, placed)

    monkeypatch.setattr(LocationChecker, "_checked", counted)
    return found


async def _until(condition: Callable[[], bool]) -> None:
    for _ in range(10_000):
        if condition():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("it has not come true")


async def _unload(fake_vm: FakeVm, classes: FakeClasses, gone: list[FakeClass]) -> None:
    for each in gone:
        classes.unload(each)
    for each in gone:
        event = {"kind": CLASS_UNLOAD, "request_id": 0, "signature": each.signature}
        await fake_vm.send_events(0, event)


async def test_many_classes_that_are_unloaded_at_once_are_forgotten_together(
    breakpoints: BreakpointSet,
    classes: FakeClasses,
    requests: EventRequests,
    fake_vm: FakeVm,
    looks: list[ArmedLocation],
) -> None:
    """A program that generates classes loses some thousand with one collection."""
    made = await breakpoints.add(parse_spec("shop/Cart.java:6"), PLAIN)
    loaded = [classes.load("shop.Cart", ADD) for _ in range(40)]
    for each in loaded:
        await requests.prepare(each)
    kept = loaded[30:]
    await _unload(fake_vm, classes, loaded[:30])
    await _until(lambda: len(made.locations) == len(kept))
    await _until(lambda: requests.locations == [each.at("add", 4) for each in kept])
    assert len(looks) == len(loaded), "those that stay are not looked at again"
    assert len(fake_vm.commands("ReferenceType.Status")) <= 2 * len(loaded)

    await _unload(fake_vm, classes, kept)
    await _until(lambda: made.is_pending and not made.locations)
    again = classes.load("shop.Cart", ADD)
    await requests.prepare(again)
    assert requests.locations == [again.at("add", 4)]


async def test_classes_without_the_line_are_forgotten_too(
    breakpoints: BreakpointSet,
    classes: FakeClasses,
    requests: EventRequests,
    fake_vm: FakeVm,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each of them is looked at alone as long as the line has no code."""
    known: list[weakref.ref[ReferenceType]] = []
    searched: list[int] = []
    read = ReferenceType.methods

    async def methods(type_: ReferenceType) -> tuple[Method, ...]:
        known.append(weakref.ref(type_))
        return await read(type_)

    async def all_types(*arguments: Any) -> Any:
        searched.append(len(arguments[1]))
        return await line_locations(*arguments)

    monkeypatch.setattr(ReferenceType, "methods", methods)
    monkeypatch.setattr("jvmdebug.breakpoints.resolver.line_locations", all_types)
    made = await breakpoints.add(parse_spec("shop/Cart.java:60"), PLAIN)
    loaded = [classes.load("shop.Cart", ADD) for _ in range(40)]
    for each in loaded:
        await requests.prepare(each)
    assert made.message == "no code at line 60 in a class that is loaded"
    assert max(searched) == 1
    await _unload(fake_vm, classes, loaded)

    def kept() -> int:
        gc.collect()
        return len({each() for each in known} - {None})

    await _until(lambda: len(fake_vm.commands("ReferenceType.Status")) >= len(loaded))
    await _until(lambda: kept() <= 1)  # the class that came last may stay
    again = classes.load("shop.Cart", FakeMethod("add", "(I)V", lines={0: 60}))
    await requests.prepare(again)
    assert requests.locations == [again.at("add", 0)]


async def test_without_a_class_that_has_more_lines_the_line_is_chosen_again(
    breakpoints: BreakpointSet, classes: FakeClasses, requests: EventRequests, fake_vm: FakeVm
) -> None:
    with_less = classes.load("shop.Cart", FakeMethod("add", "(I)V", lines={0: 5}))
    made = await breakpoints.add(parse_spec("shop/Cart.java:6"), PLAIN)
    assert (made.is_pending, requests.locations) == (True, [])
    with_more = classes.load("shop.Cart", ADD)
    await requests.prepare(with_more)
    assert requests.locations == [with_more.at("add", 4)]
    await _unload(fake_vm, classes, [with_more])
    await _until(lambda: made.is_pending)
    assert requests.locations == []
    assert with_less.id in fake_vm.types
