# SPDX-License-Identifier: Apache-2.0
"""Whole debug sessions of real programs, with the requests that an editor sends."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.dap_client import Refused
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


def loop() -> Debuggee:
    return debuggee("basics", "Loop")


def hello() -> Debuggee:
    return debuggee("basics", "Hello")


@pytest.mark.full_mode_too
async def test_launch_break_step_and_run_to_the_end(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = loop()
    launched = await client.begin_debugging("launch", **attributes(program))
    path, line = program.marked("call")
    (placed,) = await client.set_lines(path, {"line": line, "condition": "i == 3"})
    assert placed["verified"] is False
    await client.configured(launched)
    stop = await client.event("stopped")
    assert stop["hitBreakpointIds"] == [placed["id"]]
    verified = await client.event("breakpoint")
    assert (verified["breakpoint"]["id"], verified["breakpoint"]["verified"]) == (
        placed["id"],
        True,
    )
    thread = {"threadId": stop["threadId"]}
    (frame,) = await client.top_frames(stop["threadId"])
    assert frame["name"].startswith("Loop.main(")
    assert (await client.locals_of(frame))["i"]["value"] == "3"

    await client.request("stepIn", thread)
    await client.event("stopped", reason="step")
    inside, caller = await client.top_frames(stop["threadId"])
    assert inside["line"] == program.marker("square")
    assert caller["line"] == line
    for _ in range(2):
        await client.request("next", thread)
        await client.event("stopped", reason="step")
    inside, _ = await client.top_frames(stop["threadId"])
    assert inside["line"] == program.marker("squared")
    assert (await client.locals_of(inside))["result"]["value"] == "9"
    await client.request("stepOut", thread)
    await client.event("stopped", reason="step")
    (frame,) = await client.top_frames(stop["threadId"])
    assert frame["line"] in {line, program.marker("add")}

    await client.set_lines(path)
    await client.request("continue", thread)
    assert (await client.event("exited"))["exitCode"] == 0
    await client.event("terminated")
    assert client.output("stdout") == "summing 30 120\n"


async def test_completions_and_set_expression(client: DapClient, attributes: AttributesOf) -> None:
    program = loop()
    frame = await client.run_to(program, "call", attributes(program))
    at = {"frameId": frame["id"]}
    text = '"\U0001f600" + ar'  # the smiley is two columns to the client
    body = await client.request("completions", {**at, "text": text, "column": len(text) + 2})
    (item,) = [each for each in body["targets"] if each["label"] == "args"]
    assert item["type"] == "variable"
    assert item["detail"] == "java.lang.String[]"
    assert (item["start"], item["length"]) == (8, 2)
    body = await client.request(
        "completions", {**at, "text": "1 +\nargs.le", "line": 2, "column": 8}
    )
    assert [each["label"] for each in body["targets"]] == ["length"]
    body = await client.request("setExpression", {**at, "expression": "i", "value": "20 + 1"})
    assert body["value"] == "21"
    assert (await client.locals_of(frame))["i"]["value"] == "21"
    with pytest.raises(Refused, match="only a variable, a field or an array element"):
        await client.request("setExpression", {**at, "expression": "i + 1", "value": "2"})


async def test_the_lines_that_were_recursed(client: DapClient, attributes: AttributesOf) -> None:
    program = debuggee("recursion", "Recursion")
    frame = await client.run_to(program, "fib-call", attributes(program))
    await client.request("next", {"threadId": frame["threadId"]})
    await client.event("stopped", reason="step")
    (after,) = await client.top_frames(frame["threadId"])
    assert after["line"] == program.marker("even-call")
    assert (await client.locals_of(after))["value"]["value"] == "610"


async def test_values_are_shown_and_changed(client: DapClient, attributes: AttributesOf) -> None:
    program = loop()
    frame = await client.run_to(program, "total", attributes(program), hitCondition="3")
    scopes = (await client.request("scopes", {"frameId": frame["id"]}))["scopes"]
    reference = scopes[0]["variablesReference"]
    found = await client.children(reference)
    assert list(found) == ["this", "amount", "before"]
    assert (found["amount"]["value"], found["amount"]["type"]) == ("4", "int")
    fields = await client.children(found["this"]["variablesReference"])
    assert fields["name"]["value"] == '"summing"'

    changed = await client.request(
        "setVariable", {"variablesReference": reference, "name": "before", "value": "amount + 96"}
    )
    assert changed["value"] == "100"
    with pytest.raises(Refused) as refused:
        await client.request(
            "setVariable", {"variablesReference": reference, "name": "before", "value": "nope"}
        )
    assert "nope" in refused.value.error["format"]
    evaluated = await client.request(
        "evaluate", {"expression": "before + amount * 2", "frameId": frame["id"]}
    )
    assert (evaluated["result"], evaluated["type"]) == ("108", "long")
    path, _ = program.marked("total")
    await client.set_lines(path)
    await client.request("continue", {"threadId": frame["threadId"]})
    await client.event("terminated")
    # 100 + 4 after the third round (0, 1, 4), then 9 and 16.
    assert client.output("stdout") == "summing 129 120\n"


async def test_stop_on_entry(client: DapClient, attributes: AttributesOf) -> None:
    launched = await client.begin_debugging("launch", **attributes(hello()), stopOnEntry=True)
    await client.configured(launched)
    stop = await client.event("stopped")
    assert stop["reason"] == "entry"
    frame, *_rest = await client.top_frames(stop["threadId"])
    assert frame["line"] == hello().marker("greeting")
    await client.request("disconnect")


async def test_exceptions_caught_and_uncaught(client: DapClient, attributes: AttributesOf) -> None:
    program = debuggee("exceptions", "Exceptions")
    launched = await client.begin_debugging("launch", **attributes(program))
    await client.request("setExceptionBreakpoints", {"filters": ["uncaught"]})
    await client.configured(launched)
    stop = await client.event("stopped")
    assert stop["reason"] == "exception"
    assert stop["text"] == "java.lang.ArithmeticException: / by zero"
    info = await client.request("exceptionInfo", {"threadId": stop["threadId"]})
    assert info["exceptionId"] == "java.lang.ArithmeticException"
    assert info["breakMode"] == "unhandled"
    assert f"Exceptions.java:{program.marker('divide')}" in info["details"]["stackTrace"]
    await client.request("continue", {"threadId": stop["threadId"]})
    assert (await client.event("exited"))["exitCode"] == 1
    await client.event("terminated")
    assert client.output("stdout") == "caught 42\n-1\n"
    assert "about to fail" in client.output("stderr")
    assert "ArithmeticException: / by zero" in client.output("stderr")


async def test_function_breakpoints(client: DapClient, attributes: AttributesOf) -> None:
    program = loop()
    launched = await client.begin_debugging("launch", **attributes(program))
    asked = [{"name": "Loop#factorial(int)", "condition": "n == 2"}, {"name": "nothing"}]
    body = await client.request("setFunctionBreakpoints", {"breakpoints": asked})
    assert [each["verified"] for each in body["breakpoints"]] == [False, False]
    assert "nothing" in body["breakpoints"][1]["message"]
    await client.configured(launched)
    stop = await client.event("stopped")
    assert stop["reason"] == "function breakpoint"
    frame, *callers = await client.top_frames(stop["threadId"])
    assert (await client.locals_of(frame))["n"]["value"] == "2"
    assert len(callers) == 4
    await client.request("disconnect")


async def test_every_copy_of_a_finally_line_is_armed(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = debuggee("flow", "Flow")
    frame = await client.run_to(program, "finally", attributes(program))
    await client.request("continue", {"threadId": frame["threadId"]})
    await client.event("stopped", reason="breakpoint")
    await client.request("continue", {"threadId": frame["threadId"]})
    await client.event("terminated")


async def test_a_logpoint_writes_and_does_not_stop(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = loop()
    launched = await client.begin_debugging("launch", **attributes(program))
    path, line = program.marked("squared")
    logpoint = {"line": line, "logMessage": "{number} -> {result}", "condition": "number > 2"}
    await client.set_lines(path, logpoint)
    await client.configured(launched)
    await client.event("terminated")
    assert client.output("console") == "3 -> 9\n4 -> 16\n"
    logged = [body for body in client.bodies("output") if body.get("category") == "console"]
    assert {(body["source"]["path"], body["line"]) for body in logged} == {(str(path), line)}


async def test_a_hot_logpoint_does_not_flood_the_client(
    client: DapClient, our_attributes: AttributesOf
) -> None:
    program = debuggee("loglines", "LogLines")
    launched = await client.begin_debugging(
        "launch", **our_attributes(program), args=["3000000"], logMessagesPerSecond=300
    )
    path, line = program.marked("hot")
    await client.set_lines(path, {"line": line, "logMessage": "{i}"})
    await client.configured(launched)
    await client.event("terminated")
    lines = client.output("console").splitlines()
    told = [re.fullmatch(r"\[([\d,]+) log messages left out\]", each) for each in lines]
    left_out = sum(int(each[1].replace(",", "")) for each in told if each is not None)
    written = [each for each in lines if not each.startswith("[")]
    assert written[:300] == [str(number) for number in range(300)]
    assert len(written) + left_out == 3_000_000
    # A loaded machine needs some seconds for them.
    assert len(written) < 30_000
    events = [each for each in client.bodies("output") if each.get("category") == "console"]
    assert len(events) < len(written) / 3


async def test_a_big_array_in_pages(client: DapClient, attributes: AttributesOf) -> None:
    program = debuggee("arrays", "Arrays")
    frame = await client.run_to(program, "stop", attributes(program))
    found = await client.locals_of(frame)
    big = found["big"]
    assert big["indexedVariables"] == 10_000_000
    page = {"filter": "indexed", "start": 9_999_990, "count": 10}
    elements = await client.children(big["variablesReference"], **page)
    assert len(elements) == 10
    assert elements["[9999999]"]["value"] == "19999998"
    changed = await client.request(
        "setVariable",
        {"variablesReference": big["variablesReference"], "name": "[9999999]", "value": "-1"},
    )
    assert changed["value"] == "-1"
    await client.request("disconnect")


async def test_pause_of_a_running_program(client: DapClient, attributes: AttributesOf) -> None:
    program = debuggee("recursion", "Recursion")
    started = {**attributes(program), "args": ["60"]}
    launched = await client.begin_debugging("launch", **started)
    path, line = program.marked("fib-call")
    await client.set_lines(path, line)
    await client.configured(launched)
    stop = await client.event("stopped")
    await client.request("continue", {"threadId": stop["threadId"]})
    with pytest.raises(Refused, match="is running"):
        await client.request("stackTrace", {"threadId": stop["threadId"]})
    await client.request("pause", {"threadId": stop["threadId"]})
    paused = await client.event("stopped", reason="pause")
    assert paused["threadId"] == stop["threadId"]
    names = [frame["name"] for frame in await client.top_frames(stop["threadId"], levels=0)]
    assert names[-1].startswith("Recursion.main(")
    await client.request("terminate")
    assert (await client.event("exited"))["exitCode"] == 143
    await client.event("terminated")
