# SPDX-License-Identifier: Apache-2.0
"""A program whose folder, package and class are not ASCII, in a container's locale."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.support.prompt import JVMDEBUG, TIMEOUT_S

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk

PROGRAM = """package größe;

public class Kai {
    public static void main(String[] args) {
        int tiefe = "fünf".length();
        System.out.println(tiefe);
    }
}
"""


@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_names_outside_of_ascii(jdk: Jdk, tmp_path: Path, locale: str) -> None:
    folder = tmp_path / "Hafen Größe 若依"
    (folder / "größe").mkdir(parents=True)
    (folder / "größe" / "Kai.java").write_text(PROGRAM, encoding="utf-8")
    ran = subprocess.run(
        [
            *(JVMDEBUG, "launch", "größe/Kai.java", "--java", str(jdk.home), "--batch"),
            *("-c", "break Kai.java:6", "-c", "run", "-c", "print tiefe + 1", "-c", "continue"),
        ],
        cwd=folder,
        env={**os.environ, "LC_ALL": locale},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    text = ran.stdout.decode("utf-8", "replace") + ran.stderr.decode("utf-8", "replace")
    assert ran.returncode == 0, text
    assert "5 " in text, text
    assert "Kai.java:6" in text, text
