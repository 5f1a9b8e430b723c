# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug test`: runs tests of a project and shows their results, or debugs them."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug_cli.argument_types import duration
from jvmdebug_cli.subcommands import coverage, record
from jvmdebug_cli.subcommands.asking import Commands, add_command

if TYPE_CHECKING:
    import argparse

_DESCRIPTION = """\
Run tests of a project (JUnit 3 to 6, TestNG), compiled first, and show their results.

  jvmdebug test                                all tests of the project in this folder
  jvmdebug test shop.CartTest                  one class; CartTest if only one has that name
  jvmdebug test shop.CartTest#adds             one method
  jvmdebug test 'shop.CartTest#prices[2]'      the second call of a parameterised one
  jvmdebug test 'shop.cart.*'                  a package, and those below it
  jvmdebug test --failed --debug               what failed the last time, at the prompt
  jvmdebug test --coverage -o cov.html         which lines of the project they run
  jvmdebug test --per-test                     and which tests run each of them
  jvmdebug test --covering Cart.java:42        those that ran this line, after --per-test
  jvmdebug test CartTest#adds --record         as a recording, to walk through backward

The exit code is 0 if all have passed, 1 if not, 3 if they could not be started. With --json a line
for each event; what the tests print goes to standard error.
"""


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "test", "run or debug tests of a project", _DESCRIPTION)
    parser.add_argument("tests", nargs="*", metavar="CLASS[#METHOD]", help="what to run (all)")
    parser.add_argument(
        "--project", metavar="DIR", default=".", help="a folder or build file (this folder)"
    )
    parser.add_argument(
        "--build",
        choices=("auto", "always", "never"),
        default="auto",
        help="what compiles: whatever is quickest (auto), the build tool, nothing",
    )
    parser.add_argument("--failed", action="store_true", help="what failed the last time")
    parser.add_argument(
        "--debug", action="store_true", help="open the prompt, before the first test begins"
    )
    parser.add_argument(
        "--command",
        "-c",
        action="append",
        default=[],
        metavar="TEXT",
        help="with --debug: a command to run first",
    )
    parser.add_argument(
        "--commands",
        "-x",
        type=Path,
        metavar="FILE",
        help="with --debug: a file of commands to run first",
    )
    parser.add_argument(
        "--batch", action="store_true", help="with --debug: end after these commands"
    )
    parser.add_argument(
        "--coverage", action="store_true", help="show which lines of the project the tests run"
    )
    parser.add_argument(
        "--per-test",
        action="store_true",
        help="the same, and remember which test runs which lines",
    )
    parser.add_argument(
        "--covering",
        action="append",
        default=[],
        metavar="FILE:LINE",
        help="run the tests that ran this line, as --per-test has remembered; may be repeated",
    )
    coverage.add_output(parser)
    parser.add_argument(
        "--record",
        action="store_true",
        help="record what the tests do, into -o FILE (tests.jvmrec): see jvmdebug replay",
    )
    record.add_scope(parser)
    parser.add_argument(
        "--vm-arg",
        action="append",
        default=[],
        metavar="OPTION",
        help="an option of the JVM; may be repeated",
    )
    parser.add_argument("--java", metavar="PATH", help="the java command, or a JDK's directory")
    parser.add_argument("--cwd", metavar="DIR", help="working directory (that of the module)")
    parser.add_argument(
        "--timeout",
        type=duration,
        default=30.0,
        metavar="S",
        help="seconds to wait for the JVM (30)",
    )
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    return int(importlib.import_module("jvmdebug_cli.testing").run(parsed))
