# SPDX-License-Identifier: Apache-2.0
"""Runs the agents that other systems load, as far as this machine can: `make platforms`.

`python -m tools.platforms [NAME...] [--short]`. A VM of the other system runs here, by qemu-user
(Linux aarch64) or wine (Windows); the core stays outside and connects by TCP. What runs are the
tests that this machine's own agent has, with another Java command and another library. For musl
there is no JVM: the agent's own tests, with the VM that does not exist, are linked for it and run.
Two VMs of this machine's platform that are not the usual HotSpot run the same tests
(`tools.other_vms`), with the agent of `make setup`.

The last line of each platform says how many tests ran and how many were skipped. It fails when none
ran, also because an emulator is missing; the Debian packages are named then.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.support import jdks as tests_jdks
from tools import agents, jdk, other_vms, portable
from tools.progress import StepError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

REPOSITORY: Final = Path(__file__).resolve().parents[1]
WORK: Final = REPOSITORY / "build" / "platforms"
JDK: Final = 25
_QUICK: Final = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Options of an emulated VM: a compiler that is slow itself is not worth its time."""
_LONGEST_TEST_S: Final = 300
_SLOW_START_S: Final = 120

WIRE: Final = (
    "tests/conformance/jdwp/test_agent.py",
    "tests/conformance/jdwp/test_events.py",
    "tests/conformance/jdwp/test_frames.py",
    "tests/conformance/jdwp/test_invocation.py",
    "tests/conformance/jdwp/test_redefinition.py",
    "tests/conformance/jdwp/test_second_debugger.py",
    "tests/conformance/jdwp/test_session.py",
    "tests/conformance/jdwp/test_steps.py",
    "tests/conformance/jdwp/test_suspension.py",
    "tests/conformance/jdwp/test_threads.py",
    "tests/conformance/jdwp/test_throws.py",
    "tests/conformance/jdwp/test_tokens.py",
)
"""Conversations with the agent, the agent's faults and hot swap among them."""
SESSIONS: Final = (
    "tests/e2e/core",
    "tests/e2e/script/test_breakpoints.py",
    "tests/e2e/script/test_probes.py",
    "tests/e2e/script/test_exceptions.py",
)
LATE: Final = ("tests/e2e/script/test_late_attach.py",)
POPPING: Final = (
    "tests/conformance/jdwp/test_invocation.py::test_pop_one_frame_and_run_it_again",
    "tests/conformance/jdwp/test_invocation.py::test_pop_several_frames",
    "tests/conformance/jdwp/test_invocation.py::test_frames_that_cannot_be_popped",
    "tests/e2e/script/test_probes.py::test_a_stop_at_a_probe_is_like_any_other",
)
"""Those that pop frames, beside what else they do: both of the other VMs pop none."""
SHORT: Final = (
    "tests/conformance/jdwp/test_agent.py",
    "tests/conformance/jdwp/test_steps.py",
    "tests/conformance/jdwp/test_redefinition.py",
)

_VMS: Final = ("lib/server/libjvm.so", "bin/server/jvm.dll")
_COUNT: Final = re.compile(r"(\d+) (passed|failed|error|errors|skipped|deselected)\b")
_DOCTEST: Final = re.compile(r"test cases: +(\d+) +\| +(\d+) passed +\| +(\d+) failed")


class PlatformError(Exception):
    """A platform cannot be tried on this machine; the message says what is missing."""


FAILURES: Final = (
    PlatformError,
    StepError,
    agents.AgentError,
    other_vms.OtherVmError,
    portable.NoZigError,
)


@dataclass(frozen=True, slots=True)
class Result:
    """How many tests ran, those that failed among them, and how many were skipped."""

    ran: int
    failed: int
    skipped: int

    def __add__(self, other: Result) -> Result:
        return Result(
            self.ran + other.ran, self.failed + other.failed, self.skipped + other.skipped
        )


@dataclass(frozen=True, slots=True)
class Platform:
    """How an agent is tried: `run` with whether only the short part is wanted."""

    name: str
    run: Callable[[bool], Result]


