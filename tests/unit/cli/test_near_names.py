# SPDX-License-Identifier: Apache-2.0
"""The class or command that is suggested for a mistyped name."""

from __future__ import annotations

import pytest

from jvmdebug_cli.command import UsageError, find
from jvmdebug_cli.near_names import _class_of, _near_class

KNOWN = {"Ticker", "shop.Cart", "shop.Cart$Item", "shop.Customer", "web.Cart"}


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("shop.Cart#add", "shop.Cart"),
        ("shop.Cart#add(int)", "shop.Cart"),
        ("shop.Cart:42", "shop.Cart"),
        ("shop.Cart.total write", "shop.Cart"),
        ("Cart.total", "Cart"),
        ("shop/Cart.java:42", None),
        ("Cart.java:42", None),
        ("shop.*#save", None),
        ("*", None),
        ("total", None),
        ("", None),
    ],
)
def test_the_class_that_a_place_names(spec: str, name: str | None) -> None:
    assert _class_of(spec) == name


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Ticker", None),
        ("Tikker", "Ticker"),
        ("ticker", "Ticker"),
        ("shop.Ticker", "Ticker"),
        ("shop.Custmer", "shop.Customer"),
        ("Customer", "shop.Customer"),
        ("Cart", "shop.Cart"),
        ("web.Kart", "web.Cart"),
        ("Nothing", None),
        ("nothing.like.It", None),
    ],
)
def test_the_class_that_is_meant(name: str, found: str | None) -> None:
    assert _near_class(name, KNOWN) == found


@pytest.mark.parametrize(("word", "meant"), [("brek", "break"), ("contineu", "continue")])
def test_the_command_that_is_meant(word: str, meant: str) -> None:
    with pytest.raises(UsageError, match=f"did you mean `{meant}`"):
        find(word)


def test_a_word_that_is_like_no_command() -> None:
    with pytest.raises(UsageError, match="`help` lists them"):
        find("xyzzy")
