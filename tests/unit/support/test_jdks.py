# SPDX-License-Identifier: Apache-2.0
"""Discovery of JDKs by the contents of their folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support import jdks
from tests.support.jdks import NoJdkError, jdk_at, jdks_to_test

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def _discover_afresh() -> Iterator[None]:
    for each in (jdks.discover, jdks.jdk_of):
        each.cache_clear()
    yield
    for each in (jdks.discover, jdks.jdk_of):
        each.cache_clear()


def make_jdk(home: Path, version: str, *extra: str) -> Path:
    for name in ("bin/java", *extra):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).touch()
    (home / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
    return home


@pytest.mark.parametrize(
    ("version", "major"), [("17.0.15", 17), ("25", 25), ("1.8.0_402", 8), ("26-ea", 26)]
)
def test_the_version_is_read_from_the_release_file(
    tmp_path: Path, version: str, major: int
) -> None:
    jdk = jdk_at(make_jdk(tmp_path, version))
    assert jdk is not None
    assert (jdk.version, jdk.has_javac, jdk.has_jdwp) == (major, False, False)


def test_a_folder_without_a_launcher_is_no_jdk(tmp_path: Path) -> None:
    (tmp_path / "release").write_text('JAVA_VERSION="17"\n')
    assert jdk_at(tmp_path) is None


def test_a_jdk_named_on_purpose_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = make_jdk(tmp_path, "17.0.1", "lib/libjdwp.so", "bin/javac", "include/jvmti.h")
    monkeypatch.setenv("JVMDEBUG_TEST_JDKS", str(named))
    chosen = jdks.jdk_of(17)
    assert chosen is not None
    assert chosen.home == named


def test_a_version_that_was_asked_for_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JVMDEBUG_TEST_VERSIONS", "99")
    with pytest.raises(NoJdkError, match="99"):
        jdks_to_test()
