# SPDX-License-Identifier: Apache-2.0
"""Large and hanging requests: deep stacks, long output, evaluations that do not return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.dap_client import Refused
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


async def test_a_deep_stack_in_pages(client: DapClient, attributes: AttributesOf) -> None:
    program = debuggee("deep", "DeepStack")
    started = {**attributes(program), "vmArgs": "-Xss64m"}
    frame = await client.run_to(program, "bottom", started)
    page = {"threadId": frame["threadId"], "startFrame": 5_000, "levels": 3}
    body = await client.request("stackTrace", page)
    assert body["totalFrames"] > 10_000
    assert len(body["stackFrames"]) == 3
    whole = await client.request("stackTrace", {"threadId": frame["threadId"]})
    assert len(whole["stackFrames"]) == body["totalFrames"]
    assert whole["stackFrames"][-1]["name"].startswith("Thread.run(")
    await client.request("disconnect")


async def test_an_evaluation_that_hangs_is_cancelled(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = debuggee("recursion", "Recursion")
    frame = await client.run_to(program, "fib-call", attributes(program))
    hanging = client.begin("evaluate", {"expression": "fib(60)", "frameId": frame["id"]})
    assert await client.request("threads")
    await client.request("cancel", {"requestId": hanging})
    with pytest.raises(Refused) as refused:
        await client.response(hanging)
    assert refused.value.response["message"] == "cancelled"
    await client.request("terminate")
    await client.event("exited")
    await client.event("terminated")


async def test_the_end_does_not_wait_for_an_evaluation(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = debuggee("recursion", "Recursion")
    frame = await client.run_to(program, "fib-call", attributes(program))
    hanging = client.begin("evaluate", {"expression": "fib(60)", "frameId": frame["id"]})
    await client.request("disconnect")
    with pytest.raises((Refused, ConnectionError)):
        await client.response(hanging)
    await client.closed()


async def test_a_program_from_one_java_file_that_writes_a_lot(
    client: DapClient, attributes: AttributesOf, tmp_path: Path
) -> None:
    source = tmp_path / "Lines.java"
    source.write_text(
        """public class Lines {
            public static void main(String[] args) {
                for (int i = 0; i < 200_000; i++) {
                    System.out.println("line " + i);
                }
            }
        }""",
        encoding="utf-8",
    )
    started = attributes(debuggee("basics", "Loop"))
    started = {name: started[name] for name in ("javaExec", "agent")}
    await client.configured(await client.begin_debugging("launch", program=str(source), **started))
    assert (await client.event("exited"))["exitCode"] == 0
    assert client.output("stdout") == "".join(f"line {i}\n" for i in range(200_000))


async def test_variables_are_read_while_expressions_run(
    client: DapClient, attributes: AttributesOf
) -> None:
    """Does as an editor after a stop: watches call methods while the variables are fetched."""
    program = debuggee("basics", "Loop")
    frame = await client.run_to(program, "total", attributes(program), hitCondition="3")
    scopes = (await client.request("scopes", {"frameId": frame["id"]}))["scopes"]
    reference = scopes[0]["variablesReference"]
    asked = []
    for n in range(10):
        watch = {"expression": f"factorial({n}) + square({n})", "context": "watch"}
        asked += [
            client.begin("evaluate", {**watch, "frameId": frame["id"]}),
            client.begin("variables", {"variablesReference": reference}),
            client.begin("stackTrace", {"threadId": frame["threadId"]}),
            client.begin("threads"),
        ]
    answers = [await client.answer(seq) for seq in asked]
    assert [each["message"] for each in answers if not each["success"]] == []
    results = [each["body"]["result"] for each in answers[::4]]
    assert results[:5] == ["1", "2", "6", "15", "40"]
    assert {each["body"]["variables"][1]["value"] for each in answers[1::4]} == {"4"}
    await client.request("disconnect")
