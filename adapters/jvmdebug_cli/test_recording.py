# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug test --record`: what the tests do, as a file that `jvmdebug replay` walks through.

Owns which file each program that runs tests has.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_cli.exit_codes import OutOfReachError, WrongUsageError
from jvmdebug_cli.output_files import check_folder

if TYPE_CHECKING:
    import argparse

    from jvmdebug.recording import Recorded
    from jvmdebug_cli.printer import Printer

_FILE = "tests.jvmrec"


def check(parsed: argparse.Namespace) -> None:
    """Raises WrongUsageError for options that do not fit together; before anything runs."""
    if parsed.debug or parsed.coverage or parsed.per_test:
        raise WrongUsageError("--record goes neither with --debug nor with --coverage")
    if parsed.format:
        raise WrongUsageError("--format is for --coverage")
    from jvmdebug_cli.subcommands import record  # noqa: PLC0415 - it adds our options

    parsed.output = parsed.output or _FILE
    check_folder(parsed.output)
    record.redaction(parsed)


class TestRecording:
    """The recordings of all programs that run tests for one command."""

    __test__ = False

    def __init__(self, parsed: argparse.Namespace) -> None:
        self._parsed = parsed
        self._path = Path(parsed.output)
        self._done: list[Recorded] = []

    async def record(self, session: jvmdebug.Session) -> None:
        """Run the program to its end."""
        from jvmdebug_cli.subcommands import record  # noqa: PLC0415 - it adds our options

        number = len(self._done) + 1
        name = self._path if number == 1 else self._path.with_stem(f"{self._path.stem}-{number}")
        try:
            recorder = session.record(
                name,
                what=self._parsed.what,
                only=self._parsed.only,
                redact=record.redaction(self._parsed),
                limit=record.limit(self._parsed),
                last=self._parsed.last,
                share=self._parsed.share,
            )
            async with recorder:
                await session.start()
                await session.wait()
            self._done.append(await recorder.stop())
        except (jvmdebug.recording.RecordingError, jvmdebug.UnsupportedError) as error:
            raise OutOfReachError(str(error)) from None  # 1 says that tests have failed

    def report(self, _: jvmdebug.projects.Project, __: Printer, beside: Printer, code: int) -> int:
        """Say what was written; the exit code."""
        from jvmdebug_cli.subcommands import record  # noqa: PLC0415 - it adds our options

        self._parsed.method = None
        for each in self._done:
            record.report(self._parsed, each, beside)
        return code
