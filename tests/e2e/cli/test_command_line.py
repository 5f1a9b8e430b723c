# SPDX-License-Identifier: Apache-2.0
"""The command line of `jvmdebug`: what it prints, and what it refuses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from jvmdebug_cli.main import main
from tests.support.prompt import jvmdebug_command, launch_options

if TYPE_CHECKING:
    from tests.support.jdks import Jdk


def _said(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> tuple[int, str]:
    """Runs it in this process: exit code, and what it has printed on either stream."""
    try:
        code = main(arguments)
    except SystemExit as end:
        code = int(end.code or 0)
    printed = capsys.readouterr()
    return code, printed.out + printed.err


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["agent", "--path"], r"^/.*libjvmdebug\.so$"),
        (["agent", "--option"], r"^-agentpath:/.*libjvmdebug\.so=.*suspend=n,address=5005$"),
        (["agent", "--option", "--suspend"], r"server=y,suspend=y,address=5005$"),
        (["agent", "--option", "*:8000", "--insecure"], r"address=\*:8000,insecure=y$"),
        (["agent", "--option", "*:8000", "--token-file", "/run/a"], r",token-file=/run/a$"),
        (["agent", "--option", "--mode", "fast"], r"address=.*5005,mode=fast$"),
        (["--help"], r"jvmdebug trace 'shop\.Cart#\*' --at TARGET"),
    ],
)
def test_the_command_line_prints(
    capsys: pytest.CaptureFixture[str], arguments: list[str], printed: str
) -> None:
    code, said = _said(capsys, arguments)
    assert code == 0
    assert re.search(printed, said, re.MULTILINE), said


@pytest.mark.parametrize(
    ("arguments", "printed", "code"),
    [
        ([], r"^usage: jvmdebug ", 2),
        (["launch"], r"launch: error: name the program: a class, MODULE/CLASS, a \.java file", 2),
        (["launch", "A", "--nope", "b"], r"launch: error: there is no option --nope; those of", 2),
        (["agent", "--path", "--", "b"], r"agent: error: it takes no 'b'", 2),
        (["launch", "Nope.java"], r"^jvmdebug: there is no file /.*/Nope\.java: name a ", 3),
        (["launch", "/dev/"], r"^jvmdebug: /dev/ is a directory: name a class", 3),
        (["launch", "A", "-cp", "/no:/tmp"], r"^jvmdebug: --class-path /no: there is no such", 2),
        (["launch", "A", "--source-path", "/no"], r"^jvmdebug: --source-path /no: there is no", 2),
        (["launch", "A", "--java", "/bin/sh"], r"^jvmdebug: /bin/sh is neither a java exec", 3),
        (["agent", "--option", "foo"], r"^jvmdebug: 'foo' is not an address to listen on", 2),
        (
            ["attach", "localhost:1", "--timeout", "2.5"],
            r"at localhost:1 yet; it is tried for 2\.5 s\njvmdebug: cannot attach to localhost:1: ",
            3,
        ),
        (["attach", "1", "-cp", "/nope"], r"--class-path /nope: there is no such file", 2),
        (
            ["attach", "1"],
            r"^jvmdebug: process 1 \(.+\) is no Java program, and nothing listens",
            3,
        ),
        (["attach", "nonsense"], r"^jvmdebug: 'nonsense' is not an address: write PORT", 2),
        (["attach", "4999999"], r"^jvmdebug: there is no Java program with the process id", 3),
        (["eval", "nonsense", "1"], r"^jvmdebug: 'nonsense' is no target: write HOST:PORT", 2),
        (["eval", "4999999", "1"], r"^jvmdebug: there is no Java program with the process id", 3),
        (["swap", "localhost:1", "/no"], r"^jvmdebug: /no: there is no such class file", 2),
        (["trace", "A#b"], r"^jvmdebug: say which program: --at HOST:PORT or --at PID", 2),
        (["trace", "A#b", "--at", "1", "--", "A"], r"to start one, not both$", 2),
        (["sample", "A.b", "--every", "x", "--", "A"], r"error: --every 'x' is no time: write", 2),
        (["who-sets", "A.b", "--limit", "0", "--", "A"], r"error: --limit 0 is too few: write", 2),
    ],
)
def test_the_command_line_refuses(
    capsys: pytest.CaptureFixture[str], arguments: list[str], printed: str, code: int
) -> None:
    found, said = _said(capsys, arguments)
    assert found == code
    assert re.search(printed, said, re.MULTILINE), said


async def test_the_process_prints_and_ends_with_that_code() -> None:
    """What the others ask of `main` in this process."""
    async with jvmdebug_command("agent", "--option", "foo") as shell:
        await shell.see(r"^jvmdebug: 'foo' is not an address to listen on")
        assert await shell.end() == 2
    async with jvmdebug_command("agent", "--path") as shell:
        await shell.see(r"^/.*libjvmdebug\.so$")
        assert await shell.end() == 0


async def test_arguments_of_the_program_may_follow_options(jdk: Jdk) -> None:
    options = launch_options(jdk, "jvmdebug", "script", "Echo")
    words = ["--batch", "--command", "run", "one", "--", "--two", "--"]
    async with jvmdebug_command(*options, *words) as shell:
        assert shell.process.stdin is not None
        shell.process.stdin.close()
        await shell.see(r"^arg \[one\]\narg \[--two\]\narg \[--\]$")
        assert await shell.end() == 0
