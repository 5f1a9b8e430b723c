# SPDX-License-Identifier: Apache-2.0
"""What Surefire and Failsafe are told in a POM, as the settings of tests.

Owns which parameters are applied, and the words for those that are not. Reads files that the
configuration names, nothing else. Called by `maven_report`.
"""

from __future__ import annotations

import os
import re
import shlex
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.os_errors import reason
from jvmdebug.projects.test_settings import ClassFilter, TestSettings
from jvmdebug.regular_file import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_UNIT: Final = "maven-surefire-plugin"
_OWN_PROPERTIES: Final = (
    *("maven.ext.class.path", "jvmdebug.report", "jvmdebug.module", "style.color"),
)
_UNKNOWN_WORD: Final = re.compile(r"(?:-javaagent:)?([$@]\{[^}]*\})")
"""A word that the JVM would not take: a property that has no value."""
_COMMA: Final = re.compile(r"[,\n](?![^\[]*\])")
"""Not one in `%regex[…]`."""
_OLDER_NAMES: Final = ("**/Test*.java", "**/*Test.java", "**/*TestCase.java")
_TESTS: Final = (2, 20)
"""The version from which `*Tests` is among the names of tests."""
_INTEGRATION: Final = ("**/IT*.java", "**/*IT.java", "**/*ITCase.java")
_NO_NESTED: Final = "**/*$*"
_SCOPES: Final = {
    "compile": ("compile", "provided", "system"),
    "runtime": ("compile", "runtime"),
    "compile+runtime": ("compile", "provided", "system", "runtime"),
    "runtime+system": ("compile", "runtime", "system"),
    "provided": ("provided",),
    "system": ("system",),
    "test": ("compile", "provided", "system", "runtime", "test"),
}
"""What `classpathDependencyScopeExclude` leaves out."""
_DEBUGGER: Final = ("-agentlib:jdwp", "-Xrunjdwp", "-Xdebug")
_NOT_APPLIED: Final = {
    "parallel": "tests run one after the other",
    "rerunFailingTestsCount": "a test that fails is not run again",
    "suiteXmlFiles": "classes are run, not the suites of TestNG",
    "dependenciesToScan": "tests in dependencies are not run",
    "objectFactory": "TestNG makes the objects itself",
}
_OF_FRAMEWORKS: Final = "properties/"
_OF_CLASS_PATH: Final = ("surefire.test.class.path", "surefire.real.class.path")
"""System properties that Surefire sets in each JVM that it starts."""
_LONGEST: Final = 100_000
"""Characters of a class path that is given as an argument: Linux takes 131,071 of each."""
_REFERENCE: Final = re.compile(r"[$@]\{[^}]*\}")
_FLAGS_OFF: Final = ("", "0", "none", "false")


@dataclass(slots=True)
class TestRun:
    """An execution of a plugin, as `MavenTests.java` writes it down."""

    __test__ = False

    key: str
    plugin: str
    version: str
    execution: str
    settings: dict[str, list[str]] = field(default_factory=dict, init=False)
    """Values by the path of their element: `systemPropertyVariables/port`."""

    @property
    def name(self) -> str:
        """`surefire default-test`"""
        return f"{self.plugin.removeprefix('maven-').removesuffix('-plugin')} {self.execution}"

    def one(self, name: str, default: str = "") -> str:
        """The value of a parameter."""
        return self.settings.get(name, [default])[-1].strip()

    def is_on(self, name: str, *, default: bool = False) -> bool:
        """The value of a flag."""
        return self.one(name, str(default)).lower() == "true"

    def many(self, name: str) -> Iterator[str]:
        """The values of a list, in its form with elements and in that with commas."""
        for path, values in self.settings.items():
            if path == name or path.startswith(f"{name}/"):
                for value in values:
                    yield from _split(value)

    def pairs(self, name: str) -> Iterator[tuple[str, str]]:
        """The entries of a map, in its form with elements and in that with `property`."""
        for path, values in self.settings.items():
            if path.startswith(f"{name}/") and path.count("/") == name.count("/") + 1:
                yield path.rpartition("/")[2], values[-1]
        names = self.settings.get(f"{name}/property/name", [])
        yield from zip(names, self.settings.get(f"{name}/property/value", []), strict=False)


@dataclass(frozen=True, slots=True)
class TestModule:
    """What the settings of a module's tests are made of, beside the plugins."""

    __test__ = False

    folder: Path
    outputs: tuple[Path, ...]
    """Of the tests, then of the module."""
    dependencies: Sequence[Sequence[str]]
    """Scope, file and coordinates of each, in Maven's order."""
    user_properties: Sequence[Sequence[str]]
    local_repository: str | None


