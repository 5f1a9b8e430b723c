# SPDX-License-Identifier: Apache-2.0
"""An editor shows below the stack of a pool's thread the stacks that submitted its task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.sessions import compiled

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


async def test_frames_below_the_stack(
    client: DapClient, our_attributes: AttributesOf, jdk: Jdk
) -> None:
    program = compiled("origins", "Origins", jdk)
    await client.initialize(supportsInvalidatedEvent=True)
    asked = {**our_attributes(program), "args": ["executor", "links"], "origins": True}
    launched = client.begin("launch", asked)
    await client.event("initialized")
    await client.set_lines(program.source("Origins.java"), program.marker("reached"))
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    stack = await client.request("stackTrace", {"threadId": stop["threadId"]})
    assert _links(stack) == ["submitted to ThreadPoolExecutor by thread main"]
    frames = stack["stackFrames"]
    below = next(at for at, each in enumerate(frames) if each.get("presentationHint") == "label")
    shown = frames[below + 1 :]
    hints = {each["name"].partition(".")[0]: each.get("presentationHint") for each in shown}
    assert hints == {"ThreadPoolExecutor": "subtle", "Origins": None}
    submitting = next(each for each in shown if each["line"] == program.marker("executor"))
    assert submitting["name"] == "Origins.executor"
    assert submitting["source"]["path"] == str(program.source("Origins.java"))
    frame = {"frameId": submitting["id"]}
    assert (await client.request("scopes", frame))["scopes"] == []
    answer = await client.answer(client.begin("evaluate", {"expression": "1", **frame}))
    assert "is over" in answer["body"]["error"]["format"]

    dump = await client.request("jvmdebug/threadDump", {})
    (dumped,) = [each for each in dump["threads"] if each.get("threadId") == stop["threadId"]]
    (link,) = dumped["origins"]
    assert link["label"] == "submitted to ThreadPoolExecutor by thread main"
    line = program.marker("executor")
    assert f"Origins.executor(Origins.java:{line})" in link["frames"]

    # Paging goes on into them.
    total = stack["totalFrames"]
    assert total == len(stack["stackFrames"])
    names = [each["name"] for each in stack["stackFrames"]]
    for start in range(total):
        page = {"threadId": stop["threadId"], "startFrame": start, "levels": 2}
        answer = await client.request("stackTrace", page)
        assert [each["name"] for each in answer["stackFrames"]] == names[start : start + 2]
        assert answer["totalFrames"] >= start + len(answer["stackFrames"])

    # Off and on again: what was submitted meanwhile is not known.
    await client.request("jvmdebug/origins", {"enabled": False})
    await client.event("invalidated", areas=["stacks"])
    stack = await client.request("stackTrace", {"threadId": stop["threadId"]})
    assert _links(stack) == []
    await client.request("jvmdebug/origins", {})
    await client.request("continue", {"threadId": stop["threadId"]})
    stop = await client.event("stopped", reason="breakpoint")
    stack = await client.request("stackTrace", {"threadId": stop["threadId"]})
    assert _links(stack) == [
        "handed to CompletableFuture by thread pool-3-thread-1",
        "submitted to ThreadPoolExecutor by thread pool-2-thread-1",
        "submitted to ThreadPoolExecutor by thread starter",
        "started by thread main",
    ]
    await client.request("disconnect", {"terminateDebuggee": True})


def _links(stack: dict[str, Any]) -> list[str]:
    frames = stack["stackFrames"]
    return [each["name"] for each in frames if each.get("presentationHint") == "label"]


async def test_they_are_shown_after_a_restart_as_the_user_has_chosen(
    client: DapClient, our_attributes: AttributesOf, jdk: Jdk
) -> None:
    program = compiled("origins", "Origins", jdk)
    asked = {**our_attributes(program), "args": ["executor"]}
    await client.initialize()
    launched = client.begin("launch", asked)
    await client.event("initialized")
    await client.set_lines(program.source("Origins.java"), program.marker("reached"))
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    assert _links(await client.request("stackTrace", {"threadId": stop["threadId"]})) == []
    for enabled in (True, False):
        await client.request("jvmdebug/origins", {"enabled": enabled})
        again = {**asked, "origins": not enabled}
        await client.request("restart", {"arguments": again})
        stop = await client.event("stopped", reason="breakpoint")
        shown = _links(await client.request("stackTrace", {"threadId": stop["threadId"]}))
        assert bool(shown) is enabled
    await client.request("disconnect", {"terminateDebuggee": True})
