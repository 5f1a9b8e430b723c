# SPDX-License-Identifier: Apache-2.0
"""A `gradlew` that stands for Gradle where a test is about what is around it.

Compiles `src/main/java` of the root with javac and writes what `report.gradle` has Gradle write.
Runs no script of the build: no Gradle was found that runs build scripts in Kotlin here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.jdks import newest_compiler

if TYPE_CHECKING:
    from pathlib import Path

_SCRIPT = """\
#!/bin/sh
echo "$@" >> calls
{first}
for each in "$@"; do
  case "$each" in -Djvmdebug.report=*) report="${{each#*=}}";; esac
done
out="$PWD/build/classes/java/main"
mkdir -p "$out"
case "$*" in *:classes*) "{javac}" -g -d "$out" $(find src/main -name '*.java');; esac
{{
  printf 'java\\t%s\\n' "{home}"
  printf 'project\\t:\\t%s\\t%s\\n' "$PWD" "$PWD/{build_file}"
  printf 'set\\tmain\\nsources\\t%s\\n' "$PWD/src/main/java"
  printf 'classes\\t%s\\noutput\\t%s\\nruntime\\t%s\\n' "$out" "$out" "$out"
}} > "$report/_"
"""


def write_wrapper(root: Path, *, build_file: str, first: str = "") -> None:
    """Put it into `root`. `first`: lines of the shell that are run before anything else."""
    jdk = newest_compiler()
    script = _SCRIPT.format(
        first=first, javac=jdk.javac, home=jdk.home.resolve(), build_file=build_file
    )
    wrapper = root / "gradlew"
    wrapper.write_text(script)
    wrapper.chmod(0o755)


def calls(root: Path) -> list[str]:
    """The arguments of each call."""
    file = root / "calls"
    return file.read_text().splitlines() if file.exists() else []
