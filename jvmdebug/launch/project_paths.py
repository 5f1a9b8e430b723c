# SPDX-License-Identifier: Apache-2.0
"""What a class path or a module path may have beside directories and jars, as in java-debug's.

`$Auto` stands for the path of what is run in its project, `$Runtime` for that of the module without
its tests, `$Test` for that with them; `!lib/old.jar` leaves a file out, or what is in a directory,
and `!*/logback-*.jar` what fits a pattern. Pure; called by `project_command`.
"""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.platform.paths import is_absolute, key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.launch.command_line import PathText, ProgramRequest
    from jvmdebug.projects.layout import Scope

_SCOPES: Final[dict[str, Scope]] = {"$Test": "test", "$Auto": "auto", "$Runtime": "runtime"}
"""The first of them that is named decides, as in java-debug."""
_NOT: Final = "!"


def names_project(request: ProgramRequest) -> bool:
    """Whether one of the paths says where the project's own belongs."""
    return any(each in _SCOPES for each in _texts(request))


def has_own_paths(request: ProgramRequest) -> bool:
    """Whether the user names all of a path, so that no project is asked for it."""
    texts = _texts(request)
    is_whole = any(not each.startswith(_NOT) for each in texts)
    return is_whole and not any(each in _SCOPES for each in texts)


def scope_of(request: ProgramRequest) -> Scope:
    """The path of the project that is meant; "auto" if the request names none."""
    texts = _texts(request)
    return next((scope for word, scope in _SCOPES.items() if word in texts), "auto")


def joined(
    given: Sequence[PathText], own: Sequence[Path], cwd: PathText | None
) -> tuple[PathText, ...]:
    """The path `given` with the project's `own` in its place, at the end if it has none, and
    without what is left out. Relative paths are those of `cwd`.
    """
    paths: list[PathText] = []
    is_placed = False
    for each in given:
        if os.fspath(each) not in _SCOPES:
            paths.append(each)
        elif not is_placed:
            is_placed = True
            paths += own
    return _without(paths if is_placed else [*paths, *own], Path(cwd or ".").absolute())


def _without(paths: Sequence[PathText], base: Path) -> tuple[PathText, ...]:
    left_out = [text[1:] for each in paths if (text := os.fspath(each)).startswith(_NOT)]
    return tuple(
        each
        for each in paths
        if not os.fspath(each).startswith(_NOT)
        and not any(_is_left_out(Path(base, each), text, base) for text in left_out)
    )


def _is_left_out(path: Path, text: str, base: Path) -> bool:
    if "*" in text or "?" in text:
        return fnmatchcase(key(str(path)), key(text if is_absolute(text) else f"*/{text}"))
    return path.is_relative_to(os.path.normpath(base / text))


def _texts(request: ProgramRequest) -> list[str]:
    return [os.fspath(each) for each in (*request.class_path, *request.module_path)]
