# SPDX-License-Identifier: Apache-2.0
"""Breakpoints: ids, verification by event, filters, ways of counting lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import jvmdebug
from jvmdebug import BreakpointOptions, BreakpointRequest, ExceptionSpec, LineSpec
from tests.support.dap_client import Refused

if TYPE_CHECKING:
    from tests.support.dap_client import DapClient
    from tests.support.stub_core import StubCore

StopReason = jvmdebug.StopReason
CART = Path("/src/shop/Cart.java")


def exceptions(
    type_name: str = "java.lang.Throwable",
    *,
    caught: bool = True,
    uncaught: bool = True,
    options: BreakpointOptions | None = None,
) -> BreakpointRequest:
    spec = ExceptionSpec(type_name, caught, uncaught)
    return BreakpointRequest(spec, options or BreakpointOptions())


async def test_breakpoints_that_stay_keep_their_ids(client: DapClient) -> None:
    await client.begin_debugging("launch", mainClass="shop.Main")
    first = await client.set_lines(CART, 10, {"line": 20, "hitCondition": "often"})
    assert first[1]["verified"] is False
    assert first[1]["message"] == "no hit condition: often"
    assert first[0]["reason"] == "pending"
    again = await client.set_lines(CART, 15, 10)
    assert again[1]["id"] == first[0]["id"]
    assert again[0]["id"] not in {each["id"] for each in first}


async def test_a_pending_breakpoint_becomes_verified(client: DapClient, core: StubCore) -> None:
    await client.begin_debugging("launch", mainClass="shop.Main")
    (placed,) = await client.set_lines(CART, 10)
    seq = client.begin("configurationDone")
    await client.response(seq)
    (found,) = core.session.breakpoints.placed[str(CART)]
    found.verified, found.line = True, 11
    core.session.post(jvmdebug.BreakpointChanged(found, "changed"))  # type: ignore[arg-type]
    reported = (await client.event("breakpoint", reason="changed"))["breakpoint"]
    assert (reported["id"], reported["verified"], reported["line"]) == (placed["id"], True, 11)
    assert reported["source"]["path"] == str(CART)

    # Further places of it are no news; that it has none any more is.
    changed = jvmdebug.BreakpointChanged(found, "changed")  # type: ignore[arg-type]
    core.session.post(changed)
    found.verified = False
    core.session.post(changed)
    await client.event("breakpoint")
    reported = [each["breakpoint"]["verified"] for each in client.bodies("breakpoint")]
    assert reported == [True, False]


async def test_exception_filters_share_one_breakpoint(client: DapClient, core: StubCore) -> None:
    await client.begin_debugging("launch", mainClass="shop.Main")
    both = await client.request("setExceptionBreakpoints", {"filters": ["uncaught", "caught"]})
    assert len(both["breakpoints"]) == 2
    assert len({each["id"] for each in both["breakpoints"]}) == 1
    await client.request(
        "setExceptionBreakpoints",
        {"filters": ["uncaught"], "filterOptions": [{"filterId": "caught", "condition": "x"}]},
    )
    assert core.session.calls[-1][2] == (
        exceptions(caught=False),
        exceptions(uncaught=False, options=BreakpointOptions("x")),
    )
    with pytest.raises(Refused, match="no filter `all`"):
        await client.request("setExceptionBreakpoints", {"filters": ["all"]})


async def test_exception_types_by_condition_and_by_path(client: DapClient, core: StubCore) -> None:
    await client.begin_debugging("launch", mainClass="shop.Main")
    initialized = next(
        each["body"] for each in client.timeline if each.get("command") == "initialize"
    )
    offered = initialized["exceptionBreakpointFilters"]
    assert all(each["supportsCondition"] for each in offered)
    answer = await client.request(
        "setExceptionBreakpoints",
        {
            "filters": [],
            "filterOptions": [
                {"filterId": "caught", "condition": "shop.*, !shop.Refused", "mode": "thread"},
                {"filterId": "uncaught", "condition": "IOException"},
                {"filterId": "uncaught", "condition": "Config.DEBUG"},
            ],
            "exceptionOptions": [
                {"breakMode": "never", "path": [{"names": ["java.lang.Error"]}]},
                {
                    "breakMode": "always",
                    "path": [{"names": ["Java"]}, {"names": ["a.B", "a.C"]}],
                },
                {"breakMode": "unhandled", "path": [{"names": ["a.D"], "negate": True}]},
                {"breakMode": "userUnhandled"},
            ],
        },
    )
    one_thread = BreakpointOptions(suspend="thread")
    assert core.session.calls[-1][2] == (
        exceptions("shop.*, !shop.Refused", uncaught=False, options=one_thread),
        exceptions("IOException", caught=False),
        exceptions(caught=False, options=BreakpointOptions("Config.DEBUG")),
        exceptions("a.B, a.C"),
        exceptions("!a.D", caught=False),
        exceptions(caught=False),
    )
    assert len(answer["breakpoints"]) == 7
    assert "never stop" in answer["breakpoints"][3]["message"]
    with pytest.raises(Refused, match="no breakpoint mode `sometimes`"):
        await client.request(
            "setExceptionBreakpoints",
            {"filters": [], "filterOptions": [{"filterId": "caught", "mode": "sometimes"}]},
        )


async def test_lines_of_a_client_that_counts_from_zero(client: DapClient, core: StubCore) -> None:
    await client.initialize(linesStartAt1=False, columnsStartAt1=False, pathFormat="uri")
    launched = client.begin("launch", {"mainClass": "shop.Main"})
    await client.event("initialized")
    asked = {"source": {"path": "file:///src/my%20shop/Cart.java"}, "breakpoints": [{"line": 9}]}
    (placed,) = (await client.request("setBreakpoints", asked))["breakpoints"]
    assert core.session.calls[-1] == (
        "place",
        "/src/my shop/Cart.java",
        (BreakpointRequest(LineSpec(10, path="/src/my shop/Cart.java")),),
    )
    assert placed["line"] == 9
    await client.configured(launched)
    await client.request("threads")
    core.session.hit(StopReason.PAUSE)
    await client.event("stopped")
    top, *_ = await client.top_frames(1)
    assert (top["line"], top["column"]) == (41, 0)


async def test_breakpoint_locations(client: DapClient) -> None:
    await client.run()
    asked = {"source": {"path": str(CART)}, "line": 10, "endLine": 12}
    body = await client.request("breakpointLocations", asked)
    assert [each["line"] for each in body["breakpoints"]] == [10, 11, 12]


async def test_a_logpoint_is_output_with_its_place(client: DapClient, core: StubCore) -> None:
    launched = await client.begin_debugging("launch", mainClass="shop.Main")
    await client.set_lines(CART, {"line": 10, "logMessage": "i={i}"})
    await client.configured(launched)
    (placed,) = core.session.breakpoints.placed[str(CART)]
    logged: Any = jvmdebug.BreakpointLogged(
        placed,  # type: ignore[arg-type]
        "i=3",
        core.session.main,  # type: ignore[arg-type]
        "shop/Cart.java",
        10,
    )
    core.session.post(logged)
    reported = await client.event("output", category="console")
    assert (reported["output"], reported["line"], reported["source"]["path"]) == (
        "i=3\n",
        10,
        str(CART),
    )
