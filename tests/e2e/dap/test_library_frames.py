# SPDX-License-Identifier: Apache-2.0
"""Frames in code of others: greyed, and passed over by an editor where nobody has stepped to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import Body, DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


def hints(frame: Body) -> tuple[str | None, str | None]:
    """The hints of the frame and of its source, which VS Code goes by when it selects one."""
    return frame.get("presentationHint"), frame["source"].get("presentationHint")


async def test_the_users_own_code_is_what_an_uncaught_exception_shows(
    client: DapClient, our_attributes: AttributesOf
) -> None:
    program = debuggee("script", "Dies")
    await client.initialize()
    launched = client.begin("launch", our_attributes(program))
    await client.event("initialized")
    await client.request("setExceptionBreakpoints", {"filters": ["uncaught"]})
    await client.configured(launched)
    stop = await client.event("stopped", reason="exception")
    await client.request("continue", {"threadId": stop["threadId"]})
    stop = await client.event("stopped", reason="exception")
    frames = await client.top_frames(stop["threadId"])
    assert frames[0]["name"].startswith("Integer.parseInt")
    own = next(at for at, each in enumerate(frames) if each["name"].startswith("Dies.parsed"))
    assert own > 0
    assert {hints(each) for each in frames[:own]} == {("subtle", "deemphasize")}
    assert {hints(each) for each in frames[own:]} == {(None, None)}


async def test_code_of_the_jdk_that_one_has_stopped_in_is_as_good_as_any(
    client: DapClient, our_attributes: AttributesOf
) -> None:
    program = debuggee("script", "Dies")
    await client.initialize()
    launched = client.begin("launch", our_attributes(program))
    await client.event("initialized")
    functions = {"breakpoints": [{"name": "java.lang.NumberFormatException.forInputString"}]}
    await client.request("setFunctionBreakpoints", functions)
    await client.configured(launched)
    stop = await client.event("stopped", reason="function breakpoint")
    top, caller, *_ = await client.top_frames(stop["threadId"])
    assert hints(top) == (None, None)
    assert hints(caller)[0] == "subtle"
