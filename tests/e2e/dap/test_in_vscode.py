# SPDX-License-Identifier: Apache-2.0
"""What is arranged for VS Code: the order of children, results, exceptions, frames of lambdas."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import pytest

from tests.support import process
from tests.support.dap_client import Refused, local_client
from tests.support.debuggees import debuggee
from tests.support.jdwp_session import OPTIONS, launched, listening_port

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


@pytest.fixture
def vscode(client: DapClient) -> DapClient:
    client.to_initialize = {"clientID": "vscode", "supportsProgressReporting": True}
    return client


def shown() -> Debuggee:
    return debuggee("shown", "Shown")


async def test_the_raw_view_is_the_last_child(
    vscode: DapClient, our_attributes: AttributesOf
) -> None:
    """VS Code would show what is not an element first if it asked for pages of elements."""
    program = shown()
    frame = await vscode.run_to(program, "call", our_attributes(program))
    found = await vscode.locals_of(frame)
    assert [found[name].get("indexedVariables") for name in ("few", "many")] == [None, None]
    few = list(await vscode.children(found["few"]["variablesReference"]))
    assert few[:2] == ["[0]", "[1]"]
    assert "Raw view" in few[2:]
    many = await vscode.children(found["many"]["variablesReference"])
    ranges = ["[0 … 99]", "[100 … 199]", "[200 … 249]"]
    assert list(many)[:3] == ranges
    assert "Raw view" in list(many)[3:]
    last = await vscode.children(many[ranges[2]]["variablesReference"])
    assert list(last)[:1] == ["[200]"]
    assert len(last) == 50
    await vscode.request("disconnect")


async def test_elements_are_shown_by_their_to_string(
    vscode: DapClient, our_attributes: AttributesOf
) -> None:
    program = shown()
    asked = {**our_attributes(program), "values": {"toString": True}}
    frame = await vscode.run_to(program, "call", asked)
    found = await vscode.locals_of(frame)
    assert found["few"]["value"] == '"[order 1, order 2]"'
    assert "order" not in found["many"]["value"]
    elements = await vscode.children(found["few"]["variablesReference"])
    assert elements["[0]"]["value"] == '"order 1"'
    await vscode.request("jvmdebug/valueStyle", {"toString": False})
    found = await vscode.locals_of(frame)
    assert "order 1" not in found["few"]["value"]
    await vscode.request("disconnect")


async def test_what_a_step_has_returned_is_the_first_of_the_locals(
    vscode: DapClient, our_attributes: AttributesOf
) -> None:
    program = shown()
    frame = await vscode.run_to(program, "step", {**our_attributes(program), "mode": "full"})
    await vscode.request("next", {"threadId": frame["threadId"]})
    await vscode.event("stopped", reason="step")
    after, *_ = await vscode.top_frames(frame["threadId"])
    scopes = (await vscode.request("scopes", {"frameId": after["id"]}))["scopes"]
    assert "Return value" not in {each["name"] for each in scopes}
    name, first = next(iter((await vscode.children(scopes[0]["variablesReference"])).items()))
    assert "twice" in name
    assert (first["value"], first["evaluateName"]) == ("8", "$return")
    await vscode.request("disconnect")


async def test_the_text_of_an_exception_is_there_once(
    vscode: DapClient, our_attributes: AttributesOf
) -> None:
    """VS Code shows the id, the description and the trace below each other."""
    program = shown()
    launched = await vscode.begin_debugging("launch", **our_attributes(program))
    await vscode.request("setExceptionBreakpoints", {"filters": ["uncaught"]})
    await vscode.configured(launched)
    stop = await vscode.event("stopped", reason="exception")
    found = await vscode.request("exceptionInfo", {"threadId": stop["threadId"]})
    assert found["exceptionId"] == "java.lang.IllegalStateException"
    assert found["description"] == "the end"
    assert found["details"]["stackTrace"].startswith("\tat Shown.main(Shown.java:")
    await vscode.request("disconnect")


async def test_a_popped_lambda_is_called_again_by_the_program(
    vscode: DapClient, attributes: AttributesOf
) -> None:
    """The frame of the class that the VM has made for the lambda goes with it."""
    program = shown()
    path, _ = program.marked("lambda")
    launched = await vscode.begin_debugging("launch", **attributes(program))
    await vscode.set_lines(path, program.marker("step"))
    await vscode.request(
        "setFunctionBreakpoints", {"breakpoints": [{"name": "Shown#lambda$main$0"}]}
    )
    await vscode.configured(launched)
    stop = await vscode.event("stopped", reason="function breakpoint")
    frame, *below = await vscode.top_frames(stop["threadId"])
    named = {each["source"]["name"] for each in below if "source" in each}
    assert not any(name.startswith("0x") for name in named)
    await vscode.request("jvmdebug/popFrame", {"frameId": frame["id"]})
    await vscode.event("stopped")
    top, *_ = await vscode.top_frames(stop["threadId"])
    assert (top["line"], top["source"]["path"]) == (program.marker("call"), str(path))
    await vscode.request("continue", {"threadId": stop["threadId"]})
    await vscode.event("stopped", reason="function breakpoint")
    await vscode.request("disconnect")


async def test_a_closed_port_is_said_at_once_while_it_is_tried(vscode: DapClient) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        await vscode.initialize()
        attached = vscode.begin("attach", {"port": port, "timeout": 60_000})
        begun = await vscode.event("progressStart", requestId=attached)
        assert str(port) in begun["message"]
        assert "it is tried for 60 s" in begun["message"]
        assert begun["cancellable"] is True
        assert str(port) in vscode.output("console")
        await vscode.request("cancel", {"progressId": begun["progressId"]})
        with pytest.raises(Refused):
            await vscode.response(attached)
        await vscode.event("progressEnd", progressId=begun["progressId"])


@pytest.mark.agent
async def test_an_agent_that_asks_for_a_token_is_told_apart(
    jdk: Jdk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The extension asks for the token then, and gives it to the adapter in a file."""
    file = tmp_path / "token"
    file.write_text("a token of some length")
    file.chmod(0o600)
    options = f"{OPTIONS.replace('suspend=y', 'suspend=n')},token-file={file}"
    with launched(jdk, process.agent_argument("jvmdebug", options), "wait") as jvm:
        port = listening_port(jvm)
        async with local_client() as client:
            client.to_initialize = {"clientID": "vscode"}
            await client.initialize()
            attached = client.begin("attach", {"port": port})
            told = await client.event("jvmdebug/notStarted")
            assert told["asksForToken"] is True
            assert "token" in told["message"]
            with pytest.raises(Refused):
                await client.response(attached)
        monkeypatch.setenv("JVMDEBUG_TOKEN_FILE", str(file))
        async with local_client() as client:
            await client.configured(await client.begin_debugging("attach", port=port))
            await client.request("disconnect")
