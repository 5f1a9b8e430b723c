# SPDX-License-Identifier: Apache-2.0
"""Each command against each kind of wrong use, and each TARGET that cannot be reached: one
sentence on standard error that does not sound like Python, nothing on standard output, and the exit
code that docs/how-to/terminal.md promises.
"""

from __future__ import annotations

import argparse
import functools
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jvmdebug_cli import command_line
from jvmdebug_cli.argument_types import duration, duration_or_zero
from jvmdebug_cli.command_line import parsers
from jvmdebug_cli.main import main

if TYPE_CHECKING:
    from collections.abc import Iterator

PYTHONIC = re.compile(
    r"argument|invalid|expected one|required|unrecognized|Errno|Traceback|Error\b|\{|None|nan"
)


def _commands() -> list[str]:
    return sorted(parsers()[1] - {"dap", "mcp"})


COMMANDS = _commands()
_kept_parser = functools.cache(parsers)
ASKING = {
    "threads": ["{}"],
    "monitors": ["{}", "--for", "1"],
    "profile": ["{}", "--for", "1"],
    "alloc": ["{}", "--for", "1"],
    "gc": ["{}"],
    "heap": ["{}", "histogram"],
    "eval": ["{}", "1 + 1"],
    "swap": ["{}", "."],
    "trace": ["shop.Cart#add", "--at", "{}"],
    "who-sets": ["shop.Cart.total", "--at", "{}"],
    "sample": ["shop.Cart.total", "--at", "{}"],
    "count": ["shop.Cart#add", "--at", "{}"],
    "time": ["shop.Cart#add", "shop.Cart#close", "--at", "{}"],
}
"""Each command that takes a TARGET, with all that it needs."""


@pytest.fixture(autouse=True)
def _one_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parser of all commands is made once, which takes as long as to use it fifty times."""
    monkeypatch.setattr(command_line, "parsers", _kept_parser)


def _said(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Exit code, standard output, standard error."""
    try:
        code = main(arguments)
    except SystemExit as end:
        code = int(str(end.code))
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def _options(command: str) -> Iterator[argparse.Action]:
    parser = _kept_parser()[0]
    (commands,) = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    yield from commands.choices[command]._actions


