# SPDX-License-Identifier: Apache-2.0
"""What the runner reports, line by line, with the places of tests and failures in the sources.

Owns the meaning of a line. Called with what a pipe gives; does no input or output but reading
sources.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from jvmdebug.projects.testing.selection import selector_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

TestKind: TypeAlias = Literal["class", "calls", "method", "call"]
"""A class (or another container); a method that is called several times; a test; one call of it."""
TestStatus: TypeAlias = Literal["passed", "failed", "skipped"]
_LEAVES = ("method", "call")


@dataclass(frozen=True, slots=True)
class TestFailure:
    """Why a test failed."""

    __test__ = False

    type: str
    """The exception's class."""
    message: str | None
    trace: str
    """All of the stack trace, as Java prints it."""
    expected: str | None = None
    actual: str | None = None
    file: Path | None = None
    """The newest frame that has a source of the project."""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class TestEvent:
    """`begin` and `end` of a run, `started` and `finished` of a node of its tree."""

    __test__ = False

    event: Literal["begin", "started", "finished", "end"]
    id: str = ""
    """The framework's unique id, in the form of JUnit's platform: `[engine:…]/[class:…]/…`."""
    parent: str | None = None
    kind: TestKind = "class"
    name: str = ""
    """As the framework shows it."""
    class_name: str | None = None
    """Binary name."""
    method: str | None = None
    call: int | None = None
    """Which call of a parameterised method, from 1."""
    is_ambiguous: bool = False
    """Whether others have the same class, method and call: only its id tells it apart."""
    file: Path | None = None
    """Where it is declared."""
    line: int | None = None
    status: TestStatus | None = None
    """Of what has finished. A class can fail by itself: in what it sets up."""
    seconds: float = 0.0
    reason: str | None = None
    """Why it was skipped."""
    failure: TestFailure | None = None
    counts: Counter[TestStatus] | None = None
    """At the end: methods and calls, and what failed or was skipped as a whole."""

    @property
    def selector(self) -> str | None:
        """What runs it again, and only it, as `tests` of a launch: `shop.CartTest#prices[2]`, or
        its id if that is ambiguous.
        """
        if self.is_ambiguous:
            return self.id
        if self.class_name is None:
            return None
        return selector_of(self.class_name, self.method, self.call)


class Results:
    """The events of one run, made from the lines of the runner."""

    def __init__(self, source_path: Iterable[Path]) -> None:
        self._started: dict[str, TestEvent] = {}
        self._counts: Counter[TestStatus] = Counter()
        self._places = _Places(tuple(source_path))

    def event(self, line: bytes) -> TestEvent | None:
        """What a line says; None for a line that is not ours."""
        try:
            told = json.loads(line)
            return self._event(told)
        except (ValueError, KeyError, TypeError):
            return None

    def _event(self, told: dict[str, Any]) -> TestEvent:
        match told["event"]:
            case "begin":
                self._started.clear()
                self._counts = Counter()
                return TestEvent("begin")
            case "started":
                found = self._located(told)
                self._started[found.id] = found
                return found
            case "finished":
                return self._finished(told)
            case "end":
                return TestEvent("end", counts=Counter(self._counts))
            case other:
                raise ValueError(other)

    def _located(self, told: dict[str, Any]) -> TestEvent:
        class_name, method = told.get("class"), told.get("method")
        file, line = self._places.of(class_name, method)
        return TestEvent(
            "started",
            told["id"],
            told.get("parent"),
            told["kind"],
            told["name"],
            class_name,
            method,
            told.get("call"),
            bool(told.get("ambiguous")),
            file,
            line,
        )

    def _finished(self, told: dict[str, Any]) -> TestEvent:
        began = self._started.pop(told["id"])
        status: TestStatus = told["status"]
        if began.kind in _LEAVES or status != "passed":
            self._counts[status] += 1
        failure = told.get("failure")
        return replace(
            began,
            event="finished",
            status=status,
            seconds=float(told["seconds"]),
            reason=told.get("reason"),
            failure=None if failure is None else self._failure(failure),
        )

    def _failure(self, told: dict[str, Any]) -> TestFailure:
        file, line = None, None
        for frame in told["frames"]:
            file = self._places.file_of(frame["class"], frame.get("file"))
            if file is not None:
                line = frame.get("line")
                break
        return TestFailure(
            told["type"],
            told.get("message"),
            told["trace"],
            told.get("expected"),
            told.get("actual"),
            file,
            line if line and line > 0 else None,
        )


class _Places:
    """Files and lines of classes and methods; each file is read once."""

    def __init__(self, source_path: tuple[Path, ...]) -> None:
        self._source_path = source_path
        self._files: dict[tuple[str, str | None], Path | None] = {}
        self._lines: dict[Path, dict[tuple[str, str | None], int]] = {}
        self._kotlin: dict[str, Path] | None = None

    def file_of(self, class_name: str, file_name: str | None = None) -> Path | None:
        """`file_name`: what the class file says. A Kotlin file may have any."""
        outermost = class_name.partition("$")[0]
        key = (outermost, file_name)
        if key not in self._files:
            self._files[key] = self._found(outermost, file_name)
        return self._files[key]

    def _found(self, outermost: str, file_name: str | None) -> Path | None:
        name = outermost.replace(".", "/")
        names = [f"{name}{suffix}" for suffix in (".java", ".kt", ".groovy")]
        if file_name is not None:
            # Kotlin's folders need not repeat what all packages begin with.
            parts = name.split("/")[:-1]
            names += ["/".join((*parts[skip:], file_name)) for skip in range(len(parts) + 1)]
        candidates = (folder / each for each in names for folder in self._source_path)
        return next((each for each in candidates if each.is_file()), None)

    def of(self, class_name: str | None, method: str | None) -> tuple[Path | None, int | None]:
        if class_name is None:
            return None, None
        file = self.file_of(class_name) or self._declaring(class_name)
        if file is None:
            return None, None
        if file not in self._lines:
            self._lines[file] = _declared(file)
        return file, self._lines[file].get((class_name, method))

    def _declaring(self, class_name: str) -> Path | None:
        """The Kotlin file with this test class, whose name may be another; they are read once."""
        if self._kotlin is None:
            from jvmdebug.projects.declared_tests import classes_in  # noqa: PLC0415 - slow to import

            files = (each for folder in self._source_path for each in folder.rglob("*.kt"))
            self._kotlin = {each.name: file for file in sorted(files) for each in classes_in(file)}
        return self._kotlin.get(class_name)


def _declared(file: Path) -> dict[tuple[str, str | None], int]:
    from jvmdebug.projects.declared_tests import classes_in  # noqa: PLC0415 - slow to import
    from jvmdebug.projects.outline import LANGUAGES  # noqa: PLC0415

    lines: dict[tuple[str, str | None], int] = {}
    for each in classes_in(file) if file.suffix in LANGUAGES else ():
        lines[each.name, None] = each.line
        for method in each.methods:
            lines[each.name, method.name] = method.line
    return lines
