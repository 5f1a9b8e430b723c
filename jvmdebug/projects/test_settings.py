# SPDX-License-Identifier: Apache-2.0
"""How a build runs the tests of a source set: options, environment, class path, which tests.

Owns these types, their form as JSON, and the meaning of patterns for classes. Who finds them out is
`surefire` and `gradle_tests`. Used by `testing`, which applies them and names what it cannot apply.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

PatternKind: TypeAlias = Literal["files", "names"]
"""`files`: `**/*Test.java`, as Maven has them. `names`: `shop.*Test`, as filters of Gradle."""


@dataclass(frozen=True, slots=True)
class ClassFilter:
    """Decides which classes of tests a build runs."""

    includes: tuple[str, ...] = ()
    """All classes if there is none."""
    excludes: tuple[str, ...] = ()
    kind: PatternKind = "files"

    def has(self, class_name: str) -> bool:
        """Whether the build runs that class."""
        if any(self._matches(each, class_name) for each in self.excludes):
            return False
        return not self.includes or any(self._matches(each, class_name) for each in self.includes)

    def _matches(self, pattern: str, class_name: str) -> bool:
        if self.kind == "names":
            return _matches_name(pattern, class_name)
        return _matches_file(pattern, class_name)


@dataclass(frozen=True, slots=True)
class TestSettings:
    """One run of tests that a build has: an execution of a plugin, a task."""

    __test__ = False

    name: str
    """`surefire default-test`, `:core:test`."""
    is_usual: bool = True
    """Whether `mvn test` or `gradle test` runs it; else its tests are run when they are named."""
    is_skipped: bool = False
    """Whether the build is told to skip them."""
    filters: tuple[ClassFilter, ...] = ()
    """A class has to pass all of them."""
    vm_args: tuple[str, ...] = ()
    """Options of the JVM."""
    environment: tuple[tuple[str, str | None], ...] = ()
    """Variables to set; None: to remove."""
    folder: Path | None = None
    """The working directory; None: that of the module."""
    java: Path | None = None
    """The home of the JDK or its java command; None: that of the project."""
    class_path: tuple[Path, ...] | None = None
    """All of it; None: that of the source set."""
    has_assertions: bool = True
    runner_options: tuple[str, ...] = ()
    """What our runner is told: `--include-group=fast`, `--property=port=8080`."""
    is_forked_each: bool = False
    """Whether each class has a JVM of its own."""
    not_applied: tuple[str, ...] = ()
    """What the build has set that is not applied, for the user."""

    def has(self, class_name: str) -> bool:
        """Whether the build runs that class here."""
        return all(each.has(class_name) for each in self.filters)

    def to_json(self) -> dict[str, Any]:
        """The parts as JSON values."""
        values = asdict(self)
        paths = None if self.class_path is None else [str(each) for each in self.class_path]
        return values | {
            "folder": None if self.folder is None else str(self.folder),
            "java": None if self.java is None else str(self.java),
            "class_path": paths,
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> TestSettings:
        """The inverse of `to_json`. Raises TypeError or KeyError if it is not that."""
        given = dict(value)
        for name in ("vm_args", "runner_options", "not_applied"):
            given[name] = tuple(given[name])
        given["environment"] = tuple((each[0], each[1]) for each in given["environment"])
        given["filters"] = tuple(
            ClassFilter(tuple(each["includes"]), tuple(each["excludes"]), each["kind"])
            for each in given["filters"]
        )
        for name in ("folder", "java"):
            given[name] = None if given[name] is None else Path(given[name])
        paths = given["class_path"]
        given["class_path"] = None if paths is None else tuple(map(Path, paths))
        return cls(**given)


def _matches_file(pattern: str, class_name: str) -> bool:
    """Surefire's rules: `**/*Test.java`, `shop/CartTest`, `*Test`, `%regex[.*Test.class]`."""
    path = class_name.replace(".", "/")
    if pattern.startswith("%regex[") and pattern.endswith("]"):
        try:
            found = re.compile(pattern.removeprefix("%regex[")[:-1])
        except re.error:  # what Java allows and Python does not
            return False
        return any(found.fullmatch(each) for each in (path, f"{path}.class", class_name))
    if pattern.startswith("%ant[") and pattern.endswith("]"):
        pattern = pattern.removeprefix("%ant[")[:-1]
    for suffix in (".java", ".class"):
        pattern = pattern.removesuffix(suffix)
    pattern = pattern.replace(".", "/").replace("\\", "/").lstrip("/")
    if pattern.endswith("/"):
        pattern += "**"
    if not pattern.startswith("**/"):
        pattern = f"**/{pattern}"
    return _ant(pattern).fullmatch(path) is not None


def _ant(pattern: str) -> re.Pattern[str]:
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(words.get(each, re.escape(each)) for each in parts))


def _matches_name(pattern: str, class_name: str) -> bool:
    """Gradle's rules: `*` stands for anything; without a package, any package will do."""
    words = ".*".join(map(re.escape, pattern.split("*")))
    simple = class_name.rpartition(".")[2]
    is_simple = pattern[:1].isupper()
    return re.fullmatch(words, simple if is_simple else class_name) is not None
