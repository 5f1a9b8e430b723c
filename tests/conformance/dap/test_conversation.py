# SPDX-License-Identifier: Apache-2.0
"""What an editor may rely on: order of messages, lifetimes of references, cancel, the end.

The program is a stub, so every situation can be made at will; tests/e2e/dap has real ones.
"""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import jvmdebug
from jvmdebug import errors
from tests.support.dap_client import DapClient, Refused, tcp_client
from tests.support.stub_core import StubStop, StubVariable

if TYPE_CHECKING:
    from tests.support.stub_core import StubCore

StopReason = jvmdebug.StopReason
CART = Path("/src/shop/Cart.java")


async def started(client: DapClient, **attributes: Any) -> None:
    await client.configured(
        await client.begin_debugging("launch", mainClass="shop.Main", **attributes)
    )


# beginning


async def test_the_order_of_the_beginning(client: DapClient, core: StubCore) -> None:
    launched = await client.begin_debugging("launch", mainClass="shop.Main")
    await client.set_lines(CART, 42)
    assert core.session.calls[-1][0] == "place"
    await client.configured(launched)
    assert client.names() == [
        "response initialize",
        "event process",
        "event initialized",
        "response setBreakpoints",
        "response configurationDone",
        "response launch",
    ]
    assert core.session.calls[-1] == ("start",)


async def test_a_stop_at_the_start_is_told_after_the_launch(
    client: DapClient, core: StubCore
) -> None:
    launched = await client.begin_debugging("launch", mainClass="shop.Main", stopOnEntry=True)
    assert core.options[0]["stop_on_entry"] is True
    core.session.hit(StopReason.ENTRY)
    await client.configured(launched)
    assert (await client.event("stopped"))["reason"] == "entry"
    assert client.names()[-2:] == ["response launch", "event stopped"]
    frames = await client.top_frames(1)
    assert frames


async def test_a_launch_that_fails_says_why_and_can_be_repeated(
    client: DapClient, core: StubCore
) -> None:
    core.failure = errors.LaunchError("the VM ended with exit code 1: Could not find class Nope")
    await client.initialize()
    with pytest.raises(Refused) as refused:
        await client.request("launch", {"mainClass": "Nope"})
    assert "Could not find class Nope" in refused.value.error["format"]
    assert refused.value.error["showUser"] is True
    core.failure = None
    launched = client.begin("launch", {"mainClass": "shop.Main"})
    await client.event("initialized")
    await client.configured(launched)


async def test_a_program_that_ends_before_it_is_configured(
    client: DapClient, core: StubCore
) -> None:
    launched = await client.begin_debugging("launch", mainClass="shop.Main")
    core.session.end(3)
    with pytest.raises(Refused, match="ended before it was started"):
        await client.response(launched)
    assert (await client.event("exited"))["exitCode"] == 3
    await client.event("terminated")


async def test_a_launch_without_effect_of_some_attributes(
    client: DapClient, core: StubCore
) -> None:
    await started(client, projectName="shop", vmArgs="-ea -Xmx1g")
    assert "`projectName` is not used" in client.output("console")
    assert core.options[0]["vm_args"] == ["-ea", "-Xmx1g"]


async def test_the_wish_for_a_terminal_of_a_client_without_one(
    client: DapClient, core: StubCore
) -> None:
    await started(client, console="integratedTerminal")
    assert core.sessions
    assert "the client has no terminal" in client.output("console")


async def test_attach_with_a_stop_before_the_configuration_is_done(
    client: DapClient, core: StubCore
) -> None:
    attached = await client.begin_debugging("attach", port=5005)
    core.session.hit(StopReason.BREAKPOINT)
    await client.configured(attached)
    thread_id = (await client.event("stopped"))["threadId"]
    assert await client.top_frames(thread_id)


async def test_a_run_without_debugging_stops_nowhere(client: DapClient, core: StubCore) -> None:
    launched = await client.begin_debugging(
        "launch", mainClass="shop.Main", noDebug=True, stopOnEntry=True
    )
    (placed,) = await client.set_lines(CART, 42)
    assert "without debugging" in placed["message"]
    await client.request("setExceptionBreakpoints", {"filters": ["caught"]})
    await client.configured(launched)
    assert core.options[0]["stop_on_entry"] is False
    assert core.session.calls == [("start",)]


# stops


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
    assert core.session.calls[-2] == ("step_over", "instruction")
    with pytest.raises(Refused, match=r"only held by the stop of thread 1 \(`main`\)"):
        await stopped.request("next", {"threadId": 2})


async def test_a_continue_that_nobody_asked_for_is_told(stopped: DapClient, core: StubCore) -> None:
    await core.session.resume()
    assert (await stopped.event("continued"))["allThreadsContinued"] is True


