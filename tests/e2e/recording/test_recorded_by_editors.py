# SPDX-License-Identifier: Apache-2.0
"""The launch attribute `recording`: an editor gets a recording of each program that it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug import recording
from tests.support.dap_client import DapClient, Refused, local_client

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk


@pytest.fixture
async def client() -> AsyncIterator[DapClient]:
    """A client of an adapter inside the test."""
    async with local_client() as connected:
        yield connected


@pytest.fixture
def asked(till: Debuggee, jdk: Jdk, tmp_path: Path) -> dict[str, Any]:
    """Launch attributes that record the program."""
    return {
        "mainClass": till.main_class,
        "classPaths": [str(each) for each in till.class_path],
        "sourcePaths": [str(till.source_dir)],
        "javaExec": str(jdk.java),
        "agent": "jvmdebug",
        "recording": str(tmp_path / "till.jvmrec"),
    }


def _last_place(path: Path) -> str:
    """The place at which a whole recording ends."""
    with recording.open(path) as opened:
        assert opened.ending is not None, path
        assert opened.end is not None, path
        return opened.end.frames[0].place


async def _stopped_in_the_middle(
    client: DapClient, till: Debuggee, asked: dict[str, Any]
) -> dict[str, Any]:
    launched = await client.begin_debugging("launch", **asked)
    await client.set_lines(till.source("shop/Till.java"), till.marker("added"))
    await client.configured(launched)
    return await client.event("stopped", reason="breakpoint")


async def test_a_program_is_recorded_to_its_end(
    client: DapClient, asked: dict[str, Any], tmp_path: Path, till: Debuggee
) -> None:
    launched = await client.begin_debugging("launch", **asked)
    await client.configured(launched)
    await client.event("terminated")
    assert f"recorded: {tmp_path / 'till.jvmrec'} (" in client.output("console")
    assert _last_place(tmp_path / "till.jvmrec").endswith(f"(Till.java:{till.marker('end')})")


async def test_each_restart_has_a_recording_of_its_own(
    client: DapClient, asked: dict[str, Any], tmp_path: Path, till: Debuggee
) -> None:
    await _stopped_in_the_middle(client, till, asked)
    for number in (2, 3):
        await client.request("restart")
        await client.event("stopped", reason="breakpoint")
        path = tmp_path / f"till-{number}.jvmrec"
        assert f"this program is recorded into {path}\n" in client.output("console")
    await client.set_lines(till.source("shop/Till.java"))
    await client.request("continue", {"threadId": 1})
    await client.event("terminated")
    for name in ("till.jvmrec", "till-2.jvmrec"):
        assert f"recorded: {tmp_path / name} (" in client.output("console")
        assert _last_place(tmp_path / name).endswith(f"(Till.java:{till.marker('added')})")
    assert _last_place(tmp_path / "till-3.jvmrec").endswith(f"(Till.java:{till.marker('end')})")


@pytest.mark.parametrize("how", [{}, {"restart": True}, {"terminateDebuggee": False}])
async def test_a_program_that_is_left_has_a_whole_recording(
    client: DapClient, asked: dict[str, Any], tmp_path: Path, till: Debuggee, how: dict[str, bool]
) -> None:
    await _stopped_in_the_middle(client, till, asked)
    await client.request("disconnect", how)
    await client.closed()
    with recording.open(tmp_path / "till.jvmrec") as opened:
        assert opened.ending is not None
        assert opened.end is not None


async def test_an_editor_that_vanishes_leaves_a_whole_recording(
    asked: dict[str, Any], tmp_path: Path, till: Debuggee
) -> None:
    async with local_client() as client:
        await _stopped_in_the_middle(client, till, asked)
    assert _last_place(tmp_path / "till.jvmrec").endswith(f"(Till.java:{till.marker('added')})")


@pytest.mark.parametrize("name", ["", "none/till.jvmrec"])
async def test_what_cannot_be_recorded_runs_all_the_same(
    client: DapClient, asked: dict[str, Any], tmp_path: Path, name: str
) -> None:
    launched = await client.begin_debugging(
        "launch", **{**asked, "recording": str(tmp_path / name)}
    )
    await client.configured(launched)
    await client.event("exited", exitCode=0)
    await client.event("terminated")
    assert "the program is not recorded: " in client.output("important")


async def test_a_stop_is_stepped_back_from_and_the_present_is_reached_again(
    client: DapClient, till: Debuggee, asked: dict[str, Any]
) -> None:
    launched = await client.begin_debugging("launch", **asked)
    path, added = till.source("shop/Till.java"), till.marker("added")
    await client.set_lines(path, added, till.marker("deepest"))
    await client.configured(launched)
    told = await client.event("capabilities", capabilities={"supportsStepBack": True})
    assert told["capabilities"]["supportsStepBack"] is True
    for _ in range(3):
        present = await client.event("stopped", reason="breakpoint")
        await client.request("continue", {"threadId": present["threadId"]})
    present = await client.event("stopped", reason="breakpoint")
    (live, *_) = await client.top_frames(present["threadId"])
    assert live["line"] == till.marker("deepest")

    await client.request("stepBack", {"threadId": present["threadId"]})
    assert (await client.event("jvmdebug/recording"))["path"] == asked["recording"]
    stopped = await client.event("stopped")
    thread = {"threadId": stopped["threadId"]}
    (top, *below) = await client.top_frames(stopped["threadId"])
    assert (top["name"].partition("(")[0], len(below)) == ("Till.depth", 5)
    assert (await client.locals_of(top))["left"]["value"] == "0"
    await client.request("reverseContinue", thread)
    await client.event("stopped", reason="breakpoint")
    (top, *_) = await client.top_frames(stopped["threadId"])
    assert (top["line"], (await client.locals_of(top))["price"]["value"]) == (added, "20")
    # A breakpoint that is set now is one of the program too.
    await client.set_lines(path, till.marker("last"))
    await client.request("continue", thread)
    await client.event("jvmdebug/present")
    again = await client.event("stopped", reason="breakpoint")
    assert again["threadId"] == present["threadId"]
    (top, *_) = await client.top_frames(present["threadId"])
    assert top["line"] == till.marker("deepest")
    here = {"frameId": top["id"], "expression": "depth(3)"}
    assert (await client.request("evaluate", here))["result"] == "3"

    # Steps forward lead to the present as well.
    await client.request("continue", {"threadId": present["threadId"]})
    await client.event("stopped", reason="breakpoint")
    (top, *_) = await client.top_frames(present["threadId"])
    assert top["line"] == till.marker("last")
    await client.request("stepBack", {"threadId": present["threadId"]})
    stopped = await client.event("stopped")
    for _ in range(3):
        await client.request("next", {"threadId": stopped["threadId"]})
        stopped = await client.event("stopped")
        if stopped["threadId"] == present["threadId"]:
            break
    assert stopped["reason"] == "breakpoint"
    await client.request("continue", {"threadId": present["threadId"]})
    await client.event("exited", exitCode=0)
    await client.event("terminated")


async def test_data_breakpoints_of_the_program_stay_when_some_are_set_in_its_past(
    client: DapClient, till: Debuggee, asked: dict[str, Any]
) -> None:
    launched = await client.begin_debugging("launch", **asked)
    await client.set_lines(till.source("shop/Till.java"), till.marker("returned"))
    await client.configured(launched)
    present = await client.event("stopped", reason="breakpoint")
    (top, *_) = await client.top_frames(present["threadId"])
    kept = await client.request(
        "dataBreakpointInfo", {"frameId": top["id"], "name": "total", "asAddress": False}
    )
    watched = [{"dataId": kept["dataId"]}]
    (set_before,) = (await client.request("setDataBreakpoints", {"breakpoints": watched}))[
        "breakpoints"
    ]
    await client.request("stepBack", {"threadId": present["threadId"]})
    stopped = await client.event("stopped")
    (then, *_) = await client.top_frames(stopped["threadId"])
    of_past = await client.request("dataBreakpointInfo", {"frameId": then["id"], "name": "total"})
    assert of_past["dataId"] != kept["dataId"]
    watched.append({"dataId": of_past["dataId"]})
    before, in_past = (await client.request("setDataBreakpoints", {"breakpoints": watched}))[
        "breakpoints"
    ]
    assert (before["id"], before["verified"]) == (set_before["id"], True)
    assert in_past["verified"], in_past
    await client.request("reverseContinue", {"threadId": stopped["threadId"]})
    hit = await client.event("stopped", reason="data breakpoint")
    assert hit["hitBreakpointIds"] == [in_past["id"]]
    await client.request("continue", {"threadId": stopped["threadId"]})
    gone = await client.event("breakpoint", reason="removed")
    assert gone["breakpoint"]["id"] == in_past["id"]
    await client.event("jvmdebug/present")
    await client.event("stopped", reason="breakpoint")

    # The program's own is where it was; that of the past is refused from here on.
    answer = await client.request("setDataBreakpoints", {"breakpoints": watched})
    before, stale = answer["breakpoints"]
    assert (before["id"], before["verified"]) == (set_before["id"], True)
    assert not stale["verified"]
    assert "a past that is not shown any more" in stale["message"]
    await client.request("continue", {"threadId": present["threadId"]})
    hit = await client.event("stopped", reason="data breakpoint")
    assert hit["hitBreakpointIds"] == [set_before["id"]]


@pytest.mark.parametrize("how", ["disconnect", "terminate", "restart"])
async def test_a_program_is_left_from_its_past(
    client: DapClient, till: Debuggee, asked: dict[str, Any], tmp_path: Path, how: str
) -> None:
    stopped = await _stopped_in_the_middle(client, till, asked)
    await client.request("stepBack", {"threadId": stopped["threadId"]})
    await client.event("stopped", reason="step")
    if how == "restart":
        await client.request("restart")
        stopped = await client.event("stopped", reason="breakpoint")
        (top, *_) = await client.top_frames(stopped["threadId"])
        assert top["line"] == till.marker("added")
        return
    await client.request(how)
    if how == "terminate":
        await client.event("terminated")
    else:
        await client.closed()
    with recording.open(tmp_path / "till.jvmrec") as opened:
        assert opened.end is not None


async def test_what_was_not_recorded_cannot_be_gone_back_to(
    client: DapClient, till: Debuggee, asked: dict[str, Any]
) -> None:
    del asked["recording"]
    stopped = await _stopped_in_the_middle(client, till, asked)
    for command in ("stepBack", "reverseContinue"):
        with pytest.raises(Refused, match="only a recording can be gone back in"):
            await client.request(command, {"threadId": stopped["threadId"]})


@pytest.mark.parametrize(
    ("redact", "texts"),
    [(None, {"10", "0", "20"}), (["price"], {"<redacted>"}), (False, {"10", "0", "20"})],
)
async def test_names_that_are_not_recorded(
    client: DapClient, asked: dict[str, Any], tmp_path: Path, redact: object, texts: set[str]
) -> None:
    more = {} if redact is None else {"recordingRedact": redact}
    launched = await client.begin_debugging("launch", **{**asked, **more})
    await client.configured(launched)
    await client.event("terminated")
    with recording.open(tmp_path / "till.jvmrec") as opened:
        assert {each.text for each in opened.writes("price")} == texts
        assert ("*password*" in opened.header.redacted) is (redact is not False)
