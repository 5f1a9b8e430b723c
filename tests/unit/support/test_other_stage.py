# SPDX-License-Identifier: Apache-2.0
"""A test that one stage of CI has passed is left out of another; one that failed is not."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.jdks import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

CONFTEST = """
from tests.support import other_stage

pytest_addoption = other_stage.add_options
pytest_configure = other_stage.register
pytest_collection_modifyitems = other_stage.leave_out
"""
TESTS = """
import pytest

@pytest.mark.parametrize("name", ["a b", "c"])
def test_good(name):
    assert name

def test_bad():
    assert False

@pytest.mark.skip(reason="shown")
def test_skipped():
    assert False
"""


def run(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *arguments]
    ran = subprocess.run(
        command,
        cwd=folder,
        env={"PYTHONPATH": str(REPOSITORY), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.stdout + ran.stderr


@pytest.mark.parametrize("workers", ["0", "2"])
def test_what_has_passed_is_left_out(tmp_path: Path, workers: str) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_it.py").write_text(TESTS)
    passed = tmp_path / "build" / "passed"

    first = run(tmp_path, "-n", workers, f"--leave-out={passed}", f"--record-passed={passed}")
    second = run(tmp_path, "-n", workers, f"--leave-out={passed}")

    assert "1 failed, 2 passed, 1 skipped" in first
    names = sorted(passed.read_text().splitlines())
    assert names == ["test_it.py::test_good[a b]", "test_it.py::test_good[c]"]
    assert "1 failed, 1 skipped" in second
    assert "passed" not in second.splitlines()[-1]
