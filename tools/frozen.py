# SPDX-License-Identifier: Apache-2.0
"""Freezes `jvmdebug` into an archive that needs no Python: `make frozen`, `make vsix`.

Builds a wheel of this tree, installs it into a virtual environment of its own with what the relay
and the server for assistants need, has PyInstaller freeze that (`packaging/frozen/jvmdebug.spec`),
adds the agents of all platforms that `make agents` has built, and packs the folder as
`dist/jvmdebug-linux-x64.tar.gz`; on another system that has its name. The archive is tried: it is
unpacked, and a program is debugged with it, in an environment without Python
(`tools.frozen_trial`). With --vsix the VS Code extension for this platform is made of the same
folder: `dist/jvmdebug-linux-x64-VERSION.vsix`.
"""

from __future__ import annotations

import argparse
import gzip
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Final

from jvmdebug.platform.binaries import PLATFORMS, this_platform
from tools.artifacts import ArtifactError, build_extension_with, fresh, only
from tools.progress import StepError, step
from tools.version import version
from tools.wheel_agents import AGENTS, NoAgentsError, agents_in, build_pure_wheel

REPOSITORY: Final = Path(__file__).resolve().parents[1]
DIST: Final = REPOSITORY / "dist"
WORK: Final = REPOSITORY / "build" / "frozen"
SPEC: Final = REPOSITORY / "packaging" / "frozen" / "jvmdebug.spec"
MOST_BYTES: Final = 40 << 20
"""Of the archive, without DuckDB and Arrow."""

NAMES: Final = {
    "linux-x86_64": "linux-x64",
    "linux-aarch64": "linux-arm64",
    "linux-musl-x86_64": "alpine-x64",
    "linux-musl-aarch64": "alpine-arm64",
    "macos-arm64": "darwin-arm64",
    "macos-x86_64": "darwin-x64",
    "windows-x86_64": "win32-x64",
}
"""The platforms as VS Code names them, and so the files."""
_CONTENTS: Final = "lib"
"""The folder of the archive with everything but the program, as the spec names it."""


def archive_of(name: str) -> Path:
    """The archive for a platform, whether it is built or not."""
    return DIST / f"jvmdebug-{NAMES[name]}.tar.gz"


def freeze(*, pure: bool = False) -> Path:
    """The folder with the frozen program. Raises StepError, ArtifactError.

    `pure`: without the compiled module, which a system may have no compiler for.
    """
    wheel = build_pure_wheel(REPOSITORY, fresh(WORK / "wheel")) if pure else _wheel()
    frozen_by = _environment(wheel)
    made = fresh(WORK / "made")
    command = [str(frozen_by), "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"]
    command += ["--distpath", str(made), "--workpath", str(fresh(WORK / "work")), str(SPEC)]
    step("PyInstaller", command, about_s=60, cwd=WORK, environment=_clean())
    folder = only(made.iterdir(), f"folder in {made}")
    _add_agents(folder / _CONTENTS / "jvmdebug", wheel)
    shutil.copy(REPOSITORY / "LICENSE", folder)
    return folder


def _wheel() -> Path:
    folder = fresh(WORK / "wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    command += ["--wheel-dir", str(folder), str(REPOSITORY)]
    step("wheel of this tree", command, about_s=120)
    return only(folder.glob("*.whl"), f"wheel in {folder}")


def _environment(wheel: Path) -> Path:
    """The Python of an environment with the wheel and PyInstaller; what else is there stays."""
    if not python().exists():
        subprocess.run([sys.executable, "-m", "venv", str(WORK / "venv")], check=True)
    pip = [str(python()), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    group = [*pip, "--group", f"{REPOSITORY / 'pyproject.toml'}:frozen"]
    step("PyInstaller's packages", [*pip, "--upgrade", "pip>=25.1"], environment=_clean())
    step("PyInstaller", group, environment=_clean())
    step("what is frozen", [*pip, f"{wheel}[relay,mcp]"], environment=_clean())
    again = [*pip, "--force-reinstall", "--no-deps", str(wheel)]  # of the same version
    step("jvmdebug", again, environment=_clean())
    return python()


def _clean() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def _add_agents(package: Path, wheel: Path) -> None:
    """The agents for all platforms; for that of this machine the wheel's own, if there is no other.

    They are copied after PyInstaller has run, which would look into each for what it needs here.
    """
    agents = agents_in(AGENTS)
    for place, library in agents.items():
        target = package.parent / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, target)
    found = {library.parent.name for library in agents.values()}
    if this_platform() not in found:
        with zipfile.ZipFile(wheel) as archive:
            own = [name for name in archive.namelist() if name.startswith("jvmdebug/_agent/")]
            for each in own:
                archive.extract(each, package.parent)
        if not own:
            raise ArtifactError(f"{wheel.name} has no agent for this machine")
    lacking = [name for name in PLATFORMS if name not in found]
    if lacking:
        print(f"without the agents for {', '.join(lacking)}: `make agents` builds them", flush=True)


def pack(folder: Path, target: Path) -> Path:
    """The folder as an archive; the same bytes for the same contents. Raises ArtifactError."""
    target.parent.mkdir(parents=True, exist_ok=True)
    moment = int(os.environ.get("SOURCE_DATE_EPOCH", "0")) or _commit_time()
    with (
        target.open("wb") as file,
        gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for path in sorted(folder.rglob("*")):
            entry = archive.gettarinfo(path, f"{folder.name}/{path.relative_to(folder)}")
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = ""
            entry.mtime = moment
            if entry.isfile():
                with path.open("rb") as content:
                    archive.addfile(entry, content)
            else:
                archive.addfile(entry)
    size = target.stat().st_size
    if size > MOST_BYTES:
        raise ArtifactError(f"{target.name} has {size} bytes, more than {MOST_BYTES}")
    return target


def _commit_time() -> int:
    command = ["git", "log", "-1", "--format=%ct"]
    ran = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    return int(ran.stdout.strip() or 0)


def build(
    *, with_extension: bool, tried: bool = True, pure: bool = False, again: bool = False
) -> list[Path]:
    """The archive for this platform and, if wanted, the extension with it. Raises StepError,
    ArtifactError, NoAgentsError, TrialError.
    """
    from tools import frozen_trial  # noqa: PLC0415 - it takes what only tests need

    folder = WORK / "made" / "jvmdebug" if again else freeze(pure=pure)
    made = [pack(folder, archive_of(this_platform()))]
    if tried:
        frozen_trial.try_archive(made[0], WORK / "trial", pure=pure)
    if with_extension:
        name = NAMES[this_platform()]
        made.append(build_extension_with(folder, name, DIST, version(REPOSITORY)))
    return made


def python() -> Path:
    """The Python of the environment that is frozen."""
    return WORK / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def main() -> None:
    """Freeze, pack and try it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--untried", action="store_true", help="do not try the archive")
    parser.add_argument("--vsix", action="store_true", help="make the extension with it, too")
    parser.add_argument("--again", action="store_true", help="use what is frozen already")
    parser.add_argument("--pure", action="store_true", help="without the compiled module")
    given = parser.parse_args()
    from tools import frozen_trial  # noqa: PLC0415 - see `build`

    try:
        made = build(
            with_extension=given.vsix,
            tried=not given.untried,
            pure=given.pure,
            again=given.again,
        )
    except (StepError, ArtifactError, NoAgentsError, frozen_trial.TrialError) as error:
        sys.exit(str(error))
    for path in made:
        print(f"  {path.relative_to(REPOSITORY)}  {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