async def test_breakpoints_that_were_hit_are_named(client: DapClient, core: StubCore) -> None:
    launched = await client.begin_debugging("launch", mainClass="shop.Main")
    _, second = await client.set_lines(CART, 41, 42)
    await client.configured(launched)
    placed = core.session.placed[str(CART)]
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
    assert limits == [(5.0, True), (10.0, False), (None, False), (None, False)]


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


async def test_exception_info(client: DapClient, core: StubCore) -> None:
    await started(client)
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
    top, *_ = await client.top_frames(stop["threadId"])
    scopes = (await client.request("scopes", {"frameId": top["id"]}))["scopes"]
    assert [scope["name"] for scope in scopes] == ["Locals", "Exception"]


# breakpoints


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
    (found,) = core.session.placed[str(CART)]
    found.verified, found.line = True, 11
    core.session.post(jvmdebug.BreakpointChanged(found, "changed"))  # type: ignore[arg-type]
    told = (await client.event("breakpoint", reason="changed"))["breakpoint"]
    assert (told["id"], told["verified"], told["line"]) == (placed["id"], True, 11)
    assert told["source"]["path"] == str(CART)


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
        jvmdebug.ExceptionRequest(uncaught=False, condition="x"),
        jvmdebug.ExceptionRequest(caught=False),
    )
    with pytest.raises(Refused, match="no filter `all`"):
        await client.request("setExceptionBreakpoints", {"filters": ["all"]})


async def test_lines_of_a_client_that_counts_from_zero(client: DapClient, core: StubCore) -> None:
    await client.initialize(linesStartAt1=False, columnsStartAt1=False, pathFormat="uri")
    launched = client.begin("launch", {"mainClass": "shop.Main"})
    await client.event("initialized")
    asked = {"source": {"path": "file:///src/my%20shop/Cart.java"}, "breakpoints": [{"line": 9}]}
    (placed,) = (await client.request("setBreakpoints", asked))["breakpoints"]
    assert core.session.calls[-1] == (
        "place",
        "/src/my shop/Cart.java",
        (jvmdebug.LineRequest(10),),
    )
    assert placed["line"] == 9
    await client.configured(launched)
    await client.request("threads")
    core.session.hit(StopReason.PAUSE)
    await client.event("stopped")
    top, *_ = await client.top_frames(1)
    assert (top["line"], top["column"]) == (41, 0)


async def test_breakpoint_locations(client: DapClient) -> None:
    await started(client)
    asked = {"source": {"path": str(CART)}, "line": 10, "endLine": 12}
    body = await client.request("breakpointLocations", asked)
    assert [each["line"] for each in body["breakpoints"]] == [10, 11, 12]


async def test_a_logpoint_is_output_with_its_place(client: DapClient, core: StubCore) -> None:
    launched = await client.begin_debugging("launch", mainClass="shop.Main")
    await client.set_lines(CART, {"line": 10, "logMessage": "i={i}"})
    await client.configured(launched)
    (placed,) = core.session.placed[str(CART)]
    logged: Any = jvmdebug.BreakpointLogged(
        placed,  # type: ignore[arg-type]
        "i=3",
        core.session.main,  # type: ignore[arg-type]
        "shop/Cart.java",
        10,
    )
    core.session.post(logged)
    told = await client.event("output", category="console")
    assert (told["output"], told["line"], told["source"]["path"]) == ("i=3\n", 10, str(CART))


# while something hangs


async def test_a_hanging_evaluation_can_be_cancelled(stopped: DapClient, core: StubCore) -> None:
    hanging = stopped.begin("evaluate", {"expression": "hang"})
    await core.session.hanging.wait()
    assert await stopped.top_frames(1)
    await stopped.request("cancel", {"requestId": hanging})
    with pytest.raises(Refused) as refused:
        await stopped.response(hanging)
    assert refused.value.response["message"] == "cancelled"
    assert (await stopped.request("evaluate", {"expression": "i"}))["result"]


async def test_a_request_that_waits_can_be_cancelled(stopped: DapClient, core: StubCore) -> None:
    hanging = stopped.begin("evaluate", {"expression": "hang"})
    await core.session.hanging.wait()
    step = stopped.begin("next", {"threadId": 1})
    waiting = stopped.begin("evaluate", {"expression": "i"})
    await stopped.request("cancel", {"requestId": waiting})
    with pytest.raises(Refused, match="cancelled"):
        await stopped.response(waiting)
    with pytest.raises(Refused, match="cannot be cancelled"):
        await stopped.request("cancel", {"requestId": step})
    await stopped.request("cancel", {"requestId": hanging})
    await stopped.response(step)


async def test_cancel_of_what_is_over_or_never_was(stopped: DapClient) -> None:
    await stopped.request("cancel", {"requestId": 1})
    await stopped.request("cancel", {"requestId": 12345})
    await stopped.request("cancel", {"progressId": "x"})


