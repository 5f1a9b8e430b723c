# SPDX-License-Identifier: Apache-2.0
"""How a session begins: order of messages, failures, attributes without effect."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import errors
from tests.support.dap_client import Refused

if TYPE_CHECKING:
    from tests.support.dap_client import DapClient
    from tests.support.stub_core import StubCore

StopReason = jvmdebug.StopReason
CART = Path("/src/shop/Cart.java")


async def test_the_order_of_the_beginning(client: DapClient, core: StubCore) -> None:
    launched = await client.begin_debugging("launch", mainClass="shop.Main")
    await client.set_lines(CART, 42)
    assert core.session.calls[-1][0] == "place"
    await client.configured(launched)
    assert client.names() == [
        "response initialize",
        "event process",
        "event initialized",
        "response setBreakpoints",
        "response configurationDone",
        "response launch",
    ]
    assert core.session.calls[-1] == ("start",)


@pytest.mark.parametrize(("editor", "claimed"), [("vscode", True), ("dape", None)])
async def test_dape_which_kills_after_terminate_is_offered_disconnect_only(
    client: DapClient, editor: str, claimed: object
) -> None:
    capabilities = await client.initialize(clientID=editor)
    assert capabilities.get("supportsTerminateRequest") is claimed
    assert capabilities["supportTerminateDebuggee"] is True


async def test_a_stop_at_the_start_is_reported_after_the_launch(
    client: DapClient, core: StubCore
) -> None:
    launched = await client.begin_debugging("launch", mainClass="shop.Main", stopOnEntry=True)
    assert core.options[0]["stop_on_entry"] is True
    core.session.hit(StopReason.ENTRY)
    await client.configured(launched)
    assert (await client.event("stopped"))["reason"] == "entry"
    assert client.names()[-2:] == ["response launch", "event stopped"]
    frames = await client.top_frames(1)
    assert frames


async def test_a_launch_that_fails_says_why_and_can_be_repeated(
    client: DapClient, core: StubCore
) -> None:
    core.failure = errors.LaunchError("the VM ended with exit code 1: Could not find class Nope")
    await client.initialize()
    with pytest.raises(Refused) as refused:
        await client.request("launch", {"mainClass": "Nope"})
    assert "Could not find class Nope" in refused.value.error["format"]
    assert refused.value.error["showUser"] is True
    core.failure = None
    launched = client.begin("launch", {"mainClass": "shop.Main"})
    await client.event("initialized")
    await client.configured(launched)


async def test_a_program_that_ends_before_it_is_configured(
    client: DapClient, core: StubCore
) -> None:
    launched = await client.begin_debugging("launch", mainClass="shop.Main")
    core.session.end(3)
    with pytest.raises(Refused, match="ended before it was started"):
        await client.response(launched)
    assert (await client.event("exited"))["exitCode"] == 3
    await client.event("terminated")


async def test_a_launch_without_effect_of_some_attributes(
    client: DapClient, core: StubCore
) -> None:
    await client.run(noSuchThing="shop", vmArgs="-ea -Xmx1g")
    assert "`noSuchThing` is not used" in client.output("console")
    assert core.options[0]["vm_args"] == ["-ea", "-Xmx1g"]


@pytest.mark.parametrize(("client_id", "style"), [("other", "\x1b[2m"), ("vscode", "\x1b[3;37m")])
async def test_lines_of_ours_are_styled_for_a_client_that_shows_it(
    client: DapClient, core: StubCore, client_id: str, style: str
) -> None:
    """Dim beside what the program writes; not what may be shown in a dialog. VS Code makes what is
    dim transparent, in the color of warnings: there they are in italics, in its own "white".
    """
    await client.initialize(supportsANSIStyling=True, clientID=client_id)
    launched = client.begin("launch", {"mainClass": "shop.Main", "noSuchThing": 1})
    await client.event("initialized")
    await client.configured(launched)
    assert client.output("console").startswith(f"{style}attribute `noSuchThing`")
    assert client.output("console").endswith("\x1b[0m\n")
    core.session.post(jvmdebug.Output("stderr", "plain\n"))
    ended = jvmdebug.Ended(jvmdebug.EndReason.CONNECTION_LOST, "cut off")
    core.session.post(ended)
    await client.event("terminated")
    assert client.output("stderr") == "plain\n"
    assert client.output("important") == "cut off\n"


async def test_a_terminal_requested_by_a_client_that_has_none(
    client: DapClient, core: StubCore
) -> None:
    await client.run(console="integratedTerminal")
    assert core.sessions
    assert "the client has no terminal" in client.output("console")


async def test_attach_with_a_stop_before_the_configuration_is_done(
    client: DapClient, core: StubCore
) -> None:
    attached = await client.begin_debugging("attach", port=5005)
    core.session.hit(StopReason.BREAKPOINT)
    await client.configured(attached)
    thread_id = (await client.event("stopped"))["threadId"]
    assert await client.top_frames(thread_id)


async def test_a_run_without_debugging_stops_nowhere(client: DapClient, core: StubCore) -> None:
    launched = await client.begin_debugging(
        "launch", mainClass="shop.Main", noDebug=True, stopOnEntry=True
    )
    (placed,) = await client.set_lines(CART, 42)
    assert "without debugging" in placed["message"]
    await client.request("setExceptionBreakpoints", {"filters": ["caught"]})
    await client.configured(launched)
    assert core.options[0]["stop_on_entry"] is False
    assert core.session.calls == [("start",)]
