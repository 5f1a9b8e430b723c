# SPDX-License-Identifier: Apache-2.0
"""The version is written in pyproject.toml; whatever repeats it says the same."""

from __future__ import annotations

import jvmdebug
from tests.house.tracked import text_of, tracked_files
from tools.changelog import CHANGELOG, mistakes, release_of
from tools.version import copies, version


def test_copies_of_the_version_are_equal() -> None:
    assert set(copies().values()) == {version()}


def test_the_package_says_its_version() -> None:
    assert jvmdebug.__version__ == version(), "run `make build` after a change of the version"


def test_nothing_else_repeats_the_version() -> None:
    allowed = {"pyproject.toml", "CHANGELOG.md", *(place.split(",")[0] for place in copies())}
    sources = (".py", ".cpp", ".h", ".txt", ".cmake", ".ts", ".yml")
    repeated = [
        str(path)
        for path in tracked_files()
        if path.suffix in sources and path.parts[0] != "tests" and str(path) not in allowed
        if f'"{version()}"' in text_of(path)
    ]
    assert repeated == []


def test_the_changelog_has_its_shape_and_this_version() -> None:
    text = CHANGELOG.read_text(encoding="utf-8")
    assert mistakes(text) == []
    assert release_of(text, version()) is not None
