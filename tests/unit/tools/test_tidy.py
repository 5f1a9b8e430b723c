# SPDX-License-Identifier: Apache-2.0
"""The cache key of a clang-tidy result: what the source includes, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tools import tidy
from tools.tidy import Source, key, selected, with_headers

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def native(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two sources: one includes b.h and, through it, c.h; one includes d.h."""
    folder = tmp_path / "native"
    folder.mkdir()
    files = {
        "one.cpp": '#include <vector>\n#include "b.h"\n',
        "two.cpp": '#include "d.h"\n',
        "b.h": '#  include "c.h"\n',
        "c.h": '#include "b.h"\n',
        "d.h": "int d;\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(tidy, "REPOSITORY", tmp_path)
    monkeypatch.setattr(tidy, "NATIVE", folder)
    monkeypatch.setattr(tidy, "versions", lambda: b"rules and tools")
    forget()
    return folder


def forget() -> None:
    tidy.content.cache_clear()
    tidy.included.cache_clear()


def source(native: Path, name: str) -> Source:
    file = native / name
    return Source(file, ("c++", f"-I{native}", "-c", str(file)), native)


def test_what_is_included_directly_or_not(native: Path) -> None:
    assert with_headers(native / "one.cpp") == [native / n for n in ("b.h", "c.h", "one.cpp")]


@pytest.mark.parametrize(
    ("changed", "is_other"), [("one.cpp", True), ("c.h", True), ("d.h", False), ("two.cpp", False)]
)
def test_the_key_is_of_what_the_source_includes(
    native: Path, changed: str, *, is_other: bool
) -> None:
    before = key(source(native, "one.cpp"))
    (native / changed).write_text('#include "c.h"\nint more;\n', encoding="utf-8")
    forget()
    assert (key(source(native, "one.cpp")) != before) == is_other


def test_the_key_is_of_the_rules_and_the_command(
    native: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = source(native, "one.cpp")
    before = key(one)
    assert key(Source(one.file, (*one.arguments, "-DNDEBUG"), one.directory)) != before
    monkeypatch.setattr(tidy, "versions", lambda: b"other rules")
    assert key(one) != before


def test_the_key_is_the_same_in_another_clone(
    native: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = key(source(native, "one.cpp"))
    other = tmp_path / "clone" / "native"
    other.parent.mkdir()
    native.rename(other)
    monkeypatch.setattr(tidy, "REPOSITORY", other.parent)
    monkeypatch.setattr(tidy, "NATIVE", other)
    forget()
    assert key(source(other, "one.cpp")) == before


def test_a_header_is_checked_where_it_is_included(native: Path) -> None:
    both = [source(native, name) for name in ("one.cpp", "two.cpp")]
    assert selected(both, []) == both
    assert selected(both, [native / "d.h"]) == both[1:]
    assert selected(both, [native / "c.h", native / "two.cpp"]) == both
    with pytest.raises(SystemExit, match="no source of ours"):
        selected(both, [native / "e.h"])


def test_what_is_recorded_is_known_in_every_clone(
    native: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tidy, "CHECKED", native / "clang-tidy.checked")
    assert tidy.recorded() == frozenset()
    sources = [source(native, "two.cpp"), source(native, "one.cpp")]

    tidy.record(sources)

    assert tidy.recorded() == {key(each) for each in sources}
    names = [line.split()[0] for line in tidy.CHECKED.read_text().splitlines()]
    assert names == ["one.cpp", "two.cpp"]
    (native / "c.h").write_text("int more;\n", encoding="utf-8")
    forget()
    assert key(sources[0]) in tidy.recorded()
    assert key(sources[1]) not in tidy.recorded()
