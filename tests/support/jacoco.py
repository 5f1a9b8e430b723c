# SPDX-License-Identifier: Apache-2.0
"""JaCoCo's results, to compare ours with: its agent in a program, its report as XML.

Tests that use it are marked `network`: Maven fetches JaCoCo (`libraries`).
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET

from tests.support.jdks import newest_compiler
from tests.support.libraries import jacoco

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmdebug.coverage import Coverage
    from tests.support.jdks import Jdk

_TIMEOUT_S = 600


class Line(NamedTuple):
    """What JaCoCo's report says of a line."""

    missed: int
    covered: int
    missed_branches: int
    covered_branches: int


Lines = dict[tuple[str, int], Line]
"""By source file and line: ("shop/Cart.java", 7)."""


def lines_by_jacoco(
    jdk: Jdk, class_path: Sequence[Path], main: Sequence[str], classes: Path, folder: Path
) -> Lines:
    """Run a program under JaCoCo's agent; what its report says of `classes`."""
    agent, _ = jacoco()
    data = folder / "jacoco.exec"
    option = f"-javaagent:{agent}=destfile={data},dumponexit=true"
    paths = ":".join(map(str, class_path))
    command = [str(jdk.home / "bin" / "java"), option, "-cp", paths, *main]
    subprocess.run(command, check=False, capture_output=True, timeout=_TIMEOUT_S, cwd=folder)
    return report(classes, folder, data)


def report(classes: Path, folder: Path, *data: Path) -> Lines:
    """What JaCoCo reports of class files; without data nothing has run."""
    _, command_line = jacoco()
    xml = folder / "jacoco.xml"
    java = newest_compiler().home / "bin" / "java"
    command = [str(java), "-jar", str(command_line), "report", *map(str, data)]
    command += ["--classfiles", str(classes), "--xml", str(xml)]
    subprocess.run(command, check=True, capture_output=True, timeout=_TIMEOUT_S)
    return read(xml.read_text(encoding="utf-8"))


def read(text: str) -> Lines:
    """The lines of a report in JaCoCo's XML."""
    found: Lines = {}
    for package in ET.fromstring(text).iter("package"):
        folder = package.attrib["name"]
        for file in package.iter("sourcefile"):
            name = file.attrib["name"]
            for each in file.iter("line"):
                numbers = Line(*(int(each.attrib[key]) for key in ("mi", "ci", "mb", "cb")))
                found[f"{folder}/{name}" if folder else name, int(each.attrib["nr"])] = numbers
    return found


def lines_of(coverage: Coverage) -> Lines:
    """The same of ours."""
    return {
        (file.name, number): Line(
            line.instructions.missed,
            line.instructions.covered,
            line.branch_count - line.branches_covered,
            line.branches_covered,
        )
        for file in coverage.files
        for number, line in file.lines.items()
    }
