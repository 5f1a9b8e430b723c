# SPDX-License-Identifier: Apache-2.0
"""Puts the agents of all platforms into a wheel: a debugger attaches to JVMs of other systems.

Also builds the wheel for machines that have no compiled one, `py3-none-any`: it has no compiled
module (`jvmdebug.pure` takes its place) and, like all wheels, the agents that `make agents` has
built. `python -m tools.wheel_agents` builds that wheel into dist/.
"""

from __future__ import annotations

import base64
import hashlib
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.platform.binaries import PLATFORMS
from tools.artifacts import only
from tools.progress import StepError, step

if TYPE_CHECKING:
    from collections.abc import Mapping

REPOSITORY: Final = Path(__file__).resolve().parents[1]
DIST: Final = REPOSITORY / "dist"
AGENTS: Final = DIST / "agents"
_IN_WHEEL: Final = "jvmdebug/agents"
_WITHOUT_CMAKE: Final = ("wheel.cmake=false", "wheel.py-api=py3", "wheel.platlib=false")
_PERMISSIONS: Final = 0o100644 << 16
_FIRST_TIME: Final = (1980, 1, 1, 0, 0, 0)


class NoAgentsError(Exception):
    """There is no agent to put into a wheel."""


def agents_in(folder: Path) -> dict[str, Path]:
    """The agents by their names in a wheel: `jvmdebug/agents/linux-x86_64/libjvmdebug.so`."""
    return {
        f"{_IN_WHEEL}/{name}/{library.name}": library
        for name in PLATFORMS
        for library in sorted((folder / name).glob("*jvmdebug.*"))
        if library.suffix in {".so", ".dylib", ".dll"}
    }


def add_files(wheel: Path, files: Mapping[str, Path]) -> None:
    """Add files to a wheel, and to its RECORD; the same bytes for the same files."""
    made = wheel.with_suffix(".new")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        record = next(name for name in old.namelist() if name.endswith(".dist-info/RECORD"))
        kept = [each for each in old.infolist() if each.filename not in {record, *files}]
        for each in kept:
            new.writestr(each, old.read(each), zipfile.ZIP_DEFLATED)
        lines = [
            line
            for line in old.read(record).decode("utf-8").splitlines()
            if line.partition(",")[0] not in files
        ]
        for name, path in files.items():
            content = path.read_bytes()
            new.writestr(_entry(name), content, zipfile.ZIP_DEFLATED)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
            lines.insert(0, f"{name},sha256={digest.decode()},{len(content)}")
        new.writestr(_entry(record), "\n".join(lines) + "\n", zipfile.ZIP_DEFLATED)
    made.replace(wheel)


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _FIRST_TIME)
    entry.external_attr = _PERMISSIONS
    return entry


def found_agents(folder: Path = AGENTS) -> dict[str, Path]:
    """The same; raises NoAgentsError if there is none."""
    found = agents_in(folder)
    if not found:
        raise NoAgentsError(f"there are no agents in {folder}: `make agents` builds them")
    return found


def build_pure_wheel(source: Path, folder: Path, agents: Path = AGENTS) -> Path:
    """The wheel for every machine. Raises StepError, NoAgentsError."""
    found = found_agents(agents)
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    for each in _WITHOUT_CMAKE:
        command += ["-C", each]
    step("wheel for every machine", [*command, "--wheel-dir", str(folder), str(source)])
    wheel = only(folder.glob("*-py3-none-any.whl"), f"wheel for every machine in {folder}")
    add_files(wheel, found)
    lacking = [name for name in PLATFORMS if not any(f"/{name}/" in each for each in found)]
    if lacking:
        print(f"{wheel.name} is without the agents for {', '.join(lacking)}", flush=True)
    return wheel


def main() -> None:
    """Build the wheel for every machine, and try it."""
    from tools import interpreters, wheel_trial  # noqa: PLC0415 - it takes a virtual environment

    DIST.mkdir(exist_ok=True)
    try:
        wheel = build_pure_wheel(REPOSITORY, DIST)
        print(f"  {wheel.relative_to(REPOSITORY)}  {wheel.stat().st_size / 1e6:.2f} MB")
        minor = f"{sys.version_info.major}.{sys.version_info.minor}"
        wheel_trial.try_wheel(wheel, interpreters.find()[minor], wheel_trial.WORK / "pure")
    except (StepError, NoAgentsError, wheel_trial.TrialError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
