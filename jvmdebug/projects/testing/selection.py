# SPDX-License-Identifier: Apache-2.0
"""What the user calls a test, and the tests of the project that are meant.

`shop.CartTest`, `CartTest`, `shop.CartTest#adds`, `shop.CartTest#prices[2]` (its second call),
`shop.*` (a package and those below it), `*` (all); of a method in Kotlin ``shop.CartTest#adds up``;
the unique id of the framework, `[engine:junit-jupiter]/[class:shop.CartTest]/[method:adds()]`.
Used by `program`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote_plus

from jvmdebug.projects.errors import BuildError, ProjectError
from jvmdebug.projects.testing.compiled_tests import compiled_tests

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmdebug.projects.layout import BuildChoice, SourceSet
    from jvmdebug.projects.project import Project
    from jvmdebug.projects.test_settings import TestSettings
    from jvmdebug.projects.work import Work

_FORM: Final = re.compile(
    r"(?P<all>(?:[\w$]+\.)*\*)|(?P<type>[\w$.]+)"
    r"(?:#(?P<method>(?!\w*\([^)]*\)\Z)[^\s\[\]][^\[\]\n]*)(?P<call>\[\d{1,9}\])?)?"
)
_UNIQUE_ID: Final = re.compile(r"\[[^:\[\]/]+:[^\[\]/]*\](?:/\[[^:\[\]/]+:[^\[\]/]*\])+")
_SEGMENT: Final = re.compile(r":([^\]]*)\]")
_MOST_NAMED: Final = 10


def selector_of(class_name: str, method: str | None = None, call: int | None = None) -> str:
    """What selects that test: `shop.CartTest#prices[2]`."""
    if method is None:
        return class_name
    return f"{class_name}#{method}" + (f"[{call}]" if call else "")


@dataclass(frozen=True, slots=True)
class TestGroup:
    """Tests that one program runs: of one source set, and run by the build in one way."""

    __test__ = False

    source_set: SourceSet
    settings: TestSettings | None
    """How the build runs them; None if it does not say."""
    selectors: tuple[str, ...]

    @property
    def title(self) -> str:
        """What to call it in a message."""
        is_first = self.settings in (None, *self.source_set.test_settings[:1])
        name = "" if is_first or self.settings is None else f" ({self.settings.name})"
        return f"{self.source_set.title}{name}"


@dataclass(frozen=True, slots=True)
class ChosenTests:
    """The tests that are meant by what somebody wrote."""

    groups: tuple[TestGroup, ...]
    left_out: tuple[str, ...] = ()
    """Classes that the build does not run either, so that `*` and packages leave them out."""


def select_tests(
    project: Project, texts: Sequence[str], work: Work, *, how: BuildChoice = "auto"
) -> list[tuple[SourceSet, list[str]]]:
    """The selectors for the runner, by the source set that has the classes: see `choose_tests`."""
    found = choose_tests(project, texts, work, how=how)
    return [(each.source_set, list(each.selectors)) for each in found.groups]


def choose_tests(
    project: Project, texts: Sequence[str], work: Work, *, how: BuildChoice = "auto"
) -> ChosenTests:
    """The selectors for the runner, by source set and by the way in which the build runs them.

    What a source does not show (inherited tests) is found in class files: they are compiled first,
    as `how` says, unless each text names a class whose source declares tests.

    Raises ProjectError for what is in no source set, or may be several, and if the build runs none
    of those that a pattern means; BuildError.
    """
    known = _Known(project, work, how)
    chosen: dict[str, tuple[SourceSet, TestSettings | None, dict[str, None]]] = {}
    left_out: dict[str, None] = {}
    for text in texts:
        is_pattern = text.endswith("*")
        for source_set, selector in _meant(known, text):
            settings = _settings(source_set, selector, is_pattern=is_pattern)
            if is_pattern and settings is None and _has_rule(project, source_set):
                left_out[selector] = None
                continue
            key = f"{_key(source_set)} {settings.name if settings else ''}"
            _, _, selectors = chosen.setdefault(key, (source_set, settings, {}))
            selectors[selector] = None
    groups = (TestGroup(of, settings, tuple(named)) for of, settings, named in chosen.values())
    found = ChosenTests(tuple(groups), tuple(each for each in left_out if "$" not in each))
    if not found.groups:
        names = ", ".join(found.left_out[:_MOST_NAMED])
        raise ProjectError(
            f"the build itself runs none of these tests: {names}; name one to run it"
        )
    return found


def _has_rule(project: Project, source_set: SourceSet) -> bool:
    """Whether the build says which classes are tests; none of those of the program is."""
    has_build = project.kind in ("maven", "gradle")
    return bool(source_set.test_settings) or (has_build and not source_set.is_test)


def _settings(source_set: SourceSet, selector: str, *, is_pattern: bool) -> TestSettings | None:
    """How the build runs a class: as the first of its runs that has it. None if no run has it, and
    the class was not named.
    """
    name = class_of(selector)
    usual = [each for each in source_set.test_settings if each.is_usual]
    if is_pattern:
        return next((each for each in usual if not each.is_skipped and each.has(name)), None)
    others = [each for each in source_set.test_settings if not each.is_usual]
    having = (each for each in (*usual, *others) if each.has(name))
    return next(having, next(iter(source_set.test_settings), None))


def class_of(selector: str) -> str:
    """The class at the top that a selector names."""
    if selector.startswith("["):
        values = [unquote_plus(each) for each in _SEGMENT.findall(selector)]
        return (values[1] if len(values) > 1 else "").partition("$")[0]
    return selector.partition("#")[0].partition("$")[0]


class _Known:
    """The test classes of a project: those that sources declare, and when asked those of class
    files.
    """

    def __init__(self, project: Project, work: Work, how: BuildChoice) -> None:
        self.project = project
        self._work = work
        self._how: BuildChoice = how
        self.declared = {
            each.name: each.source_set for each in project.tests(work) if each.source_set
        }
        self._all: dict[str, SourceSet] | None = None

    def all(self) -> dict[str, SourceSet]:
        """All tests, those of class files too. What a source declares counts only where its class
        file does not say that no test runs there (an interface, a method of a class that is
        abstract).
        """
        if self._all is None:
            found = dict(self.declared)
            for source_set in self.project.test_sets(self._work):
                if source_set.is_test or self.project.kind == "folder":
                    self.project.compile(source_set, how=self._how, work=self._work)
                for name, has_tests in compiled_tests(source_set).items():
                    if has_tests:
                        found.setdefault(name, source_set)
                    elif found.get(name) == source_set:
                        del found[name]
            self._all = found
        return self._all

    def inheriting(self, written: str) -> dict[str, SourceSet]:
        """All classes, to find one whose source declares no test. What does not compile is told if
        there is a source of that name; else it is the name that is wrong.
        """
        try:
            return self.all()
        except BuildError:
            from jvmdebug.projects.main_classes import source_files  # noqa: PLC0415 - slow to import

            simple = written.replace("$", ".").rpartition(".")[2]
            sets = self.project.test_sets(self._work)
            if any(file.stem == simple for each in sets for file in source_files(each)):
                raise
            return {}

    def source_set_of(self, name: str) -> SourceSet | None:
        """The source set of any class, with tests or without."""
        return self.project.source_set_of(name, self._work)

    @property
    def others(self) -> str:
        """What there is instead, for a message."""
        names = list(self.declared if self._all is None else self._all)
        if not names:
            return ""
        more = ", …" if len(names) > _MOST_NAMED else ""
        return f"; it has tests in {', '.join(names[:_MOST_NAMED])}{more}"


def _key(source_set: SourceSet) -> str:
    return f"{source_set.folder}:{source_set.title}"


def _meant(known: _Known, text: str) -> Iterable[tuple[SourceSet, str]]:
    if _UNIQUE_ID.fullmatch(text):
        return [(_set_of_id(known, text), text)]
    form = _FORM.fullmatch(text)
    if form is None:
        raise ProjectError(
            f"{text!r} names no test: write CLASS, CLASS#METHOD, CLASS#METHOD[CALL], PACKAGE.* or *"
        )
    if form["all"]:
        prefix = form["all"].removesuffix("*")
        found = [(of, name) for name, of in known.all().items() if name.startswith(prefix)]
        if not found:
            where = f"the package {prefix.rstrip('.')}" if prefix else "the project"
            raise ProjectError(f"{where} in {known.project.root} has no tests{known.others}")
        return found
    rest = text[len(form["type"]) :]
    source_set, name = _class(known, form["type"])
    return [(source_set, name + rest)]


def _set_of_id(known: _Known, unique_id: str) -> SourceSet:
    """The source set of the class that the id names; engines call that segment as they like."""
    values = [unquote_plus(each) for each in _SEGMENT.findall(unique_id)]
    for each in values[1:]:
        if found := known.declared.get(each) or known.source_set_of(each):
            return found
    sets = list({_key(of): of for of in known.all().values()}.values())
    if len(sets) == 1:
        return sets[0]
    raise ProjectError(f"no class of the project in {known.project.root} has {unique_id}")


def _class(known: _Known, written: str) -> tuple[SourceSet, str]:
    """The source set and the binary name of a class: `shop.CartTest.Empty` may be a nested one."""
    if found := _named(known.declared, written):
        return found
    # One that declares no test itself: it inherits them, makes them, or is not written in Java.
    if (source_set := known.source_set_of(written)) is not None:
        return source_set, written
    if found := _named(known.inheriting(written), written):
        return found
    raise ProjectError(f"the project in {known.project.root} has no {written}{known.others}")


def _named(classes: dict[str, SourceSet], written: str) -> tuple[SourceSet, str] | None:
    dotted = [name for name in classes if name.replace("$", ".") == written.replace("$", ".")]
    simple = [name for name in classes if _is_end_of(written, name)]
    for found in ([written] if written in classes else []), dotted, simple:
        if len(found) > 1:
            raise ProjectError(f"{written} may be any of {', '.join(sorted(found))}")
        if found:
            return classes[found[0]], found[0]
    return None


def _is_end_of(written: str, name: str) -> bool:
    return f".{name.replace('$', '.')}".endswith(f".{written.replace('$', '.')}")
