# SPDX-License-Identifier: Apache-2.0
"""The launch attribute `recording`: an editor gets a recording of each program that it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug import recording
from tests.support.dap_client import DapClient, local_client

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
