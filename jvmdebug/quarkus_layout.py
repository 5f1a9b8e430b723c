# SPDX-License-Identifier: Apache-2.0
"""Finds the archives of an application that Quarkus has packed as a "fast jar".

Its runner loads the archives itself, so the class path of the VM has only what starts it. Reads the
disk. Used by whoever reads the class path: `evaluator`, `stepping`, `session`.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_RUNNER: Final = "quarkus-run.jar"
_INDEX: Final = ("quarkus", "quarkus-application.dat")
_CHANGED: Final = ("quarkus", "transformed-bytecode.jar")
"""Classes of the application that the build has changed; the runner takes them first."""


@dataclass(frozen=True, slots=True)
class QuarkusApplication:
    """The archives of one application, sorted by name."""

    own: tuple[Path, ...]
    libraries: tuple[Path, ...]


def application_of(archive: Path) -> QuarkusApplication | None:
    """The application that an archive starts; None if it is not such a runner."""
    folder = archive.parent
    if archive.suffix != ".jar" or not folder.joinpath(*_INDEX).is_file():
        return None
    changed = folder.joinpath(*_CHANGED)
    own = (*((changed,) if changed.is_file() else ()), *sorted((folder / "app").glob("*.jar")))
    return QuarkusApplication(own, tuple(sorted((folder / "lib" / "main").glob("*.jar"))))


def is_in_application(archive: str, *, runner: str) -> bool:
    """Whether an archive is the user's by its place beside the runner, which has the name that
    Quarkus gives it; for files of another machine. Paths with slashes.
    """
    folder, _, name = runner.rpartition("/")
    within = posixpath.dirname(archive)
    is_changed = archive == "/".join((folder, *_CHANGED))
    return name == _RUNNER and (within == f"{folder}/app" or is_changed)


def with_applications(class_path: Iterable[Path]) -> list[Path]:
    """The class path, with the archives of such an application behind the runner that loads
    them; each once.
    """
    found: dict[Path, None] = {}
    for each in class_path:
        found[each] = None
        application = application_of(each)
        if application is not None:
            found |= dict.fromkeys((*application.own, *application.libraries))
    return list(found)
