# SPDX-License-Identifier: Apache-2.0
"""The version of the project: `python -m tools.version` shows it, with a number it sets it.

It is written in pyproject.toml. The build of the agent reads it there, `jvmdebug.__version__` and
`jvmdebug --version` read it from the installed package, and npm wants a copy of its own: this sets
those files too and opens the release in CHANGELOG.md. A house test holds all of them equal.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import re
from pathlib import Path
from typing import Final

from tools import changelog

REPOSITORY: Final = Path(__file__).resolve().parents[1]

_LINE: Final = re.compile(r'^version = "(?P<version>[^"]+)"$', re.MULTILINE)
_NUMBERS: Final = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_PACKAGE: Final = Path("vscode-extension/package.json")
_LOCK: Final = Path("vscode-extension/package-lock.json")


def version(repository: Path = REPOSITORY) -> str:
    """The version that pyproject.toml states."""
    found = _LINE.search((repository / "pyproject.toml").read_text(encoding="utf-8"))
    if found is None:
        raise SystemExit('pyproject.toml has no line `version = "…"`')
    return found["version"]


def copies(repository: Path = REPOSITORY) -> dict[str, str]:
    """The version in each file that has to repeat it."""
    package = json.loads((repository / _PACKAGE).read_text(encoding="utf-8"))
    lock = json.loads((repository / _LOCK).read_text(encoding="utf-8"))
    return {
        str(_PACKAGE): package["version"],
        str(_LOCK): lock["version"],
        f"{_LOCK}, root package": lock["packages"][""]["version"],
    }


def numbers(text: str) -> tuple[int, ...]:
    """The three numbers of a version, to compare. Raises ValueError.

    There are no pre-releases: Python, npm and the VS Code Marketplace write those differently.
    """
    found = _NUMBERS.fullmatch(text)
    if found is None:
        raise ValueError(f"a version is three numbers, as in 1.2.3, not {text!r}")
    return tuple(int(number) for number in found.groups())


def set_version(new: str, date: str, repository: Path = REPOSITORY) -> None:
    """Write a newer version everywhere and open its release. Raises ValueError."""
    old = version(repository)
    if numbers(new) <= numbers(old):
        raise ValueError(f"{new} is not newer than {old}")
    notes = repository / "CHANGELOG.md"
    text = notes.read_text(encoding="utf-8")
    unreleased = changelog.release_of(text, changelog.UNRELEASED)
    if unreleased is None or not unreleased.has_entries:
        raise ValueError(f"CHANGELOG.md has no entries below [{changelog.UNRELEASED}]")
    notes.write_text(changelog.open_release(text, new, date), encoding="utf-8")
    _replace(repository / "pyproject.toml", f'version = "{old}"', f'version = "{new}"', 1)
    _replace(repository / _PACKAGE, f'"version": "{old}"', f'"version": "{new}"', 1)
    # The first two of the lock file are the extension's own; those below are of its dependencies.
    _replace(repository / _LOCK, f'"version": "{old}"', f'"version": "{new}"', 2)


def _replace(path: Path, old: str, new: str, count: int) -> None:
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(old, new, count), encoding="utf-8")


def main() -> None:
    """Show the version or set it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("new", nargs="?", help="the version to set, newer than the present one")
    given = parser.parse_args()
    if given.new is None:
        print(version())
        return
    try:
        set_version(given.new, dt.datetime.now(tz=dt.UTC).date().isoformat())
    except ValueError as error:
        raise SystemExit(str(error)) from None
    print(f"version {given.new}: read the changes, commit them, then `make release`")


if __name__ == "__main__":
    main()
