# SPDX-License-Identifier: Apache-2.0
"""Maven: how it is started, what it reports, how it compiles.

Owns the command (the project's wrapper, else `mvn`) and the extension that reports the modules
(`Maven*.java`), which is compiled once for each Maven and leaves out plugins that only check. What
the report means is `maven_report`'s. No plugin is downloaded to ask, and modules need not be
installed.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.cache import cache_folder, write_whole
from jvmdebug.errors import JdkError
from jvmdebug.jdk import compiler_for, find_jdk
from jvmdebug.jdk_places import tried
from jvmdebug.platform.programs import command_of_script, script_in
from jvmdebug.projects import build_output
from jvmdebug.projects.errors import ProjectError, no_compiler
from jvmdebug.projects.maven_report import read_report
from jvmdebug.projects.work import environment_of_build_tools, java_of_build_tools

if TYPE_CHECKING:
    from jvmdebug.projects.layout import Layout, SourceSet
    from jvmdebug.projects.work import Work

_EXTENSION: Final = tuple(
    Path(__file__).with_name(f"{name}.java")
    for name in ("MavenReport", "MavenTests", "MavenChecks")
)
_INDEX: Final = "META-INF/sisu/javax.inject.Named"
_HOME: Final = re.compile(r"^Maven home: (.+)$", re.MULTILINE)
_COLORS: Final = re.compile(r"\x1b\[[0-9;]*m")
_STEP: Final = re.compile(
    r"^\[INFO\] (?:Building (?P<module>\S.*?)\s+\[\d+/\d+\]"
    r"|--- (?P<goal>\S+) .*?@ (?P<of>\S+)|(?P<fetching>Download(?:ing|ed)) from \S+: (?P<file>\S+))"
)
_USED: Final = ("MAVEN_OPTS", "MAVEN_ARGS", "M2_HOME", "MAVEN_HOME")


class Maven:
    """Maven for one project: a BuildTool."""

    name = "Maven"

    def __init__(self, root: Path) -> None:
        self._root = root
        self._extensions: dict[tuple[str, ...], Path] = {}

    def environment(self) -> str:
        """The command, our extension, and the variables that Maven reads."""
        source = _source().hexdigest()
        used = [f"{name}={os.environ.get(name, '')}" for name in _USED]
        return "\n".join([*self._command(), java_of_build_tools(), source, *used])

    def ask(self, work: Work) -> Layout:
        """See BuildTool."""
        work.say(f"Maven: reading {self._root.name}")
        return self._run(["validate"], work)

    def build(self, source_set: SourceSet, work: Work) -> Layout:
        """See BuildTool."""
        work.say(f"Maven: compiling {source_set.title}")
        goals = ["process-test-classes" if source_set.is_test else "process-classes"]
        if source_set.folder != self._root:
            below = os.path.relpath(source_set.folder, self._root)
            goals += ["-pl", below, "-am"]
        return self._run([*goals, f"-Djvmdebug.module={source_set.folder}"], work)

    def fetch(self, artifact: str, work: Work) -> bool:
        """Put `group:artifact:version` into the local repository; False if that failed."""
        options = ["-B", "-q", f"-Dartifact={artifact}", "-Dtransitive=false", "dependency:get"]
        env = environment_of_build_tools()
        return work.run([*self._command(), *options], folder=self._root, env=env).exit_code == 0

    def _run(self, goals: list[str], work: Work) -> Layout:
        command = self._command()
        extension = self._extension(command, work)
        with tempfile.TemporaryDirectory(prefix="jvmdebug-") as folder:
            report = Path(folder) / "report"
            options = [
                *("-B", "-Dstyle.color=never"),
                f"-Dmaven.ext.class.path={extension}",
                f"-Djvmdebug.report={report}",
            ]
            ran = work.run(
                [*command, *options, *goals],
                folder=self._root,
                env=environment_of_build_tools(),
                on_line=lambda line: _say_step(line, work),
            )
            if ran.exit_code != 0:
                raise build_output.maven_failure(self._root, ran.lines)
            try:
                text = report.read_text(encoding="utf-8")
            except OSError as error:
                raise ProjectError(
                    f"Maven in {self._root} reported nothing about its modules: is it 3.3 or newer?"
                ) from error
        return read_report(text, self._root)

    def _command(self) -> list[str]:
        """The wrapper of the project, or of a folder above; else `mvn`."""
        for folder in (self._root, *self._root.parents):
            if (wrapper := script_in(folder, "mvnw")) is not None:
                return command_of_script(wrapper)
            if (folder / ".mvn").is_dir():
                break
        found = shutil.which("mvn")
        if found is None:
            raise ProjectError(
                f"{self._root} is a Maven project, but there is no Maven: neither a wrapper (mvnw) "
                "in it nor `mvn` on PATH; install Maven, or add the wrapper"
            )
        return [found]

    def _extension(self, command: list[str], work: Work) -> Path:
        """The folder with our extension, compiled against this Maven."""
        known = self._extensions.get(tuple(command))
        if known is None:
            known = self._extensions[tuple(command)] = self._made_extension(command, work)
        return known

    def _made_extension(self, command: list[str], work: Work) -> Path:
        ran = work.run([*command, "-v"], folder=self._root, env=environment_of_build_tools())
        text = _COLORS.sub("", "\n".join(ran.lines))
        found = _HOME.search(text)
        if found is None and (lack := build_output.lack_of_java(ran.lines)):
            raise JdkError(
                f"Maven does not start, because it finds no Java: {lack}",
                tried=[*tried(os.environ), f"{' '.join(command)} -v: {lack}"],
            )
        if ran.exit_code != 0 or found is None:
            raise ProjectError(f"{' '.join(command)} -v does not run in {self._root}:\n{text}")
        jars = sorted((Path(found[1].strip()) / "lib").glob("*.jar"))
        digest = _source()
        digest.update("\n".join(str(each.resolve()) for each in jars).encode())
        folder = cache_folder() / "maven" / digest.hexdigest()[:16]
        if not (folder / _INDEX).is_file():
            _compile(jars, folder, work)
        return folder


def _source() -> hashlib._Hash:
    return hashlib.sha256(b"".join(each.read_bytes() for each in _EXTENSION))


def _compile(jars: list[Path], folder: Path, work: Work) -> None:
    runtime = find_jdk()
    jdk = compiler_for(runtime)
    if jdk is None:
        raise no_compiler(runtime)
    folder.mkdir(parents=True, exist_ok=True)
    command = [
        str(jdk.javac),
        *("--release", "8", "-proc:none", "-nowarn", "-Xlint:none"),
        *("-d", str(folder), "-classpath", os.pathsep.join(map(str, jars))),
        *map(str, _EXTENSION),
    ]
    ran = work.run(command, folder=folder)
    if ran.exit_code != 0:
        said = "\n".join(ran.lines)
        raise ProjectError(f"this Maven is not supported, its extension does not compile:\n{said}")
    write_whole(folder / _INDEX, b"MavenReport\n")  # last: it says that the folder is complete


def _say_step(line: str, work: Work) -> None:
    found = _STEP.match(line)
    if found is None:
        return
    if found["module"]:
        work.say(f"Maven: building {found['module']}")
    elif found["goal"]:
        goal = found["goal"].split(":")
        work.say(f"Maven: {goal[-1]} in {found['of']}")
    elif found["fetching"] == "Downloading":
        work.say(f"Maven: downloading {found['file'].rpartition('/')[2]}")
