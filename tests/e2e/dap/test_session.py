# SPDX-License-Identifier: Apache-2.0
"""Whole debug sessions of real programs, as an editor conducts them."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.dap_client import Refused, listening_server, stdio_client, tcp_client
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import StartJvm
    from tests.support.dap_client import Body, DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


def loop() -> Debuggee:
    return debuggee("basics", "Loop")


def hello() -> Debuggee:
    return debuggee("basics", "Hello")


async def stop_at(
    client: DapClient, program: Debuggee, marker: str, started: dict[str, Any], **more: Any
) -> Body:
    """Launch with one breakpoint at the marker and wait for it; the top frame."""
    launched = await client.begin_debugging("launch", **started)
    path, line = program.marked(marker)
    await client.set_lines(path, {"line": line, **more})
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    assert stop["allThreadsStopped"] is True
    frame, *_rest = await client.top_frames(stop["threadId"])
    assert frame["line"] == line
    assert frame["source"]["path"] == str(path)
    return {**frame, "threadId": stop["threadId"]}


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


async def test_the_lines_that_were_recursed(client: DapClient, attributes: AttributesOf) -> None:
    program = debuggee("recursion", "Recursion")
    frame = await stop_at(client, program, "fib-call", attributes(program))
    await client.request("next", {"threadId": frame["threadId"]})
    await client.event("stopped", reason="step")
    (after,) = await client.top_frames(frame["threadId"])
    assert after["line"] == program.marker("even-call")
    assert (await client.locals_of(after))["value"]["value"] == "610"


async def test_values_are_shown_and_changed(client: DapClient, attributes: AttributesOf) -> None:
    program = loop()
    frame = await stop_at(client, program, "total", attributes(program), hitCondition="3")
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


async def test_a_frame_is_popped_and_returned_from_early(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = loop()
    frame = await stop_at(client, program, "squared", attributes(program), condition="number == 2")
    thread_id = frame["threadId"]
    await client.request("jvmdebug/popFrame", {"frameId": frame["id"]})
    popped = await client.event("stopped")
    assert popped["threadId"] == thread_id
    (caller,) = await client.top_frames(thread_id)
    assert caller["line"] == program.marker("call")
    await client.request("stepIn", {"threadId": thread_id})
    await client.event("stopped", reason="step")
    again, _ = await client.top_frames(thread_id)
    assert again["line"] == program.marker("square")
    await client.request(
        "jvmdebug/forceEarlyReturn", {"frameId": again["id"], "expression": "number + 1000"}
    )
    await client.event("stopped")
    (caller,) = await client.top_frames(thread_id)
    assert caller["line"] == program.marker("call")
    path, _ = program.marked("squared")
    await client.set_lines(path)
    await client.request("continue", {"threadId": thread_id})
    await client.event("terminated")
    assert client.output("stdout") == f"summing {0 + 1 + 1002 + 9 + 16} 120\n"


async def test_a_frame_is_restarted(client: DapClient, attributes: AttributesOf) -> None:
    program = loop()
    frame = await stop_at(client, program, "squared", attributes(program), condition="number == 2")
    assert frame["canRestart"] is True
    await client.request("restartFrame", {"frameId": frame["id"]})
    await client.event("stopped")
    again, _ = await client.top_frames(frame["threadId"])
    assert again["line"] == program.marker("square")
    assert (await client.locals_of(again))["number"]["value"] == "2"
    await client.request("disconnect")


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
    frame = await stop_at(client, program, "finally", attributes(program))
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


async def test_a_big_array_in_pages(client: DapClient, attributes: AttributesOf) -> None:
    program = debuggee("arrays", "Arrays")
    frame = await stop_at(client, program, "stop", attributes(program))
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


# the beginning and the end


@pytest.mark.parametrize("code", [0, 3, 255])
async def test_the_exit_code_and_the_streams_are_the_program_s(
    client: DapClient, attributes: AttributesOf, code: int
) -> None:
    started = {**attributes(hello()), "args": str(code)}
    await client.configured(await client.begin_debugging("launch", **started))
    assert (await client.event("exited"))["exitCode"] == code
    await client.event("terminated")
    assert client.output("stdout") == "hello\n"
    assert client.output("stderr") == "to stderr\n"
    names = client.names()
    last_output = max(i for i, name in enumerate(names) if name == "event output")
    assert last_output < names.index("event exited") < names.index("event terminated")


async def test_a_program_that_cannot_start_says_why(
    client: DapClient, attributes: AttributesOf
) -> None:
    started = {**attributes(hello()), "vmArgs": "-XX:+NoSuchFlag"}
    await client.initialize()
    with pytest.raises(Refused) as refused:
        await client.request("launch", started)
    assert "NoSuchFlag" in refused.value.error["format"]


async def test_a_main_class_that_is_not_there_says_so(
    client: DapClient, attributes: AttributesOf
) -> None:
    started = {**attributes(hello()), "mainClass": "Missing"}
    await client.initialize()
    launched = client.begin("launch", started)
    told = await client.message(
        lambda each: (
            each.get("event") == "initialized"
            or (each["type"] == "response" and each["request_seq"] == launched)
        ),
        "initialized or an error",
    )
    if told["type"] == "event":
        await client.configured(launched)
        assert (await client.event("exited"))["exitCode"] == 1
        await client.event("terminated")
        assert "Missing" in client.output("stderr")
    else:
        assert "Missing" in told["message"]


async def test_restart_runs_the_program_again(client: DapClient, attributes: AttributesOf) -> None:
    program = loop()
    frame = await stop_at(client, program, "done", attributes(program))
    await client.request("restart")
    stop = await client.event("stopped", reason="breakpoint")
    again, *_rest = await client.top_frames(stop["threadId"])
    assert again["line"] == frame["line"]
    assert client.bodies("terminated") == []
    await client.request("continue", {"threadId": stop["threadId"]})
    assert (await client.event("exited"))["exitCode"] == 0
    await client.event("terminated")
    assert client.output("stdout") == "summing 30 120\n"


@pytest.mark.parametrize("terminate", [True, False])
async def test_disconnect_from_an_attached_program(
    client: DapClient,
    start_jvm: StartJvm,
    terminate: bool,  # noqa: FBT001 - of the matrix
) -> None:
    program = debuggee("recursion", "Recursion")
    jvm = await start_jvm(program, args=["32"])
    attached = await client.begin_debugging(
        "attach", port=await jvm.port(), sourcePaths=[str(program.source_dir)]
    )
    path, line = program.marked("fib-call")
    await client.set_lines(path, line)
    await client.configured(attached)
    stop = await client.event("stopped", reason="breakpoint")
    (frame,) = await client.top_frames(stop["threadId"])
    assert frame["line"] == line
    await client.request("disconnect", {"terminateDebuggee": terminate})
    await client.closed()
    if terminate:
        assert await jvm.wait() != 0
    else:
        assert await jvm.wait() == 0
        assert "2178309 true" in jvm.stdout


async def test_attach_where_nobody_listens(client: DapClient) -> None:
    await client.initialize()
    with pytest.raises(Refused) as refused:
        await client.request("attach", {"port": 1, "timeout": 500})
    assert "localhost:1" in refused.value.error["format"]


async def test_a_client_that_vanishes_takes_the_program_along(
    client: DapClient, attributes: AttributesOf
) -> None:
    """The fixtures fail the test if a VM or a task is left behind."""
    program = loop()
    await stop_at(client, program, "square", attributes(program))


# transports


async def test_over_stdio(attributes: AttributesOf) -> None:
    program = loop()
    async with stdio_client() as client:
        frame = await stop_at(client, program, "done", attributes(program))
        await client.request("continue", {"threadId": frame["threadId"]})
        assert (await client.event("exited"))["exitCode"] == 0
        await client.request("disconnect")
        await client.closed()


async def test_two_sessions_of_one_server(
    attributes: AttributesOf,
) -> None:
    program = loop()
    async with (
        listening_server() as (host, port),
        tcp_client(host, port) as first,
        tcp_client(host, port) as second,
    ):
        one = await stop_at(first, program, "square", attributes(program), condition="number == 1")
        two = await stop_at(second, program, "square", attributes(program), condition="number == 2")
        assert (await first.locals_of(one))["number"]["value"] == "1"
        assert (await second.locals_of(two))["number"]["value"] == "2"
        await first.request("disconnect")
        await first.closed()
        assert (await second.locals_of(two))["number"]["value"] == "2"
        await second.request("disconnect")


async def test_in_a_terminal_of_the_client(client: DapClient, attributes: AttributesOf) -> None:
    program = loop()
    asked: list[Body] = []
    started: list[asyncio.subprocess.Process] = []

    async def run_in_terminal(request: Body) -> Body:
        arguments = request["arguments"]
        asked.append(arguments)
        process = await asyncio.create_subprocess_exec(
            *arguments["args"],
            cwd=arguments["cwd"],
            env={**os.environ, **arguments.get("env", {})},
            stdout=asyncio.subprocess.PIPE,
        )
        started.append(process)
        return {"processId": process.pid}

    client.on_request = run_in_terminal
    await client.initialize(supportsRunInTerminalRequest=True)
    launched = client.begin("launch", {**attributes(program), "console": "integratedTerminal"})
    await client.event("initialized")
    path, line = program.marked("done")
    await client.set_lines(path, line)
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    assert asked[0]["kind"] == "integrated"
    await client.request("continue", {"threadId": stop["threadId"]})
    await client.event("terminated")
    (process,) = started
    stdout, _ = await process.communicate()
    assert stdout.decode().endswith("summing 30 120\n")
