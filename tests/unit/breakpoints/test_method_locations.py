# SPDX-License-Identifier: Apache-2.0
"""Methods and instructions: patterns, overloads, bridges, natives, what implements an interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug.breakpoints import FieldSpec, LocalSpec
from jvmdebug.jdwp.generated.constants import EventKind
from jvmdebug.sources import parse_method, parse_spec
from tests.support.fake_classes import ABSTRACT, BRIDGE, NATIVE, PUBLIC, STATIC, FakeMethod
from tests.unit.breakpoints.conftest import resolved, shown

if TYPE_CHECKING:
    from jvmdebug.model import VirtualMachine
    from tests.support.fake_classes import FakeClasses

ADD = FakeMethod("add", "(I)V", lines={0: 5})
ADD_TEXT = FakeMethod("add", "(Ljava/lang/String;)V", lines={0: 8})
OPEN = PUBLIC | ABSTRACT


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("shop.Cart#add", ["shop.Cart.add@0:5", "shop.Cart.add@0:8"]),
        ("shop.Cart#add(int)", ["shop.Cart.add@0:5"]),
        ("Cart.add(String)", ["other.Cart.add@0:12", "shop.Cart.add@0:8"]),
        ("shop.*#a*", ["shop.Cart.add@0:5", "shop.Cart.add@0:8"]),
        ("shop.Cart#<init>", ["shop.Cart.<init>@0:3"]),
        ("*Item#price", ["shop.Cart$Item.price@0:20"]),
        ("shop.Cart.Item#price", ["shop.Cart$Item.price@0:20"]),
    ],
)
async def test_by_name_overload_and_pattern(
    vm: VirtualMachine, classes: FakeClasses, text: str, found: list[str]
) -> None:
    made = FakeMethod("<init>", lines={0: 3})
    bridge = FakeMethod("add", "(Ljava/lang/Object;)V", PUBLIC | BRIDGE, {0: 1})
    classes.load("shop.Cart", made, ADD, ADD_TEXT, bridge)
    classes.load("shop.Cart$Item", FakeMethod("price", lines={0: 20}))
    classes.load("other.Cart", FakeMethod("add", "(Ljava/lang/String;)V", lines={0: 12}))
    assert shown(await resolved(vm, parse_spec(text))) == found


async def test_an_interface_method_resolves_to_its_implementations(
    vm: VirtualMachine, classes: FakeClasses
) -> None:
    default = FakeMethod("log", lines={0: 3})
    priced = classes.load_interface("shop.Priced", FakeMethod("price", "()I", OPEN), default)
    price = FakeMethod("price", "()I", lines={0: 30})
    base = classes.load("shop.Base", price)
    classes.load("shop.Book", superclass=base, interfaces=(priced,))
    classes.load("shop.Pen", price, interfaces=(priced,))
    classes.load("shop.Other", price)
    found = await resolved(vm, parse_spec("shop.Priced#price"))
    assert shown(found) == ["shop.Base.price@0:30", "shop.Pen.price@0:30"]
    receivers = {each.type_name: {r.name for r in each.receivers} for each in found.locations}
    assert receivers == {"shop.Base": {"shop.Priced"}, "shop.Pen": set()}
    assert shown(await resolved(vm, parse_spec("shop.Priced#log"))) == ["shop.Priced.log@0:3"]


async def test_an_interface_without_implementation_is_pending(
    vm: VirtualMachine, classes: FakeClasses
) -> None:
    classes.load_interface("shop.Priced", FakeMethod("price", "()I", OPEN))
    found = await resolved(vm, parse_spec("shop.Priced#price"))
    assert (found.locations, found.is_pending) == ((), True)
    assert found.message == "nothing that is loaded implements shop.Priced.price()"


async def test_a_message_names_a_few_classes_only(vm: VirtualMachine, classes: FakeClasses) -> None:
    for number in range(300):
        classes.load(f"shop.Part{number:03}")
    found = await resolved(vm, parse_spec("shop.*#two"))
    assert found.message == "no class that is loaded and matches shop.* has a method two"
    field = await resolved(vm, FieldSpec("shop.*", "two"))
    wanted = "shop.Part000, shop.Part001, shop.Part002 and 297 more classes have no field two"
    assert field.message == wanted


async def test_a_native_method_takes_method_entry_events(
    vm: VirtualMachine, classes: FakeClasses
) -> None:
    classes.load("shop.Clock", FakeMethod("now", "()J", STATIC | NATIVE), FakeMethod("other"))
    found = await resolved(vm, parse_spec("shop.Clock#now"))
    (location,) = found.locations
    assert location.event_kind is EventKind.METHOD_ENTRY
    assert location.only_method is not None
    assert location.only_method.name == "now"
    assert "is native: the program runs slowly" in str(found.message)


async def test_why_a_method_has_no_location(vm: VirtualMachine, classes: FakeClasses) -> None:
    early = await resolved(vm, parse_spec("shop.Cart#add"))
    assert (early.message, early.is_pending) == ("class shop.Cart is not loaded", True)
    classes.load("shop.Cart", ADD)
    wrong = await resolved(vm, parse_spec("shop.Cart#add(long)"))
    assert (wrong.message, wrong.is_pending) == ("shop.Cart has no method add(long)", False)


async def test_an_inherited_method(vm: VirtualMachine, classes: FakeClasses) -> None:
    greet = FakeMethod("greet", lines={0: 3})
    static = FakeMethod("twice", "(I)I", PUBLIC | STATIC, {0: 5})
    base = classes.load("shop.Base", greet, static, FakeMethod("now", "()J", NATIVE))
    classes.load("shop.Plain", FakeMethod("own", lines={0: 9}), superclass=base)
    bridge = FakeMethod("greet", modifiers=PUBLIC | BRIDGE, lines={0: 1})
    classes.load("shop.Open", bridge, superclass=base)
    for name in ("Plain", "Open"):
        found = await resolved(vm, parse_spec(f"shop.{name}#greet"))
        assert shown(found) == ["shop.Base.greet@0:3"]
        receivers = {each.name for at in found.locations for each in at.receivers}
        assert receivers == {f"shop.{name}"}
        said = f"shop.{name} inherits shop.Base.greet(): stops for objects of shop.{name}"
        assert found.message == said
    of_all = await resolved(vm, parse_spec("shop.Plain#twice"))
    assert (shown(of_all), of_all.locations[0].receivers) == (["shop.Base.twice@0:5"], frozenset())
    native = await resolved(vm, parse_spec("shop.Plain#now"))
    assert (native.locations, native.is_pending) == ((), False)
    assert native.message == "shop.Plain inherits shop.Base.now(): set it there"
    assert shown(await resolved(vm, parse_spec("shop.Pl*#greet"))) == [], "what it declares"
    instruction = await resolved(vm, parse_spec("shop.Plain#greet#0"))
    said = "shop.Plain has no method greet: it inherits shop.Base.greet()"
    assert instruction.message == said
    local = await resolved(vm, LocalSpec(parse_method("shop.Plain#greet"), "x"))
    said = "shop.Plain has no method greet with code: it inherits shop.Base.greet()"
    assert local.message == said


async def test_a_bare_name_is_of_every_class_but_the_jdk_s(
    vm: VirtualMachine, classes: FakeClasses
) -> None:
    for name in ("shop.Cart", "other.Cart", "java.util.Cart"):
        classes.load(name, ADD)
    assert shown(await resolved(vm, parse_spec("add"))) == [
        "other.Cart.add@0:5",
        "shop.Cart.add@0:5",
    ]
    assert shown(await resolved(vm, parse_spec("add(String)"))) == []
    later = await resolved(vm, parse_spec("remove"))
    assert (later.message, later.is_pending) == (
        "no class that is loaded has a method remove",
        True,
    )
    pattern = await resolved(vm, parse_spec("shop.*#remove"))
    assert pattern.is_pending, "a class that is loaded later may have it"


NOP_TWICE_AND_PUSH = b"\x00\x00\x10\x07\xb1"


@pytest.mark.parametrize(
    ("text", "found", "message"),
    [
        ("shop.Cart#run#2", ["shop.Cart.run@2:6"], None),
        ("shop.Cart#run#3", [], "no instruction of shop.Cart.run() begins at 3; the nearest are"),
        ("shop.Cart#gone#0", [], "shop.Cart has no method gone"),
        ("shop.Cart#now#0", [], "shop.Cart.now() has no code (abstract or native)"),
        ("shop.Cart#add#0", [], "write the parameter types"),
        ("shop.Cart#add(int)#0", ["shop.Cart.add@0:5"], None),
        ("shop.Cart#add(I)V#0", ["shop.Cart.add@0:5"], None),
        ("shop.Gone#run#0", [], "class shop.Gone is not loaded"),
    ],
)
async def test_instructions(
    vm: VirtualMachine, classes: FakeClasses, text: str, found: list[str], message: str | None
) -> None:
    run = FakeMethod("run", lines={0: 6}, code=NOP_TWICE_AND_PUSH)
    now = FakeMethod("now", "()J", STATIC | NATIVE)
    classes.load("shop.Cart", run, now, ADD, ADD_TEXT)
    resolution = await resolved(vm, parse_spec(text))
    assert shown(resolution) == found
    assert (message or "") in str(resolution.message or "")
    assert resolution.is_pending == ("Gone" in text)
