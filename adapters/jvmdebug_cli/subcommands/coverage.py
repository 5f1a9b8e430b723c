# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug coverage`: which lines and branches of a program run, written for people and for tools.

Owns the arguments, that the program's exit code and output stay its own, and `coverage merge`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug.os_errors import reason
from jvmdebug_cli.addresses import TARGET_HELP, add_token_file
from jvmdebug_cli.argument_types import number_between
from jvmdebug_cli.exit_codes import (
    DONE,
    FAILED,
    OUT_OF_REACH,
    OutOfReachError,
    WrongUsageError,
    of_program,
)
from jvmdebug_cli.limits import add_duration
from jvmdebug_cli.output_files import check_folder
from jvmdebug_cli.subcommands.asking import (
    Commands,
    add_command,
    add_program,
    is_started,
    opened,
    printers,
    program_name,
    run,
)

if TYPE_CHECKING:
    import argparse

    from jvmdebug.coverage import Coverage
    from jvmdebug_cli.printer import Printer

_DESCRIPTION = """\
Record which lines, branches and methods of a program run, without stopping it.

  jvmdebug coverage -o cov.html -cp classes -- shop.Main    a program from its start to its end
  jvmdebug coverage --format lcov -o cov.info --project . -- shop.Main
  jvmdebug coverage 4711 --for 60                           a running JVM, for a minute
  jvmdebug coverage merge a.json b.json -o all.html         several files together

The name of the file says the format: .info (LCOV), .xml (JaCoCo's, or Cobertura's if cobertura is
in the name), .html, .json (all of it, to merge). Without -o a table is shown. The exit code of a
program that is started is its own; 3: it could not be covered. With --fail-under, 1 says that too
few lines ran. Without --include all classes in the folders of the class path count.
"""
_FORMATS: Final = ("lcov", "cobertura", "jacoco", "html", "json")
_MERGE: Final = "merge"
_LOST: Final = (
    "coverage: the program was killed, or the connection lost: what it ran in the last {age:.0f} s"
    " is not counted"
)


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "coverage", "show which lines run", _DESCRIPTION)
    parser.add_argument("target", nargs="?", metavar="TARGET", help=f"{TARGET_HELP}; or merge")
    parser.add_argument("files", nargs="*", metavar="FILE", help="merge: the files to merge")
    add_token_file(parser)
    add_duration(parser, "how long (10; a program: to its end)")
    add_output(parser)
    parser.add_argument(
        "--include",
        action="append",
        default=[],
        metavar="PATTERN",
        help="classes that count, like shop.*; may be repeated",
    )
    parser.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="PATTERN",
        help="classes that do not count; may be repeated",
    )
    add_program(parser)
    parser.set_defaults(run=_run)


def add_output(parser: argparse.ArgumentParser) -> None:
    """`--format`, `-o`, `--fail-under`."""
    parser.add_argument("--format", choices=_FORMATS, help="of the file; without -o on stdout")
    parser.add_argument("--output", "-o", metavar="FILE", help="the file to write")
    parser.add_argument(
        "--fail-under",
        type=number_between(0, 100),
        metavar="N",
        help="exit with 1 if less than N percent of the lines have run",
    )


def check_output(parsed: argparse.Namespace) -> None:
    """Raises WrongUsageError for a file that cannot be written; before anything runs."""
    if parsed.output is None:
        return
    check_folder(parsed.output)
    if parsed.format is None:
        try:
            jvmdebug.coverage.format_of(Path(parsed.output).name)
        except jvmdebug.coverage.CoverageError as error:
            raise WrongUsageError(str(error)) from None


def _run(parsed: argparse.Namespace) -> int:
    check_output(parsed)
    try:
        if parsed.target == _MERGE:
            return _merge(parsed)
        if parsed.files:
            raise WrongUsageError(
                "write -- in front of a program to start: jvmdebug coverage -- MAIN"
            )
        if not is_started(parsed) and parsed.duration is None:
            parsed.duration = 10.0
        return run(_cover(parsed))
    except jvmdebug.coverage.CoverageError as error:
        # 1 is the program's, or says that too little has run.
        raise OutOfReachError(str(error)) from None


def _merge(parsed: argparse.Namespace) -> int:
    if not parsed.files:
        raise WrongUsageError(
            "say which files to merge: jvmdebug coverage merge a.json b.json -o x"
        )
    found = [jvmdebug.coverage.read_coverage(each) for each in parsed.files]
    out, beside = printers(parsed)
    return report(parsed, found[0].merged_with(*found[1:]), out, beside, DONE)


