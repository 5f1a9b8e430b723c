# SPDX-License-Identifier: Apache-2.0
"""`swap` of an edited source at the prompt, while the program is stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.jdks import newest_compiler
from tests.support.prompt import jvmdebug_command

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.support.jdks import Jdk

SOURCE = """\
public class Shop {
    static int price() {
        return 3;
    }

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            System.out.println("price " + price());
        }
    }
}
"""


async def test_an_edited_source(jdk: Jdk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("JAVA_HOME", str(newest_compiler().home))
    source = tmp_path / "shop" / "Shop.java"
    source.parent.mkdir()
    source.write_text(SOURCE)
    options = ("--project", source.parent, "--java", jdk.home)
    async with jvmdebug_command("launch", "Shop", *options) as shell:
        shell.type("break Shop#main")
        shell.type("run")
        await shell.see("^Breakpoint 1, Shop.main")
        source.write_text(SOURCE.replace("3;", "4"))
        shell.type(f"swap {source}")
        await shell.see(r"^Shop\.java:3: ';' expected")
        source.write_text(SOURCE.replace("3;", "40;"))
        shell.type(f"swap {source}")
        await shell.see("^redefined: Shop$")
        shell.type(f"swap {source}")
        await shell.see("^the program has the code of these sources already$")
        shell.type(f"swap {tmp_path / 'Nothing.java'}")
        await shell.see("^error: .*Nothing.java.*no such file")
        shell.type("continue")
        await shell.see("^price 40$")
        await shell.see("ended with exit code 0")
        shell.type("quit")
        assert await shell.end() == 1  # two commands have failed


async def test_a_class_that_needs_a_refused_one(
    jdk: Jdk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program died with NoSuchMethodError: Shop had its new code, Price its old."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("JAVA_HOME", str(newest_compiler().home))
    text = SOURCE.replace("return 3;", "return (int) new Price().cents();")
    text += "class Price {\n    int cents() {\n        return 3;\n    }\n}\n"
    source = tmp_path / "shop" / "Shop.java"
    source.parent.mkdir()
    source.write_text(text)
    options = ("--project", source.parent, "--java", jdk.home)
    async with jvmdebug_command("launch", "Shop", *options) as shell:
        shell.type("break Shop.java:8")
        shell.type("run")
        await shell.see("^Breakpoint 1, Shop.main")
        shell.type("continue")
        await shell.see("^price 3$")
        source.write_text(text.replace("    int cents", "    long cents"))
        shell.type(f"swap {source}")
        await shell.see(
            r"^refused: Shop: it needs the new long cents\(\) of Price, which was refused: .*"
            r"new method long cents\(\)"
        )
        shell.type("delete 1")
        shell.type("continue")
        await shell.see("ended with exit code 0")
        shell.type("quit")
        await shell.end()
