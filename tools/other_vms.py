# SPDX-License-Identifier: Apache-2.0
"""JVMs of this machine's platform that are not the usual HotSpot, from registries of packages.

`zero` is Debian's `openjdk-17-jre-zero`, HotSpot's interpreter in C++ for processors that have no
other. `graal` is the JDK of this machine with the compiler of GraalVM, a Java library, in place of
HotSpot's own. Called by `tools.platforms`.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

from tests.support.jdks import jdk_of

REPOSITORY: Final = Path(__file__).resolve().parents[1]
WORK: Final = REPOSITORY / "build" / "other-vms"
JDK: Final = 17
"""The major version of both."""

_COMPILER: Final = "org.graalvm.compiler:compiler:22.3.5"
_POM: Final = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>jvmdebug</groupId><artifactId>graal</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version>
  </dependency></dependencies>
</project>
"""


class OtherVmError(Exception):
    """A VM cannot be had on this machine."""


def zero() -> str:
    """The command that starts it."""
    folder = WORK / "zero"
    java = folder / "root" / "usr" / "lib" / "jvm" / "java-17-openjdk-amd64" / "bin" / "java"
    if not java.exists():
        folder.mkdir(parents=True, exist_ok=True)
        names = [f"openjdk-{JDK}-jre-zero", f"openjdk-{JDK}-jre-headless"]
        _run(["apt-get", "download", "-q", *names], folder)
        for package in folder.glob("*.deb"):
            _run(["dpkg", "-x", str(package), "root"], folder)
    return f'"{java}" -zero'


def graal() -> str:
    """The command that starts it."""
    folder = WORK / "graal"
    jars = folder / "jars"
    if not jars.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "pom.xml").write_text(_POM.format(*_COMPILER.split(":")), encoding="utf-8")
        _run(["mvn", "-q", "dependency:copy-dependencies", f"-DoutputDirectory={jars}"], folder)
    jdk = jdk_of(JDK)
    if jdk is None:
        raise OtherVmError(f"there is no JDK {JDK}: run `make jdks`")
    modules = ":".join(map(str, sorted(jars.glob("*.jar"))))
    options = "-XX:+UnlockExperimentalVMOptions -XX:+EnableJVMCI -XX:+UseJVMCICompiler"
    return f'"{jdk.java}" {options} --upgrade-module-path="{modules}"'


def _run(command: list[str], folder: Path) -> None:
    if shutil.which(command[0]) is None:
        raise OtherVmError(f"there is no {command[0]}")
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise OtherVmError(f"{' '.join(command)}: {(ran.stderr or ran.stdout).strip()[-300:]}")