async def _cover(parsed: argparse.Namespace) -> int:
    from jvmdebug_cli.program_run import ProgramRun  # noqa: PLC0415 - slow to import

    out, beside = printers(parsed)
    async with opened(parsed) as session:
        program = ProgramRun(session, parsed, out, beside)
        recording = session.coverage(include=parsed.include, exclude=parsed.exclude)
        async with recording:
            await program.begin()
            await program.until(parsed.duration)
        coverage = await recording.read()
        code = await program.leave()
        if program.is_ours and not program.was_interrupted and session.is_disconnected:
            code = of_program(await session.wait()) or DONE
    return report(parsed, coverage, out, beside, code, is_beside=program.is_ours)


def report(
    parsed: argparse.Namespace,
    coverage: Coverage,
    out: Printer,
    beside: Printer,
    code: int,
    *,
    is_beside: bool = False,
) -> int:
    """Write the file or the table, and say what is missing. `is_beside`: the standard output is the
    program's, so the table goes beside it. The exit code: that of the program, unless it is 0 and
    too little has run.
    """
    title = program_name(parsed) or "coverage"
    if parsed.output is not None:
        try:
            written = coverage.write(parsed.output, parsed.format, title)
        except OSError as error:
            print(f"coverage: {parsed.output} cannot be written: {reason(error)}", file=sys.stderr)
            return OUT_OF_REACH
        beside.write(f"written: {written}")
    elif parsed.format is not None:
        out.write_output(coverage.text(parsed.format, title))
    elif parsed.json:
        out.write_json(_as_dict(coverage))
    else:
        show(beside if is_beside else out, coverage)
    for text in remarks(coverage, is_now=parsed.target != _MERGE):
        beside.write(text)
    ratio = coverage.counters.lines.ratio * 100
    if parsed.fail_under is not None and ratio < parsed.fail_under:
        beside.write(f"coverage: {ratio:.1f} % of the lines ran, less than {parsed.fail_under:g} %")
        return code or FAILED
    return code


def remarks(coverage: Coverage, *, is_now: bool) -> list[str]:
    """What a reader has to know about the numbers; `is_now`: the program has run right now."""
    import time  # noqa: PLC0415 - seldom needed

    found = []
    if not coverage.is_complete and is_now:
        found.append(_LOST.format(age=max(time.time() - coverage.read_at, 0)))
    elif not coverage.is_complete:
        found.append("coverage: one of the programs was killed: what it ran last is not counted")
    if coverage.waiting:
        found.append(
            f"coverage: {coverage.waiting} classes have methods that threads ran all the time: what"
            " these ran is not known"
        )
    for name, why in list(coverage.left_out.items())[:5]:
        found.append(f"coverage: nothing is known of {jvmdebug.one_line(name)}: {why}")
    if len(coverage.left_out) > 5:
        found.append(f"coverage: nor of {len(coverage.left_out) - 5} others")
    return found


def show(out: Printer, coverage: Coverage) -> None:
    """A table of the source files."""
    from jvmdebug_cli.rows import Rows  # noqa: PLC0415 - slow to import

    if not coverage.files:
        out.write("No class counts: say which with --include.")
        return
    shares = [(each.counters, jvmdebug.one_line(each.name)) for each in coverage.files]
    rows = [
        [
            f"{counters.lines.ratio:.0%}",
            f"{counters.lines.covered}/{counters.lines.total}",
            f"{counters.branches.covered}/{counters.branches.total}",
            name,
        ]
        for counters, name in [*shares, (coverage.counters, "all")]
    ]
    out.write(Rows(["lines", "covered", "branches", "file"], rows))


def _as_dict(coverage: Coverage) -> dict[str, object]:
    def counted(of: jvmdebug.coverage.Counters) -> dict[str, dict[str, int]]:
        return {
            name: {"covered": each.covered, "total": each.total}
            for name, each in (
                ("lines", of.lines),
                ("branches", of.branches),
                ("methods", of.methods),
                ("classes", of.classes),
            )
        }

    return {
        "is_complete": coverage.is_complete,
        "waiting": coverage.waiting,
        "left_out": dict(coverage.left_out),
        **counted(coverage.counters),
        "files": [
            {
                "name": each.name,
                "path": each.path,
                **counted(each.counters),
                "missed": [n for n, line in each.lines.items() if not line.instructions.covered],
                "partial": [n for n, line in each.lines.items() if line.status == "partial"],
            }
            for each in coverage.files
        ],
    }
