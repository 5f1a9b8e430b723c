# SPDX-License-Identifier: Apache-2.0
"""A recording in an editor: back and forward by DAP, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.dap_client import DapClient, Refused, local_client

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.support.debuggees import Debuggee


@pytest.fixture
async def client() -> AsyncIterator[DapClient]:
    """A client of an adapter inside the test."""
    async with local_client() as connected:
        yield connected


async def test_an_editor_walks_a_recording(
    client: DapClient, recorded: Path, till: Debuggee
) -> None:
    attached = await client.begin_debugging(
        "attach", recording=str(recorded), sourcePaths=[str(till.source_dir)]
    )
    told = await client.event("capabilities")
    assert told["capabilities"]["supportsStepBack"] is True
    assert (await client.event("jvmdebug/recording"))["path"] == str(recorded)
    path, line = till.marked("added")
    wanted = [{"line": line, "condition": "price == 10"}]
    arguments = {"source": {"path": str(path)}, "breakpoints": wanted}
    (placed,) = (await client.request("setBreakpoints", arguments))["breakpoints"]
    assert placed["verified"], placed
    await client.configured(attached)
    stopped = await client.event("stopped", reason="pause")
    assert stopped["description"] == "End of the recording"
    thread = {"threadId": stopped["threadId"]}
    (named,) = (await client.request("threads"))["threads"]
    assert named["name"] == "main"
    (top, *_) = await client.top_frames(stopped["threadId"])
    assert (top["line"], top["source"]["path"]) == (till.marker("end"), str(path))

    await client.request("reverseContinue", thread)
    await client.event("stopped", reason="breakpoint")
    (top, *_) = await client.top_frames(stopped["threadId"])
    assert top["line"] == line
    variables = await client.locals_of(top)
    assert (variables["price"]["value"], variables["before"]["value"]) == ("10", "0")
    await client.request("stepBack", thread)
    await client.event("stopped", reason="step")
    (top, *_) = await client.top_frames(stopped["threadId"])
    assert top["line"] == till.marker("before")
    await client.request("stepBack", thread)  # to the call
    await client.event("stopped", reason="step")
    (top, *_) = await client.top_frames(stopped["threadId"])
    assert top["line"] == till.marker("called")

    here = {"frameId": top["id"]}
    found = await client.request("evaluate", {"expression": "till.total + i", **here})
    assert found["result"] == "1"
    for command, more in (
        ("evaluate", {"expression": "till.add(1)", **here}),
        ("jvmdebug/popFrame", here),
    ):
        with pytest.raises(Refused, match="this is a recording: the past cannot be run"):
            await client.request(command, more)
    await client.request("next", thread)
    await client.event("stopped", reason="breakpoint")
    await client.request("stepOut", thread)
    await client.event("stopped", reason="step")
    await client.request("continue", thread)
    stopped = await client.event("stopped", reason="pause")
    assert stopped["description"] == "End of the recording"


async def test_only_a_recording_goes_back(client: DapClient, tmp_path: Path) -> None:
    other = tmp_path / "notes.jvmrec"
    other.write_text("not a recording at all", encoding="utf-8")
    with pytest.raises(Refused, match="it is not a recording of jvmdebug"):
        await client.begin_debugging("attach", recording=str(other))
