# SPDX-License-Identifier: Apache-2.0
"""`controlExceptions`: the filters of an editor pass them, and a condition with types does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


@pytest.mark.parametrize(
    ("filters", "first"),
    [
        ({"filters": ["uncaught"]}, "NumberFormatException"),
        (
            {"filters": [], "filterOptions": [{"filterId": "uncaught", "condition": "true"}]},
            "NumberFormatException",
        ),
        (
            {
                "filters": [],
                "filterOptions": [{"filterId": "uncaught", "condition": "IllegalStateException"}],
            },
            "IllegalStateException",
        ),
    ],
    ids=["filter", "with a condition", "with a type"],
)
async def test_filters_pass_what_is_configured(
    client: DapClient, attributes: AttributesOf, filters: dict[str, Any], first: str
) -> None:
    program = debuggee("script", "Dies")
    await client.initialize()
    asked = {**attributes(program), "controlExceptions": ["java.lang.IllegalState*"]}
    launched = client.begin("launch", asked)
    await client.event("initialized")
    await client.request("setExceptionBreakpoints", filters)
    await client.configured(launched)
    stop = await client.event("stopped", reason="exception")
    assert first in stop["text"]
    await client.request("disconnect", {"terminateDebuggee": True})
    await client.closed()
