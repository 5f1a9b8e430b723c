# SPDX-License-Identifier: Apache-2.0
"""Builds what a release consists of: sdist, wheels, VS Code extension, checksums.

Each function makes its files in one folder and returns their paths; `tools.release` calls them in
order. Wheels are built from the sdist, one for each CPython (pybind11 cannot use the stable ABI)
and processor, with the compilers of `tools.portable`; they are named by auditwheel, their symbols
are checked (`tools.symbols`), and they are tried (`tools.wheel_trial`).
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tools import portable, symbols, wheel_trial
from tools.progress import step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tools.interpreters import Interpreter

REPOSITORY: Final = Path(__file__).resolve().parents[1]
EXTENSION: Final = REPOSITORY / "vscode-extension"
CHECKSUMS: Final = "SHA256SUMS"
SBOM: Final = "sbom.cdx.json"
WHEEL_HAS: Final = (
    "jvmdebug/__init__.py",
    "jvmdebug/py.typed",
    "jvmdebug_pytest/py.typed",
    "jvmdebug/_agent/libjvmdebug.so",
    "jvmdebug_dap/__init__.py",
    "jvmdebug_cli/__init__.py",
    "jvmdebug_pytest/plugin.py",
)
_NATIVE_MODULE: Final = "jvmdebug/_native"

_LIBRARIES: Final = re.compile(r"jvmdebug/(_agent/libjvmdebug|_native\..*)\.so")

_SDIST: Final = (
    "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
)


class ArtifactError(Exception):
    """A file was built and is not what it should be."""


def build_sdist(folder: Path) -> Path:
    """The source distribution, with the tools of this virtual environment."""
    step("sdist", [sys.executable, "-c", _SDIST, str(folder)], cwd=REPOSITORY)
    return only(folder.glob("*.tar.gz"), f"sdist in {folder}")


def unpack(sdist: Path, folder: Path) -> Path:
    """The sources in that source distribution."""
    with tarfile.open(sdist) as archive:
        archive.extractall(fresh(folder), filter="data")
    return only(folder.iterdir(), f"folder in {sdist.name}")


def build_wheel(
    source: Path,
    interpreter: Interpreter,
    processor: str,
    work: Path,
    folder: Path,
    complete: Callable[[Path], None],
) -> Path:
    """A manylinux wheel for that interpreter and processor, tried after `complete` has put into it
    what pip does not.

    The agent is the same for all interpreters: they share a CMake build tree below `work`. Raises
    StepError, ArtifactError, NoZigError or TrialError.
    """
    shared = work / processor
    minor = interpreter.minor
    work = fresh(work / f"{minor}-{processor}")
    python = wheel_trial.environment(interpreter, work / "build")
    raw = fresh(work / "raw")
    compilers = portable.environment(processor, minor, shared / "zig")
    command = [python, "-m", "pip", "wheel", "-v", "--no-deps", "--wheel-dir", str(raw)]
    # CMake would strip with the system's strip, which does not know other processors.
    command += ["-C", "install.strip=false", "-C", f"build-dir={shared / 'cmake'}", str(source)]
    title = f"wheel for CPython {interpreter.version}, {processor}"
    step(title, command, about_s=240, environment=os.environ | compilers)
    repaired = fresh(work / "repaired")
    built = only(raw.glob("*.whl"), f"wheel in {raw}")
    tools = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-m", "auditwheel", "repair", "-w", str(repaired), str(built)]
    step(f"auditwheel, CPython {minor}, {processor}", command, environment=os.environ | tools)
    wheel = only(repaired.glob("*.whl"), f"wheel in {repaired}")
    if portable.platform_tag(processor) not in wheel.name:
        raise ArtifactError(f"{wheel.name} is not for {portable.platform_tag(processor)}")
    if lacking := missing_from(wheel, portable.module_suffix(processor, minor)):
        raise ArtifactError(f"{wheel.name} lacks {', '.join(lacking)}")
    if wrong := unportable(wheel, fresh(work / "libraries")):
        raise ArtifactError(f"{wheel.name} is not portable: {'; '.join(wrong)}")
    complete(wheel)
    if portable.is_native(processor):
        wheel_trial.try_wheel(wheel, interpreter, work)
    else:
        wheel_trial.try_agent(wheel, processor, work)
    return Path(shutil.move(wheel, folder / wheel.name))


def missing_from(wheel: Path, module_suffix: str) -> list[str]:
    """What a wheel of this project should contain and this one does not."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    return [name for name in (*WHEEL_HAS, f"{_NATIVE_MODULE}{module_suffix}") if name not in names]