def runs_of(runs: Iterable[Sequence[str]], settings: Iterable[Sequence[str]]) -> list[TestRun]:
    """The executions of a module, from the lines of the report."""
    found = {key: TestRun(key, *parts) for key, *parts in runs}
    for key, path, value in settings:
        if key in found:
            found[key].settings.setdefault(path, []).append(value)
    return list(found.values())


def settings_of(run: TestRun, module: TestModule) -> TestSettings:
    """How one execution runs tests."""
    notes: list[str] = []
    properties = dict(_properties(run, module, notes))
    vm_args = _arg_line(run, module, notes)
    excluded = list(run.many("excludedEnvironmentVariables"))
    environment = dict.fromkeys(excluded) | dict(run.pairs("environmentVariables"))
    notes += _not_applied(run)
    notes += _without_values(run)
    java = run.one("jvm") or run.one("jdk")
    working = run.one("workingDirectory")
    return TestSettings(
        run.name,
        is_usual=run.plugin == _UNIT,
        is_skipped=any(run.is_on(each) for each in ("skip", "skipTests", "skipExec", "skipITs")),
        filters=(_filter(run, module.folder, notes),),
        vm_args=tuple(vm_args),
        environment=tuple(environment.items()),
        folder=module.folder / working if working else None,
        java=Path(java) if java and "/" in java else None,
        class_path=_class_path(run, module),
        has_assertions=run.is_on("enableAssertions", default=True),
        runner_options=(
            # Surefire sets them in the running JVM, too late for what reads them at its start.
            *(f"--property={name}={value}" for name, value in properties.items()),
            *_runner_options(run),
        ),
        is_forked_each=_is_forked_each(run),
        not_applied=tuple(dict.fromkeys(notes)),
    )


def _split(text: str) -> list[str]:
    parts = _COMMA.split(text)
    return [each.strip() for each in parts if each.strip()]


# --- the JVM -------------------------------------------------------------------------------------


def _is_in_process(run: TestRun) -> bool:
    return run.one("forkCount") == "0" or run.one("forkMode") == "never"


def _is_forked_each(run: TestRun) -> bool:
    if _is_in_process(run):
        return False
    older = run.one("forkMode") in ("always", "pertest", "perthread")
    return older or not run.is_on("reuseForks", default=True)


def _arg_line(run: TestRun, module: TestModule, notes: list[str]) -> list[str]:
    text = run.one("argLine")
    if not text:
        return []
    if _is_in_process(run):  # Maven's own JVM runs them: nobody reads the options
        return []
    for number in ("${surefire.forkNumber}", "${surefire.threadNumber}"):
        text = text.replace(number, "1")
    for _, file, *coordinates in module.dependencies:
        # Set by the goal `dependency:properties`, which has run only if Maven has just compiled.
        for each in coordinates:
            parts = each.rpartition(":")[0].rstrip(":")
            text = text.replace(f"${{{parts}}}", file).replace(f"@{{{parts}}}", file)
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.escape, lexer.commenters = True, "", ""
    try:
        words = list(lexer)
    except ValueError:
        notes.append(f"argLine: its quotes do not match: {text}")
        return []
    kept = []
    for word in words:
        if unknown := _UNKNOWN_WORD.match(word):
            notes.append(f"argLine: {word} is left out, as {unknown[1]} has no value")
        elif word.startswith(_DEBUGGER):
            notes.append(f"argLine: {word} is left out, as there is one debugger already")
        else:
            notes += [
                f"argLine: {each} in {word} has no value" for each in _REFERENCE.findall(word)
            ]
            kept.append(word)
    return kept


def _properties(run: TestRun, module: TestModule, notes: list[str]) -> Iterator[tuple[str, str]]:
    """System properties in the order in which Surefire sets them: the last one holds."""
    yield from run.pairs("systemProperties")
    if named := run.one("systemPropertiesFile"):
        try:
            yield from _properties_in(read_bytes(module.folder / named).decode("latin-1"))
        except OSError as error:
            notes.append(f"systemPropertiesFile: {reason(error)}")
    yield from run.pairs("systemPropertyVariables")
    if run.is_on("promoteUserPropertiesToSystemProperties", default=True):
        for name, value in module.user_properties:
            if name not in _OWN_PROPERTIES:
                yield name, value
    yield "basedir", str(module.folder)
    class_path = os.pathsep.join(map(str, _class_path(run, module)))
    if len(class_path) < _LONGEST:
        yield from ((name, class_path) for name in _OF_CLASS_PATH)
    if module.local_repository:
        yield "localRepository", module.local_repository


def _properties_in(text: str) -> Iterator[tuple[str, str]]:
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        if line.strip() and not line.lstrip().startswith(("#", "!")):
            name, value = re.split(r"\s*[=:]\s*|\s+", f"{line.strip()}=", maxsplit=1)
            yield name, value.removesuffix("=")


