# SPDX-License-Identifier: Apache-2.0
"""Arguments in a file, as the java launcher reads them back."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from jvmdebug.launch.argument_file import is_needed, written
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
