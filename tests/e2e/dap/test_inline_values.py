# SPDX-License-Identifier: Apache-2.0
"""Values at the ends of lines: shown where the name is in scope at this stop, and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]

AT_STOPS = {
    "inside1": {
        "first head": "1",
        "words head": 'String[1] {"a"}',
        "i loop1": "0",
        "calls inside1": "0",
        "i loop2": None,
        "x shadow": None,
        "this.x field": "3",
        "value other": None,
        "args main": None,
    },
    "inside2": {
        "first head": "1",
        "i loop1": None,
        "calls inside1": "2",
        "x shadow": "5",
        "x field": "5",
        "this.x field": "6",
        "i loop2": "10",
        "i inside2": "10",
        "x inside2": "5",
        "i other": None,
        "unknown inside2": None,
    },
    "end": {
        "i loop1": None,
        "i inside2": None,
        "count lambda": None,
        "count body": None,
        "this.x body": None,
        "calls short": None,
        "calls inside1": "2",
        "x end": "26",
        "count end": "40",
        "this.count end": "40",
    },
    "body": {
        "count body": "7",
        "this.x body": "6",
        "x shadow": None,
        "first head": None,
        "calls inside1": None,
    },
}


@pytest.mark.parametrize("marker", AT_STOPS)
async def test_a_value_is_shown_where_its_name_is_in_scope(
    client: DapClient, attributes: AttributesOf, marker: str
) -> None:
    program = debuggee("scopes", "Scopes")
    frame = await client.run_to(program, marker, attributes(program))
    wanted = AT_STOPS[marker]
    asked = [each.split() for each in wanted]
    names = [{"name": name, "line": program.marker(at)} for name, at in asked]
    about = {"frameId": frame["id"], "names": names}
    values = (await client.request("jvmdebug/inlineValues", about))["values"]
    assert dict(zip(wanted, values, strict=True)) == wanted
    await client.request("disconnect")


async def test_a_frame_below_has_its_own(client: DapClient, attributes: AttributesOf) -> None:
    program = debuggee("scopes", "Scopes")
    await client.run_to(program, "other", attributes(program))
    thread = client.bodies("stopped")[-1]["threadId"]
    frames = await client.top_frames(thread)
    line = program.marker("end") - 1
    asked = [("calls", line), ("x", program.marker("shadow")), ("value", program.marker("other"))]
    names = [{"name": name, "line": at} for name, at in asked]
    found = {}
    for frame in frames:
        about = {"frameId": frame["id"], "names": names}
        values = (await client.request("jvmdebug/inlineValues", about))["values"]
        found[frame["name"].partition("(")[0]] = values
    assert found["Scopes.other"] == [None, None, "8"]
    assert found["Scopes.sum"] == [None, "26", None]
    assert found["Scopes.main"] == [None, None, None]
    await client.request("disconnect")
