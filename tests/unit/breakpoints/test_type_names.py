# SPDX-License-Identifier: Apache-2.0
"""Names of types as users write them."""

from __future__ import annotations

import pytest

from jvmdebug.breakpoints.type_names import is_named, is_nested_in, prepare_patterns


@pytest.mark.parametrize(
    ("asked", "meant", "others"),
    [
        ("shop.Cart", ["shop.Cart"], ["shop.Cart$Item", "my.shop.Cart"]),
        ("shop.Cart.Item", ["shop.Cart$Item"], ["shop.Cart"]),
        ("Cart", ["Cart", "shop.Cart", "shop.Main$Cart"], ["shop.MyCart", "shop.Cart$Item"]),
        ("shop.*", ["shop.Cart", "shop.Cart$Item"], ["my.shop.Cart"]),
        ("*Error", ["shop.Error", "shop.BadError"], ["shop.Errors"]),
        ("Bad*", ["BadMoney", "shop.BadMoney", "shop.Main$BadMoney"], ["shop.NotBad", "shop.Main"]),
        ("Main$Bad*", ["Main$BadMoney", "shop.Main$BadMoney"], ["shop.BadMoney"]),
    ],
)
def test_names_match_types(asked: str, meant: list[str], others: list[str]) -> None:
    assert [name for name in meant if not is_named(name, asked)] == []
    assert [name for name in others if is_named(name, asked)] == []


def test_class_prepare_events_let_all_through_that_may_be_meant() -> None:
    assert prepare_patterns("shop.*Error") == ("shop.*",)
    assert prepare_patterns("Bad*") == ("*",)
    assert prepare_patterns("*Error") == ("*Error",)
    assert prepare_patterns("Cart") == ("*Cart",)


@pytest.mark.parametrize(
    ("asked", "meant", "others"),
    [
        ("shop.Cart", ["shop.Cart$1", "shop.Cart$Item$2"], ["shop.Cart", "my.shop.Cart$1"]),
        ("shop.Cart.Item", ["shop.Cart$Item$2"], ["shop.Cart$Item", "shop.Cart$Items$1"]),
        ("Cart", ["shop.Cart$1", "Cart$1", "shop.Main$Cart$1"], ["shop.MyCart$1", "shop.Cart"]),
    ],
)
def test_nested_types(asked: str, meant: list[str], others: list[str]) -> None:
    assert [name for name in meant if not is_nested_in(name, asked)] == []
    assert [name for name in others if is_nested_in(name, asked)] == []
