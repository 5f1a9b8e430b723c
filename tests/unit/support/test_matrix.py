# SPDX-License-Identifier: Apache-2.0
"""Tests which pairs of agent and JDK CI has, and which are left to `make matrix`."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests.support import matrix
from tests.support.jdks import REPOSITORY, Jdk

OLD, NEW = (Jdk(Path(f"/jdk{version}"), version) for version in (17, 25))
WIRE = REPOSITORY / "tests" / "conformance" / "jdwp" / "test_steps.py"
STOPS = REPOSITORY / "tests" / "e2e" / "script" / "test_stops.py"
EXPRESSIONS = REPOSITORY / "tests" / "e2e" / "evaluate" / "test_evaluation.py"
INTERRUPTS = REPOSITORY / "tests" / "e2e" / "evaluate" / "test_safety.py"


@pytest.fixture(autouse=True)
def _two_jdks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JVMDEBUG_TEST_VERSIONS", raising=False)
    monkeypatch.setattr(matrix, "jdks_to_test", lambda: (OLD, NEW))


def pairs(file: Path) -> set[tuple[str, int]]:
    """What CI runs of the tests in that file."""
    return {
        (kind, jdk.version)
        for jdk in (OLD, NEW)
        for kind in ("jvmdebug", "stock")
        if pytest.mark.slow not in matrix.marks_of(kind, jdk, file=file)
    }


def test_ours_on_all_and_the_stock_agent_on_the_newest() -> None:
    assert pairs(WIRE) == {("jvmdebug", 17), ("jvmdebug", 25), ("stock", 25)}


def test_front_ends_crosswise() -> None:
    assert pairs(STOPS) == pairs(INTERRUPTS) == {("jvmdebug", 25), ("stock", 17)}
    assert matrix.marks_of(None, OLD, file=STOPS) == (pytest.mark.slow,)
    assert matrix.marks_of(None, NEW, file=STOPS) == ()


def test_a_fifth_of_the_front_ends_with_the_stock_agent() -> None:
    names = [f"test_{number}" for number in range(300)]
    marks = [matrix.marks_of("stock", OLD, file=STOPS, test=name) for name in names]
    assert 40 <= marks.count(()) <= 80
    assert marks == [matrix.marks_of("stock", OLD, file=STOPS, test=name) for name in names]
    ours = [matrix.marks_of("jvmdebug", NEW, file=STOPS, test=name) for name in names]
    assert all(each == (pytest.mark.agent,) for each in ours)


def test_expressions_on_one_pair() -> None:
    assert pairs(EXPRESSIONS) == {("jvmdebug", 25)}
    assert matrix.marks_of(None, OLD, file=EXPRESSIONS) == (pytest.mark.slow,)
    assert matrix.marks_of(None, NEW, file=EXPRESSIONS) == ()


def test_a_run_that_names_versions_has_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JVMDEBUG_TEST_VERSIONS", "17,25")
    assert len(pairs(EXPRESSIONS)) == len(pairs(WIRE)) == 4


def test_what_is_listed_exists() -> None:
    for name in (*matrix.ON_ONE_PAIR, *matrix.CROSSWISE):
        assert (REPOSITORY / name).exists()


def test_what_only_the_matrix_has_exists() -> None:
    for each in matrix.IN_MATRIX:
        file, _, name = each.partition("::")
        assert f"def {name}(" in (REPOSITORY / file).read_text(encoding="utf-8"), each
        marks = matrix.marks_of("jvmdebug", NEW, file=REPOSITORY / file, test=name)
        assert pytest.mark.slow in marks


def test_what_has_one_set_of_parameters_exists() -> None:
    for files in matrix.ONE_SET.values():
        for file, names in files.items():
            text = (REPOSITORY / file).read_text(encoding="utf-8")
            assert [name for name in names if f"def {name}(" not in text] == [], file


def test_one_set_of_parameters_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    file, (first, *_) = next(iter(next(iter(matrix.ONE_SET.values())).items()))
    listed = f"{file}::{first}"
    names = ["a.py::test_other[1]", "a.py::test_other[2]", *(f"{listed}[{n}]" for n in (1, 2, 3))]
    items = [SimpleNamespace(nodeid=name, get_closest_marker=lambda _name: None) for name in names]
    chosen = cast("list[pytest.Item]", items)
    monkeypatch.delenv("JVMDEBUG_TEST_SETS", raising=False)
    assert [each.nodeid for each in matrix.other_sets(chosen)] == [f"{listed}[2]", f"{listed}[3]"]
    monkeypatch.setenv("JVMDEBUG_TEST_SETS", "all")
    assert matrix.other_sets(chosen) == []
