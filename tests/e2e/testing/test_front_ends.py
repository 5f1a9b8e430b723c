# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug test`, and the launch attribute `test` of the adapter."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from mcp import Client

import jvmdebug
from jvmdebug.coverage import read_coverage
from jvmdebug_cli.main import main
from jvmdebug_mcp.investigation import Investigation
from jvmdebug_mcp.server import make_server
from tests.support.dap_client import Refused, local_client
from tests.support.prompt import JVMDEBUG

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

# The runner is compiled once a minute at most; under load its VM starts late.
TIMEOUT_S = 120.0
TESTS_OF_ADDS = ("shop.CartTest#adds",)


class Command:
    """`jvmdebug test` in the folder of the project."""

    def __init__(self, captured: pytest.CaptureFixture[str], java: Path) -> None:
        self._captured = captured
        self._java = java

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """Exit code, standard output and error."""
        self._captured.readouterr()
        code = main(["test", "--java", str(self._java), *arguments])
        said = self._captured.readouterr()
        return code, said.out, said.err


@pytest.fixture
def command(
    shop: Path,
    jdk: Jdk,
    agent_kind: AgentKind,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Command:
    del agent_kind
    monkeypatch.chdir(shop)
    return Command(capsys, jdk.home)


def test_results_at_a_terminal(command: Command) -> None:
    code, out, _ = command("CartTest", "BrokenTest")
    assert code == 1
    lines = [re.sub(r"  \d+\.\d+ s$", "", line) for line in out.splitlines()]
    assert "shop.CartTest" in lines
    assert "  prices(int)" in lines
    assert "    FAILED  [2] 2" in lines
    assert "            AssertionFailedError: expected: <1> but was: <0>" in lines
    assert any(line.strip().startswith("src/shop/CartTest.java:") for line in lines)
    assert "  FAILED  takes one \\u2028 away" in lines
    assert "  skipped later(): not yet" in lines
    assert "FAILED  shop.BrokenTest" in lines
    assert lines[-2].startswith("3 failed, 4 passed, 2 skipped in ")
    assert lines[-1] == "to debug what failed: jvmdebug test --failed --debug"


@pytest.mark.slow
def test_what_failed_is_debugged_at_the_prompt(shop: Path, jdk: Jdk, command: Command) -> None:
    command("CartTest#prices", "OddsTest")
    text = (shop / "src" / "shop" / "CartTest.java").read_text("utf-8").splitlines()
    odd = next(number for number, line in enumerate(text, 1) if line.endswith("// @odd"))
    debugging = [
        *(JVMDEBUG, "test", "--java", str(jdk.home), "--failed", "--debug", "--batch"),
        *("-c", f"break CartTest.java:{odd}", "-c", "run", "-c", "print cents"),
    ]
    ran = subprocess.run(
        debugging,
        cwd=shop,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert "2  (int)" in ran.stdout, "the call that failed is the first one"


def test_json_has_a_line_for_each_event(command: Command) -> None:
    code, out, _ = command("--json", "CartTest#adds")
    assert code == 0
    begin, of_class, started, finished, _, end = map(json.loads, out.splitlines())
    assert begin == {"event": "begin"}
    assert (of_class["kind"], of_class["selector"]) == ("class", "shop.CartTest")
    assert started["parent"] == of_class["id"]
    assert finished["selector"] == "shop.CartTest#adds"
    assert finished["status"] == "passed"
    assert finished["file"].endswith("/src/shop/CartTest.java")
    assert end == {"event": "end", "counts": {"passed": 1}}


async def test_an_editor_is_told_the_results(shop: Path, jdk: Jdk, agent_kind: AgentKind) -> None:
    async with local_client() as client:
        started = await client.begin_debugging(
            "launch",
            cwd=str(shop),
            test=["CartTest#adds", "CartTest#prices[2]"],
            javaExec=str(jdk.home / "bin" / "java"),
            agent=agent_kind,
        )
        await client.configured(started)
        await client.event("terminated")
        bodies = client.bodies("jvmdebug/testResult")
    assert bodies[0] == {"event": "begin"}
    assert bodies[-1] == {"event": "end", "passed": 1, "failed": 1, "skipped": 0}
    finished = {each.get("selector"): each for each in bodies if each["event"] == "finished"}
    failed = finished["shop.CartTest#prices[2]"]
    assert failed["status"] == "failed"
    assert failed["durationMs"] > 0
    assert failed["call"] == 2
    text = (shop / "src" / "shop" / "CartTest.java").read_text("utf-8").splitlines()
    assert text[failed["failure"]["line"] - 1].endswith("// @odd")
    assert failed["failure"]["path"] == str(shop / "src" / "shop" / "CartTest.java")
    assert (failed["failure"]["expected"], failed["failure"]["actual"]) == ("1", "0")
    (told,) = (each for each in client.bodies("output") if each["category"] == "stderr")
    assert told["output"] == (
        "failed  shop.CartTest#prices[2]: AssertionFailedError: expected: <1> but was: <0>\n"
    )
    assert told["line"] == failed["failure"]["line"]
    assert client.bodies("process")[0]["name"] == "CartTest#adds"


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ({"test": "Nope"}, "has no Nope; it has tests in"),
        ({"test": "CartTest", "mainClass": "shop.Main"}, "tests are run by themselves"),
        ({"test": 5}, "test"),
    ],
)
async def test_an_editor_is_told_what_is_wrong(
    shop: Path, jdk: Jdk, agent_kind: AgentKind, attributes: dict[str, object], said: str
) -> None:
    del jdk, agent_kind
    async with local_client() as client:
        with pytest.raises(Refused, match=said):
            await client.begin_debugging("launch", cwd=str(shop), **attributes)


