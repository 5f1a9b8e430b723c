# SPDX-License-Identifier: Apache-2.0
"""Lines: which classes a source concerns, how far a line slides, which places of it are armed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.sources import LineSpec
from tests.support.fake_classes import (
    BRIDGE,
    NATIVE,
    PRIVATE,
    PUBLIC,
    STATIC,
    SYNTHETIC,
    FakeMethod,
)
from tests.unit.breakpoints.conftest import resolved, shown

if TYPE_CHECKING:
    from jvmdebug.model import VirtualMachine
    from tests.support.fake_classes import FakeClasses

CART = "shop/Cart.java"
TEXT = """package shop;
class Cart {
    int total;

    void add(int price) {

        total += price;
        log(
            price);
    }

    class Item {
        // nothing here
    }

    void last() { log(1); }
}
"""
ADD = FakeMethod("add", "(I)V", lines={0: 7, 4: 8})
LAST = FakeMethod("last", lines={0: 16})
TWO_SOURCES = """SMAP
Cart_jsp.java
JSP
*S JSP
*F
+ 0 cart.jsp
cart.jsp
+ 1 head.jsp
head.jsp
*L
3#0:10
3#1:20
*E
"""


async def test_a_line_of_a_source_and_of_a_class(vm: VirtualMachine, classes: FakeClasses) -> None:
    classes.load("shop.Cart", ADD, FakeMethod("log", modifiers=PRIVATE | NATIVE))
    classes.load("other.Cart", ADD)
    classes.load("shop.Basket", ADD)
    for spec in (LineSpec(7, path=CART), LineSpec(7, type_name="shop.Cart")):
        found = await resolved(vm, spec)
        assert shown(found) == ["shop.Cart.add@0:7"]
        assert (found.message, found.is_pending) == (None, False)
    both = await resolved(vm, LineSpec(7, path="Cart.java"))
    assert shown(both) == ["other.Cart.add@0:7", "shop.Cart.add@0:7"]


async def test_a_line_without_code_slides_inside_its_type_body(
    vm: VirtualMachine, classes: FakeClasses
) -> None:
    classes.load("shop.Cart", ADD, LAST)
    sources = {CART: TEXT}
    assert shown(await resolved(vm, LineSpec(5, path=CART), sources)) == ["shop.Cart.add@0:7"]
    assert shown(await resolved(vm, LineSpec(15, path=CART), sources)) == ["shop.Cart.last@0:16"]
    continued = await resolved(vm, LineSpec(9, path=CART), sources)
    assert shown(continued) == ["shop.Cart.add@4:8"], "the statement begins there"
    assert continued.message == "moved to line 8"
    before_item = await resolved(vm, LineSpec(11, path=CART), sources)
    assert (before_item.locations, before_item.is_pending) == ((), True), "Item is not loaded"
    none = "no code at line {} in a class that is loaded"
    assert before_item.message == f"{none.format(11)}: waits for class Item at line 12"
    in_item = await resolved(vm, LineSpec(13, path=CART), sources)
    assert (in_item.locations, in_item.is_pending) == ((), True)
    assert in_item.message == f"{none.format(13)}: waits for class Item at line 12"
    in_cart = await resolved(vm, LineSpec(17, path=CART), sources)
    assert in_cart.message == none.format(17), "Cart is loaded"
    unknown = await resolved(vm, LineSpec(5, path=CART))
    assert (unknown.locations, unknown.is_pending) == ((), True), "unknown without the source text"
    behind = await resolved(vm, LineSpec(99, path=CART), sources)
    assert (behind.message, behind.is_pending) == (f"{CART} has no line 99", False)


async def test_a_line_between_classes_slides_to_the_next_one_only(
    vm: VirtualMachine, classes: FakeClasses
) -> None:
    text = "class A {\n  int a = 1;\n}\n\ninterface I { void f(); }\n\nclass B {\n  int b = 2;\n}\n"
    sources = {CART: text}
    classes.load("shop.A", FakeMethod("<init>", lines={0: 1, 4: 2}), source="Cart.java")
    for line in (4, 6):
        early = await resolved(vm, LineSpec(line, path=CART), sources)
        assert (early.locations, early.is_pending) == ((), True)
    classes.load("shop.B", FakeMethod("<init>", lines={0: 7, 4: 8}), source="Cart.java")
    for line in (4, 6):
        found = await resolved(vm, LineSpec(line, path=CART), sources)
        assert shown(found) == ["shop.B.<init>@0:7"], "the interface has no code"


async def test_the_constructor_of_an_anonymous_class_is_not_where_it_is_made(
    vm: VirtualMachine, classes: FakeClasses
) -> None:
    constructor = FakeMethod("<init>", lines={0: 7})
    classes.load("shop.Cart", ADD)
    classes.load("shop.Cart$1", constructor, FakeMethod("run", lines={0: 7, 3: 8}))
    both = ["shop.Cart$1.run@0:7", "shop.Cart.add@0:7"]
    assert shown(await resolved(vm, LineSpec(7, path=CART))) == both
    classes.load("shop.Cart$2", FakeMethod("<init>", lines={0: 12}))
    classes.load("shop.Cart$1Local", FakeMethod("<init>", lines={0: 13}))
    assert shown(await resolved(vm, LineSpec(12, path=CART))) == ["shop.Cart$2.<init>@0:12"]
    assert shown(await resolved(vm, LineSpec(13, path=CART))) == ["shop.Cart$1Local.<init>@0:13"]


async def test_a_line_and_the_lambda_on_it(vm: VirtualMachine, classes: FakeClasses) -> None:
    body = FakeMethod("lambda$run$0", modifiers=PRIVATE | STATIC | SYNTHETIC, lines={0: 9})
    classes.load("shop.Cart", FakeMethod("run", lines={0: 8, 3: 9}), body)
    found = await resolved(vm, LineSpec(9, path=CART, part="all"))
    assert shown(found) == ["shop.Cart.lambda$run$0@0:9", "shop.Cart.run@3:9"]
    assert shown(await resolved(vm, LineSpec(9, path=CART))) == ["shop.Cart.run@3:9"]
    found = await resolved(vm, LineSpec(9, path=CART, part=1))
    assert shown(found) == ["shop.Cart.lambda$run$0@0:9"]
    text = "\n" * 8 + "  go(() -> walk());"
    found = await resolved(vm, LineSpec(9, path=CART, column=7), {CART: text})
    assert shown(found) == ["shop.Cart.lambda$run$0@0:9"]


async def test_nested_and_anonymous_classes_belong_to_the_source(
    vm: VirtualMachine, classes: FakeClasses
) -> None:
    classes.load("shop.Cart", ADD)
    classes.load("shop.Cart$Item", FakeMethod("price", lines={0: 20}))
    classes.load("shop.Cart$1", FakeMethod("run", lines={0: 21}))
    assert shown(await resolved(vm, LineSpec(20, path=CART))) == ["shop.Cart$Item.price@0:20"]
    by_class = await resolved(vm, LineSpec(21, type_name="shop.Cart"))
    assert shown(by_class) == ["shop.Cart$1.run@0:21"]


async def test_a_source_map_says_which_lines_are_of_a_source(
    vm: VirtualMachine, classes: FakeClasses
) -> None:
    service = FakeMethod("service", lines={0: 10, 5: 20})
    classes.load("org.apache.jsp.Cart_jsp", service, source_map=TWO_SOURCES)
    for path, index in (("cart.jsp", 0), ("head.jsp", 5)):
        (location,) = (await resolved(vm, LineSpec(3, path=path))).locations
        assert (location.index, location.line) == (index, 3)
        assert str(location.source_path).endswith(path)


async def test_a_line_that_begins_twice_on_its_way_stops_once(
    vm: VirtualMachine, classes: FakeClasses
) -> None:
    straight = FakeMethod("straight", lines={0: 8, 1: 9, 2: 8})
    jump_to_3 = b"\xa7\x00\x03"  # goto +3: what follows is reached by it, too
    copied = FakeMethod("copied", lines={0: 8, 3: 8}, code=jump_to_3 + b"\xb1")
    classes.load("shop.Cart", straight, copied)
    found = await resolved(vm, LineSpec(8, path=CART))
    assert shown(found) == [
        "shop.Cart.copied@3:8",  # the jump to it does nothing
        "shop.Cart.straight@0:8",
    ]


async def test_what_a_compiler_writes_beside_a_method_on_its_line_is_no_location(
    vm: VirtualMachine, classes: FakeClasses
) -> None:
    made = PUBLIC | SYNTHETIC
    classes.load(
        "shop.Cart",
        FakeMethod("compareTo", "(Lshop/Cart;)I", lines={0: 8}),
        FakeMethod("compareTo", "(Ljava/lang/Object;)I", made | BRIDGE, lines={0: 8}),
        FakeMethod("sum$default", "(II)I", made | STATIC, lines={0: 8, 2: 9}),
        FakeMethod("sum", "(I)I", STATIC, lines={0: 8}),
        FakeMethod("<clinit>", "()V", STATIC, lines={0: 8}),
        FakeMethod("$values", "()[Lshop/Cart;", made | STATIC, lines={0: 8}),
        FakeMethod("lambda$run$0", "()V", made | STATIC, lines={0: 8}),
    )
    classes.load("shop.Cart$1", FakeMethod("<clinit>", "()V", STATIC, lines={0: 8}))
    found = await resolved(vm, LineSpec(8, path=CART, part="all"))
    names = ("<clinit>", "compareTo", "lambda$run$0", "sum")
    assert shown(found) == [f"shop.Cart.{name}@0:8" for name in names]
    default = await resolved(vm, LineSpec(9, path=CART))
    assert shown(default) == ["shop.Cart.sum$default@2:9"]


async def test_why_a_line_has_no_location(vm: VirtualMachine, classes: FakeClasses) -> None:
    early = await resolved(vm, LineSpec(7, path=CART))
    assert (early.message, early.is_pending) == (f"no class of {CART} is loaded", True)
    unprepared = classes.load("shop.Cart", ADD, is_prepared=False)
    assert (await resolved(vm, LineSpec(7, path=CART))).is_pending
    classes.prepare(unprepared)
    assert shown(await resolved(vm, LineSpec(7, path=CART))) == ["shop.Cart.add@0:7"]
    classes.load("shop.Plain", FakeMethod("run"))
    without = await resolved(vm, LineSpec(7, type_name="shop.Plain"))
    assert without.message == "shop.Plain has no line numbers; compile it with -g:lines"
    assert not without.is_pending


async def test_packages_inside_a_package_of_scala(vm: VirtualMachine, classes: FakeClasses) -> None:
    text = "package a {\n  class One\n  package b {\n    class Two { def f = 1 }\n  }\n}\n"
    method = FakeMethod("f", lines={0: 4})
    for name in ("a.b.Two", "a.c.Two"):
        classes.load(name, method, source="Parts.scala")
    path = "/home/me/src/Parts.scala"
    assert shown(await resolved(vm, LineSpec(4, path=path), {path: text})) == ["a.b.Two.f@0:4"]
