# SPDX-License-Identifier: Apache-2.0
"""How CI runs the tests: few that failed are run once more, and named."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from tools import tests

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest


class FakePytest:
    """Exit codes in the order of the runs, and the tests that the first run says have failed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.codes: list[int] = []
        self.failed: list[str] = []
        self.ran: list[Sequence[str]] = []
        monkeypatch.setattr(tests, "RUN_AGAIN", folder / "build" / "run-again")
        monkeypatch.setattr(subprocess, "run", self._run)

    def _run(self, command: Sequence[str], **_: object) -> subprocess.CompletedProcess[str]:
        self.ran.append(command)
        (cache,) = (word.removeprefix("cache_dir=") for word in command if "cache_dir=" in word)
        last_failed = Path(cache) / "v" / "cache" / "lastfailed"
        last_failed.parent.mkdir(parents=True, exist_ok=True)
        last_failed.write_text(json.dumps(dict.fromkeys(self.failed, True)), encoding="utf-8")
        return subprocess.CompletedProcess(command, self.codes.pop(0))


def test_one_that_passes_the_second_time_is_named_last(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fake = FakePytest(monkeypatch, tmp_path)
    fake.codes, fake.failed = [1, 0], ["tests/a.py::one", "tests/b.py::two"]
    assert tests.run_tests(["-n", "2"], {}) == 0
    assert fake.ran[1][-2:] == ["-n", "0"]
    line = "=== failed once and passed when run again: tests/a.py::one, tests/b.py::two"
    assert capsys.readouterr().out.splitlines()[-1] == line
    assert tests.RUN_AGAIN.read_text(encoding="utf-8") == f"{line}\n"


def test_one_that_fails_twice_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fake = FakePytest(monkeypatch, tmp_path)
    fake.codes, fake.failed = [1, 1], ["tests/a.py::one"]
    assert tests.run_tests([], {}) == 1
    assert capsys.readouterr().out.splitlines()[-1].endswith("tests/a.py::one")


def test_four_failures_are_not_run_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = FakePytest(monkeypatch, tmp_path)
    fake.codes, fake.failed = [1], [f"tests/a.py::{number}" for number in range(4)]
    assert tests.run_tests([], {}) == 1
    assert len(fake.ran) == 1
    assert not tests.RUN_AGAIN.exists()
