# SPDX-License-Identifier: Apache-2.0
"""Launch, attach, restart and the ways in which a program or its client can end."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.dap_client import Refused, stdio_client
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import StartJvm
    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee
    from tests.support.process import AgentKind

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


def loop() -> Debuggee:
    return debuggee("basics", "Loop")


def hello() -> Debuggee:
    return debuggee("basics", "Hello")


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


async def test_a_missing_main_class_is_reported(
    client: DapClient, attributes: AttributesOf
) -> None:
    started = {**attributes(hello()), "mainClass": "Missing"}
    await client.initialize()
    launched = client.begin("launch", started)
    answer = await client.answer(launched)
    assert not answer["success"]
    assert "there is no class Missing on the class path" in answer["message"]


async def test_restart_runs_the_program_again(client: DapClient, attributes: AttributesOf) -> None:
    program = loop()
    frame = await client.run_to(program, "done", attributes(program))
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


async def test_an_attached_session_that_another_takes_over_ends_with_the_reason(
    client: DapClient, start_jvm: StartJvm, agent_kind: AgentKind
) -> None:
    jvm = await start_jvm(debuggee("script", "Spin"), suspend=False)
    port = await jvm.port()
    attached = await client.begin_debugging("attach", port=port)
    await client.configured(attached)
    ours = agent_kind == "jvmdebug"
    async with stdio_client() as other:
        await other.initialize()
        with pytest.raises(Refused, match="being debugged by" if ours else "is debugging the"):
            await other.request("attach", {"port": port, "timeout": 500})
        if ours:
            taken = other.begin("attach", {"port": port, "takeOver": True})
            await other.event("initialized")
            await other.configured(taken)
            await client.event("terminated")
            assert "has taken over the program at localhost" in client.output("important")


async def test_attach_to_an_address_without_a_listener(client: DapClient) -> None:
    await client.initialize()
    with pytest.raises(Refused) as refused:
        await client.request("attach", {"port": 1, "timeout": 500})
    assert "localhost:1" in refused.value.error["format"]


async def test_a_lost_client_ends_the_program(client: DapClient, attributes: AttributesOf) -> None:
    """The fixtures fail the test if a VM or a task is left behind."""
    program = loop()
    await client.run_to(program, "square", attributes(program))


async def test_restart_of_an_attached_program_attaches_again(
    client: DapClient, start_jvm: StartJvm
) -> None:
    program = debuggee("recursion", "Recursion")
    # An agent with port 0 would take another port for the next client.
    with socket.create_server(("127.0.0.1", 0)) as free:
        fixed = f"address=127.0.0.1:{free.getsockname()[1]}"
    jvm = await start_jvm(program, args=["60"], agent_options=fixed)
    attached = await client.begin_debugging(
        "attach", port=await jvm.port(), sourcePaths=[str(program.source_dir)]
    )
    path, line = program.marked("base")
    before = await client.set_lines(path, line)
    await client.configured(attached)
    await client.event("stopped", reason="breakpoint")
    await client.request("restart")
    stop = await client.event("stopped", reason="breakpoint")
    assert stop["hitBreakpointIds"] == [before[0]["id"]]
    frame, *_rest = await client.top_frames(stop["threadId"])
    assert frame["line"] == line
    assert jvm.exit_code is None
    await client.request("disconnect", {"terminateDebuggee": True})


async def test_a_run_without_debugging(client: DapClient, attributes: AttributesOf) -> None:
    started = {**attributes(hello()), "noDebug": True, "args": ["4"]}
    launched = await client.begin_debugging("launch", **started)
    path, line = hello().marked("print")
    await client.set_lines(path, line)
    await client.configured(launched)
    assert (await client.event("exited"))["exitCode"] == 4
    assert client.bodies("stopped") == []


async def test_a_second_terminate_ends_a_program_that_does_not_want_to(
    client: DapClient, attributes: AttributesOf, tmp_path: Path
) -> None:
    source = tmp_path / "Stubborn.java"
    source.write_text(
        """public class Stubborn {
            public static void main(String[] args) throws Exception {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    System.out.print("asked to end\\n");
                    try { Thread.sleep(600_000); } catch (InterruptedException e) { }
                }));
                System.out.print("ready\\n"); // println of Java 11 writes twice
                Thread.sleep(600_000);
            }
        }""",
        encoding="utf-8",
    )
    started = {name: attributes(hello())[name] for name in ("javaExec", "agent")}
    await client.configured(await client.begin_debugging("launch", program=str(source), **started))
    await client.event("output", category="stdout", output="ready\n")
    await client.request("terminate")
    await client.event("output", category="stdout", output="asked to end\n")
    await client.request("terminate")
    assert (await client.event("exited"))["exitCode"] == -9
    await client.event("terminated")
