# SPDX-License-Identifier: Apache-2.0
"""The notation of breakpoint locations: files, classes, methods."""

from __future__ import annotations

import pytest

from jvmdebug.errors import BreakpointError
from jvmdebug.sources import InstructionSpec, LineSpec, MethodSpec, parse_method, parse_spec


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("shop/Cart.java:42", LineSpec(42, path="shop/Cart.java")),
        ("Cart.java:1", LineSpec(1, path="Cart.java")),
        ("/home/me/a:b/Cart.kt:7", LineSpec(7, path="/home/me/a:b/Cart.kt")),
        (r"C:\src\Cart.java:3", LineSpec(3, path="C:/src/Cart.java")),
        ("shop.Cart:42", LineSpec(42, type_name="shop.Cart")),
        ("Main:5", LineSpec(5, type_name="Main")),
        ("shop.Cart$Item:9", LineSpec(9, type_name="shop.Cart$Item")),
        (" shop.Cart : 42 ", LineSpec(42, type_name="shop.Cart")),
        ("shop.Cart#add", MethodSpec("shop.Cart", "add")),
        ("shop.Cart#<init>", MethodSpec("shop.Cart", "<init>")),
        ("shop.*#*", MethodSpec("shop.*", "*")),
        ("shop.Cart#Cart(int)", MethodSpec("shop.Cart", "<init>", ("int",))),
        ("shop.Cart#<clinit>", MethodSpec("shop.Cart", "<clinit>")),
        ("shop.Cart#add()", MethodSpec("shop.Cart", "add", ())),
        (
            "shop.Cart#add(int, java.lang.String)",
            MethodSpec("shop.Cart", "add", ("int", "java.lang.String")),
        ),
        ("a.B#f(Map<String, List<int[]>>,int)", MethodSpec("a.B", "f", ("Map", "int"))),
        ("a.B#f(List<String>, int...)", MethodSpec("a.B", "f", ("List", "int[]"))),
        ("a.B#lambda$main$0", MethodSpec("a.B", "lambda$main$0")),
        ("shop.Cart#add#12", InstructionSpec("shop.Cart", "add", 12)),
        ("shop.Cart.add # 0", InstructionSpec("shop.Cart", "add", 0)),
        ("shop.Cart#add(int)#3", InstructionSpec("shop.Cart", "add", 3, ("int",))),
        (
            "a.B.f(I[Ljava/lang/String;)V#7",
            InstructionSpec("a.B", "f", 7, descriptor="(I[Ljava/lang/String;)V"),
        ),
        ("shop.Cart.add", MethodSpec("shop.Cart", "add")),
        ("Shop$Pricing.price", MethodSpec("Shop$Pricing", "price")),
        ("shop.Cart:add", MethodSpec("shop.Cart", "add")),
        ("Cart: add(int)", MethodSpec("Cart", "add", ("int",))),
        ("Cart.<init>", MethodSpec("Cart", "<init>")),
        ("*Service#find*", MethodSpec("*Service", "find*")),
        ("*.two", MethodSpec("*", "two")),
        ("shop.*.two(int)", MethodSpec("shop.*", "two", ("int",))),
        ("shop.Cart*.add*", MethodSpec("shop.Cart*", "add*")),
        ("main", MethodSpec("", "main")),
        ("add(int, String)", MethodSpec("", "add", ("int", "String"))),
        ("größe.Maß#übe", MethodSpec("größe.Maß", "übe")),
    ],
)
def test_forms(text: str, spec: LineSpec | MethodSpec | InstructionSpec) -> None:
    assert parse_spec(text) == spec


@pytest.mark.parametrize(
    "text",
    [
        "",
        "shop.Cart",
        "Cart.java",
        "shop.cart",
        ":42",
        "shop.Cart:",
        "shop/Cart.java:x",
        "shop.Cart:0",
        "shop.Cart:-1",
        "shop.Cart:4²",
        "#add",
        "shop.Cart#",
        "shop..Cart:1",
        "shop.Cart#add(",
        "shop.Cart#add(int",
        "shop.Cart#a b",
        "shop.Cart#add(I#3",
        "shop.Cart#add(Q)V#3",
        "add#3",
    ],
)
def test_invalid_specs(text: str) -> None:
    with pytest.raises(BreakpointError):
        parse_spec(text)


def test_an_error_shows_the_forms() -> None:
    with pytest.raises(BreakpointError, match=r"shop/Cart\.java:42"):
        parse_spec("non sense")


def test_specs_are_written_as_they_are_read() -> None:
    for text in (
        "shop/Cart.java:42",
        "shop.Cart:42",
        "a.B#f",
        "a.B#f()",
        "a.B#f(int,long[])",
        "f",
        "f()",
    ):
        assert str(parse_spec(text)) == text


@pytest.mark.parametrize(
    ("text", "name", "descriptor", "selected"),
    [
        ("a.B#f", "f", "(I)V", True),
        ("a.B#f", "g", "(I)V", False),
        ("a.B#f(int)", "f", "(I)V", True),
        ("a.B#f(int)", "f", "(J)V", False),
        ("a.B#f(int)", "f", "(II)V", False),
        ("a.B#f(String)", "f", "(Ljava/lang/String;)V", True),
        ("a.B#f(java.lang.String)", "f", "(Ljava/lang/String;)V", True),
        ("a.B#f(tring)", "f", "(Ljava/lang/String;)V", False),
        ("a.B#f(Map.Entry)", "f", "(Ljava/util/Map$Entry;)V", True),
        ("a.B#f(java.util.Map$Entry)", "f", "(Ljava/util/Map$Entry;)V", True),
        ("a.B#f(String...)", "f", "([Ljava/lang/String;)V", True),
        ("a.B#f(int[][])", "f", "([[I)V", True),
        ("a.B#f()", "f", "()V", True),
    ],
)
def test_selecting_methods(text: str, name: str, descriptor: str, selected: bool) -> None:  # noqa: FBT001
    spec = parse_spec(text)
    assert isinstance(spec, MethodSpec)
    assert spec.selects(name, descriptor) is selected


def test_methods_as_editors_write_them() -> None:
    assert parse_method("shop.Cart.add(int)") == MethodSpec("shop.Cart", "add", ("int",))
    assert parse_method("Cart.<init>") == MethodSpec("Cart", "<init>")
    every = parse_method("com.acme.*.find*(..)".replace("(..)", ""))
    assert every.selects("findAll", "()V")
    assert not every.selects("unfind", "()V")
    assert not parse_method("a.B.*").selects("<init>", "()V"), "constructors are written out"
    with pytest.raises(BreakpointError, match="names no type"):
        parse_method("add")


def test_one_instruction_of_one_overload() -> None:
    spec = InstructionSpec("a.B", "f", 0, descriptor="(I)V")
    assert spec.selects("f", "(I)V")
    assert not spec.selects("f", "(I)I")
    assert str(spec) == "a.B#f(I)V#0"
    assert str(parse_spec("a.B.f(int)#2")) == "a.B#f(int)#2"