async def test_an_editor_with_a_view_of_tests_shows_it_there(
    shop: Path, jdk: Jdk, agent_kind: AgentKind
) -> None:
    """VS Code shows no dialog of an error with `showUser: false`."""
    del jdk, agent_kind
    for attributes, is_shown in (({}, True), ({"__testRun": "1"}, False)):
        async with local_client() as client:
            with pytest.raises(Refused) as refused:
                await client.begin_debugging("launch", cwd=str(shop), test="Nope", **attributes)
            assert refused.value.error["showUser"] is is_shown


@pytest.mark.slow
async def test_an_assistant_is_told_the_results(
    shop: Path, jdk: Jdk, agent_kind: AgentKind
) -> None:
    del jdk, agent_kind
    async with Investigation() as investigation, Client(make_server(investigation)) as client:

        async def ask(tool: str, **arguments: object) -> str:
            result = await client.call_tool(tool, arguments)
            return "\n".join(each.text for each in result.content if each.type == "text")

        assert "has no Nope" in await ask("launch", project=str(shop), test=["Nope"])
        await ask("launch", project=str(shop), test=["CartTest"])
        name = (shop / "src" / "shop" / "CartTest.java").as_posix()
        ended = await ask("run", timeout_s=60)
        assert "tests: 2 failed, 4 passed, 2 skipped" in ended
        assert "failed shop.CartTest#prices[2]: AssertionFailedError: expected: <1>" in ended
        assert f" at {name}:" in ended
        assert "ended with exit code 1" in ended


def test_the_tests_that_ran_a_line(command: Command, tmp_path: Path, agent_kind: AgentKind) -> None:
    if agent_kind == "stock":
        pytest.skip("coverage needs our agent")
    file = tmp_path / "cov.json"
    code, _, errors = command("CartTest", "--per-test", "-o", str(file))
    assert code == 1  # some of the tests fail
    assert f"written: {file}" in errors
    found = read_coverage(file)
    adds = found.tests["shop.CartTest#adds"]["shop/CartTest.java"]
    alone = [line for line in adds if found.tests_of("CartTest.java", line) == TESTS_OF_ADDS]
    code, out, _ = command("--covering", f"shop/CartTest.java:{alone[0]}", "--coverage")
    assert code == 0
    assert "1 passed in" in out
    (row,) = [each for each in out.splitlines() if each.endswith("shop/CartTest.java")]
    assert not row.startswith("0%")
    for place in ("CartTest.java:9999", "CartTest.java"):
        code, _, errors = command("--covering", place)
        assert code == 2
        assert place in errors


async def test_an_editor_is_told_which_test_runs_a_line(
    shop: Path, jdk: Jdk, command: Command, agent_kind: AgentKind
) -> None:
    if agent_kind == "stock":
        pytest.skip("coverage needs our agent")
    async with local_client() as client:
        started = await client.begin_debugging(
            "launch",
            project=str(shop),
            test=["CartTest#adds", "CartTest#prices[2]"],
            coverage="perTest",
            javaExec=str(jdk.home / "bin" / "java"),
        )
        await client.configured(started)
        await client.event("terminated")
        (body,) = client.bodies("jvmdebug/coverage")
    found = {each["test"]: each for each in body["tests"] if each["path"].endswith("CartTest.java")}
    assert found.keys() == {"shop.CartTest#adds", "shop.CartTest#prices[2]"}
    of_adds, of_prices = (set(each["lines"]) for each in found.values())
    assert of_adds - of_prices
    assert of_prices - of_adds
    line = min(of_prices - of_adds)
    code, out, _ = await asyncio.to_thread(command, "--covering", f"CartTest.java:{line}")
    assert "1 failed" in out
    assert code == 1


def test_a_test_is_recorded(command: Command, tmp_path: Path, agent_kind: AgentKind) -> None:
    if agent_kind == "stock":
        pytest.skip("recordings need our agent")
    file = tmp_path / "adds.jvmrec"
    code, _, errors = command("CartTest#adds", "--record", "-o", str(file))
    assert code == 0
    assert f"written: {file}" in errors
    with jvmdebug.recording.open(file) as recording:
        calls = [each.name for each in recording.calls()]
        assert "shop.CartTest.adds" in calls
        assert recording.end is not None
