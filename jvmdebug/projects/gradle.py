# SPDX-License-Identifier: Apache-2.0
"""Gradle: how it is started, what it reports, how it compiles.

Owns the command (the project's wrapper, else `gradle`) and the init script that reports the source
sets (`report.gradle`); what the report means is `gradle_report`'s. The build itself is not changed.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import JdkError
from jvmdebug.jdk_places import tried
from jvmdebug.platform.programs import command_of_script, script_in
from jvmdebug.projects import build_output
from jvmdebug.projects.errors import ProjectError
from jvmdebug.projects.gradle_report import read_report
from jvmdebug.projects.work import environment_of_build_tools, java_of_build_tools

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.projects.layout import Layout, SourceSet
    from jvmdebug.projects.work import Ran, Work

_SCRIPT: Final = Path(__file__).with_name("report.gradle")
_TASK: Final = re.compile(r"^> (Task :\S+|Configure project \S+)")
_USED: Final = ("GRADLE_OPTS", "GRADLE_USER_HOME", "GRADLE_HOME")
_NO_NETWORK: Final = re.compile(
    r"Could not (?:GET|HEAD|download)|UnknownHostException|Connection (?:refused|timed out)"
    r"|No address associated|Temporary failure in name resolution"
)


class Gradle:
    """Gradle for one project: a BuildTool."""

    name = "Gradle"

    def __init__(self, root: Path) -> None:
        self._root = root

    def environment(self) -> str:
        """The command, our script, and the variables that Gradle reads."""
        script = hashlib.sha256(_SCRIPT.read_bytes()).hexdigest()
        used = [f"{name}={os.environ.get(name, '')}" for name in _USED]
        return "\n".join([*self._command(), java_of_build_tools(), script, *used])

    def ask(self, work: Work) -> Layout:
        """See BuildTool."""
        work.say(f"Gradle: reading {self._root.name}")
        return self._report([], work)

    def build(self, source_set: SourceSet, work: Work) -> Layout:
        """See BuildTool."""
        work.say(f"Gradle: compiling {source_set.title}")
        task = "classes" if source_set.name == "main" else f"{source_set.name}Classes"
        return self._report([f"{source_set.module.rstrip(':')}:{task}"], work)

    def _report(self, tasks: list[str], work: Work) -> Layout:
        """Runs the tasks; again offline without a network, as Gradle keeps what it has fetched."""
        ran, text = self._run(tasks, work)
        failures = _failures(ran, text)
        if any(_NO_NETWORK.search(line) for line in failures):
            work.say("Gradle: again, offline")
            offline, found = self._run(["--offline", *tasks], work)
            if not _failures(offline, found):
                ran, text = offline, found
        if ran.exit_code != 0 and not text and (lack := build_output.lack_of_java(ran.lines)):
            raise JdkError(
                f"Gradle does not start, because it finds no Java: {lack}",
                tried=[*tried(os.environ), f"{' '.join(self._command())}: {lack}"],
            )
        if ran.exit_code != 0:
            raise build_output.gradle_failure(self._root, ran.lines)
        if not text:
            raise ProjectError(f"Gradle in {self._root} reported no source sets")
        return read_report(text, self._root, is_built=bool(tasks))

    def _run(self, arguments: list[str], work: Work) -> tuple[Ran, str]:
        """What Gradle said, and what it reported."""
        with tempfile.TemporaryDirectory(prefix="jvmdebug-") as folder:
            options = ["--console=plain", "-I", str(_SCRIPT), f"-Djvmdebug.report={folder}"]
            ran = work.run(
                [*self._command(), *options, *arguments, "jvmdebugReport"],
                folder=self._root,
                env=environment_of_build_tools(),
                on_line=lambda line: _say_step(line, work),
            )
            parts = [each.read_text(encoding="utf-8") for each in sorted(Path(folder).iterdir())]
        return ran, "".join(parts)

    def _command(self) -> list[str]:
        if (wrapper := script_in(self._root, "gradlew")) is not None:
            return command_of_script(wrapper)
        found = shutil.which("gradle")
        if found is None:
            raise ProjectError(
                f"{self._root} is a Gradle project, but there is no Gradle: neither a wrapper "
                "(gradlew) in it nor `gradle` on PATH; install Gradle, or add the wrapper"
            )
        return [found]


def _failures(ran: Ran, report: str) -> Sequence[str]:
    """Lines that tell of a failure: of the build, or of dependencies that it did not find."""
    if ran.exit_code != 0:
        return ran.lines
    return [line for line in report.splitlines() if line.startswith("unresolved\t")]


def _say_step(line: str, work: Work) -> None:
    found = _TASK.match(line)
    if found is not None:
        work.say(f"Gradle: {found[1].removeprefix('Task ')}")
    elif line.startswith("Download"):
        work.say(f"Gradle: downloading {line.rpartition('/')[2]}")