# --- the class path ------------------------------------------------------------------------------


def _class_path(run: TestRun, module: TestModule) -> tuple[Path, ...]:
    left_out = _SCOPES.get(run.one("classpathDependencyScopeExclude"), ())
    patterns = list(run.many("classpathDependencyExcludes"))
    tests, *others = module.outputs
    own = Path(run.one("testClassesDirectory") or tests)
    if run.one("classesDirectory") and run.plugin == _UNIT:
        others = [Path(run.one("classesDirectory"))]
    jars = [
        Path(file)
        for scope, file, *coordinates in module.dependencies
        if scope not in left_out and not any(_is_artifact(each, coordinates) for each in patterns)
    ]
    added = [module.folder / each for each in run.many("additionalClasspathElements")]
    return tuple(dict.fromkeys((own, *others, *jars, *added)))


def _is_artifact(pattern: str, coordinates: Sequence[str]) -> bool:
    """`group:artifact[:type[:classifier]][:version]`, with `*`."""
    if not coordinates:
        return False
    group, artifact, kind, classifier, version = coordinates[0].split(":")
    known = [group, artifact, kind, *([classifier] if classifier else []), version]
    wanted = pattern.split(":")
    return len(wanted) <= len(known) and all(
        not part or fnmatchcase(value, part) for part, value in zip(wanted, known, strict=False)
    )


# --- which tests ---------------------------------------------------------------------------------


def _filter(run: TestRun, folder: Path, notes: list[str]) -> ClassFilter:
    includes = [*run.many("includes"), *_lines_of(run.one("includesFile"), folder)]
    excludes = [*run.many("excludes"), *_lines_of(run.one("excludesFile"), folder)]
    if not excludes:
        excludes = [_NO_NESTED]
    excludes += [each[1:] for each in includes if each.startswith("!")]
    includes = [each for each in includes if not each.startswith("!")]
    notes += [
        f"includes and excludes: methods are not looked at: {each}"
        for each in (*includes, *excludes)
        if "#" in each and not each.startswith("%regex")
    ]
    includes = [_of_class(each) for each in includes]
    excludes = [each for each in excludes if "#" not in each or each.startswith("%regex")]
    if not includes:
        includes = list(_usual_names(run))
    return ClassFilter(tuple(includes), tuple(excludes))


def _of_class(pattern: str) -> str:
    return pattern if pattern.startswith("%regex") else pattern.partition("#")[0] or "**/*"


def _usual_names(run: TestRun) -> Iterator[str]:
    if run.plugin != _UNIT:
        yield from _INTEGRATION
        return
    yield from _OLDER_NAMES
    numbers = [int(each) for each in re.findall(r"\d+", run.version)[:2]]
    if tuple(numbers) >= _TESTS:
        yield "**/*Tests.java"


def _lines_of(named: str, folder: Path) -> list[str]:
    if not named:
        return []
    with suppress(OSError):
        lines = read_bytes(folder / named).decode("utf-8", "replace").splitlines()
        return [each.strip() for each in lines if each.strip() and not each.startswith("#")]
    return []


def _runner_options(run: TestRun) -> Iterator[str]:
    for each in _split(run.one("groups")):
        yield f"--include-group={each}"
    for each in _split(run.one("excludedGroups")):
        yield f"--exclude-group={each}"
    for each in run.many("includeJUnit5Engines"):
        yield f"--include-engine={each}"
    for each in run.many("excludeJUnit5Engines"):
        yield f"--exclude-engine={each}"
    for name, value in _of_frameworks(run):
        if name == "configurationParameters":
            # The report has the lines in one: a name begins where a word has a `=`.
            for each in re.split(r"\s+(?=[\w.]+\s*=)", value.strip()):
                if "=" in each:
                    key, _, of = each.partition("=")
                    yield f"--parameter={key.strip()}={of.strip()}"


def _of_frameworks(run: TestRun) -> Iterator[tuple[str, str]]:
    yield from run.pairs("properties")


def _without_values(run: TestRun) -> Iterator[str]:
    """Properties that a plugin sets when the build has come to it: they have no value now."""
    for kind in ("systemPropertyVariables", "systemProperties", "environmentVariables"):
        for name, value in run.pairs(kind):
            for each in _REFERENCE.findall(value):
                yield f"{kind}: {each} has no value before the build has run, for {name}"


def _not_applied(run: TestRun) -> Iterator[str]:
    for name, why in _NOT_APPLIED.items():
        values = [each for each in run.many(name) if each.lower() not in _FLAGS_OFF]
        if values:
            yield f"{name} ({', '.join(values)}): {why}"
    for name, value in _of_frameworks(run):
        if name != "configurationParameters":
            yield f"property of the framework {name} ({value})"