def linux_aarch64(short: bool) -> Result:  # noqa: FBT001 - it is called by the table only
    """A VM of that processor, by qemu; attaching to a running one as well."""
    emulator = _needed("qemu-aarch64-static", "qemu-user-static", "libc6-arm64-cross")
    libraries = Path("/usr/aarch64-linux-gnu")
    if not libraries.is_dir():
        raise PlatformError(f"there is no {libraries}: apt-get install libc6-arm64-cross")
    runtime = jdk.fetch_foreign(JDK, "aarch64")
    command = f'exec "{emulator}" -L "{libraries}" "{runtime}/bin/java" {_QUICK} "$@"'
    home = _home("linux-aarch64", runtime, command, "libjdwp.so")
    tests = SHORT if short else (*WIRE, *SESSIONS, *LATE)
    return _pytest(home, tests, agents.BY_NAME["linux-aarch64"].path)


def windows(short: bool) -> Result:  # noqa: FBT001 - it is called by the table only
    """A VM of Windows, by wine."""
    wine = _needed(_wine(), "wine64")
    runtime = jdk.fetch_foreign(JDK, "x86_64", "win_amd64")
    command = f"""\
# Java takes the class path apart at semicolons here, and finds /folder on the drive of its folder.
previous=""
for word; do
    shift
    case "$previous" in
        -cp|-classpath) word=$(printf %s "$word" | tr : \\;) ;;
    esac
    previous=$word
    set -- "$@" "$word"
done
export WINEDEBUG=-all WINEPREFIX="{WORK}/wine"
exec "{wine}" "{runtime}/bin/java.exe" {_QUICK} "$@\""""
    home = _home("windows-x86_64", runtime, command, "jdwp.dll")
    tests = SHORT if short else (*WIRE, *SESSIONS)
    return _pytest(home, tests, agents.BY_NAME["windows-x86_64"].path)


def musl(short: bool) -> Result:  # noqa: ARG001, FBT001 - all of it is short
    """The agent's own tests, linked with musl and nothing else."""
    target = agents.BY_NAME["linux-musl-x86_64"]
    result = Result(0, 0, 0)
    for program, versions in (("codec", ("",)), ("classfile", ("",)), ("agent", ("17", "25"))):
        built = _built_tests(target, f"jvmdebug_{program}_tests")
        for version in versions:
            environment = os.environ | ({"JVMDEBUG_FAKE_VM": version} if version else {})
            ran = subprocess.run(
                [str(built)], env=environment, capture_output=True, text=True, check=False
            )
            found = _DOCTEST.search(ran.stdout)
            if found is None or ran.returncode != 0:
                print(ran.stdout, ran.stderr)
            counted = [int(number) for number in found.groups()] if found else [1, 0, 1]
            result += Result(counted[0], counted[2] or int(ran.returncode != 0), 0)
    return result


def zero(short: bool) -> Result:  # noqa: FBT001 - it is called by the table only
    """HotSpot without a compiler, and with another interpreter."""
    return _other_vm("zero", other_vms.zero(), short=short)


def graal(short: bool) -> Result:  # noqa: FBT001 - it is called by the table only
    """HotSpot with the compiler of GraalVM."""
    return _other_vm("graal", other_vms.graal(), short=short)


def _other_vm(name: str, command: str, *, short: bool) -> Result:
    runtime = tests_jdks.jdk_of(other_vms.JDK)
    if runtime is None:
        raise PlatformError(f"there is no JDK {other_vms.JDK}: run `make jdks`")
    home = _home(name, runtime.home, f'exec {command} "$@"', "libjdwp.so")
    tests = SHORT if short else (*WIRE, *SESSIONS, *LATE)
    popping = [f"--deselect={each}" for each in POPPING]
    return _pytest(home, (*tests, *popping), version=other_vms.JDK)


PLATFORMS: Final = (
    Platform("zero", zero),
    Platform("graal", graal),
    Platform("linux-aarch64", linux_aarch64),
    Platform("linux-musl-x86_64", musl),
    Platform("windows-x86_64", windows),
)
BY_NAME: Final = {platform.name: platform for platform in PLATFORMS}