@pytest.mark.parametrize("command", COMMANDS)
def test_wrong_use_is_one_sentence(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Tries each option that takes a value: without one, and with one that it cannot take."""
    wrong = [["--no-such-option"]]
    for option in _options(command):
        if not option.option_strings or isinstance(option, argparse._HelpAction):
            continue
        name = option.option_strings[0]
        if option.nargs == 0:
            wrong.append([f"{name}=3"])
            continue
        if option.nargs is None:
            wrong.append([name])
        if option.choices is not None:
            wrong.append([name, "such"])
        elif option.type is not None and "path" not in str(option.type).lower():
            wrong += [[name, "x"], [name, "nan"], [f"{name}=-1"]]
    for arguments in wrong:
        code, out, errors = _said([command, *arguments], capsys)
        assert (code, out) == (2, ""), arguments
        assert len(errors.splitlines()) == 1, errors
        said = errors.replace(arguments[-1], "")
        assert not PYTHONIC.search(said), errors
        assert errors.startswith(f"jvmdebug {command}: error: "), errors
        if arguments != wrong[0]:
            assert arguments[0].partition("=")[0] in errors, errors


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["laun"], "there is no command 'laun': did you mean `launch`? see `jvmdebug --help`"),
        (["nonsense"], "there is no command 'nonsense'; see `jvmdebug --help`"),
        (["--nope", "launch"], "there is no option --nope before the command; see "),
        (["eval"], "TARGET and EXPRESSION are missing: TARGET is HOST:PORT or unix:PATH"),
        (["eval", "5"], "EXPRESSION is missing: Java, with full names of classes"),
        (["attach"], "say which program: HOST:PORT, unix:PATH or PID, --container NAME"),
        (["agent"], "say --path or --option"),
        (["profile", "--cpu", "--wall", "5"], "--cpu and --wall: choose one of them"),
        (["launch", "--s", "all", "X"], "there is no option --s"),
        (["gc", "--sec", "5", "1"], "there is no option --sec"),
        (["launch", "--mode", "slow", "X"], "--mode slow: choose auto, full or fast"),
        (["trace", "x", "-n", "0"], "error: --limit 0 is too few: write 1 or more; see "),
        (["sample", "x", "--every", "-1s"], "--every needs a value after it"),
        (["eval", "[1:2]:5", "1"], "'[1:2]:5' is no target: write HOST:PORT"),
        (["launch", "--commands", "/nope", "X"], "--commands /nope: cannot read it: no such file"),
        (["dap", "--nope"], "jvmdebug dap: error: it takes no --nope; see `jvmdebug dap --help`"),
        (["dap", "--listen"], "jvmdebug dap: error: --listen needs a value after it"),
        (["mcp", "extra"], "jvmdebug mcp: error: it takes no extra; see `jvmdebug mcp --help`"),
        (["mcp", "--watchdog=-1"], "--watchdog: '-1' is no time: write seconds, 0 for never"),
        (["mcp", "--watchdog", "nan"], "--watchdog: 'nan' is no time"),
    ],
)
def test_what_is_said(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, errors = _said(arguments, capsys)
    assert (code, out) == (2, "")
    assert says in errors
    assert len(errors.splitlines()) == 1


@pytest.fixture(scope="module")
def unreachable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, tuple[str, str]]]:
    """TARGETs, and what is said of each."""
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        socket.socket() as closed,
        subprocess.Popen(
            [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
        ) as other,
    ):
        closed.bind(("127.0.0.1", 0))  # and listens to nobody
        port = closed.getsockname()[1]
        folder = tmp_path_factory.mktemp("sockets")
        file = folder / "file"
        file.touch()
        gone = subprocess.Popen([sys.executable, "-c", ""])
        gone.wait()
        yield {
            "closed": (f"127.0.0.1:{port}", "nothing listens at 127.0.0.1:"),
            "silent": (f"localhost:{silent.getsockname()[1]}", "it is no JDWP agent"),
            "unknown host": ("nohost.invalid:5005", "no host of that name is known"),
            "long host": (f"{'a' * 80}:5005", "that cannot be the name of a host"),
            "no socket": (f"unix:{folder}/none", "nothing listens at unix:/"),
            "no socket but a file": (f"unix:{file}", "nothing listens at unix:/"),
            "long path": (f"unix:/{'a' * 200}", "path too long"),
            "other program": (str(other.pid), "there is no Java program with the process id"),
            "gone": (str(gone.pid), "there is no Java program with the process id"),
        }


@pytest.mark.parametrize("command", sorted(ASKING))
def test_a_target_that_cannot_be_reached(
    command: str,
    unreachable: dict[str, tuple[str, str]],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(Path(__file__).parent)
    # One way to open serves all commands: what can go wrong is asked of two, one of each kind.
    kinds = list(unreachable) if command in {"eval", "trace"} else ["closed", "gone"]
    for kind in kinds:
        target, says = unreachable[kind]
        words = [each.format(target) for each in ASKING[command]]
        code, out, errors = _said([command, *words, "--json", "--timeout", "200ms"], capsys)
        assert (code, out) == (3, ""), (kind, errors)
        assert says in errors, errors
        assert not re.search(r"Errno|Traceback|Error\b", errors), errors
        assert len(errors.splitlines()) <= 2, errors


@pytest.mark.parametrize(
    ("text", "seconds"), [("10", 10.0), ("1s", 1.0), ("200ms", 0.2), (".5", 0.5), ("2m", 120.0)]
)
def test_times(text: str, seconds: float) -> None:
    assert duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "x", "0", "-1", "nan", "inf", "1 day", "1e3", "٣"])
def test_no_times(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is no time"):
        duration(text)
    assert duration_or_zero("0") == 0


@pytest.mark.parametrize("command", ["monitors", "profile", "alloc", "gc", "heap"])
def test_the_earlier_name_of_a_duration(command: str) -> None:
    """`--seconds` means `--for`, and the help names one of them."""
    parser, _ = parsers()
    question = ["diff"] if command == "heap" else []
    for name in ("--for", "--seconds"):
        assert parser.parse_args([command, "4711", *question, name, "2m"]).duration == 120
    assert parser.parse_args([command, "4711", *question]).duration is None


@pytest.mark.parametrize("command", ["monitors", "profile", "alloc", "heap"])
def test_one_name_of_a_count(command: str) -> None:
    """`-n` is that of `trace` and `sample` too; `--top` means the same."""
    parser, _ = parsers()
    question = ["histogram"] if command == "heap" else []
    for name in ("-n", "--top"):
        assert parser.parse_args([command, "4711", *question, name, "7"]).top == 7


def test_help_is_a_command_too(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for words in (["help", "gc"], ["gc", "--help"], ["help"], ["--help"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] != shown[2] == shown[3]
    assert "--for S" in shown[0]
    assert "--seconds" not in shown[0]
