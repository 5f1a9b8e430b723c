# SPDX-License-Identifier: Apache-2.0
"""Hot code replace: accepted and refused changes, the reasons, and the effect on the stop."""

from __future__ import annotations

import asyncio
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.dap_client import Refused
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


class Offering:
    """Class files that are offered one by one."""

    def __init__(self, client: DapClient, path: Path) -> None:
        self._client = client
        self._path = path

    async def __call__(self, content: bytes) -> dict[str, Any]:
        await asyncio.to_thread(self._path.write_bytes, content)
        return await self.file(self._path)

    async def file(self, path: Path) -> dict[str, Any]:
        body = await self._client.request("jvmdebug/redefineClasses", {"paths": [str(path)]})
        (outcome,) = body["classes"]
        assert outcome.pop("path") == str(path)
        found: dict[str, Any] = outcome
        return found


async def _refusals(client: DapClient, path: Path, whole: bytes, jdk: Jdk) -> None:
    offer = Offering(client, path)
    renamed = await offer(whole.replace(b"\x06unused", b"\x06useful"))
    assert (renamed["name"], renamed["outcome"]) == ("Swap", "refused")
    assert "new method int useful(); missing method int unused()" in renamed["reason"]
    fields = await offer(whole.replace(b"\x05price", b"\x05prize"))
    assert fields["reason"] == (
        "this VM cannot change the fields of a class: new field int prize; missing field int price"
        " (SCHEMA_CHANGE_NOT_IMPLEMENTED)"
    )
    later = await offer(whole[:6] + (44 + 500).to_bytes(2) + whole[8:])
    assert f"compiled for Java 500, the VM is {jdk.version}" in later["reason"]
    assert (await offer(b"nothing"))["outcome"] == "unreadable"
    other = debuggee("basics", "Loop").class_path[0] / "Loop.class"
    assert await offer.file(other) == {"name": "Loop", "outcome": "not loaded"}
    with pytest.raises(Refused, match="there is no class file or directory"):
        await offer.file(path.with_name("none"))
    assert client.bodies("jvmdebug/classesRedefined") == []


async def _nobody_has_the_old_source(client: DapClient, frame: dict[str, Any]) -> None:
    """An editor that got the file would show a line of the new code."""
    source = frame["source"]
    assert (source["name"], source.get("path"), source["origin"]) == (
        "Swap.java",
        None,
        "old code",
    )
    reference = source["sourceReference"]
    body = await client.request("source", {"source": source, "sourceReference": reference})
    shown, *more = body["content"].splitlines()
    assert shown == "// This frame runs code of Swap that was replaced by a hot swap."
    assert "Restart the frame" in more[-1]
    assert frame["line"] == 1  # of the text
    with pytest.raises(Refused, match="a breakpoint needs code"):
        await client.request("setBreakpoints", {"source": source, "breakpoints": [{"line": 1}]})


async def test_hot_code_replace(
    client: DapClient, attributes: AttributesOf, tmp_path: Path, jdk: Jdk
) -> None:
    program = debuggee("swap", "Swap")
    classes = tmp_path / "classes"
    shutil.copytree(program.class_path[0], classes)
    whole = (classes / "Swap.class").read_bytes()
    await client.initialize(supportsInvalidatedEvent=True)
    launched = client.begin("launch", {**attributes(program), "classPaths": [str(classes)]})
    await client.event("initialized")
    source, line = program.marked("word")
    (placed,) = await client.set_lines(source, line)
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    thread = {"threadId": stop["threadId"]}
    await _refusals(client, tmp_path / "Swap.class", whole, jdk)

    replacing = "jvmdebug/redefineClasses"
    nothing = await client.request(replacing, {"paths": [str(classes)]})
    assert nothing == {"classes": []}  # nothing was compiled since the launch
    (classes / "Swap.class").write_bytes(whole.replace(b"old text", b"new text"))
    body = await client.request(replacing, {"paths": [str(classes)]})
    assert [each["outcome"] for each in body["classes"]] == ["redefined"]
    assert await client.event("jvmdebug/classesRedefined") == body
    assert (await client.event("invalidated"))["areas"] == ["stacks", "variables"]
    top, below = await client.top_frames(stop["threadId"])
    assert (top["name"], below["name"]) == ("Swap.word() (old code)", "Swap.main(String[])")
    await _nobody_has_the_old_source(client, top)
    (again,) = await client.top_frames(stop["threadId"], 1)
    assert again["source"] == top["source"]
    assert below["line"] == program.marker("call")

    await client.request("restartFrame", {"frameId": top["id"]})
    await client.event("stopped")
    await client.request("continue", thread)
    hit = await client.event("stopped", reason="breakpoint")
    assert hit["hitBreakpointIds"] == [placed["id"]]
    top, *_rest = await client.top_frames(stop["threadId"])
    assert (top["name"], top["line"]) == ("Swap.word()", line)
    assert (await client.locals_of(top))["text"]["value"] == '"new text"'
    await client.set_lines(source)
    await client.request("continue", thread)
    await client.event("terminated")
    assert client.output("stdout") == "new text\n" * 3
