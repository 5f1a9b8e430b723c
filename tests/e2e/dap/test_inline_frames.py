# SPDX-License-Identifier: Apache-2.0
"""Frames of Kotlin's inline functions, in the stack of an editor that asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.libraries import maven
from tests.support.other_languages import kotlin_debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]

pytestmark = [
    pytest.mark.network,
    pytest.mark.skipif(maven() is None, reason="the libraries are fetched by Maven; no mvn here"),
]


async def test_pages_of_a_stack_with_inlined_frames(
    client: DapClient, our_attributes: AttributesOf
) -> None:
    program = kotlin_debuggee("kotlin", "shop.ShopKt")
    line = program.marker("in-inlined")
    await client.initialize()
    launched = client.begin("launch", {**our_attributes(program), "inlineFrames": True})
    await client.event("initialized")
    await client.set_lines(program.source("Names.kt"), line)
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    asked = {"threadId": stop["threadId"]}
    whole = await client.request("stackTrace", asked)
    shown = [(each["name"], each["line"]) for each in whole["stackFrames"][:3]]
    assert shown == [
        ("lambda in names (inlined)", line),
        ("countAll (inlined)", program.marker("asks")),
        ("names()", line - 1),
    ]
    assert whole["totalFrames"] == len(whole["stackFrames"])
    page = await client.request("stackTrace", {**asked, "startFrame": 1, "levels": 2})
    assert [each["name"] for each in page["stackFrames"]] == [name for name, _ in shown[1:]]
    inlined = await client.locals_of(whole["stackFrames"][1])
    assert list(inlined) == ["this@countAll", "found", "element"]
    refused = client.begin("restartFrame", {"frameId": whole["stackFrames"][0]["id"]})
    answer = await client.answer(refused)
    assert "it is copied into `names`" in answer["body"]["error"]["format"]
    await client.request("disconnect", {"terminateDebuggee": True})


async def test_values_in_lines_of_an_inline_lambda(
    client: DapClient, our_attributes: AttributesOf
) -> None:
    program = kotlin_debuggee("kotlin", "shop.ShopKt")
    launched = await client.begin_debugging("launch", **our_attributes(program))
    await client.set_lines(program.source("Shop.kt"), program.marker("each"))
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    frame, *_ = await client.top_frames(stop["threadId"])
    wanted = {
        "sum total": "0",
        "part each": "Part@",
        "parts forEach": "ArrayList(2)",
        "seen seen": "",
    }
    asked = [each.split() for each in wanted]
    names = [{"name": name, "line": program.marker(at)} for name, at in asked]
    about = {"frameId": frame["id"], "names": names}
    values = (await client.request("jvmdebug/inlineValues", about))["values"]
    found = dict(zip(wanted, values, strict=True))
    assert found.pop("seen seen") is None  # of another function
    assert all(value.startswith(wanted[each]) for each, value in found.items()), found
    await client.request("disconnect", {"terminateDebuggee": True})