def _built_tests(target: agents.Target, goal: str) -> Path:
    """A test program of the agent for that system, linked without shared libraries."""
    doctest = WORK / "doctest"
    headers = Path("/usr/include/doctest")
    if not headers.is_dir():
        raise PlatformError("there is no doctest: apt-get install doctest-dev")
    doctest.mkdir(parents=True, exist_ok=True)
    # The header alone: beside it in /usr/include are those of this machine's libc.
    shutil.copytree(headers, doctest / "include" / "doctest", dirs_exist_ok=True)
    (doctest / "doctestConfig.cmake").write_text(
        "add_library(doctest::doctest INTERFACE IMPORTED)\n"
        "set_target_properties(doctest::doctest PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "
        '"${CMAKE_CURRENT_LIST_DIR}/include")\n'
        "set(doctest_VERSION 2.4.9)\n",
        encoding="utf-8",
    )
    (doctest / "doctestConfigVersion.cmake").write_text(
        'set(PACKAGE_VERSION "2.4.9")\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n', encoding="utf-8"
    )
    folder = agents.build(
        target,
        WORK / "tests",
        "-DJVMDEBUG_BUILD_TESTS=ON",
        f"-Ddoctest_DIR={doctest}",
        "-DCMAKE_EXE_LINKER_FLAGS=-static -s",
        goal=goal,
    )
    return folder / "native" / "tests" / goal


def _wine() -> str:
    """Debian keeps it outside of PATH."""
    return "/usr/lib/wine/wine64" if Path("/usr/lib/wine/wine64").exists() else "wine64"


def _needed(program: str, *packages: str) -> str:
    found = shutil.which(program)
    if found is None:
        raise PlatformError(f"there is no {program}: apt-get install {' '.join(packages)}")
    return found


def _home(name: str, runtime: Path, command: str, stock_agent: str) -> Path:
    """A folder that tests take for a JDK: its `java` runs that command."""
    home = WORK / name / "jdk"
    (home / "bin").mkdir(parents=True, exist_ok=True)
    (home / "lib").mkdir(exist_ok=True)
    path = home / "bin" / "java"
    path.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    path.chmod(0o755)
    shutil.copy(runtime / "release", home / "release")
    # By the VM itself the core knows for which platform an agent is needed.
    vm = next(each for each in _VMS if (runtime / each).is_file())
    (home / vm).parent.mkdir(parents=True, exist_ok=True)
    (home / vm).unlink(missing_ok=True)
    (home / vm).symlink_to((runtime / vm).resolve())
    stock = next(runtime.rglob(stock_agent), None)
    if stock is not None:  # it only says that there is one
        shutil.copy(stock, home / "lib" / "libjdwp.so")
    return home


def _pytest(
    home: Path, tests: Sequence[str], agent: Path | None = None, version: int = JDK
) -> Result:
    """Run these tests in the VM of that home, with that agent or the one of `make setup`."""
    environment = os.environ | ({} if agent is None else {"JVMDEBUG_AGENT": str(agent)})
    environment |= {
        "JVMDEBUG_TEST_JDKS": str(home),
        "JVMDEBUG_TEST_VERSIONS": str(version),
        "JVMDEBUG_TEST_SETS": "few",
        "JVMDEBUG_TEST_START_S": str(_SLOW_START_S),
    }
    command = [sys.executable, "-m", "pytest", "-q", "--tb=short", *tests, "-k", "not stock"]
    command += ["-m", "not slow", "--timeout", str(_LONGEST_TEST_S), "-p", "no:cacheprovider"]
    ran = subprocess.Popen(
        command, cwd=REPOSITORY, env=environment, stdout=subprocess.PIPE, text=True
    )
    last = ""
    for line in ran.stdout or ():
        print(line, end="", flush=True)
        last = line if _COUNT.search(line) else last
    ran.wait()
    counts = {word.rstrip("s"): int(number) for number, word in _COUNT.findall(last)}
    failed = counts.get("failed", 0) + counts.get("error", 0)
    if ran.returncode != 0 and failed == 0:
        failed = 1
    return Result(counts.get("passed", 0) + failed, failed, counts.get("skipped", 0))


def main() -> None:
    """Try these platforms; exits with what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BY_NAME))
    parser.add_argument("--short", action="store_true", help="a part of the tests of each")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in BY_NAME]:
        parser.error(f"no such platform: {', '.join(unknown)}")
    wrong = []
    for platform in [BY_NAME[name] for name in given.names] or PLATFORMS:
        try:
            result = platform.run(given.short)
        except FAILURES as error:
            print(f"{platform.name}: 0 ran: {error}")
            wrong.append(platform.name)
            continue
        said = f"{result.ran} ran, {result.failed} failed, {result.skipped} skipped"
        print(f"{platform.name}: {said}", flush=True)
        if result.failed or not result.ran:
            wrong.append(platform.name)
    sys.exit(f"not as it should be: {', '.join(wrong)}" if wrong else 0)


if __name__ == "__main__":
    main()
