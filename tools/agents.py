# SPDX-License-Identifier: Apache-2.0
"""Builds the agent for all systems: `make agents`, `python -m tools.agents [NAME...]`.

Each is built on this machine with zig (`tools.portable`), with warnings as errors, into
`dist/agents/NAME/`, for instance `dist/agents/linux-aarch64/libjvmdebug.so`. A library is checked
before it is put there: what it exports is what native/agent/exports.map names, it needs no system
newer than the one that its target names, and it is smaller than 2 MB (`tools.binaries`). Sources
and compiler decide every byte of it: no path and no time is in it, and `--twice` builds each a
second time, in another folder, and compares.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.support.jdks import discover
from tools import binaries, portable
from tools.progress import StepError, step

if TYPE_CHECKING:
    from collections.abc import Sequence

REPOSITORY: Final = Path(__file__).resolve().parents[1]
DIST: Final = REPOSITORY / "dist" / "agents"
WORK: Final = REPOSITORY / "build" / "agents"
LARGEST: Final = 2_000_000
"""Bytes that an agent may have: a wheel carries those of all systems."""

_JNI: Final = REPOSITORY / "native" / "agent" / "platform" / "jni"
_ABOUT_S: Final = 150
_FLAGS: Final = (
    "-Os -g0 -fPIC -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables"
    " -Xclang -fmerge-functions"
)
"""With -Os the C++ library that zig makes for them is small too. What templates become for
different types is often the same code: it is merged.
"""


@dataclass(frozen=True, slots=True)
class Target:
    """A system and processor; `zig`: as zig names it, with the oldest version that will do."""

    name: str
    zig: str
    system: str
    processor: str
    library: str = "libjvmdebug.so"

    @property
    def path(self) -> Path:
        """The path of the finished library."""
        return DIST / self.name / self.library


_OLDEST_GLIBC: Final = ".".join(map(str, binaries.OLDEST_GLIBC))
_OLDEST_MACOS: Final = ".".join(map(str, binaries.OLDEST_MACOS))
TARGETS: Final = (
    Target("linux-x86_64", f"x86_64-linux-gnu.{_OLDEST_GLIBC}", "Linux", "x86_64"),
    Target("linux-aarch64", f"aarch64-linux-gnu.{_OLDEST_GLIBC}", "Linux", "aarch64"),
    Target("linux-musl-x86_64", "x86_64-linux-musl", "Linux", "x86_64"),
    Target("linux-musl-aarch64", "aarch64-linux-musl", "Linux", "aarch64"),
    Target("macos-arm64", f"aarch64-macos.{_OLDEST_MACOS}", "Darwin", "arm64", "libjvmdebug.dylib"),
    Target(
        "macos-x86_64", f"x86_64-macos.{_OLDEST_MACOS}", "Darwin", "x86_64", "libjvmdebug.dylib"
    ),
    Target("windows-x86_64", "x86_64-windows-gnu", "Windows", "AMD64", "jvmdebug.dll"),
)
BY_NAME: Final = {target.name: target for target in TARGETS}


class AgentError(Exception):
    """An agent was built and is not what it should be, or cannot be built here."""


def build(target: Target, work: Path, *extra: str, goal: str = "jvmdebug_agent") -> Path:
    """Builds the agent, or another goal of CMake, in that folder; the folder of what was built.

    Raises StepError, AgentError or NoZigError.
    """
    folder = work / target.name
    tools = portable.wrappers(target.zig, folder / "zig")
    settings = {
        "CMAKE_BUILD_TYPE": "Release",
        # With the same for all that CMake tries, zig builds its C++ library once.
        "CMAKE_CXX_FLAGS": f"{_FLAGS} -ffile-prefix-map={REPOSITORY}=.",
        "CMAKE_CXX_FLAGS_RELEASE": "-DNDEBUG",
        "CMAKE_SHARED_LINKER_FLAGS": "-s",
        "CMAKE_MODULE_LINKER_FLAGS": "-s",
        "CMAKE_TRY_COMPILE_TARGET_TYPE": "STATIC_LIBRARY",
        "CMAKE_CXX_COMPILER": str(tools["c++"]),
        "CMAKE_CXX_COMPILER_LAUNCHER": "",
        "CMAKE_AR": str(tools["ar"]),
        "CMAKE_RANLIB": str(tools["ranlib"]),
        "CMAKE_SYSTEM_NAME": target.system,
        "CMAKE_SYSTEM_PROCESSOR": target.processor,
        # Reading headers is most of the work: few large files take half of the time.
        "CMAKE_UNITY_BUILD": "ON",
        "CMAKE_UNITY_BUILD_BATCH_SIZE": "64",
        "JVMDEBUG_BUILD_PYTHON": "OFF",
        "JVMDEBUG_WERROR": "ON",
        "JVMTI_INCLUDE_DIR": str(_headers()),
        "JVMTI_PLATFORM_INCLUDE_DIR": str(_JNI),
    }
    cmake = [_tool("cmake"), "-S", str(REPOSITORY), "-B", str(folder), "-G", "Ninja"]
    cmake += [f"-D{name}={value}" for name, value in settings.items()]
    cmake += [f"-DCMAKE_MAKE_PROGRAM={_tool('ninja')}", *extra]
    step(f"{target.name}: configure", cmake, environment=_environment())
    jobs = str(min(2, os.cpu_count() or 1))
    command = [_tool("cmake"), "--build", str(folder), "-j", jobs, "--target", goal]
    step(f"{target.name}: {goal}", command, about_s=_ABOUT_S, environment=_environment())
    return folder


def make(target: Target, *, twice: bool) -> list[str]:
    """Builds, checks and stores the agent for a target; what is wrong with it."""
    built = build(target, WORK) / "native" / "agent" / target.library
    wrong = binaries.problems(built, target.name)
    if built.stat().st_size >= LARGEST:
        wrong.append(f"it has {built.stat().st_size} bytes, and should have less than {LARGEST}")
    if twice:
        again = build(target, WORK / "again") / "native" / "agent" / target.library
        if again.read_bytes() != built.read_bytes():
            wrong.append(f"{again} was built of the same sources and differs")
    if not wrong:
        target.path.parent.mkdir(parents=True, exist_ok=True)
        new = target.path.with_suffix(".new")
        shutil.copyfile(built, new)
        new.replace(target.path)  # a VM may have loaded the old one
    return [f"{target.name}: {each}" for each in wrong]


def table(targets: Sequence[Target]) -> str:
    """One line for each agent that is there: name, file, size, what it needs."""
    lines = [("agent", "file", "MB", "needs")]
    for target in targets:
        if target.path.exists():
            size = f"{target.path.stat().st_size / 1e6:.2f}"
            lines.append((target.name, target.library, size, binaries.needs(target.path)))
    widths = [max(len(line[column]) for line in lines) for column in range(3)]
    return "\n".join(
        "  ".join(
            [*(word.ljust(width) for word, width in zip(line, widths, strict=False)), line[3]]
        )
        for line in lines
    )


def _environment() -> dict[str, str]:
    """No flags and no launcher of the developer's, who may have some for another compiler."""
    left_out = {"CXXFLAGS", "CPPFLAGS", "LDFLAGS", "CMAKE_CXX_COMPILER_LAUNCHER", "JAVA_HOME"}
    return {name: value for name, value in os.environ.items() if name not in left_out}


def _headers() -> Path:
    """The folder of jni.h and jvmti.h, which are the same on all systems."""
    for jdk in discover():
        if jdk.has_headers:
            return jdk.home / "include"
    raise AgentError("no JDK with jvmti.h: set JAVA_HOME to one, or run `make setup`")


def _tool(name: str) -> str:
    """A program of the virtual environment."""
    return str(Path(sys.executable).with_name(name))


def main() -> None:
    """Build these agents; exits with what is wrong with them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BY_NAME))
    parser.add_argument("--twice", action="store_true", help="build each twice and compare")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in BY_NAME]:
        parser.error(f"no such agent: {', '.join(unknown)}")
    targets = [BY_NAME[name] for name in given.names] or list(TARGETS)
    wrong: list[str] = []
    for target in targets:
        try:
            wrong += make(target, twice=given.twice)
        except (StepError, AgentError, portable.NoZigError, binaries.FormatError) as error:
            wrong.append(f"{target.name}: {error}")
    print(table(targets))
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
