# SPDX-License-Identifier: Apache-2.0
"""A recording in an editor: back and forward by DAP, and what is refused."""

from __future__ import annotations

import asyncio
import os
import re
from typing import TYPE_CHECKING

import pytest

from tests.support.dap_client import DapClient, Refused, local_client
from tests.support.recordings import HandMade

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


async def test_calls_and_writes_lead_to_their_moments(
    client: DapClient, recorded: Path, till: Debuggee
) -> None:
    attached = await client.begin_debugging(
        "attach", recording=str(recorded), sourcePaths=[str(till.source_dir)]
    )
    await client.configured(attached)
    stopped = await client.event("stopped")
    thread = stopped["threadId"]
    (main,) = (await client.request("jvmdebug/recordedCalls"))["calls"]
    asked = {"thread": main["thread"], "parent": main["index"]}
    calls = (await client.request("jvmdebug/recordedCalls", asked))["calls"]
    assert [each["name"].rpartition(".")[2] for each in calls] == [
        *("<init>", "add", "add", "add", "depth", "check")
    ]
    assert (calls[2]["arguments"], calls[2]["result"]) == (["10"], "10")
    moment = {"thread": calls[2]["thread"], "index": calls[2]["index"]}
    await client.request("jvmdebug/goToMoment", moment)
    await client.event("stopped", reason="goto")
    (top, *_) = await client.top_frames(thread)
    assert top["name"].startswith("Till.add")
    found = await client.request("jvmdebug/recordedWrites", {"name": "total", "value": "30"})
    (write,) = found["writes"]
    assert write["where"].endswith(f"(Till.java:{till.marker('added')})")
    await client.request("jvmdebug/goToMoment", {k: write[k] for k in ("thread", "index")})
    await client.event("stopped", reason="goto")
    (top, *_) = await client.top_frames(thread)
    here = {"name": "total", "frameId": top["id"]}
    values = (await client.request("jvmdebug/recordedWrites", here))["writes"]
    assert [each["value"] for each in values] == ["0", "10", "30"]
    last = (await client.request("jvmdebug/recordedWrites", {**here, "last": True}))["writes"]
    assert [each["value"] for each in last] == ["30"]

    path, line = till.marked("before")
    source = {"source": {"path": str(path)}, "line": line}
    (target,) = (await client.request("gotoTargets", source))["targets"]
    await client.request("goto", {"threadId": thread, "targetId": target["id"]})
    await client.event("stopped", reason="goto")
    (top, *_) = await client.top_frames(thread)
    assert top["line"] == line


async def test_only_a_recording_goes_back(client: DapClient, tmp_path: Path) -> None:
    other = tmp_path / "notes.jvmrec"
    other.write_text("not a recording at all", encoding="utf-8")
    with pytest.raises(Refused, match="it is not a recording of jvmdebug"):
        await client.begin_debugging("attach", recording=str(other))


async def test_much_is_cut_and_hostile_texts_are_made_visible(
    client: DapClient, tmp_path: Path, till: Debuggee
) -> None:
    content = (till.class_path[0] / "shop" / "Till.class").read_bytes()
    name = "evil\n\x1b[31mrow"
    with HandMade(tmp_path / "many.jvmrec") as made:
        made.begin_thread(1, name)
        shop = made.class_("shop.Till", content)
        for _ in range(600):
            shop.enter("check")
            shop.exit("check")
        shop.enter("depth")
        for each in range(1_001):
            shop.local("depth", 0, each)
        shop.line("depth", till.marker("deepest"))
    attached = await client.begin_debugging(
        "attach", recording=str(made.path), sourcePaths=[str(till.source_dir)]
    )
    await client.configured(attached)
    stopped = await client.event("stopped")
    calls = await client.request("jvmdebug/recordedCalls")
    assert (len(calls["calls"]), calls["isCut"]) == (500, True)
    (top, *_) = await client.top_frames(stopped["threadId"])
    for more in ({}, {"frameId": top["id"]}):
        writes = await client.request("jvmdebug/recordedWrites", {"name": "left", **more})
        assert (len(writes["writes"]), writes["isCut"]) == (1_000, True)
        assert {each["threadName"] for each in writes["writes"]} == {r"evil\n\u001b[31mrow"}
    assert calls["calls"][0]["threadName"] == r"evil\n\u001b[31mrow"
    last = {"name": "left", "frameId": top["id"], "last": True}
    writes = await client.request("jvmdebug/recordedWrites", last)
    assert [each["value"] for each in writes["writes"]] == ["1000"]
    assert not writes.get("isCut")


async def test_a_recording_opens_at_a_failure(
    client: DapClient, recorded: Path, till: Debuggee
) -> None:
    attributes = {"recording": str(recorded), "sourcePaths": [str(till.source_dir)]}
    attached = await client.begin_debugging("attach", **attributes, failure="shop.Till#check")
    await client.configured(attached)
    stopped = await client.event("stopped", reason="goto")
    (top, *_) = await client.top_frames(stopped["threadId"])
    assert top["line"] == till.marker("thrown")


async def test_a_failure_that_is_not_there_opens_the_end(
    client: DapClient, recorded: Path, till: Debuggee
) -> None:
    attributes = {"recording": str(recorded), "sourcePaths": [str(till.source_dir)]}
    attached = await client.begin_debugging("attach", **attributes, failure="shop.Other#adds")
    await client.configured(attached)
    stopped = await client.event("stopped", reason="pause")
    (top, *_) = await client.top_frames(stopped["threadId"])
    assert top["line"] == till.marker("end")
    why = "shop.Other#adds is not recorded, or has not ended by an exception"
    assert why in client.output("console")


@pytest.mark.parametrize("kind", ["missing", "folder", "forbidden", "garbage", "cut"])
async def test_what_cannot_be_opened_is_refused_in_words(
    client: DapClient, recorded: Path, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "other.jvmrec"
    content = await asyncio.to_thread(recorded.read_bytes)
    match kind:
        case "folder":
            path.mkdir()
        case "forbidden":
            path.write_bytes(content)
            path.chmod(0)
            if os.access(path, os.R_OK):
                pytest.skip("this user may read all files")
        case "garbage":
            path.write_bytes(content[:30] + b"\xff" * 500 + content[530:])
        case "cut":
            path.write_bytes(content[:20])
        case _:
            pass
    with pytest.raises(Refused) as refused:
        await client.begin_debugging("attach", recording=str(path))
    assert re.search(f"cannot (read|replay) {re.escape(str(path))}: [a-z]", str(refused.value))
    assert not re.search("Errno|Error|Traceback", str(refused.value))
