# SPDX-License-Identifier: Apache-2.0
"""Arguments in a file, as the java launcher reads them back."""

from __future__ import annotations

import locale
import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from jvmdebug.errors import LaunchError
from jvmdebug.launch.argument_file import is_needed, written
from jvmdebug.platform import system
from tests.support.jdks import jdks_to_test
from tests.support.warm_javac import javac

if TYPE_CHECKING:
    from pathlib import Path

ODD = ["two words", "a\\b", 'quo"te', "#none", "new\nline", "@not", "", "ünï", "*"]
PROGRAM = """\
class Show {
    public static void main(String[] args) {
        for (String arg : args) {
            System.out.print(arg + "\\0");
        }
    }
}
"""


def test_only_long_command_lines_need_one() -> None:
    assert not is_needed(["-cp", "a"], "auto")
    assert is_needed(["-cp", "a:" * 10_000], "auto")
    assert not is_needed(["-cp", "a:" * 10_000], "none")
    assert is_needed(["A"], "argfile")


def test_java_reads_the_arguments_back(tmp_path: Path) -> None:
    source = tmp_path / "Show.java"
    source.write_text(PROGRAM)
    javac([source], tmp_path, "--release", "11")
    class_path = f"{tmp_path}:" + "x:" * 100_000
    options = ["-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-cp", class_path]
    file = written([*options, "Show", *ODD], tmp_path)
    command = [str(jdks_to_test()[0].java), f"@{file}"]
    ran = subprocess.run(command, check=True, capture_output=True, timeout=50)
    assert ran.stdout.decode().split("\0")[:-1] == ODD


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Windows of western Europe, with Python in its UTF-8 mode."""
    monkeypatch.setattr(system, "NAME", "win32")
    monkeypatch.setattr(locale, "getencoding", lambda: "cp1252")


@pytest.mark.usefixtures("windows")
def test_windows_reads_them_in_its_code_page(tmp_path: Path) -> None:
    assert written([r"C:\Bücher"], tmp_path).read_bytes() == b'"C:\\\\B\xfccher"\n'
    with pytest.raises(LaunchError, match="in the code page cp1252, which has no '書'"):
        written(["C:\\書"], tmp_path)


def test_a_name_that_is_no_text_is_left_as_it_is(tmp_path: Path) -> None:
    assert written([os.fsdecode(b"/\xff")], tmp_path).read_bytes() == b'"/\xff"\n'


@pytest.mark.usefixtures("windows")
def test_what_a_program_of_windows_writes_is_in_its_code_page() -> None:
    assert system.code_page() == "cp1252"
