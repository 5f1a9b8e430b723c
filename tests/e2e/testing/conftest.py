# SPDX-License-Identifier: Apache-2.0
"""A project whose tests fail, pass and are skipped, in JUnit 3, 4, 5 and TestNG."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.libraries import frameworks, maven

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = Path(__file__).with_name("sources")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(SOURCES.parent):
            item.add_marker(pytest.mark.network)
            item.add_marker(pytest.mark.timeout(360))


@pytest.fixture(scope="session", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is kept of projects, and the runner that is compiled, for this run of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


def made_project(folder: Path, jars: tuple[Path, ...], *names: str, package: str = "shop") -> Path:
    """A plain project with these of the sources of a package (all) and links to these jars."""
    (folder / "lib").mkdir(parents=True)
    for jar in jars:
        (folder / "lib" / jar.name).symlink_to(jar)
    (folder / "src" / package).mkdir(parents=True)
    for source in sorted((SOURCES / package).glob("*.java")):
        if not names or source.stem in names:
            shutil.copy(source, folder / "src" / package)
    return folder


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, compiled by the first test."""
    if maven() is None:
        pytest.skip("the test frameworks are fetched by Maven; no mvn here")
    return made_project(tmp_path_factory.mktemp("tests") / "shop", frameworks())
