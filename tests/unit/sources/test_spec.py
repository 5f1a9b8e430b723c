# SPDX-License-Identifier: Apache-2.0
"""The notation of places: files, classes, methods."""

from __future__ import annotations

import pytest

from jvmdebug.errors import BreakpointError
from jvmdebug.sources import LineSpec, MethodSpec, parse_spec


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
        ("shop.Cart#Cart(int)", MethodSpec("shop.Cart", "<init>", ("int",))),
        ("shop.Cart#<clinit>", MethodSpec("shop.Cart", "<clinit>")),
        ("shop.Cart#add()", MethodSpec("shop.Cart", "add", ())),
        (
            "shop.Cart#add(int, java.lang.String)",
            MethodSpec("shop.Cart", "add", ("int", "java.lang.String")),
        ),
        ("a.B#f(List<String>, int...)", MethodSpec("a.B", "f", ("List", "int[]"))),
        ("a.B#lambda$main$0", MethodSpec("a.B", "lambda$main$0")),
        ("größe.Maß#übe", MethodSpec("größe.Maß", "übe")),
    ],
)
def test_forms(text: str, spec: LineSpec | MethodSpec) -> None:
    assert parse_spec(text) == spec


@pytest.mark.parametrize(
    "text",
    [
        "",
        "shop.Cart",
        ":42",
        "shop.Cart:",
        "shop.Cart:x",
        "shop.Cart:0",
        "shop.Cart:-1",
        "shop.Cart:²",
        "#add",
        "shop.Cart#",
        "shop..Cart:1",
        "shop.Cart#add(",
        "shop.Cart#add(int",
        "shop.Cart#a b",
    ],
)
def test_what_is_no_place(text: str) -> None:
    with pytest.raises(BreakpointError):
        parse_spec(text)


def test_an_error_shows_the_forms() -> None:
    with pytest.raises(BreakpointError, match=r"shop/Cart\.java:42"):
        parse_spec("nonsense")


def test_specs_are_written_as_they_are_read() -> None:
    for text in ("shop/Cart.java:42", "shop.Cart:42", "a.B#f", "a.B#f()", "a.B#f(int,long[])"):
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
