# SPDX-License-Identifier: Apache-2.0
"""What tasks of the type Test are told in a Gradle build, as the settings of tests.

Owns which of their properties are applied, and the words for those that are not. Pure. Called by
`gradle_report`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.projects.test_settings import ClassFilter, TestSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_HEAP: Final = "-Xmx512m"
"""What Gradle 5 and newer give tests that name no size."""
_FIRST_WITH_HEAP: Final = 5
_DEBUGGER: Final = ("-agentlib:jdwp", "-Xrunjdwp", "-Xdebug")
_OPTIONS: Final = {
    "includeTags": "include-group",
    "includeGroups": "include-group",
    "includeCategories": "include-group",
    "excludeTags": "exclude-group",
    "excludeGroups": "exclude-group",
    "excludeCategories": "exclude-group",
    "includeEngines": "include-engine",
    "excludeEngines": "exclude-engine",
}
_NOT_APPLIED: Final = {
    "suiteXmlFiles": "classes are run, not the suites of TestNG",
    "suiteXmlBuilder": "classes are run, not the suites of TestNG",
    "listeners": "they are not told of these tests",
    "parallel": "tests run one after the other",
    "action": "code that the build runs before or after its tests; what it sets is not known",
    "failed": "Gradle could not say how it runs these tests",
}


@dataclass(slots=True)
class TestTask:
    """A task, as `report.gradle` writes it down."""

    __test__ = False

    path: str
    name: str
    version: str
    """Of Gradle."""
    settings: dict[str, list[list[str]]] = field(default_factory=dict, init=False)

    def all(self, name: str) -> list[str]:
        """The values of a property."""
        return [each[0] for each in self.settings.get(name, [])]

    def one(self, name: str) -> str | None:
        """The value of a property that has one."""
        return next(iter(self.all(name)), None)

    def is_of(self, class_folders: tuple[Path, ...]) -> bool:
        """Whether it runs tests in these folders."""
        return not set(map(Path, self.all("classes"))).isdisjoint(class_folders)


def tasks_in(lines: Iterable[list[str]]) -> list[TestTask]:
    """The tasks of all projects, from the lines of the report that tell of them."""
    found: dict[str, TestTask] = {}
    version = ""
    for kind, *fields in lines:
        if kind == "gradle":
            (version,) = fields
        elif kind == "test":
            found[fields[0]] = TestTask(fields[0], fields[1], version)
        elif fields[0] in found:
            found[fields[0]].settings.setdefault(fields[1], []).append(fields[2:])
    return list(found.values())


def settings_of(
    task: TestTask, expanded: Callable[[tuple[Path, ...]], tuple[Path, ...]]
) -> TestSettings:
    """How a task runs tests. `expanded`: the class path with folders for jars of the build."""
    notes: list[str] = []
    vm_args = list(_vm_args(task, notes))
    working, java = task.one("workingDir"), task.one("java")
    forks = task.one("forkEvery")
    notes += _not_applied(task)
    changed = {each[0]: each[1] for each in task.settings.get("environment", [])}
    removed = dict.fromkeys(task.all("removed"))
    return TestSettings(
        task.path,
        is_usual=task.name == "test",
        is_skipped=task.one("enabled") == "false",
        filters=tuple(_filters(task, notes)),
        vm_args=tuple(vm_args),
        environment=tuple((removed | changed).items()),
        folder=Path(working) if working else None,
        java=Path(java) if java and "/" in java else None,
        class_path=expanded(tuple(map(Path, task.all("path")))) or None,
        has_assertions=False,  # among the options, if they are on
        runner_options=tuple(
            f"--{option}={value}" for name, option in _OPTIONS.items() for value in task.all(name)
        ),
        is_forked_each=forks == "1",
        not_applied=tuple(dict.fromkeys(notes)),
    )


def _vm_args(task: TestTask, notes: list[str]) -> Iterator[str]:
    given = task.all("argument")
    for each in given:
        if each.startswith(_DEBUGGER):
            notes.append(f"{each} is left out, as there is one debugger already")
        else:
            yield each
    yield "-Dorg.gradle.test.worker=1"  # by which builds choose ports and folders
    major = task.version.partition(".")[0]
    has_size = any(each.startswith(("-Xmx", "-XX:MaxRAM", "-XX:MaxHeapSize")) for each in given)
    if not has_size and major.isdecimal() and int(major) >= _FIRST_WITH_HEAP:
        yield _HEAP


def _filters(task: TestTask, notes: list[str]) -> Iterator[ClassFilter]:
    files = ClassFilter(tuple(task.all("includes")), tuple(task.all("excludes")))
    if files.includes or files.excludes:
        yield files
    includes = [_class_in(each, notes) for each in task.all("includePatterns")]
    # One that names a method leaves out that method alone.
    excludes = [each for each in task.all("excludePatterns") if _class_in(each, notes) == each]
    if includes or excludes:
        yield ClassFilter(tuple(includes), tuple(excludes), "names")


def _class_in(pattern: str, notes: list[str]) -> str:
    """The class of `shop.CartTest.adds`."""
    above, _, last = pattern.rpartition(".")
    if above and last[:1].islower() and above.rpartition(".")[2][:1].isupper():
        notes.append(f"filters: methods are not looked at: {pattern}")
        return above
    return pattern


def _not_applied(task: TestTask) -> Iterator[str]:
    for name, why in _NOT_APPLIED.items():
        if values := [each for each in task.all(name) if each not in ("", "null", "none")]:
            yield f"{name} ({', '.join(values)}): {why}"
    count = task.one("forkEvery")
    if count and count.isdecimal() and int(count) > 1:
        yield f"forkEvery ({count}): all classes run in one JVM"
