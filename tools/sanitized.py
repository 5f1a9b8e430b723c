# SPDX-License-Identifier: Apache-2.0
"""Tests of the agent with AddressSanitizer and UBSan in it: `python -m tools.sanitized [ARGS]`.

Builds the agent with the preset `asan`, runs the C++ tests, makes a wrapper of each JDK whose
`java` preloads the sanitizer's runtime (into the VM only: neither pytest nor javac should carry
it), and runs the tests marked `agent` with those. ARGS go to pytest. Fails when a test fails, and
when a report names our code even though every test passed. `--build-only` ends after the build.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.jdks import REPOSITORY, Jdk, jdks_to_test
from tools.tests import run_tests

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BUILD = REPOSITORY / "build" / "asan"
REPORTS = BUILD / "reports"

# The VM raises and handles SIGSEGV itself (null checks, safepoints): the sanitizer must not.
_VM_SIGNALS = "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0"


def build(preset: str) -> Path:
    """The agent of that preset."""
    cmake = Path(sys.executable).with_name("cmake")
    environment = os.environ | {"PATH": f"{cmake.parent}{os.pathsep}{os.environ['PATH']}"}
    configure = [str(cmake), "--preset", preset]
    for command in (configure, [str(cmake), "--build", "--preset", preset]):
        subprocess.run(command, cwd=REPOSITORY, env=environment, check=True)
    built = list((REPOSITORY / "build" / preset).glob("native/agent/**/libjvmdebug.so"))
    if len(built) != 1:
        raise SystemExit(f"preset {preset} made {built or 'no libjvmdebug.so'}: one was expected")
    return built[0]


def test_codec() -> None:
    """The C++ tests, under the same sanitizers."""
    ctest = Path(sys.executable).with_name("ctest")
    command = [
        str(ctest),
        "--test-dir",
        str(BUILD),
        "--output-on-failure",
        "--no-tests=error",
        "--parallel",
        "2",
        "--repeat",
        "until-pass:2",
    ]
    subprocess.run(command, cwd=REPOSITORY, check=True)


def runtime(name: str) -> str:
    """The path of a library of the compiler that built the agent."""
    compiler = os.environ.get("CXX", "g++")
    command = [compiler, f"-print-file-name={name}"]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    return str(Path(ran.stdout.strip()).resolve())


def look_alike(
    jdk: Jdk, folder: Path, settings: Mapping[str, str], options: Sequence[str] = ()
) -> Path:
    """A wrapper of a JDK whose `java` sets these environment variables, with these VM options."""
    home = folder / str(jdk.version)
    if home.exists():
        shutil.rmtree(home)
    (home / "bin").mkdir(parents=True)
    for entry in (*jdk.home.iterdir(), *(jdk.home / "bin").iterdir()):
        link = home / entry.relative_to(jdk.home)
        if entry.name not in {"bin", "java"}:
            link.symlink_to(entry)
    assignments = " ".join(f"{name}={shlex.quote(value)}" for name, value in settings.items())
    java = home / "bin" / "java"
    command = shlex.join([str(jdk.java), *options])
    java.write_text(f'#!/bin/sh\nexec env {assignments} {command} "$@"\n')
    java.chmod(0o755)
    return home


def sanitizing(jdk: Jdk) -> Path:
    """A JDK whose `java` preloads the sanitizer's runtime."""
    settings = {
        # Without libstdc++ beside it the sanitizer finds no __cxa_throw to intercept.
        "LD_PRELOAD": f"{runtime('libasan.so')} {runtime('libstdc++.so.6')}",
        "ASAN_OPTIONS": f"{_VM_SIGNALS}:detect_leaks=0:exitcode=77:log_path={REPORTS}/report",
        "UBSAN_OPTIONS": f"print_stacktrace=1:exitcode=78:log_path={REPORTS}/report",
    }
    return look_alike(jdk, BUILD / "jdks", settings)


def main() -> None:
    """Build, run, and check the reports."""
    agent = build("asan")
    if sys.argv[1:] == ["--build-only"]:
        return
    test_codec()
    shutil.rmtree(REPORTS, ignore_errors=True)
    REPORTS.mkdir(parents=True)
    homes = [str(sanitizing(jdk)) for jdk in jdks_to_test()]
    environment = os.environ | {
        "JVMDEBUG_AGENT": str(agent),
        "JVMDEBUG_TEST_JDKS": os.pathsep.join(homes),
        "JAVA_HOME": homes[0],
        "PATH": f"{homes[0]}/bin{os.pathsep}{os.environ['PATH']}",
    }
    # What the sanitizer keeps back of freed memory would count as the agent's in tests/scale.
    selection = ["-m", "agent and not slow", "--ignore=tests/scale", "--timeout=180"]
    code = run_tests([*selection, *sys.argv[1:]], environment)
    reports = sorted(REPORTS.iterdir())
    for report in reports:
        print(f"--- {report.name}", report.read_text(errors="replace")[:8000], sep="\n")
    if reports:
        raise SystemExit(f"{len(reports)} sanitizer report(s)")
    sys.exit(code)


if __name__ == "__main__":
    main()
