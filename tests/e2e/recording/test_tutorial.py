# SPDX-License-Identifier: Apache-2.0
"""The tutorial "From a failing test to its cause", and the terminal in the README's section on the
past: their commands say what is printed there, and what the tutorial proposes mends the test. Its
pictures are of tests/e2e/vscode/test_record_failed.py.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.libraries import frameworks, maven
from tests.support.prompt import JVMDEBUG

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

ROOT = Path(__file__).resolve().parents[3]
TEXT = (ROOT / "docs" / "tutorial" / "failing-test.md").read_text(encoding="utf-8")
pytestmark = [
    pytest.mark.skipif(maven() is None, reason="JUnit is fetched by Maven; no mvn here"),
    pytest.mark.timeout(180),
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The example, with JUnit in a folder in place of Maven's cache."""
    shutil.copytree(ROOT / "examples" / "past" / "src", tmp_path / "src")
    (tmp_path / "lib").mkdir()
    for jar in frameworks():
        (tmp_path / "lib" / jar.name).symlink_to(jar)
    return tmp_path


def _terminals(text: str) -> list[str]:
    """What a page shows of terminals."""
    return re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def _plain(said: str) -> list[str]:
    """The lines, without times and sizes."""
    said = re.sub(r"\d+\.\d+ s\b", "N s", said)
    said = re.sub(r"\(\d+ records, \d+ bytes\)", "(N records)", said)
    return [line.rstrip() for line in said.splitlines()]


def _ran(project: Path, jdk: Jdk, command: str, typed: str = "") -> str:
    words = [each.strip("'") for each in command.split()]
    assert words[0] == "jvmdebug"
    if words[1] in ("test", "record"):
        words[2:2] = ["--java", str(jdk.home)]
    found = subprocess.run(
        [JVMDEBUG, *words[1:]],
        cwd=project,
        input=typed,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in found.stderr
    return found.stdout + found.stderr


def _check(folder: Path, jdk: Jdk, terminal: str) -> None:
    """Run a command, and `jvmdebug replay` with what was typed there."""
    first, second = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", terminal, re.MULTILINE)
    assert _plain(_ran(folder, jdk, first[0])) == _plain(first[1])
    typed = re.findall(r"^\(jvmdebug\) (.*)$", second[1], re.MULTILINE)
    assert len(typed) >= 5
    assert _plain(_ran(folder, jdk, second[0], "\n".join([*typed, "quit"]))) == [
        *_plain(second[1]),
        "(jvmdebug) quit",
    ]


def test_it_says_what_is_printed(project: Path, jdk: Jdk) -> None:
    _check(project, jdk, "".join(_terminals(TEXT)))


def test_the_readme_says_what_is_printed(tmp_path: Path, jdk: Jdk) -> None:
    shutil.copy(ROOT / "examples" / "Basket.java", tmp_path)
    javac = jdk.home / "bin" / "javac"
    subprocess.run([javac, "-g", "-d", "classes", "Basket.java"], cwd=tmp_path, check=True)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (terminal,) = [each for each in _terminals(readme) if "$ jvmdebug record" in each]
    _check(tmp_path, jdk, terminal)


def test_what_it_proposes_mends_the_test(project: Path, jdk: Jdk) -> None:
    source = project / "src" / "main" / "java" / "shop" / "Basket.java"
    lines = source.read_text(encoding="utf-8").splitlines(keepends=True)
    assert "line 42 of `Basket.java`" in TEXT
    assert lines[41] == "        clear();\n"
    lines[41] = "        items.clear();\n"
    source.write_text("".join(lines), encoding="utf-8")
    assert "1 passed" in _ran(project, jdk, "jvmdebug test BasketTest#keepsTheDiscount")
