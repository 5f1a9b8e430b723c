# SPDX-License-Identifier: Apache-2.0
"""A breakpoint that is wrong says so where the user looks, and one that only waits is not grey."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import Body, DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]

WRONG = "condition 'nothing > 1' is wrong here: there is no variable or class nothing here"


def lines_at(client: DapClient, line: int) -> list[str]:
    """The lines of the console that lead to that line of the source."""
    return [each["output"] for each in client.bodies("output") if each.get("line") == line]


async def test_a_wrong_condition_is_told_at_its_line(
    client: DapClient, attributes: AttributesOf
) -> None:
    """Once when the class is loaded, and once more for another mistake."""
    program = debuggee("basics", "Loop")
    launched = await client.begin_debugging("launch", **attributes(program))
    path, line = program.marked("square")
    await client.set_lines(path, {"line": line, "condition": "nothing > 1"})
    assert lines_at(client, line) == []  # no class is loaded yet
    done = program.marker("done")
    await client.set_lines(path, {"line": line, "condition": "nothing > 1"}, done)
    await client.configured(launched)
    await client.event("stopped")
    changed = [each["breakpoint"] for each in client.bodies("breakpoint")]
    assert [each["message"] for each in changed if each["line"] == line] == [WRONG]
    other: Body = {"line": line, "condition": "1 +"}
    await client.set_lines(path, other, done)
    placed, _ = await client.set_lines(path, other, done)
    assert (placed["verified"], placed["reason"]) == (False, "failed")
    told = lines_at(client, line)
    assert told == [f"{WRONG}\n", f"{placed['message']}\n"]
    await client.request("disconnect")


async def caught(client: DapClient, condition: str) -> Body:
    options = [{"filterId": "caught", "condition": condition}]
    about = {"filters": [], "filterOptions": options}
    answer = await client.request("setExceptionBreakpoints", about)
    (placed,) = answer["breakpoints"]
    return dict(placed)


@pytest.mark.parametrize("pattern", ["java.io.*", "com.acme.*", "*Surprise"])
async def test_a_pattern_that_waits_for_its_classes_is_set(
    client: DapClient, attributes: AttributesOf, pattern: str
) -> None:
    """Classes of java.io are loaded, but none that can be thrown."""
    program = debuggee("basics", "Loop")
    await client.begin_debugging("launch", **attributes(program))
    placed = await caught(client, pattern)
    assert placed["verified"]
    assert placed["message"] == f"no exception class that matches {pattern} is loaded yet"
    assert placed["message"] in client.output("console")
    assert client.output("important") == ""
    await client.request("disconnect")


async def test_a_name_that_is_not_loaded_is_told(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = debuggee("basics", "Loop")
    await client.begin_debugging("launch", **attributes(program))
    placed = await caught(client, "com.acme.Mistyped")
    assert (placed["verified"], placed["reason"]) == (False, "pending")
    assert placed["message"] in client.output("console")
    refused = await caught(client, "java.lang.String")
    assert refused["message"] == "java.lang.String cannot be thrown"
    assert refused["message"] in client.output("important")
    await client.request("disconnect")
