# SPDX-License-Identifier: Apache-2.0
"""What has run of a program: classes, their methods, their lines and branches.

Values without a session; several are merged by `merged_with`. `analysis` makes them, `writing` puts
them into files.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from jvmdebug.coverage.counters import Counter, Counters, LineCoverage, of_lines, one_of
from jvmdebug.coverage.errors import CoverageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CoverageFormat: TypeAlias = Literal["lcov", "cobertura", "jacoco", "html", "json"]


@dataclass(frozen=True)
class CoveredMethod:
    """A method and its lines."""

    name: str
    """The name in class files: `<init>` for a constructor."""
    descriptor: str
    lines: Mapping[int, LineCoverage]
    """The lines by number; 0 has what no line is known of."""

    @property
    def line(self) -> int | None:
        """The first line."""
        return min((each for each in self.lines if each > 0), default=None)

    @cached_property
    def counters(self) -> Counters:
        """The sums."""
        known = of_lines(each for line, each in self.lines.items() if line > 0)
        unknown = of_lines(each for line, each in self.lines.items() if line == 0)
        total = known + replace(unknown, lines=Counter())
        has_run = total.instructions.covered
        complexity = one_of(has_run)
        for line in self.lines.values():
            for each in line.branches:
                covered = max(each.covered - 1, 0)
                complexity += Counter(each.count - 1 - covered, covered)
        return replace(total, complexity=complexity, methods=one_of(has_run))

    def merged_with(self, other: CoveredMethod) -> CoveredMethod:
        """What either has."""
        lines = dict(self.lines)
        for line, each in other.lines.items():
            lines[line] = lines[line] | each if line in lines else each
        return replace(self, lines=dict(sorted(lines.items())))


@dataclass(frozen=True)
class CoveredClass:
    """A class with code."""

    name: str
    """`shop.Cart$Item`"""
    source: str | None
    """The name of its source file, `Cart.java`."""
    methods: tuple[CoveredMethod, ...]
    path: str | None = None
    """The source file on this machine, if it was found."""

    @property
    def package(self) -> str:
        """`shop`"""
        return self.name.rpartition(".")[0]

    @property
    def file(self) -> str:
        """The source file below its source root: `shop/Cart.java`."""
        folder = self.package.replace(".", "/")
        name = self.source or self.name.rpartition(".")[2].partition("$")[0] + ".java"
        return f"{folder}/{name}" if folder else name

    @cached_property
    def counters(self) -> Counters:
        """The sums."""
        total = reduce(Counters.__add__, (each.counters for each in self.methods), Counters())
        lines = of_lines(each for line, each in self.lines.items() if line > 0).lines
        return replace(total, lines=lines, classes=one_of(total.methods.covered))

    @cached_property
    def lines(self) -> Mapping[int, LineCoverage]:
        """The lines."""
        return _together(self.methods)

    def merged_with(self, other: CoveredClass) -> CoveredClass:
        """What either has."""
        methods = {(each.name, each.descriptor): each for each in self.methods}
        for each in other.methods:
            key = (each.name, each.descriptor)
            methods[key] = methods[key].merged_with(each) if key in methods else each
        return replace(
            self,
            methods=tuple(methods.values()),
            source=self.source or other.source,
            path=self.path or other.path,
        )


@dataclass(frozen=True)
class CoveredFile:
    """A source file, with all classes in it."""

    name: str
    """The path below its source root: `shop/Cart.java`."""
    path: str | None
    classes: tuple[CoveredClass, ...]

    @cached_property
    def lines(self) -> Mapping[int, LineCoverage]:
        """The lines by number."""
        found = _together(method for each in self.classes for method in each.methods)
        return {line: each for line, each in found.items() if line > 0}

    @cached_property
    def counters(self) -> Counters:
        """The sums."""
        total = reduce(Counters.__add__, (each.counters for each in self.classes), Counters())
        return replace(total, lines=of_lines(self.lines.values()).lines)


@dataclass(frozen=True)
class Coverage:
    """What has run of a program."""

    classes: tuple[CoveredClass, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Classes and methods of which nothing is known, and why."""
    waiting: int = 0
    """How many classes have methods that were not observed, because threads were in them."""
    is_complete: bool = True
    """False if the program was killed, or the connection lost: what ran after `read_at` is not
    known."""
    read_at: float = 0.0
    """When the flags were read last, as of time.time()."""
    tests: Mapping[str, Mapping[str, tuple[int, ...]]] = field(default_factory=dict)
    """The lines that each test has run, by file, if tests were recorded one by one."""
    known_from: Literal["program", "lcov", "jacoco"] = "program"
    """Of a program each method is known; LCOV and JaCoCo's report have sums of source files."""

    @cached_property
    def files(self) -> tuple[CoveredFile, ...]:
        """The source files, by name."""
        found: dict[str, list[CoveredClass]] = defaultdict(list)
        for each in self.classes:
            found[each.file].append(each)
        return tuple(
            CoveredFile(name, next((each.path for each in of if each.path), None), tuple(of))
            for name, of in sorted(found.items())
        )

    @cached_property
    def counters(self) -> Counters:
        """The sums of all."""
        return reduce(Counters.__add__, (each.counters for each in self.files), Counters())

    def of_file(self, name: str) -> CoveredFile | None:
        """The source file with that name, or that path; `Cart.java` alone if it is the only one."""
        wanted = name.replace("\\", "/")
        fits = [
            each
            for each in self.files
            if each.name == wanted
            or wanted.endswith("/" + each.name)
            or each.name.endswith("/" + wanted)
        ]
        return fits[0] if len(fits) == 1 else next((e for e in fits if e.name == wanted), None)

    def tests_of(self, file: str, line: int) -> tuple[str, ...]:
        """The tests that have run this line, recorded by test."""
        found = self.of_file(file)
        name = file if found is None else found.name
        return tuple(test for test, ran in self.tests.items() if line in ran.get(name, ()))

    def merged_with(self, *others: Coverage) -> Coverage:
        """What any of them has. CoverageError if they are not `known_from` the same: sums of files
        cannot be added to what is known of methods.
        """
        everyone = (self, *others)
        if len({each.known_from for each in everyone if each.classes}) > 1:
            raise CoverageError(
                "JSON, LCOV and JaCoCo's XML cannot be merged with each other: name files of one"
            )
        classes: dict[str, CoveredClass] = {}
        for each in (found for one in (self, *others) for found in one.classes):
            known = classes.get(each.name)
            classes[each.name] = each if known is None else known.merged_with(each)
        return Coverage(
            classes=tuple(classes[name] for name in sorted(classes)),
            left_out={name: why for one in everyone for name, why in one.left_out.items()},
            waiting=max(each.waiting for each in everyone),
            is_complete=all(each.is_complete for each in everyone),
            read_at=max(each.read_at for each in everyone),
            tests={name: ran for one in everyone for name, ran in one.tests.items()},
            known_from=next((each.known_from for each in everyone if each.classes), "program"),
        )

    def text(self, format_: CoverageFormat, title: str = "coverage") -> str:
        """All of it in a format."""
        from jvmdebug.coverage.writing import text_of  # noqa: PLC0415 - seldom needed

        return text_of(self, format_, title)

    def write(
        self, path: str | Path, format_: CoverageFormat | None = None, title: str = "coverage"
    ) -> Path:
        """Write a file. Without a format its name says it: .info and .lcov, .html, .json; .xml is
        JaCoCo's, or Cobertura's if `cobertura` is in the name.
        """
        from jvmdebug.coverage.writing import format_of  # noqa: PLC0415 - seldom needed

        to = Path(path)
        to.write_text(self.text(format_ or format_of(to.name), title), encoding="utf-8")
        return to


def _together(methods: Iterable[CoveredMethod]) -> dict[int, LineCoverage]:
    found: dict[int, LineCoverage] = {}
    for method in methods:
        for line, each in method.lines.items():
            found[line] = found[line] + each if line in found else each
    return dict(sorted(found.items()))
