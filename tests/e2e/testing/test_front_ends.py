# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug test`, and the launch attribute `test` of the adapter."""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING

import pytest

from tests.support.dap_client import Refused, local_client
from tests.support.prompt import JVMDEBUG

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

# The runner is compiled once a minute at most; under load its VM starts late.
TIMEOUT_S = 120.0


async def command(shop: Path, *arguments: str) -> tuple[int | None, str, str]:
    """`jvmdebug test` in the folder of the project: exit code, standard output and error."""
    process = await asyncio.create_subprocess_exec(
        JVMDEBUG,
        "test",
        *arguments,
        cwd=shop,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(TIMEOUT_S):
        out, error = await process.communicate()
    return process.returncode, out.decode(), error.decode()


async def test_results_at_a_terminal_and_debugging_what_failed(
    shop: Path, jdk: Jdk, agent_kind: AgentKind
) -> None:
    del agent_kind
    java = ("--java", str(jdk.home))
    code, out, _ = await command(shop, *java, "CartTest", "BrokenTest")
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

    commands = ("-c", "break CartTest.java:29", "-c", "run", "-c", "print cents", "--batch")
    text = (shop / "src" / "shop" / "CartTest.java").read_text("utf-8").splitlines()
    odd = next(number for number, line in enumerate(text, 1) if line.endswith("// @odd"))
    debugging = [each.replace(":29", f":{odd}") for each in commands]
    code, out, _ = await command(shop, *java, "--failed", "--debug", *debugging)
    assert "2  (int)" in out, "the call that failed is the first one"


async def test_json_has_a_line_for_each_event(shop: Path, jdk: Jdk, agent_kind: AgentKind) -> None:
    del agent_kind
    code, out, _ = await command(shop, "--java", str(jdk.home), "--json", "CartTest#adds")
    assert code == 0
    begin, of_class, started, finished, _, end = map(json.loads, out.splitlines())
    assert begin == {"event": "begin"}
    assert (of_class["kind"], of_class["selector"]) == ("class", "shop.CartTest")
    assert started["parent"] == of_class["id"]
    assert finished["selector"] == "shop.CartTest#adds"
    assert finished["status"] == "passed"
    assert finished["file"].endswith("/src/shop/CartTest.java")
    assert end == {"event": "end", "counts": {"passed": 1}}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("Nope",), 3, "jvmdebug: the project in .* has no Nope; it has tests in shop."),
        (("--project", "/no"), 3, "jvmdebug: there is no project in /no: no such file"),
        (("--json", "--debug"), 2, "jvmdebug: --json is for running tests"),
        (("--failed", "CartTest"), 2, "jvmdebug: name tests, or take those that failed"),
        (("--batch",), 2, "go with --debug"),
        (("--nope",), 2, "unrecognized arguments: --nope"),
    ],
)
async def test_what_cannot_be_run(
    shop: Path, jdk: Jdk, agent_kind: AgentKind, arguments: tuple[str, ...], code: int, said: str
) -> None:
    del jdk, agent_kind
    found, out, error = await command(shop, *arguments)
    assert (found, out) == (code, "")
    assert re.search(said, error), error


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
