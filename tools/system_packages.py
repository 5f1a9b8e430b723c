# SPDX-License-Identifier: Apache-2.0
"""Checks for what no Python package can bring: C++ compiler, Python headers, a JDK, doctest.

Run by `make setup` before there is a virtual environment, so it uses the standard library only.
On a Debian-like machine, as root, it installs what is missing; otherwise it prints the command, and
fails unless only the C++ tests (`make lint`, `make asan`) need the package.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.support.jdks import discover


def missing_packages() -> dict[str, str]:
    """Debian packages to install, each with the reason."""
    missing: dict[str, str] = {}
    if shutil.which(os.environ.get("CXX", "g++")) is None:
        missing["g++"] = "no C++ compiler"
    if importlib.util.find_spec("ensurepip") is None:
        missing["python3-venv"] = "Python cannot make virtual environments"
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        missing["python3-dev"] = f"no Python.h for {sys.executable}"
    if not any(jdk.has_javac and jdk.has_headers and jdk.has_jdwp for jdk in discover()):
        missing["default-jdk-headless"] = "no JDK 11 or later in JAVA_HOME, on PATH or /usr/lib/jvm"
    return missing


def missing_test_packages() -> dict[str, str]:
    """Debian packages to install for the C++ tests, each with the reason."""
    compiler = os.environ.get("CXX", "g++")
    if shutil.which(compiler) is not None:
        command = [compiler, "-x", "c++", "-std=c++17", "-fsyntax-only", "-"]
        text = "#include <doctest/doctest.h>\n"
        ran = subprocess.run(command, input=text, text=True, capture_output=True, check=False)
        if ran.returncode == 0:
            return {}
    return {"doctest-dev": "no doctest for the C++ tests"}


def install(packages: list[str]) -> None:
    """Install with apt-get; needs root."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    subprocess.run(["apt-get", "update", "-qq"], check=True, env=environment)
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)


def main() -> None:
    """Check, and install or explain."""
    if sys.version_info < (3, 11):  # noqa: UP036 - nothing has checked it yet
        raise SystemExit(f"Python 3.11 or later is needed, this is {sys.version.split()[0]}")
    required = missing_packages()
    missing = required | missing_test_packages()
    if not missing:
        return
    for package, reason in missing.items():
        print(f"{reason}: the package {package} is needed", file=sys.stderr, flush=True)
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        command = f"sudo apt-get install -y {' '.join(missing)}"
        if required:
            raise SystemExit(f"install them and run make again:\n  {command}")
        print(f"to build the C++ tests:\n  {command}", file=sys.stderr)
        return
    print("installing with apt-get, which may take a minute …", flush=True)
    install(list(missing))
    discover.cache_clear()
    if still := missing_packages():
        raise SystemExit(f"still missing after apt-get: {still}; set JAVA_HOME to a JDK yourself")


if __name__ == "__main__":
    main()
