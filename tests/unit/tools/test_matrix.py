# SPDX-License-Identifier: Apache-2.0
"""`make matrix`: its parts are all tests, and what passed is not run again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.jdks import REPOSITORY
from tools.matrix import PARTS, Part, Results, run

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_each_test_file_is_in_one_part() -> None:
    folders = [folder for name, folders in PARTS.items() if name != "slow" for folder in folders]
    for file in (REPOSITORY / "tests").rglob("test_*.py"):
        name = file.relative_to(REPOSITORY).as_posix()
        assert len([each for each in folders if name.startswith(f"{each}/")]) == 1, name


def test_a_run_goes_on_where_the_last_one_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = [Part(17, "unit"), Part(17, "wire"), Part(25, "unit")]
    ran: list[str] = []

    def fail_on_wire(part: Part) -> bool:
        ran.append(str(part))
        return part.name != "wire"

    def once(sources: str) -> list[Part]:
        ran.clear()
        return run(parts, Results(tmp_path / "matrix" / "passed.json", sources), fail_on_wire)

    assert once("first") == [Part(17, "wire")]
    assert ran == ["17-unit", "17-wire", "25-unit"]
    assert "[2/3] JDK 17, wire: FAILED" in capsys.readouterr().out
    assert once("first") == [Part(17, "wire")]
    assert ran == ["17-wire"]
    assert "[1/3] JDK 17, unit: passed before" in capsys.readouterr().out
    once("changed")
    assert ran == ["17-unit", "17-wire", "25-unit"]
