# SPDX-License-Identifier: Apache-2.0
"""Each command that takes a program or a target: its exit code and its output, when it is done (0),
when the program fails (1), and when no program can be started (3). Wrong use (2) and targets that
cannot be reached are in tests/unit/cli.
"""

from __future__ import annotations

import asyncio
import json
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import pytest

from jvmdebug_cli import command_line
from jvmdebug_cli.main import main
from tests.support.debuggees import debuggee
from tests.support.jdwp_session import OPTIONS, launched, listening_port
from tests.support.matrix import has_all_sets
from tests.support.process import agent_argument
from tests.support.prompt import JVMDEBUG, TIMEOUT_S, ask, launch_options
from tests.support.relay import running_relay
from tests.support.token_peer import written_token

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import StartJvm
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_OTHERS: Final = {
    "agent",
    "dap",
    "doctor",
    "join",
    "listen",
    "mcp",
    "ps",
    "relay",
    "sessions",
    "sources",
}
"""They take neither a program nor a target to ask."""
_ELSEWHERE: Final = {"test", "coverage", "record", "replay"}
"""tests/e2e/testing, tests/e2e/coverage and tests/e2e/recording have their exit codes."""
_PROMPTS: Final = {"launch": ["--batch"], "attach": ["--batch"]}


@dataclass(frozen=True)
class _Command:
    """What is asked of `basics.Hello` or of `script.Spin`, and how it is answered."""

    name: str
    words: tuple[str, ...]
    """Before the program; `{main}` is its class."""
    at: bool = False
    """Whether a target is `--at TARGET`, and not the first word."""
    more: tuple[str, ...] = ()
    """Behind the target."""
    of_running: tuple[str, ...] = ()
    """Options that let it end while the program goes on."""
    prints: Literal["document", "lines"] = "document"
    starts: bool = True

    def of(self, target: str) -> list[str]:
        if self.at:
            return [self.name, *self.words, "--at", target]
        return [self.name, target, *self.words, *self.more]


_COMMANDS: Final = (
    _Command("trace", ("{main}#*",), at=True, of_running=("-n", "2"), prints="lines"),
    _Command("who-sets", ("Spin.rounds",), at=True, of_running=("-n", "2"), prints="lines"),
    _Command(
        "sample",
        ("java.lang.Integer.MAX_VALUE",),
        at=True,
        of_running=("-n", "2", "--every", "50ms"),
        prints="lines",
    ),
    _Command("count", ("{main}#main",), at=True, of_running=("--for", "0.2")),
    _Command("time", ("{main}#main", "{main}#round"), at=True, of_running=("--for", "0.2")),
    _Command("threads", (), starts=False),
    _Command("eval", (), more=("1 + 1",), starts=False),
    _Command("swap", (), more=("{class file}",), starts=False),
    _Command("monitors", (), of_running=("--for", "0.2")),
    _Command("profile", (), of_running=("--for", "0.5")),
    _Command("heap", ("histogram",)),
    _Command("alloc", (), of_running=("--for", "0.5")),
    _Command("gc", ()),
)
_BY_NAME: Final = {each.name: each for each in _COMMANDS}
_EACH: Final = pytest.mark.parametrize("name", _BY_NAME)
_STARTING: Final = [each.name for each in _COMMANDS if each.starts]


def _of_main(words: list[str], main_class: str) -> list[str]:
    class_file = debuggee("script", "Spin").class_path[0] / "Spin.class"
    return [
        each.replace("{main}", main_class).replace("{class file}", str(class_file))
        for each in words
    ]


def _run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, list[str]]:
    """Runs it in this process: exit code, standard output, the lines of standard error."""
    try:
        code = main(_of_main(list(words), "Hello"))
    except SystemExit as end:
        code = int(end.code or 0)
    output, errors = capsys.readouterr()
    return code, output, errors.splitlines()


def _documents(output: str, prints: str) -> list[object]:
    """What is on stdout is JSON, and nothing else is."""
    documents = [json.loads(line) for line in output.splitlines()]
    assert prints == "lines" or len(documents) == 1, output
    return documents


def test_every_command_is_in_the_table() -> None:
    _, names = command_line.parsers()
    assert names == {*_BY_NAME, *_OTHERS, *_PROMPTS, *_ELSEWHERE}


@pytest.mark.parametrize("name", _STARTING)
def test_a_program_that_cannot_be_started(
    capsys: pytest.CaptureFixture[str], name: str, tmp_path: Path
) -> None:
    words = [name, *_BY_NAME[name].words, "--json"]
    for options, why in (
        (["--java", "/nowhere"], "/nowhere is neither a java executable nor the home"),
        (["--project", "/nowhere"], "there is no project in /nowhere"),
        (["--project", str(tmp_path)], "has no class Hello"),
    ):
        code, output, errors = _run(capsys, *words, *options, "--", "Hello")
        assert (code, output, len(errors)) == (3, "", 1), errors
        assert why in errors[0]


async def test_a_failing_program_is_told_by_the_exit_code(jdk: Jdk) -> None:
    """Tries a command that is cheap: the others are slow."""
    await _assert_exit_codes(jdk, ["count"], failing=True)


