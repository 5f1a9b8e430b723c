# SPDX-License-Identifier: Apache-2.0
"""Builds what a release consists of: sdist, wheels, VS Code extension, checksums.

Each function makes its files in one folder and returns their paths; `tools.release` calls them in
order. Wheels are built from the sdist, one for each CPython (pybind11 cannot use the stable ABI),
repaired by auditwheel and tried in an empty virtual environment.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tools.progress import step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.interpreters import Interpreter

REPOSITORY: Final = Path(__file__).resolve().parents[1]
EXTENSION: Final = REPOSITORY / "vscode-extension"
CHECKSUMS: Final = "SHA256SUMS"
WHEEL_HAS: Final = (
    "jvmdebug/__init__.py",
    "jvmdebug/py.typed",
    "jvmdebug/_agent/libjvmdebug.so",
    "jvmdebug_dap/__init__.py",
    "jvmdebug_cli/__init__.py",
)
_NATIVE_MODULE: Final = "jvmdebug/_native."

_SDIST: Final = (
    "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
)
_TRIAL_COMMANDS: Final = """\
break Basket.java:34
run
print item.name
"""
_TRIAL_SHOWS: Final = ("Breakpoint 1, Basket.total(Basket.java:34)", '"tea"')


class ArtifactError(Exception):
    """A file was built and is not what it should be."""


def build_sdist(folder: Path) -> Path:
    """The source distribution, with the tools of this virtual environment."""
    step("sdist", [sys.executable, "-c", _SDIST, str(folder)], cwd=REPOSITORY)
    return only(folder.glob("*.tar.gz"), f"sdist in {folder}")


def build_wheel(sdist: Path, interpreter: Interpreter, work: Path, folder: Path) -> Path:
    """A manylinux wheel for that interpreter, tried. Raises StepError or ArtifactError."""
    work = fresh(work / interpreter.minor)
    python = _environment(interpreter, work / "build")
    raw = fresh(work / "raw")
    step(
        f"wheel for CPython {interpreter.version}",
        [python, "-m", "pip", "wheel", "-v", "--no-deps", "--wheel-dir", str(raw), str(sdist)],
        about_s=90,
    )
    repaired = fresh(work / "repaired")
    built = only(raw.glob("*.whl"), f"wheel in {raw}")
    tools = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-m", "auditwheel", "repair", "-w", str(repaired), str(built)]
    step(f"auditwheel, CPython {interpreter.minor}", command, environment=os.environ | tools)
    wheel = only(repaired.glob("*.whl"), f"wheel in {repaired}")
    if lacking := missing_from(wheel):
        raise ArtifactError(f"{wheel.name} lacks {', '.join(lacking)}")
    _try(wheel, _environment(interpreter, work / "trial"), fresh(work / "folder"))
    return Path(shutil.move(wheel, folder / wheel.name))


def missing_from(wheel: Path) -> list[str]:
    """What a wheel of this project should contain and this one does not."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    lacking = [name for name in WHEEL_HAS if name not in names]
    if not any(name.startswith(_NATIVE_MODULE) for name in names):
        lacking.append(f"{_NATIVE_MODULE}*.so")
    return lacking


def _environment(interpreter: Interpreter, folder: Path) -> str:
    """An empty virtual environment; its Python."""
    subprocess.run([str(interpreter.path), "-m", "venv", str(folder)], check=True)
    return str(folder / "bin" / "python")


def _try(wheel: Path, python: str, folder: Path) -> None:
    """Install a wheel and debug a program with it, away from this repository."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    install = [python, "-m", "pip", "install", "--quiet", str(wheel)]
    step(f"install {wheel.name}", install, cwd=folder, environment=clean)
    shutil.copy(REPOSITORY / "examples" / "Basket.java", folder)
    (folder / "commands").write_text(_TRIAL_COMMANDS, encoding="utf-8")
    debugger = Path(python).with_name("jvmdebug")
    shown = step(
        "debug a program with it",
        [
            str(debugger),
            "launch",
            "--agent",
            "jvmdebug",
            "-x",
            "commands",
            "--batch",
            "Basket.java",
        ],
        cwd=folder,
        environment=clean,
    )
    if lacking := [text for text in _TRIAL_SHOWS if text not in shown]:
        raise ArtifactError(f"{wheel.name}: the session should show {lacking}; it was:\n{shown}")


def build_extension(folder: Path, version: str) -> Path:
    """The VS Code extension as a .vsix file; needs npm."""
    npm = shutil.which("npm")
    if npm is None:
        raise ArtifactError("the extension needs Node.js 20 or later with npm")
    target = folder / f"jvmdebug-{version}.vsix"
    command = [npm, "ci", "--no-audit", "--no-fund"]
    step("packages of the extension", command, cwd=EXTENSION, about_s=20)
    step("extension", [npm, "run", "package", "--", "--out", str(target)], cwd=EXTENSION)
    return only(folder.glob("*.vsix"), f"extension in {folder}")


def write_checksums(folder: Path) -> Path:
    """SHA256SUMS of all files of that folder, as `sha256sum --check` reads it."""
    target = folder / CHECKSUMS
    files = sorted(path for path in folder.iterdir() if path.is_file() and path != target)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    target.write_text("".join(lines), encoding="utf-8")
    return target


def fresh(folder: Path) -> Path:
    """That folder, empty."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def only(paths: Iterable[Path], what: str) -> Path:
    """The one path that there should be."""
    found = list(paths)
    if len(found) != 1:
        raise ArtifactError(f"there should be one {what}, not {len(found)}")
    return found[0]
