# SPDX-License-Identifier: Apache-2.0
"""Coverage of the tests that `jvmdebug test` runs, together and one by one.

Which test has run which lines is kept in the project's cache, for `--covering`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.coverage import Coverage, classes_in
from jvmdebug_cli.exit_codes import WrongUsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    import jvmdebug
    from jvmdebug_cli.printer import Printer


def is_wanted(parsed: argparse.Namespace) -> bool:
    """Whether the tests are covered."""
    return bool(parsed.coverage or parsed.per_test or parsed.fail_under is not None)


def recorder_of(
    parsed: argparse.Namespace, groups: Sequence[jvmdebug.projects.TestGroup]
) -> TestCoverage | None:
    """What records the coverage of these tests; None if it is not asked for."""
    if not is_wanted(parsed):
        return None
    folders = {
        folder
        for group in groups
        if group.source_set.is_test
        for folder in group.source_set.class_folders
    }
    return TestCoverage(parsed, classes_in(sorted(folders)))


class TestCoverage:
    """The coverage of all programs that run tests for one command."""

    __test__ = False

    def __init__(self, parsed: argparse.Namespace, exclude: Sequence[str]) -> None:
        self._parsed = parsed
        self._exclude = exclude
        self._all = Coverage()

    async def record(self, session: jvmdebug.Session) -> None:
        """Run the program to its end."""
        recording = session.coverage(exclude=self._exclude, per_test=self._parsed.per_test)
        async with recording:
            await session.start()
            await session.wait()
        self._all = self._all.merged_with(await recording.read())

    def report(
        self, project: jvmdebug.projects.Project, out: Printer, beside: Printer, code: int
    ) -> int:
        """Write what was found; the exit code."""
        from jvmdebug_cli.subcommands import coverage  # noqa: PLC0415 - it adds our options

        if self._parsed.per_test:
            project.remember_lines(self._all.tests)
        self._parsed.target = None
        self._parsed.program = "tests"
        return coverage.report(self._parsed, self._all, out, beside, code)


def tests_covering(project: jvmdebug.projects.Project, places: Iterable[str]) -> list[str]:
    """The tests that have run one of these lines. WrongUsageError if none is known."""
    remembered = Coverage(tests=project.remembered_lines())
    if not remembered.tests:
        raise WrongUsageError(
            "no test of this project was recorded yet: run jvmdebug test --per-test before"
        )
    found: dict[str, None] = {}
    for place in places:
        file, _, line = place.rpartition(":")
        if not file or not line.isdecimal():
            raise WrongUsageError(f"--covering {place}: write it like Cart.java:42")
        found.update(dict.fromkeys(_tests_of(remembered, file, int(line))))
    if not found:
        raise WrongUsageError(f"no test has run {', '.join(places)}")
    return list(found)


def _tests_of(remembered: Coverage, file: str, line: int) -> list[str]:
    wanted = file.replace("\\", "/")
    return [
        test
        for test, ran in remembered.tests.items()
        for name, lines in ran.items()
        if line in lines
        and (name == wanted or name.endswith("/" + wanted) or wanted.endswith("/" + name))
    ]