@pytest.mark.slow
async def test_every_command_says_whether_the_program_has_failed(jdk: Jdk) -> None:
    await _assert_exit_codes(jdk, _STARTING, failing=True)
    await _assert_exit_codes(jdk, _STARTING, failing=False)


async def _assert_exit_codes(jdk: Jdk, names: list[str], *, failing: bool) -> None:
    options: list[str | Path] = [
        "--class-path",
        debuggee("basics", "Hello").class_path[0],
        "--java",
        jdk.home,
    ]
    for name in names:
        words = _of_main([name, *_BY_NAME[name].words], "Hello")
        code, output, errors = await ask(
            *words, *options, "--json", "--", "Hello", "3" if failing else "0"
        )
        assert code == (1 if failing else 0), (name, errors)
        _documents(output, _BY_NAME[name].prints)
        assert "to stderr" in errors


@pytest.mark.slow
@_EACH
async def test_a_running_program_is_asked_by_each(
    start_jvm: StartJvm, agent_kind: AgentKind, name: str
) -> None:
    if agent_kind == "stock":
        pytest.skip("what is asked of each agent is tested with the session, in e2e/script")
    jvm = await start_jvm(debuggee("script", "Spin"), suspend=False)
    command = _BY_NAME[name]
    words = _of_main([*command.of(f"127.0.0.1:{await jvm.port()}"), *command.of_running], "Spin")
    code, output, errors = await ask(*words, "--json")
    assert code == 0, errors
    assert _documents(output, command.prints)


async def test_a_reader_that_has_seen_enough(jdk: Jdk) -> None:
    """`| head -1`: no traceback, no failure, and the program ends."""
    _, main_class, *options = launch_options(jdk, "jvmdebug", "script", "Spin")
    both = (["trace", "Spin#round"], ["who-sets", "Spin.rounds"])
    for words in both if has_all_sets() else both[:1]:
        command = shlex.join([JVMDEBUG, *words, *map(str, options), "--", str(main_class)])
        process = await asyncio.create_subprocess_exec(
            *("bash", "-o", "pipefail", "-c", f"{command} | head -n 3"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        output, errors = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
        assert (process.returncode, errors.decode()) == (0, "")
        assert len(output.splitlines()) == 3


def test_a_main_class_that_is_not_there_is_told_at_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = str(debuggee("basics", "Hello").class_path[0])
    code, output, errors = _run(capsys, "launch", "Nope", "--class-path", folder)
    assert (code, output) == (3, "")
    assert errors == [f"jvmdebug: there is no class Nope on the class path, which is {folder}"]


def test_each_target_may_need_a_token(
    capsys: pytest.CaptureFixture[str], jdk: Jdk, tmp_path: Path
) -> None:
    """A token that is missing or wrong is told in one sentence."""
    right = written_token(tmp_path / "right", "the token of this program")
    wrong = written_token(tmp_path / "wrong", "another token")
    options = f"{OPTIONS},token-file={right}".replace("suspend=y", "suspend=n")
    with launched(jdk, agent_argument("jvmdebug", options), "wait") as jvm:
        target = f"127.0.0.1:{listening_port(jvm)}"
        each = {name: _of_main(command.of(target), "Spin") for name, command in _BY_NAME.items()}
        each["attach"] = ["attach", target, "--batch"]
        for name in ("attach", "threads"):
            code, output, errors = _run(capsys, *each[name], "--token-file", str(wrong))
            assert (code, output, len(errors)) == (3, "", 1), (name, errors)
            assert f"the agent at {target} has another token than {wrong}" in errors[0]
        for name, words in each.items():
            code, output, errors = _run(capsys, *words)
            assert (code, output, len(errors)) == (3, "", 1), (name, errors)
            assert f"the agent at {target} asks for a token: give the file" in errors[0]
        code, output, errors = _run(capsys, *each["threads"], "--token-file", str(right))
        assert (code, errors) == (0, [])
        assert "main" in output


def test_each_target_may_be_behind_a_relay(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another certificate, and a program that is not there, are told in one sentence."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    opening = running_relay(tmp_path / "relay", "127.0.0.1:1")
    with asyncio.Runner() as runner:
        relay = runner.run(opening.__aenter__())
        target = relay.address("shop")
        each = {name: _of_main(command.of(target), "Spin") for name, command in _BY_NAME.items()}
        each["attach"] = ["attach", target, "--batch"]
        for name, words in each.items():
            words += ["--token-file", str(relay.tokens["debug"])]
            code, output, errors = _run(capsys, *words, "--fingerprint", f"SHA256:{'A' * 43}")
            assert (code, output, len(errors)) == (3, "", 1), (name, errors)
            assert f"has the fingerprint {relay.fingerprint}, and not" in errors[0]
            code, output, errors = _run(capsys, *words, "--fingerprint", relay.fingerprint)
            assert (code, output, len(errors)) == (3, "", 1), (name, errors)
            assert "no program called 'shop'" in errors[0]
        runner.run(opening.__aexit__(None, None, None))
