# SPDX-License-Identifier: Apache-2.0
"""Data, instruction, function and exception breakpoints as an editor sets them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.dap_client import Refused
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee
    from tests.support.process import AgentKind

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


async def test_fields_and_instructions(  # noqa: PLR0915 - one VM for all of it
    client: DapClient, attributes: AttributesOf
) -> None:
    program = debuggee("kinds", "kinds.Kinds")
    frame = await client.run_to(program, "loop", attributes(program))
    path, _ = program.marked("loop")
    await client.set_lines(path)
    thread = {"threadId": frame["threadId"]}
    local = await client.locals_of(frame)

    async def about(name: str, **more: Any) -> dict[str, Any]:
        return await client.request("dataBreakpointInfo", {"name": name, **more})

    first = await about("balance", variablesReference=local["first"]["variablesReference"])
    assert (first["canPersist"], first["description"]) == (
        False,
        "kinds.Base.balance of this object",
    )
    assert first["accessTypes"] == ["read", "write", "readWrite"]
    every = await about("second.balance", frameId=frame["id"], mode="everyObject")
    assert (every["dataId"], every["canPersist"]) == ("kinds.Base.balance", True)
    count = await about("Account.count", frameId=frame["id"], mode="thread")
    assert count["dataId"] == "kinds.Account.count!thread"
    assert (await about("kinds.Account.name"))["dataId"] == "kinds.Account.name"
    variable = await about("first", frameId=frame["id"])
    assert (variable["accessTypes"], variable["canPersist"]) == (["write"], True)
    assert variable["dataId"] == "kinds.Kinds#main(java.lang.String[]).first"
    for name, more, why in (
        ("size", {"variablesReference": local["numbers"]["variablesReference"]}, "is no field"),
        ("4096", {"asAddress": True, "bytes": 4}, "addresses"),
    ):
        refused = await about(name, **more)
        assert refused["dataId"] is None
        assert why in refused["description"]
    with pytest.raises(Refused, match="no breakpoint mode `often`"):
        await about("Account.count", frameId=frame["id"], mode="often")

    body = await client.request(
        "setDataBreakpoints",
        {
            "breakpoints": [
                {"dataId": first["dataId"], "accessType": "write", "condition": "$old == 1"},
                {"dataId": count["dataId"], "accessType": "readWrite", "hitCondition": "5"},
                {"dataId": "kinds.Base.balance@99", "accessType": "write"},
                {"dataId": "nonsense"},
            ]
        },
    )
    one, counted, unknown, nonsense = body["breakpoints"]
    assert (one["verified"], counted["verified"]) == (True, True)
    assert "not known in this session" in unknown["message"]
    assert "no data id" in nonsense["message"]
    await client.request("continue", thread)
    stop = await client.event("stopped", reason="data breakpoint")
    assert (stop["hitBreakpointIds"], stop["allThreadsStopped"]) == ([one["id"]], True)
    assert stop["text"] == "kinds.Base.balance: 1 -> 3"
    assert stop["description"] == f"Data breakpoint: {stop['text']}"
    (top, *_) = await client.top_frames(stop["threadId"])
    await client.request("continue", thread)
    stop = await client.event("stopped", reason="data breakpoint")
    assert (stop["hitBreakpointIds"], stop["allThreadsStopped"]) == ([counted["id"]], False)
    assert stop["text"] == "kinds.Account.count: 2 (read)"
    await client.request("setDataBreakpoints", {"breakpoints": []})

    here = int(top["instructionPointerReference"], 16)
    asked = [
        {"instructionReference": hex(here), "condition": "by == 3", "mode": "thread"},
        {"instructionReference": hex(here - 1), "offset": 2},
        {"instructionReference": "kinds.Finder#findMany(int)#0"},
        {"instructionReference": "kinds.Finder#findMany"},
        {"instructionReference": "0x7fff0000000"},
    ]
    body = await client.request("setInstructionBreakpoints", {"breakpoints": asked})
    exact, between, method, wrong, nowhere = body["breakpoints"]
    assert (exact["verified"], exact["instructionReference"]) == (True, hex(here))
    assert exact["line"] == program.marker("add")
    assert "no instruction of kinds.Account.add(int) begins at" in between["message"]
    assert method["message"] == "class kinds.Finder is not loaded"
    assert "is no instruction" in wrong["message"]
    assert "no code at the address" in nowhere["message"]
    await client.request("continue", thread)
    stop = await client.event("stopped", reason="instruction breakpoint")
    assert (stop["hitBreakpointIds"], stop["allThreadsStopped"]) == ([exact["id"]], False)
    (top, *_) = await client.top_frames(stop["threadId"])
    assert int(top["instructionPointerReference"], 16) == here
    await client.request("continue", thread)
    stop = await client.event("stopped", reason="instruction breakpoint")
    assert stop["hitBreakpointIds"] == [method["id"]]
    assert (await client.top_frames(stop["threadId"]))[0]["line"] == program.marker("find-many")


async def test_a_watch_of_one_object_is_dim_after_a_restart(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = debuggee("kinds", "kinds.Kinds")
    frame = await client.run_to(program, "loop", attributes(program))
    local = await client.locals_of(frame)
    about = {"name": "balance", "variablesReference": local["first"]["variablesReference"]}
    one = await client.request("dataBreakpointInfo", about)
    asked = {"breakpoints": [{"dataId": one["dataId"]}, {"dataId": "kinds.Account.count"}]}
    of_one, of_all = (await client.request("setDataBreakpoints", asked))["breakpoints"]
    assert (of_one["verified"], of_all["verified"]) == (True, True)
    await client.request("restart")
    await client.event("stopped", reason="breakpoint")
    last = {each["breakpoint"]["id"]: each["breakpoint"] for each in client.bodies("breakpoint")}
    now = last[of_one["id"]]
    assert (now["verified"], now["reason"]) == (False, "failed")
    assert now["message"] == "the object whose balance was watched is gone with its program"
    assert last[of_all["id"]]["verified"]


async def test_elements_of_arrays(
    client: DapClient, attributes: AttributesOf, agent_kind: AgentKind
) -> None:
    program = debuggee("stores", "Stores")
    frame = await client.run_to(program, "ready", attributes(program))
    await client.set_lines(program.marked("ready")[0])
    prices = (await client.locals_of(frame))["prices"]["variablesReference"]
    about = {"name": "[3]", "variablesReference": prices}
    one = await client.request("dataBreakpointInfo", about)
    if agent_kind != "jvmdebug":
        assert (one["dataId"], "needs jvmdebug's own agent" in one["description"]) == (None, True)
        return
    assert (one["description"], one["accessTypes"], one["canPersist"]) == (
        "prices[3]",
        ["write"],
        False,
    )
    about = {"name": "prices[*]", "frameId": frame["id"], "mode": "thread"}
    every = await client.request("dataBreakpointInfo", about)
    assert (every["description"], every["accessTypes"]) == ("prices[*]", ["write"])
    asked = [
        {"dataId": one["dataId"], "accessType": "write", "condition": "$new > 10_000"},
        {"dataId": every["dataId"], "condition": "$index == 5 && $new == 100"},
        {"dataId": one["dataId"], "accessType": "read"},
        {"dataId": "[1]@99"},
    ]
    body = await client.request("setDataBreakpoints", {"breakpoints": asked})
    of_one, of_every, read, unknown = body["breakpoints"]
    assert (of_one["verified"], of_every["verified"]) == (True, True)
    assert "only writing can be watched" in read["message"]
    assert "not known in this session" in unknown["message"]
    stops = set()
    for _ in range(3):
        await client.request("continue", {"threadId": frame["threadId"]})
        stop = await client.event("stopped", reason="data breakpoint")
        frame["threadId"] = stop["threadId"]
        (hit,) = stop["hitBreakpointIds"]
        stops.add((hit, stop["text"], stop["allThreadsStopped"]))
    assert stops == {
        (of_one["id"], "prices[3]: 5100 -> 10100", True),
        (of_one["id"], "prices[3]: 10100 -> 15100", True),
        (of_every["id"], "prices[5]: 0 -> 100", False),
    }
