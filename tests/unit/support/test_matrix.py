# SPDX-License-Identifier: Apache-2.0
"""Tests which pairs of agent and JDK CI has, and which are left to `make matrix`."""

from __future__ import annotations

import re
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
_NAMED = re.compile(r"tests/[a-z0-9_/]+(?:\.py)?(?:::test_\w+)?")
_TEST = re.compile(r"(?<![/:\w])test_\w+\b(?!\.py)")
INTERRUPTS = REPOSITORY / "tests" / "e2e" / "evaluate" / "test_safety.py"


@pytest.fixture(autouse=True)
def _two_jdks(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("VERSIONS", "SETS"):
        monkeypatch.delenv(f"JVMDEBUG_TEST_{name}", raising=False)
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


def test_a_tenth_of_the_front_ends_with_the_stock_agent() -> None:
    names = [f"test_{number}" for number in range(300)]
    marks = [matrix.marks_of("stock", OLD, file=STOPS, test=name) for name in names]
    assert 15 <= marks.count(()) <= 45
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


def test_a_run_of_few_sets_leaves_out_what_ci_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JVMDEBUG_TEST_VERSIONS", "17,25")
    monkeypatch.setenv("JVMDEBUG_TEST_SETS", "few")
    assert pairs(EXPRESSIONS) == {("jvmdebug", 25)}


def _exists(name: str) -> bool:
    """Whether there is such a folder, file or test."""
    file, _, function = name.partition("::")
    path = REPOSITORY / file
    if not function:
        return path.exists()
    return path.exists() and f"def {function}(" in path.read_text(encoding="utf-8")


def test_what_is_listed_exists_and_has_a_reason() -> None:
    tables = (matrix.ON_ONE_PAIR, matrix.ON_OLDEST, matrix.IN_MATRIX, matrix.ONE_SET)
    named = [(name, reason) for table in tables for name, reason in table.items()]
    named += [(each.tests, each.reason) for each in matrix.SAMPLED]
    named += [(name, "front ends") for name in matrix.CROSSWISE]
    assert [name for name, reason in named if not _exists(name) or len(reason) < 10] == []
    for each in matrix.IN_MATRIX:
        assert "::" in each
        assert each not in matrix.ONE_SET


def test_what_a_reason_names_exists_and_is_in_ci() -> None:
    """A path in a reason, which may have a test of that file behind it."""
    reasons = {*matrix.IN_MATRIX.values(), *matrix.ONE_SET.values()}
    reasons |= {each.reason for each in matrix.SAMPLED}
    named = {name for reason in reasons for name in _NAMED.findall(reason)}
    assert len(named) > 20
    assert [each for each in sorted(named) if not _exists(each) or each in matrix.IN_MATRIX] == []
    tests = {
        (each, name) for each in matrix.IN_MATRIX for name in _TEST.findall(matrix.IN_MATRIX[each])
    }
    for each, name in tests:
        own = f"{each.partition('::')[0]}::{name}"
        assert own not in matrix.IN_MATRIX, f"{each} and {name} are both left out"


def test_what_only_the_matrix_has_is_slow() -> None:
    for each in matrix.IN_MATRIX:
        file, _, name = each.partition("::")
        marks = matrix.marks_of("jvmdebug", NEW, file=REPOSITORY / file, test=name)
        assert pytest.mark.slow in marks


def _left_out(*names: str) -> list[str]:
    """The ids of what a run leaves out of tests with these ids."""
    items = [SimpleNamespace(nodeid=name, get_closest_marker=lambda _name: None) for name in names]
    chosen = cast("list[pytest.Item]", items)
    return [each.nodeid for each in matrix.left_out_items(chosen)]


def test_a_test_of_the_matrix_that_names_no_jdk(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = next(iter(matrix.IN_MATRIX))
    assert _left_out("a.py::test_other", listed) == [listed]
    monkeypatch.setenv("JVMDEBUG_TEST_VERSIONS", "25")
    assert _left_out("a.py::test_other", listed) == []


def test_one_set_of_parameters_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = next(iter(matrix.ONE_SET))
    names = ["a.py::test_other[1]", "a.py::test_other[2]", *(f"{listed}[{n}]" for n in (1, 2, 3))]
    monkeypatch.delenv("JVMDEBUG_TEST_SETS", raising=False)
    assert _left_out(*names) == [f"{listed}[2]", f"{listed}[3]"]
    monkeypatch.setenv("JVMDEBUG_TEST_SETS", "all")
    assert _left_out(*names) == []


def test_a_share_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    share = matrix.Sample("tests/there", 3, "all", "")
    others = matrix.Sample("tests/there/test_a.py", 3, "other", "")
    monkeypatch.setattr(matrix, "SAMPLED", (share,))
    names = [f"tests/there/test_a.py::test_it[jdk25-{number}]" for number in range(300)]
    left = _left_out(*names, "tests/there_too/test_a.py::test_it[1]")
    assert 160 <= len(left) <= 240
    assert names[0] not in left, "the first one stays"
    assert left == _left_out(*names)

    monkeypatch.setattr(matrix, "SAMPLED", (others,))
    assert _left_out(*names) == []
    stock = [each.replace("[", "[stock-") for each in names]
    older = [each.replace("jdk25", "jdk17") for each in names]
    assert 160 <= len(_left_out(*stock)) <= 240
    assert 160 <= len(_left_out(*older)) <= 240
    monkeypatch.setenv("JVMDEBUG_TEST_VERSIONS", "17")
    assert _left_out(*older) == []
