# SPDX-License-Identifier: Apache-2.0
"""What the user calls a test, and the tests of the project that are meant.

`shop.CartTest`, `CartTest`, `shop.CartTest#adds`, `shop.CartTest#prices[2]` (its second call),
`shop.*` (a package and those below it), `*` (all); of a method in Kotlin ``shop.CartTest#adds up``.
Used by `program`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jvmdebug.projects.errors import ProjectError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmdebug.projects.declared_tests import TestClass
    from jvmdebug.projects.layout import SourceSet
    from jvmdebug.projects.project import Project
    from jvmdebug.projects.work import Work

_FORM: Final = re.compile(
    r"(?P<all>(?:[\w$]+\.)*\*)|(?P<type>[\w$.]+)"
    r"(?:#(?P<method>(?!\w*\([^)]*\)\Z)[^\s\[\]][^\[\]\n]*)(?P<call>\[\d{1,9}\])?)?"
)
_MOST_NAMED: Final = 10


def selector_of(class_name: str, method: str | None = None, call: int | None = None) -> str:
    """What selects that test: `shop.CartTest#prices[2]`."""
    if method is None:
        return class_name
    return f"{class_name}#{method}" + (f"[{call}]" if call else "")


def select_tests(
    project: Project, texts: Sequence[str], work: Work
) -> list[tuple[SourceSet, list[str]]]:
    """The selectors for the runner, by the source set that has the classes.

    Raises ProjectError for what is in no source set, or may be several.
    """
    declared = project.tests(work)
    chosen: dict[str, tuple[SourceSet, dict[str, None]]] = {}
    for text in texts:
        for source_set, selector in _meant(project, text, declared, work):
            _, selectors = chosen.setdefault(_key(source_set), (source_set, {}))
            selectors[selector] = None
    return [(source_set, list(selectors)) for source_set, selectors in chosen.values()]


def _key(source_set: SourceSet) -> str:
    return f"{source_set.folder}:{source_set.title}"


def _meant(
    project: Project, text: str, declared: list[TestClass], work: Work
) -> Iterable[tuple[SourceSet, str]]:
    form = _FORM.fullmatch(text)
    if form is None:
        raise ProjectError(
            f"{text!r} names no test: write CLASS, CLASS#METHOD, CLASS#METHOD[CALL], PACKAGE.* or *"
        )
    if form["all"]:
        prefix = form["all"].removesuffix("*")
        found = [each for each in declared if each.name.startswith(prefix)]
        if not found:
            where = f"the package {prefix.rstrip('.')}" if prefix else "the project"
            raise ProjectError(f"{where} in {project.root} has no tests{_others(declared)}")
        return [(each.source_set, each.name) for each in found if each.source_set]
    rest = text[len(form["type"]) :]
    source_set, name = _class(project, form["type"], declared, work)
    return [(source_set, name + rest)]


def _class(
    project: Project, written: str, declared: list[TestClass], work: Work
) -> tuple[SourceSet, str]:
    """The source set and the binary name of a class: `shop.CartTest.Empty` may be a nested one."""
    names = {each.name: each for each in declared}
    dotted = [name for name in names if name.replace("$", ".") == written.replace("$", ".")]
    simple = [name for name in names if _is_end_of(written, name)]
    for found in ([written] if written in names else []), dotted, simple:
        if len(found) > 1:
            raise ProjectError(f"{written} may be any of {', '.join(sorted(found))}")
        if found and (source_set := names[found[0]].source_set):
            return source_set, found[0]
    # One that declares no test itself: it inherits them, makes them, or is not written in Java.
    source_set = project.source_set_of(written, work)
    if source_set is None:
        raise ProjectError(f"the project in {project.root} has no {written}{_others(declared)}")
    return source_set, written


def _is_end_of(written: str, name: str) -> bool:
    return f".{name.replace('$', '.')}".endswith(f".{written.replace('$', '.')}")


def _others(declared: list[TestClass]) -> str:
    if not declared:
        return ""
    named = ", ".join(each.name for each in declared[:_MOST_NAMED])
    more = ", …" if len(declared) > _MOST_NAMED else ""
    return f"; it has tests in {named}{more}"
