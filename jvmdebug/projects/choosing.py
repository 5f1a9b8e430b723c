# SPDX-License-Identifier: Apache-2.0
"""Tells which of a project's main classes is meant: by its name, or as the only one.

Pure; owns the messages for several and for none. Called by `project`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.projects.errors import MainClassNeeded, ProjectError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmdebug.projects.layout import SourceSet
    from jvmdebug.projects.main_classes import MainClass

_MOST_NAMED: Final = 20


def only(candidates: Sequence[MainClass], kept: str | None, place: Path) -> MainClass:
    """The one that was kept, or the only one: not of tests, and with a source, if there are such.

    Raises MainClassNeeded if there are several, ProjectError if there is none.
    """
    for each in candidates:
        if each.name == kept:
            return each
    found = [each for each in candidates if not each.is_test] or candidates
    found = [each for each in found if each.file is not None] or found
    if len(found) == 1:
        return found[0]
    if not found:
        raise ProjectError(f"{place} has no class with a main method")
    names = [each.name for each in found]
    shown = ", ".join(names[:_MOST_NAMED]) + (", …" if len(names) > _MOST_NAMED else "")
    raise MainClassNeeded(
        f"several classes of {place} have a main method, name one of them: {shown}", names
    )


def named(main: str, candidates: Sequence[MainClass], root: Path) -> MainClass:
    """The one of that name, also without its package. Raises as `only` does."""
    found = [each for each in candidates if main in (each.name, each.name.rpartition(".")[2])]
    if len(found) == 1:
        return found[0]
    if found:
        names = [each.name for each in found]
        raise MainClassNeeded(f"{main} may be any of {', '.join(names)}", names)
    others = ", ".join(each.name for each in candidates[:_MOST_NAMED])
    known = f"; it has main methods in {others}" if others else ""
    raise ProjectError(f"the project in {root} has no class {main}{known}")


def one_module(main: str, sets: Sequence[SourceSet], root: Path) -> SourceSet:
    """The source set to run the class of. ProjectError if several modules have it."""
    of_main = [each for each in sets if not each.is_test] or sets
    modules = list(dict.fromkeys(each.module for each in of_main))
    if len(modules) > 1:
        raise ProjectError(
            f"{main} is in several modules of the project in {root} ({', '.join(modules)}): name"
            " the folder of one as the project, or the module in `projectName` of a launch.json"
        )
    return of_main[0]
