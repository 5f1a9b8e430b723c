# SPDX-License-Identifier: Apache-2.0
"""Fields, own and inherited, and exceptions, with their subtypes and without those left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug.breakpoints import ExceptionSpec, FieldSpec
from jvmdebug.breakpoints.field_locations import is_excluded
from jvmdebug.errors import UnsupportedError
from jvmdebug.jdwp.generated.constants import EventKind, Tag
from jvmdebug.jdwp.generated.events import (
    ExceptionOnlyModifier,
    FieldOnlyModifier,
    InstanceOnlyModifier,
)
from jvmdebug.jdwp.ids import ObjectId
from tests.support.fake_classes import STATIC, FakeField
from tests.unit.breakpoints.conftest import resolved

if TYPE_CHECKING:
    from jvmdebug.model import VirtualMachine
    from tests.support.fake_classes import FakeClass, FakeClasses
    from tests.support.fake_vm import FakeVm


async def test_a_field_of_a_subclass_is_watched_where_it_is_declared(
    vm: VirtualMachine, classes: FakeClasses
) -> None:
    base = classes.load("shop.Base", fields=(FakeField("name"), FakeField("total")))
    classes.load("shop.Cart", superclass=base, fields=(FakeField("count"),))
    found = await resolved(vm, FieldSpec("shop.Cart", "total", read=True))
    assert [each.event_kind for each in found.locations] == [
        EventKind.FIELD_ACCESS,
        EventKind.FIELD_MODIFICATION,
    ]
    for each in found.locations:
        assert str(each) == each.type_name == "shop.Base"
        (modifier,) = each.modifiers
        assert isinstance(modifier, FieldOnlyModifier)
        assert (modifier.type_id, modifier.field_id) == (base.id, base.field_id("total"))
    # The class and its subclass have one field between them: one request each.
    both = await resolved(vm, FieldSpec("shop.*", "total"))
    assert len(both.locations) == 1


async def test_the_field_of_one_object(vm: VirtualMachine, classes: FakeClasses) -> None:
    classes.load("shop.Cart", fields=(FakeField("total"), FakeField("all", "I", STATIC)))
    one = vm.reference(Tag.OBJECT, ObjectId(77))
    (location,) = (await resolved(vm, FieldSpec("shop.Cart", "total", instance=one))).locations
    assert InstanceOnlyModifier(ObjectId(77)) in location.modifiers
    (of_all,) = (await resolved(vm, FieldSpec("shop.Cart", "total"))).locations
    assert location.key != of_all.key
    (static,) = (await resolved(vm, FieldSpec("shop.Cart", "all", instance=one))).locations
    assert len(static.modifiers) == 1, "a static field belongs to no object"


async def test_why_a_field_is_not_watched(
    vm: VirtualMachine, classes: FakeClasses, fake_vm: FakeVm
) -> None:
    early = await resolved(vm, FieldSpec("shop.Cart", "total"))
    assert (early.message, early.is_pending) == ("class shop.Cart is not loaded", True)
    classes.load("shop.Cart", fields=(FakeField("count"),))
    wrong = await resolved(vm, FieldSpec("shop.Cart", "total"))
    assert (wrong.message, wrong.is_pending) == ("shop.Cart has no field total", False)
    names = [name for name, _ in fake_vm.wire.command(1, 17).reply.fields]
    fake_vm.on("VirtualMachine.CapabilitiesNew", dict.fromkeys(names, False))
    await vm.initialize()
    with pytest.raises(UnsupportedError, match="stopping when a field is written"):
        await resolved(vm, FieldSpec("shop.Cart", "count"))


@pytest.fixture
def errors(classes: FakeClasses) -> dict[str, FakeClass]:
    """IOException and EOFException below it, ShopException, and a class that cannot be thrown."""
    throwable = classes.load("java.lang.Throwable")
    io = classes.load("java.io.IOException", superclass=throwable)
    loaded = [
        throwable,
        io,
        classes.load("java.io.EOFException", superclass=io),
        classes.load("shop.ShopException", superclass=throwable),
        classes.load("shop.Cart"),
    ]
    return {each.name.rpartition(".")[2]: each for each in loaded}


@pytest.mark.parametrize(
    ("types", "armed"),
    [
        ("java.io.IOException", ["IOException"]),
        ("java.io.*", ["IOException"]),
        ("EOFException, ShopException", ["EOFException", "ShopException"]),
        ("!java.io.EOFException", ["Throwable"]),
        ("*Exception", ["IOException", "ShopException"]),
    ],
)
async def test_exceptions_are_reported_once_with_their_subtypes(
    vm: VirtualMachine, errors: dict[str, FakeClass], types: str, armed: list[str]
) -> None:
    found = await resolved(vm, ExceptionSpec(types, caught=False))
    modifiers = [modifier for each in found.locations for modifier in each.modifiers]
    assert all(isinstance(each, ExceptionOnlyModifier) for each in modifiers)
    ids = [each.exception_type for each in modifiers if isinstance(each, ExceptionOnlyModifier)]
    assert sorted(ids) == sorted(errors[name].id for name in armed)
    assert {(each.caught, each.uncaught) for each in modifiers} == {(False, True)}  # type: ignore[union-attr]


async def test_exceptions_that_are_left_out(
    vm: VirtualMachine, errors: dict[str, FakeClass]
) -> None:
    spec = ExceptionSpec("java.lang.Throwable, !java.io.IOException")
    loaded = {each.simple_name: each for each in await vm.all_classes()}
    left_out = {name for name in errors if await is_excluded(spec, loaded[name])}
    assert left_out == {"IOException", "EOFException"}


async def test_why_an_exception_has_no_location(
    vm: VirtualMachine, errors: dict[str, FakeClass]
) -> None:
    wrong = await resolved(vm, ExceptionSpec(errors["Cart"].name))
    assert (wrong.message, wrong.is_pending) == ("shop.Cart cannot be thrown", False)
    early = await resolved(vm, ExceptionSpec("shop.NoException"))
    assert early.message == "exception class shop.NoException is not loaded"
    assert early.is_pending
    for pattern in ("shop.Car*", "other.*"):  # one matches a class that cannot be thrown
        waiting = await resolved(vm, ExceptionSpec(pattern))
        assert waiting.message == f"no exception class that matches {pattern} is loaded yet"
        assert waiting.is_pending
