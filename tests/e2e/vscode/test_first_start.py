# SPDX-License-Identifier: Apache-2.0
"""A VS Code that has another Java extension and no debugger: what a newcomer's machine is like."""

from __future__ import annotations

import json
import os
import shutil
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.vscode.conftest import EXTENSION, Person, run, vs_code

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.e2e.vscode.conftest import Driver

pytestmark = [
    pytest.mark.vscode,
    pytest.mark.slow,
    pytest.mark.variant,
    pytest.mark.timeout(780),
    pytest.mark.skipif(shutil.which("node") is None, reason="VS Code needs Node.js"),
]
HELLO = """\
import java.nio.file.Files;
import java.nio.file.Path;

public class Hello {
    public static void main(String[] args) throws Exception {
        Path file = Path.of("runs.txt");
        Files.writeString(file, Files.exists(file) ? Files.readString(file) + "I" : "I");
        System.out.println("Hello " + Files.readString(file).length());
    }
}
"""
# What the debugger of Microsoft's Java pack contributes, as far as it can be in the way.
OTHER = {
    "name": "vscode-java-debug",
    "publisher": "vscjava",
    "version": "0.1.0",
    "engines": {"vscode": "^1.90.0"},
    "main": "./main.js",
    "activationEvents": ["onLanguage:java", "onDebugResolve:java"],
    "contributes": {
        "breakpoints": [{"language": "java"}],
        "debuggers": [{"type": "java", "label": "Java", "program": "none.js"}],
    },
}
OTHER_MAIN = """\
const vscode = require("vscode");
exports.activate = (context) => {
  const provideCodeLenses = () => [
    new vscode.CodeLens(new vscode.Range(4, 0, 4, 0), { title: "Run", command: "other.run" }),
  ];
  context.subscriptions.push(
    vscode.languages.registerCodeLensProvider({ language: "java" }, { provideCodeLenses }),
    vscode.debug.registerDebugConfigurationProvider("java", {
      resolveDebugConfiguration: () => vscode.window.showErrorMessage("the other was asked"),
    }),
  );
};
"""


def other_extension(folder: Path) -> Path:
    folder.mkdir()
    (folder / "package.json").write_text(json.dumps(OTHER))
    (folder / "main.js").write_text(OTHER_MAIN)
    vsce = EXTENSION / "node_modules" / ".bin" / "vsce"
    package = folder / "other.vsix"
    options = ("--no-dependencies", "--skip-license", "--allow-missing-repository")
    run(vsce, "package", *options, "--out", package, cwd=folder, timeout_s=60)
    return package


def wheel(folder: Path) -> Path:
    """A package jvmdebug whose command is that of this environment: building ours takes minutes."""
    command = Path(sys.executable).parent / "jvmdebug"
    main = f"import os, sys\ndef main(): os.execv({str(command)!r}, sys.argv)\n"
    information = "jvmdebug-0.0.1.dist-info"
    files = {
        "jvmdebug_elsewhere.py": main,
        f"{information}/METADATA": "Metadata-Version: 2.1\nName: jvmdebug\nVersion: 0.0.1\n",
        f"{information}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{information}/entry_points.txt": (
            "[console_scripts]\njvmdebug = jvmdebug_elsewhere:main\n"
        ),
    }
    record = f"{information}/RECORD"
    made = folder / "jvmdebug-0.0.1-py3-none-any.whl"
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
        archive.writestr(record, "".join(f"{name},,\n" for name in (*files, record)))
    return made


@pytest.fixture
def url(packaged: Path, tmp_path: Path) -> Iterator[str]:
    """A VS Code in whose environment there is a Python, and no jvmdebug."""
    home = tmp_path / "home"
    home.mkdir()
    places = (f"{sys.base_prefix}/bin", "/usr/bin", "/bin")
    environment = {
        **{name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ},
        "HOME": str(home),
        "PATH": os.pathsep.join(each for each in places if not Path(each, "jvmdebug").exists()),
        "PIP_NO_INDEX": "1",
    }
    settings = {"jvmdebug.package": str(wheel(tmp_path))}
    extensions = [packaged, other_extension(tmp_path / "other")]
    with vs_code(tmp_path / "profile", extensions, settings, environment) as found:
        yield found


def test_the_debugger_is_found_or_installed_beside_another_java_extension(
    url: str, driver: Driver, tmp_path: Path
) -> None:
    workspace = tmp_path / "workspace"
    (workspace / ".venv" / "bin").mkdir(parents=True)
    (workspace / ".venv" / "bin" / "jvmdebug").symlink_to(Path(sys.executable).parent / "jvmdebug")
    (workspace / "Hello.java").write_text(HELLO)
    person = Person(url, driver, workspace, workspace)
    named = (r"jvmdebug is not installed",)
    seen = person.does("install", environment=str(workspace / ".venv"), named=named)
    assert {"Run", "Run (jvmdebug)", "Debug (jvmdebug)"} <= {
        each.strip() for each in seen["lenses"]
    }
