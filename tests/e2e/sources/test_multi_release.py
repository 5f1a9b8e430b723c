# SPDX-License-Identifier: Apache-2.0
"""A program in a multi-release jar: the frame's source is the one of the class that the VM took."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support import process
from tests.support.warm_javac import javac

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_MAIN = "package shop;\npublic class Main { public static void main(String[] a) { Cart.add(); } }\n"
_CART = (
    "package shop;\nclass Cart {{\n{blank}    static void add() {{ System.out.println(); }}\n}}\n"
)
_TEXTS = {"": _CART.format(blank=""), "META-INF/versions/17/": _CART.format(blank="\n\n")}


def multi_release(folder: Path, *, has_all_sources: bool = True) -> Path:
    """`shop.jar` with `shop-sources.jar` beside it, which may have the base sources only."""
    jar = folder / "shop.jar"
    with (
        zipfile.ZipFile(jar, "w") as classes,
        zipfile.ZipFile(folder / "shop-sources.jar", "w") as sources,
    ):
        classes.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMulti-Release: true\n")
        for prefix, text in _TEXTS.items():
            built = folder / f"built-{len(prefix)}"
            built.mkdir()
            (built / "Main.java").write_text(_MAIN)
            (built / "Cart.java").write_text(text)
            javac([built / "Main.java", built / "Cart.java"], built, "-g", "--release", "11")
            for name in ("Cart",) if prefix else ("Cart", "Main"):
                classes.write(built / "shop" / f"{name}.class", f"{prefix}shop/{name}.class")
                if has_all_sources or not prefix:
                    sources.write(built / f"{name}.java", f"{prefix}shop/{name}.java")
    return jar


async def test_the_source_of_the_release(jdk: Jdk, agent_kind: AgentKind, tmp_path: Path) -> None:
    jar = multi_release(tmp_path)
    async with jvmdebug.launch(
        "shop.Main", class_path=[jar], java=jdk.java, **process.launch_options(agent_kind)
    ) as session:
        await session.break_at("shop.Cart#add")
        stop = await session.next_stop(timeout_s=20)
        assert stop is not None
        source = await stop.frame.source()
        assert source is not None
        assert stop.frame.line is not None
        shown = source.as_text().splitlines()[stop.frame.line - 1]
        assert "static void add()" in shown
        assert stop.frame.line == (5 if jdk.version >= 17 else 3)


async def test_the_base_source_is_not_shown_for_a_class_of_a_release(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    """It has the frame's line, but that is another one: the code is shown."""
    if jdk.version < 17:
        pytest.skip("the class of the release is for 17")
    jar = multi_release(tmp_path, has_all_sources=False)
    with zipfile.ZipFile(tmp_path / "shop-sources.jar") as sources:
        longer = sources.read("shop/Cart.java") + b"// more\n" * 9
    with zipfile.ZipFile(tmp_path / "shop-sources.jar", "w") as sources:
        sources.writestr("shop/Cart.java", longer)
        sources.writestr("shop/Main.java", _MAIN)
    async with jvmdebug.launch(
        "shop.Main", class_path=[jar], java=jdk.java, **process.launch_options(agent_kind)
    ) as session:
        await session.break_at("shop.Cart#add")
        stop = await session.next_stop(timeout_s=20)
        assert stop is not None
        cart, main = await stop.thread.frames()
        assert await cart.source() is None
        assert await cart.listing() is not None
        assert await main.source() is not None, "that class has no other version"
