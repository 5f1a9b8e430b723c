# SPDX-License-Identifier: Apache-2.0
"""Sources in archives: shown by reference, and breakpoints set in what was shown."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING, Any

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


async def test_a_source_in_a_jar_is_shown_and_takes_breakpoints(
    client: DapClient, attributes: AttributesOf, tmp_path: Path
) -> None:
    program = debuggee("basics", "Loop")
    jar = tmp_path / "loop-sources.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.write(program.source("Loop.java"), "Loop.java")
    started = {**attributes(program), "sourcePaths": [str(jar)]}
    launched = await client.begin_debugging("launch", **started)
    await client.request("setFunctionBreakpoints", {"breakpoints": [{"name": "Loop.square"}]})
    await client.configured(launched)
    stop = await client.event("stopped", reason="function breakpoint")
    frame, *_rest = await client.top_frames(stop["threadId"])
    source = frame["source"]
    assert (source["name"], source["origin"]) == ("Loop.java", "loop-sources.jar")
    text = await client.request(
        "source", {"sourceReference": source["sourceReference"], "source": source}
    )
    assert text["content"] == program.source("Loop.java").read_text(encoding="utf-8")

    line = program.marker("squared")
    asked = {"source": source, "breakpoints": [{"line": line}]}
    (placed,) = (await client.request("setBreakpoints", asked))["breakpoints"]
    assert (placed["verified"], placed["line"]) == (True, line)
    await client.request("continue", {"threadId": stop["threadId"]})
    assert (await client.event("stopped"))["hitBreakpointIds"] == [placed["id"]]
    await client.request("disconnect")


async def test_a_source_that_is_not_found_is_named(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = debuggee("basics", "Loop")
    started = {**attributes(program), "sourcePaths": []}
    launched = await client.begin_debugging("launch", **started)
    await client.request("setFunctionBreakpoints", {"breakpoints": [{"name": "Loop.square"}]})
    await client.configured(launched)
    stop = await client.event("stopped")
    frame, *_rest = await client.top_frames(stop["threadId"])
    assert frame["source"]["name"] == "Loop.java"
    assert "path" not in frame["source"]
    assert frame["line"] == program.marker("square")
    await client.request("disconnect")


async def test_lines_that_can_hold_a_breakpoint(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = debuggee("basics", "Loop")
    frame = await client.stop_at(program, "square", attributes(program))
    first, last = program.marker("square"), program.marker("squared")
    asked = {"source": frame["source"], "line": first, "endLine": last + 3}
    body = await client.request("breakpointLocations", asked)
    assert [each["line"] for each in body["breakpoints"]] == list(range(first, last + 1))
    await client.request("disconnect")
