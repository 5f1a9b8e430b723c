# SPDX-License-Identifier: Apache-2.0
"""What a stopped program answers: steps, stacks, values, references and their lifetimes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug_dap.channel import Channel
from tests.support.dap_client import Refused, local_client
from tests.support.stub_core import StubStop, StubThread
from tests.support.stub_values import StubVariable

if TYPE_CHECKING:
    from jvmdebug_dap.models.base import Json
    from tests.support.dap_client import DapClient
    from tests.support.stub_core import StubCore

StopReason = jvmdebug.StopReason
CART = Path("/src/shop/Cart.java")


async def test_answers_come_before_the_events_that_they_cause(stopped: DapClient) -> None:
    for command in ("next", "stepIn", "stepOut"):
        await stopped.request(command, {"threadId": 1})
        await stopped.event("stopped", reason="step")
        assert stopped.names()[-2:] == [f"response {command}", "event stopped"]
    await stopped.request("continue", {"threadId": 1})
    await stopped.request("pause", {"threadId": 2})
    paused = await stopped.event("stopped", reason="pause")
    assert paused["threadId"] == 2
    assert paused["allThreadsStopped"] is True
    assert "event continued" not in stopped.names()


async def test_a_step_of_the_thread_and_granularity_that_were_named(
    stopped: DapClient, core: StubCore
) -> None:
    await stopped.request("next", {"threadId": 1, "granularity": "instruction"})
    main = {"thread": core.session.main, "alone": False}
    assert core.session.calls[-2] == ("step_over", "instruction", main)
    # A thread that the stop only holds is stepped as well: an editor steps what is selected.
    await stopped.request("next", {"threadId": 2, "singleThread": True})
    name, size, more = core.session.calls[-2]
    assert (name, size, more["alone"]) == ("step_over", "line", True)
    assert more["thread"] != core.session.main


async def test_step_in_targets(stopped: DapClient, core: StubCore) -> None:
    top, below = await stopped.top_frames(1)
    (target,) = (await stopped.request("stepInTargets", {"frameId": top["id"]}))["targets"]
    assert (target["label"], target["line"]) == ("Cart.add(int)", top["line"])
    none = await stopped.request("stepInTargets", {"frameId": below["id"]})
    assert none["targets"] == [], "a caller's own call is under way"
    asked = {"threadId": 1, "targetId": target["id"]}
    with pytest.raises(Refused, match="another thread"):
        await stopped.request("stepIn", {**asked, "threadId": 2})
    await stopped.request("stepIn", asked)
    assert core.session.calls[-2][2]["target"].label == "Cart.add(int)"
    await stopped.event("stopped")
    with pytest.raises(Refused, match="step-in target"):
        await stopped.request("stepIn", asked)


async def test_an_unrequested_resume_is_reported(stopped: DapClient, core: StubCore) -> None:
    await core.session.resume()
    assert (await stopped.event("continued"))["allThreadsContinued"] is True


async def test_breakpoints_that_were_hit_are_named(client: DapClient, core: StubCore) -> None:
    launched = await client.begin_debugging("launch", mainClass="shop.Main")
    _, second = await client.set_lines(CART, 41, 42)
    await client.configured(launched)
    placed = core.session.breakpoints.placed[str(CART)]
    core.session.hit(StopReason.BREAKPOINT, breakpoints=(placed[1],))
    assert (await client.event("stopped"))["hitBreakpointIds"] == [second["id"]]


async def test_references_are_refused_after_their_stop(stopped: DapClient) -> None:
    (frame, *_rest) = await stopped.top_frames(1)
    scopes = (await stopped.request("scopes", {"frameId": frame["id"]}))["scopes"]
    reference = scopes[0]["variablesReference"]
    await stopped.request("next", {"threadId": 1})
    await stopped.event("stopped", reason="step")
    for command, arguments in (
        ("scopes", {"frameId": frame["id"]}),
        ("variables", {"variablesReference": reference}),
        ("setVariable", {"variablesReference": reference, "name": "i", "value": "1"}),
        ("evaluate", {"expression": "i", "frameId": frame["id"]}),
        ("jvmdebug/popFrame", {"frameId": frame["id"]}),
    ):
        with pytest.raises(Refused, match="belongs to a stop that is over"):
            await stopped.request(command, arguments)


async def test_a_reference_is_never_used_twice(stopped: DapClient) -> None:
    first = {frame["id"] for frame in await stopped.top_frames(1)}
    await stopped.request("next", {"threadId": 1})
    await stopped.event("stopped", reason="step")
    assert not first & {frame["id"] for frame in await stopped.top_frames(1)}


async def test_a_stack_in_pages(stopped: DapClient) -> None:
    whole = await stopped.request("stackTrace", {"threadId": 1})
    assert [frame["name"] for frame in whole["stackFrames"]] == ["Cart.add", "Main.main"]
    page = await stopped.request("stackTrace", {"threadId": 1, "startFrame": 1, "levels": 1})
    assert [frame["name"] for frame in page["stackFrames"]] == ["Main.main"]
    assert page["totalFrames"] == 2


async def test_a_source_in_an_archive_is_served(stopped: DapClient, core: StubCore) -> None:
    _, frame = await stopped.top_frames(1)
    source = frame["source"]
    text = await stopped.request("source", {"sourceReference": source["sourceReference"]})
    assert text["content"].startswith("package shop;")
    await stopped.request("setBreakpoints", {"source": source, "breakpoints": [{"line": 2}]})
    assert core.session.calls[-1][1] == "shop/Cart.java"


async def test_variables_in_pages(stopped: DapClient) -> None:
    (frame, *_rest) = await stopped.top_frames(1)
    this = (await stopped.locals_of(frame))["this"]
    inside = await stopped.children(this["variablesReference"])
    items = inside["items"]
    assert items["indexedVariables"] == 500
    page = {"filter": "indexed", "start": 100, "count": 3}
    elements = await stopped.children(items["variablesReference"], **page)
    assert list(elements) == ["[100]", "[101]", "[102]"]
    assert await stopped.children(items["variablesReference"], filter="named") == {}


async def test_a_variable_is_set(stopped: DapClient, core: StubCore) -> None:
    (frame, *_rest) = await stopped.top_frames(1)
    scopes = (await stopped.request("scopes", {"frameId": frame["id"]}))["scopes"]
    in_locals = {"variablesReference": scopes[0]["variablesReference"]}
    changed = await stopped.request("setVariable", {**in_locals, "name": "j", "value": "i + 40"})
    assert changed["value"] == "i + 40"
    assert core.session.calls[-1] == ("set", "j", "i + 40")
    with pytest.raises(Refused, match="no variable `nope`"):
        await stopped.request("setVariable", {**in_locals, "name": "nope", "value": "1"})
    with pytest.raises(Refused, match="no variable `wrong`"):
        await stopped.request("setVariable", {**in_locals, "name": "j", "value": "wrong"})


async def test_an_element_is_set_by_its_index(stopped: DapClient, core: StubCore) -> None:
    (frame, *_rest) = await stopped.top_frames(1)
    this = (await stopped.locals_of(frame))["this"]
    items = (await stopped.children(this["variablesReference"]))["items"]
    where = {"variablesReference": items["variablesReference"], "value": "7"}
    await stopped.request("setVariable", {**where, "name": "[499]"})
    assert core.session.calls[-1] == ("set", "[499]", "7")
    with pytest.raises(Refused, match=r"no variable `\[500\]`"):
        await stopped.request("setVariable", {**where, "name": "[500]"})


async def test_contexts_of_evaluate(stopped: DapClient, core: StubCore) -> None:
    lengths = {}
    for context in ("hover", "watch", "repl", "clipboard"):
        body = await stopped.request("evaluate", {"expression": "text", "context": context})
        lengths[context] = len(body["result"])
    assert lengths == {"hover": 400, "watch": 400, "repl": 500, "clipboard": 500}
    limits = [call[2:] for call in core.session.calls if call[0] == "evaluate"]
    assert limits == [(5.0, True), (10.0, False), (60.0, False), (60.0, False)]


async def test_the_frame_requests_of_our_own(stopped: DapClient, core: StubCore) -> None:
    top, below = await stopped.top_frames(1)
    with pytest.raises(Refused, match="only the topmost frame can return early"):
        await stopped.request("jvmdebug/forceEarlyReturn", {"frameId": below["id"]})
    await stopped.request(
        "jvmdebug/forceEarlyReturn", {"frameId": top["id"], "expression": "1 + 1"}
    )
    assert ("force_return", "1 + 1") in core.session.calls
    await stopped.event("stopped")
    top, _ = await stopped.top_frames(1)
    await stopped.request("jvmdebug/popFrame", {"frameId": top["id"]})
    await stopped.event("stopped")
    top, below = await stopped.top_frames(1)
    assert (top["canRestart"], below["canRestart"]) == (True, False)
    await stopped.request("restartFrame", {"frameId": top["id"]})
    await stopped.event("stopped")
    assert [call[0] for call in core.session.calls][-4:] == [
        "pop_frame",
        "pop_frame",
        "step_into",
        "resume",
    ]
    assert [body["reason"] for body in stopped.bodies("stopped")][-3:] == [
        "step",
        "restart",
        "step",
    ]


async def test_requests_of_our_own_refuse_attributes_that_they_do_not_have(
    stopped: DapClient,
) -> None:
    for name in ("skipClasses", "just_my_code", "Enabled"):
        unknown = rf"arguments\.{name}: there is no such attribute, only `enabled`, `filters`, "
        with pytest.raises(Refused, match=unknown):
            await stopped.request("jvmdebug/stepFilters", {name: True, "enabled": False})
    with pytest.raises(Refused, match=r"arguments\.number: there is no such attribute"):
        await stopped.request("jvmdebug/kept", {"number": 1})
    assert await stopped.request("threads", {"number": 1}), "the protocol may have more"


async def test_exception_info(client: DapClient, core: StubCore) -> None:
    await client.run()
    session = core.session
    at = StubStop(session, StopReason.EXCEPTION)
    message = StubVariable("detailMessage", at, '"no such item"', "java.lang.String")
    thrown = StubVariable("exception", at, "…", "java.lang.IllegalStateException", [message])
    session.hit(StopReason.EXCEPTION, exception=thrown, exception_caught=False)
    stop = await client.event("stopped", reason="exception")
    assert stop["text"] == "java.lang.IllegalStateException: no such item"
    info = await client.request("exceptionInfo", {"threadId": stop["threadId"]})
    assert info["exceptionId"] == "java.lang.IllegalStateException"
    assert info["breakMode"] == "unhandled"
    assert "\tat shop.Cart.add(Cart.java:42)\n" in info["details"]["stackTrace"]
    (cause,) = info["details"]["innerException"]
    assert cause["fullTypeName"] == "java.io.IOException"
    assert "Caused by: java.io.IOException\n\tat shop.Cart.total" in info["details"]["stackTrace"]
    top, *_ = await client.top_frames(stop["threadId"])
    scopes = (await client.request("scopes", {"frameId": top["id"]}))["scopes"]
    assert [scope["name"] for scope in scopes] == ["Locals", "Exception"]


async def test_others_are_served_while_very_many_threads_are_listed(
    stopped: DapClient, core: StubCore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first request of another session of a server came after them."""
    many = 50_000
    begun = asyncio.Event()
    answered: list[str] = []
    send_body = Channel.send_body

    def noted(channel: Channel, seq: int, command: str, body: Json) -> None:
        answered.append(command)
        send_body(channel, seq, command, body)

    async def threads() -> list[StubThread]:
        begun.set()
        return [StubThread(number, f"thread {number}", core.session) for number in range(many)]

    monkeypatch.setattr(core.session, "threads", threads)
    monkeypatch.setattr(Channel, "send_body", noted)
    stopped.is_judged = False  # it takes longer than all the rest
    async with local_client() as other:
        listed = stopped.begin("threads")
        await begun.wait()
        await other.initialize()
        assert len((await stopped.response(listed))["threads"]) == many
    assert answered[:2] == ["initialize", "threads"]


async def test_the_numbers_of_threads_that_have_ended_are_forgotten(
    stopped: DapClient, core: StubCore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ends of virtual threads are not reported."""

    async def threads() -> list[StubThread]:
        others = [StubThread(number, "virtual", core.session) for number in range(600)]
        return [core.session.main, *others]

    monkeypatch.setattr(core.session, "threads", threads)
    first = (await stopped.request("threads"))["threads"]
    for _ in range(2):
        await stopped.request("threads")
    last = (await stopped.request("threads"))["threads"]
    assert last[0] == first[0], "the same number as long as it lives"
    await stopped.top_frames(last[-1]["id"])
    with pytest.raises(Refused, match="it has ended, or was never listed"):
        await stopped.top_frames(first[-1]["id"])
