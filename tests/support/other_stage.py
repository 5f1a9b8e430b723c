# SPDX-License-Identifier: Apache-2.0
"""What one run of pytest has done, another need not do: `--record-passed` and `--leave-out`.

CI runs the tests of the agent with the newest JDK under the sanitizers, and the same pair not once
more without them; what failed there runs in both. Ids of tests, one per line. Called by the
conftest of all tests.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

RECORD = "--record-passed"
LEAVE_OUT = "--leave-out"


def add_options(parser: pytest.Parser) -> None:
    """Adds both options; a file that is not there leaves nothing out."""
    group = parser.getgroup("stages")
    group.addoption(RECORD, type=Path, metavar="FILE", help="write the ids of what passed there")
    group.addoption(LEAVE_OUT, type=Path, metavar="FILE", help="leave out the tests named there")


class PassedTests:
    """Plugin that appends the id of each test that passed to a file, as soon as it passed."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._file = file

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test's call or its set-up and end: with several processes, in the one that reports."""
        if report.when == "call" and report.passed:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(f"{report.nodeid}\n")


def register(config: pytest.Config) -> None:
    """Record in the process that reports: workers have it as well, and do not."""
    file = config.getoption(RECORD)
    if file is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(PassedTests(file))


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what the file names."""
    file: Path | None = config.getoption(LEAVE_OUT)
    if file is None or not file.exists():
        return
    passed = set(file.read_text(encoding="utf-8").splitlines())
    left_out = [item for item in items if item.nodeid in passed]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item.nodeid not in passed]