def unportable(wheel: Path, folder: Path) -> list[str]:
    """What the libraries of a wheel, unpacked into that folder, need that old systems lack."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if _LIBRARIES.fullmatch(name)]
        paths = {name: Path(archive.extract(name, folder)) for name in names}
    return [
        f"{name}: {problem}"
        for name, path in paths.items()
        for problem in symbols.problems(path, portable=True)
    ]


def build_extension(folder: Path, version: str) -> Path:
    """The VS Code extension as a .vsix file; needs npm."""
    npm = shutil.which("npm")
    if npm is None:
        raise ArtifactError("the extension needs Node.js 20 or later with npm")
    target = folder / f"jvmdebug-{version}.vsix"
    _packages_of_extension(npm)
    step("extension", [npm, "run", "package", "--", "--out", str(target)], cwd=EXTENSION)
    return only(folder.glob(target.name), f"extension in {folder}")


def build_extension_with(program: Path, name: str, folder: Path, version: str) -> Path:
    """The VS Code extension for one platform (`linux-x64`), with the folder of a frozen program in
    it: it needs nothing else on the machine but a JDK. Needs npm. Raises StepError, ArtifactError.
    """
    npm = shutil.which("npm")
    if npm is None:
        raise ArtifactError("the extension needs Node.js 20 or later with npm")
    _packages_of_extension(npm)
    step("extension", [npm, "run", "build"], cwd=EXTENSION)
    stage = fresh(REPOSITORY / "build" / "vsix")
    for each in ("package.json", "README.md", "LICENSE", ".vscodeignore"):
        shutil.copy(EXTENSION / each, stage)
    for each in ("dist", "media"):
        shutil.copytree(EXTENSION / each, stage / each)
    shutil.copytree(program, stage / "jvmdebug", symlinks=True)
    target = folder / f"jvmdebug-{name}-{version}.vsix"
    vsce = EXTENSION / "node_modules" / "@vscode" / "vsce" / "vsce"
    command = [shutil.which("node") or "node", str(vsce), "package", "--no-dependencies"]
    command += ["--target", name, "--out", str(target)]
    step(f"extension for {name}", command, cwd=stage)
    return only(folder.glob(target.name), f"extension in {folder}")


def _packages_of_extension(npm: str) -> None:
    command = [npm, "ci", "--no-audit", "--no-fund"]
    step("packages of the extension", command, cwd=EXTENSION, about_s=20)


def write_sbom(python: Path, folder: Path) -> Path:
    """A CycloneDX list of the packages in that Python's environment: those of the archive, and what
    has built it.
    """
    target = folder / SBOM
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible"]
    step("SBOM", [*command, "--output-file", str(target), str(python)])
    return target


def without_files(folder: Path) -> Path:
    """The folder without files; the agents in folders of theirs stay."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.is_file():
            path.unlink()
    return folder


def write_checksums(folder: Path) -> Path:
    """SHA256SUMS of all files of that folder, as `sha256sum --check` reads it."""
    target = folder / CHECKSUMS
    files = sorted(path for path in folder.iterdir() if path.is_file() and path != target)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    target.write_text("".join(lines), encoding="utf-8")
    return target


def fresh(folder: Path) -> Path:
    """The folder, empty."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def only(paths: Iterable[Path], what: str) -> Path:
    """The one path that there should be."""
    found = list(paths)
    if len(found) != 1:
        raise ArtifactError(f"there should be one {what}, not {len(found)}")
    return found[0]
