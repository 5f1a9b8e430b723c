# SPDX-License-Identifier: Apache-2.0
"""Emacs and Neovim debug a Java file with the lines of docs/how-to/editors.md, as they stand there.

Each editor runs without a screen; a script beside this file is the person who uses it, and writes
down what was seen. `make editors` brings the editors.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.debuggees import Debuggee, debuggee
from tests.support.editors import Editor, emacs, neovim, nvim_dap
from tests.support.jdks import REPOSITORY, newest_compiler
from tests.support.libraries import maven

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).resolve().parent
DOCUMENT = REPOSITORY / "docs" / "how-to" / "editors.md"
EMACS = emacs()
NEOVIM = neovim()
PLUGIN = nvim_dap()
TIMEOUT_S = 150
_HARMLESS = re.compile(
    r"No message handler for|Debug session process exited with status: (?:killed|finished)"
)
_IMPATIENT = re.compile(r"Sentinel for .* still hasn't run, deleting|Server exited with status 9$")
"""Emacs gives a process that was told to end 0.1 s for that, which is little on a busy machine."""
_ALARMING = re.compile(r"(?i)error|warning|fail|wrong|unable|void|exited with status [^0]")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(TIMEOUT_S + 30)]
needs_emacs = pytest.mark.skipif(
    EMACS is None, reason="no Emacs 30 in build/editors: `make editors` brings it"
)
needs_neovim = pytest.mark.skipif(
    NEOVIM is None or PLUGIN is None,
    reason="no Neovim with nvim-dap in build/editors: `make editors` brings them, where GitHub is"
    " reachable",
)


def documented(heading: str) -> str:
    """The code block below a heading of the document."""
    _, found, section = DOCUMENT.read_text().partition(f"## {heading}\n")
    assert found, f"{DOCUMENT} has no section {heading}"
    block = re.search(r"^```\w+\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
    assert block is not None, f"no lines to copy in {heading}"
    return block[1]


def debug(
    editor: Editor | None, script: list[str], lines: str, file: Path, line: int, folder: Path
) -> dict[str, Any]:
    """What the person in the script saw."""
    assert editor is not None
    (folder / "home").mkdir()
    (folder / "lines").write_text(lines)
    report = folder / "report.json"
    environment = {
        **os.environ,
        **editor.environment,
        "HOME": str(folder / "home"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "JAVA_HOME": str(newest_compiler().home),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "EDITED_FILE": str(file),
        "BREAK_LINE": str(line),
        "LINES": str(folder / "lines"),
        "REPORT": str(report),
    }
    ran = subprocess.run(
        [*editor.command, *script],
        cwd=file.parent,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=TIMEOUT_S,
        check=False,
    )
    assert report.is_file(), f"the editor ended with {ran.returncode}:\n{ran.stdout}{ran.stderr}"
    seen: dict[str, Any] = json.loads(report.read_text())
    return seen


def in_dape(file: Path, line: int, folder: Path) -> dict[str, Any]:
    lines = documented("Emacs (dape)")
    return debug(EMACS, ["-l", str(HERE / "dape.el")], lines, file, line, folder)


def in_dap_mode(file: Path, line: int, folder: Path) -> dict[str, Any]:
    lines = documented("Emacs (dap-mode)")
    return debug(EMACS, ["-l", str(HERE / "dap-mode.el")], lines, file, line, folder)


def in_neovim(file: Path, line: int, folder: Path) -> dict[str, Any]:
    script = ["-u", "NONE", "--cmd", f"set rtp+={PLUGIN}", "-S", str(HERE / "nvim.lua")]
    return debug(NEOVIM, script, documented("Neovim (nvim-dap)"), file, line, folder)


EDITORS = [
    pytest.param(in_dape, id="dape", marks=needs_emacs),
    pytest.param(in_dap_mode, id="dap-mode", marks=needs_emacs),
    pytest.param(in_neovim, id="neovim", marks=needs_neovim),
]


def is_quiet(seen: dict[str, Any]) -> None:
    """Nothing that a user would take for an error was shown after our lines were loaded."""
    assert "gave-up" not in seen, seen
    warnings = (seen.get("warnings") or "").splitlines()
    assert not [line for line in warnings if not _IMPATIENT.search(line)], warnings
    assert not seen.get("notices"), seen["notices"]
    told = [line for line in seen["messages"].splitlines() if not _HARMLESS.search(line)]
    told = [line for line in told if not _IMPATIENT.search(line)]
    assert not [line for line in told if _ALARMING.search(line)], told


@pytest.mark.parametrize("edit", EDITORS)
def test_a_file_is_debugged_with_the_documented_lines(
    edit: Callable[[Path, int, Path], dict[str, Any]], tmp_path: Path
) -> None:
    program: Debuggee = debuggee("script", "Changes")
    file = tmp_path / "Changes.java"
    shutil.copy(program.source("Changes.java"), file)
    seen = edit(file, program.marker("boxed"), tmp_path)
    is_quiet(seen)
    assert seen["line"] == program.marker("boxed")
    assert seen["method"] == "Changes.boxed(int)"
    assert seen["variables"]["value"] == "2"
    assert seen.get("evaluated", "3") == "3"
    assert "4 3 text 1101" in seen.get("output", "") + seen.get("console", "") or edit is in_neovim


@pytest.mark.network
@pytest.mark.skipif(maven() is None, reason="there is no Maven (mvn) on this machine")
@pytest.mark.parametrize("edit", EDITORS[:2])
def test_a_file_of_a_maven_project_is_debugged(
    edit: Callable[[Path, int, Path], dict[str, Any]], tmp_path: Path
) -> None:
    folder = tmp_path / "shop" / "src" / "main" / "java" / "shop"
    folder.mkdir(parents=True)
    (tmp_path / "shop" / "pom.xml").write_text(
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>shop</groupId><artifactId>shop</artifactId><version>1</version><properties>"
        "<maven.compiler.release>17</maven.compiler.release></properties><build><plugins><plugin>"
        "<artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin></plugins>"
        "</build></project>"
    )
    file = folder / "Main.java"
    file.write_text(
        "package shop;\nclass Main {\n    public static void main(String[] args) {\n"
        '        int total = 3;\n        System.out.println("sum " + total);\n    }\n}\n'
    )
    seen = edit(file, 5, tmp_path)
    is_quiet(seen)
    assert seen["method"] == "Main.main(String[])"
    assert seen["variables"]["total"] == "3"
