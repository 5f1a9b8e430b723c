# SPDX-License-Identifier: Apache-2.0
"""Classes to source paths, and whether a user's path means a class's source."""

from __future__ import annotations

import pytest

from jvmdebug.source_text import packages_declared
from jvmdebug.sources import imports_declared, is_same_source, package_declared, source_path


@pytest.mark.parametrize(
    ("type_name", "source_name", "path"),
    [
        ("shop.Cart$Item", "Cart.java", "shop/Cart.java"),
        ("Main", "Main.java", "Main.java"),
        ("shop.CartKt", "Cart.kt", "shop/Cart.kt"),
        ("shop.Cart$1Local", None, "shop/Cart.java"),
        ("shop.Cart$$Lambda/0x1f", None, "shop/Cart.java"),
        ("$Odd", None, "$Odd.java"),
        ("a.b.C", "some/where/C.scala", "a/b/C.scala"),
    ],
)
def test_source_paths(type_name: str, source_name: str | None, path: str) -> None:
    assert source_path(type_name, source_name) == path


@pytest.mark.parametrize(
    ("asked", "path", "packages", "same"),
    [
        ("/home/me/src/shop/Cart.java", "shop/Cart.java", None, True),
        ("shop/Cart.java", "shop/Cart.java", None, True),
        ("./shop/Cart.java", "shop/Cart.java", None, True),
        ("Cart.java", "shop/Cart.java", None, True),
        (r"C:\src\shop\Cart.java", "shop/Cart.java", None, True),
        ("/site/sub/page.jsp", "/sub/page.jsp", None, True),
        ("/site/page.jsp", "/sub/page.jsp", None, False),
        ("/src/Parts.scala", "a/b/Parts.scala", {"a", "a.b"}, True),
        ("/src/workshop/Cart.java", "shop/Cart.java", None, False),
        ("/src/other/Cart.java", "shop/Cart.java", None, False),
        ("/src/Cart.java", "Cart.java", {""}, True),
        ("/src/shop/Cart.java", "Cart.java", {"shop"}, False),
        ("/kotlin/Cart.kt", "com/shop/Cart.kt", {"com.shop"}, True),
        ("/kotlin/Cart.kt", "com/shop/Cart.kt", {"com.other"}, False),
        ("/kotlin/Cart.kt", "com/shop/Basket.kt", {"com.shop"}, False),
    ],
)
def test_same_source(asked: str, path: str, packages: set[str] | None, same: bool) -> None:  # noqa: FBT001
    assert is_same_source(asked, path, packages=packages) is same


@pytest.mark.parametrize(
    ("text", "package"),
    [
        ("package shop;\nclass Cart {}", "shop"),
        ("// package no;\n/* package no; */\n\n  package a.b.c ;", "a.b.c"),
        ('@Generated("package x;") package a.b;', "a.b"),
        ("#!/usr/bin/env kotlin\npackage com.shop\n", "com.shop"),
        ("package `in`.shop\n", "in.shop"),
        ('@file:JvmMultifileClass\n@file:JvmName("Names (all)")\n\npackage a.b\n', "a.b"),
        ('@file:[JvmName("X") Suppress("a", "b")]\npackage com.shop\nimport a.b', "com.shop"),
        ("@A(B(1), C(2)) package a.b;", "a.b"),
        ('@file:A("""package no""")\npackage a.b', "a.b"),
        ("package a.b\npackage c\n\nclass D {}", "a.b.c"),
        ("package a.b\n\npackage object c { val x = 1 }", "a.b"),
        ("import a.`package`.b\nclass D { /* package no */ }", ""),
        ("class Cart {}\n// package no;", ""),
        ("", ""),
        ("/* never closed package a;", ""),
    ],
)
def test_packages(text: str, package: str) -> None:
    assert package_declared(text) == package


@pytest.mark.parametrize(
    ("text", "packages"),
    [
        ("package a.b\npackage c\nclass D { }", {"a.b", "a.b.c"}),
        ("package a {\n class A { val x = '{' }\n package b { class B }\n}", {"", "a", "a.b"}),
        ("package a { class A }\npackage c { class C { } }", {"", "a", "c"}),
        ("package a:\n  class A\n  package b:\n    class B\npackage c:\n  class C",
         {"", "a", "a.b", "c"}),
        ("package a\n\npackage object util { def f = 1 }\nclass A", {"a", "a.util"}),
        ("package a\nclass A { }\n// package no\n", {"a"}),
        ("class A", {""}),
    ],
)  # fmt: skip
def test_packages_of_scala(text: str, packages: set[str]) -> None:
    assert packages_declared(text, "Parts.scala") == frozenset(packages)


def test_a_language_without_a_package_clause_declares_none() -> None:
    assert packages_declared("<p>The package contains</p>", "sub/page.jsp") is None
    assert packages_declared("(ns my-app.core)", "core.clj") is None
    assert packages_declared("class A { }", "A.groovy") == frozenset({""})


def test_imports() -> None:
    text = """package shop;
import java.util.List; // import not.this.One;
import static java.lang.Math.max;
  import java.util.function.*;
import shop.Outer.Inner;
class Cart { String s = "import x.Y"; }
"""
    assert imports_declared(text) == (
        "java.util.List",
        "static java.lang.Math.max",
        "java.util.function.*",
        "shop.Outer.Inner",
    )
