# SPDX-License-Identifier: Apache-2.0
"""Loaded classes that a typed text may mean."""

from __future__ import annotations

import pytest

from jvmdebug_dap.convert.class_names import matching

_LOADED = (
    "java.awt.MenuItem",
    "java.util.ItemList",
    "shop.Cart",
    "shop.Cart$Item",
    "shop.Itemized",
    "shop.item.Basket",
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Item",
            ["shop.Cart$Item", "shop.Itemized", "java.util.ItemList", "java.awt.MenuItem",
             "shop.item.Basket"],
        ),
        ("shop.Cart", ["shop.Cart", "shop.Cart$Item"]),
        (" item[] ", [
            "shop.Cart$Item[]", "shop.Itemized[]", "java.util.ItemList[]", "java.awt.MenuItem[]",
            "shop.item.Basket[]",
        ]),
        ("int[][]", ["int[][]"]),
        ("int", []),
        ("", ["shop.Cart", "shop.Cart$Item", "shop.Itemized", "shop.item.Basket",
              "java.awt.MenuItem", "java.util.ItemList"]),
    ],
)  # fmt: skip
def test_simple_names_come_first(text: str, found: list[str]) -> None:
    assert matching(_LOADED, text) == found