async def test_the_end_does_not_wait_for_a_hanging_evaluation(
    stopped: DapClient, core: StubCore
) -> None:
    hanging = stopped.begin("evaluate", {"expression": "hang"})
    await core.session.hanging.wait()
    await stopped.request("terminate")
    assert (await stopped.event("exited"))["exitCode"] == 143
    await stopped.event("terminated")
    await stopped.request("disconnect")
    with pytest.raises(Refused, match="cancelled"):
        await stopped.response(hanging)
    await stopped.closed()


# the end


async def test_the_order_of_the_end(client: DapClient, core: StubCore) -> None:
    await started(client)
    core.session.post(jvmdebug.Output("stdout", "bye\n"))
    core.session.post(jvmdebug.Output("stderr", "oops\n"))
    core.session.end(7)
    await client.event("terminated")
    assert client.names()[-4:] == [
        "event output",
        "event output",
        "event exited",
        "event terminated",
    ]
    assert (client.output("stdout"), client.output("stderr")) == ("bye\n", "oops\n")
    assert client.bodies("exited") == [{"exitCode": 7}]
    with pytest.raises(Refused, match="has ended"):
        await client.request("threads")


async def test_a_second_terminate_kills(client: DapClient, core: StubCore) -> None:
    await started(client)
    core.session.end = lambda *_: None  # type: ignore[method-assign]
    await client.request("terminate")
    await client.request("terminate")
    assert core.session.calls[-2:] == [("terminate", math.inf), ("kill",)]
    await client.request("disconnect")
    assert core.session.calls[-1] == ("kill",)
    del core.session.end


@pytest.mark.parametrize(
    ("command", "attributes", "arguments", "call"),
    [
        ("launch", {"mainClass": "M"}, {}, "terminate"),
        ("launch", {"mainClass": "M"}, {"terminateDebuggee": True}, "terminate"),
        ("launch", {"mainClass": "M"}, {"terminateDebuggee": False}, "detach"),
        ("attach", {"port": 1}, {}, "detach"),
        ("attach", {"port": 1}, {"terminateDebuggee": True}, "terminate"),
    ],
)
async def test_disconnect(
    client: DapClient, core: StubCore, command: str, attributes: Any, arguments: Any, call: str
) -> None:
    await client.configured(await client.begin_debugging(command, **attributes))
    await client.request("disconnect", arguments)
    assert core.session.calls[-1][0] == call
    assert client.names()[-2:] == ["event terminated", "response disconnect"]
    assert core.left == 1
    await client.closed()


async def test_a_client_that_goes_without_a_word(client: DapClient, core: StubCore) -> None:
    await started(client)
    client.writer.write_eof()
    await client.closed()
    assert core.left == 1


async def test_a_disconnect_ends_a_launch_that_hangs(client: DapClient, core: StubCore) -> None:
    core.is_slow = True
    await client.initialize()
    launched = client.begin("launch", {"mainClass": "M"})
    await core.opening.wait()
    await client.request("disconnect")
    with pytest.raises(Refused):
        await client.response(launched)
    await client.closed()


async def test_a_restart_keeps_breakpoints_and_their_ids(client: DapClient, core: StubCore) -> None:
    launched = await client.begin_debugging("launch", mainClass="shop.Main", args="1")
    before = await client.set_lines(CART, 10, 20)
    await client.request("setExceptionBreakpoints", {"filters": ["uncaught"]})
    await client.configured(launched)
    await client.request("threads")
    old = core.session
    old.hit(StopReason.BREAKPOINT)
    await client.event("stopped")
    newest = {"arguments": {"mainClass": "shop.Main", "args": "2"}}
    await client.request("restart", newest)
    assert ("kill",) in old.calls
    assert core.session is not old
    assert [options["args"] for options in core.options] == [["1"], ["2"]]
    assert [call[0] for call in core.session.calls] == ["place", "place", "place", "start"]
    assert client.bodies("terminated") == []
    assert {body["threadId"] for body in client.bodies("thread")} == {1, 2}
    assert await client.set_lines(CART, 10, 20) == before
    core.session.hit(StopReason.BREAKPOINT)
    await client.event("stopped")
    core.session.end(0)
    assert (await client.event("exited"))["exitCode"] == 0


async def test_a_restart_that_fails_ends_the_session(client: DapClient, core: StubCore) -> None:
    await started(client)
    core.failure = errors.LaunchError("no java any more")
    with pytest.raises(Refused, match="no java any more"):
        await client.request("restart")
    await client.event("terminated")
    await client.request("disconnect")


async def test_two_sessions_do_not_know_each_other(client: DapClient, core: StubCore) -> None:
    host, port = client.writer.get_extra_info("peername")[:2]
    await started(client)
    async with tcp_client(host, port) as other:
        await started(other)
        first, second = core.sessions
        first.end(1)
        second.end(2)
        codes = await asyncio.gather(client.event("exited"), other.event("exited"))
    assert [body["exitCode"] for body in codes] == [1, 2]
