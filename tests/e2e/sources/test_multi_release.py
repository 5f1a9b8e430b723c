# SPDX-License-Identifier: Apache-2.0
"""A program in a multi-release jar: the frame's source is the one of the class that the VM took."""

from __future__ import annotations

import subprocess
import zipfile
from typing import TYPE_CHECKING

import jvmdebug
from tests.support import process
from tests.support.jdks import newest_compiler

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_MAIN = "package shop;\npublic class Main { public static void main(String[] a) { Cart.add(); } }\n"
_CART = (
    "package shop;\nclass Cart {{\n{blank}    static void add() {{ System.out.println(); }}\n}}\n"
)
_TEXTS = {"": _CART.format(blank=""), "META-INF/versions/17/": _CART.format(blank="\n\n")}


def multi_release(folder: Path) -> Path:
    """`shop.jar` with `shop-sources.jar` beside it."""
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
            command = [str(newest_compiler().javac), "-g", "--release", "11", "-nowarn"]
            files = [str(built / "Main.java"), str(built / "Cart.java")]
            subprocess.run([*command, "-Xlint:-options", "-d", str(built), *files], check=True)
            for name in ("Cart",) if prefix else ("Cart", "Main"):
                classes.write(built / "shop" / f"{name}.class", f"{prefix}shop/{name}.class")
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
        shown = source.text().splitlines()[stop.frame.line - 1]
        assert "static void add()" in shown
        assert stop.frame.line == (5 if jdk.version >= 17 else 3)
