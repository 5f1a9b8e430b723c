# SPDX-License-Identifier: Apache-2.0
"""Requests of our own for what the protocol has none: throw, run to an instruction, step filters,
the objects of a class, threads and monitors.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

import jvmdebug
from tests.support.dap_client import Refused
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


async def test_a_thread_is_made_to_throw(client: DapClient, our_attributes: AttributesOf) -> None:
    program = debuggee("basics", "Loop")
    frame = await client.run_to(program, "squared", our_attributes(program))
    throwing = {"frameId": frame["id"], "expression": 'new IllegalStateException("tried")'}
    with pytest.raises(Refused, match="1 is no exception but of type int"):
        await client.request("jvmdebug/throw", {**throwing, "expression": "1"})
    await client.request("jvmdebug/throw", throwing)
    await client.request("continue", {"threadId": frame["threadId"]})
    await client.event("terminated")
    assert "IllegalStateException: tried" in client.output("stderr")


async def test_the_program_runs_to_an_instruction(
    client: DapClient, our_attributes: AttributesOf
) -> None:
    program = debuggee("basics", "Loop")
    frame = await client.run_to(program, "square", our_attributes(program))
    thread = {"threadId": frame["threadId"]}
    await client.request("setBreakpoints", {"source": frame["source"], "breakpoints": []})
    here = frame["instructionPointerReference"]
    asked = {"memoryReference": here, "instructionCount": 30}
    body = await client.request("disassemble", asked)
    returns = next(each for each in body["instructions"] if "ireturn" in each["instruction"])
    with pytest.raises(Refused, match="either `instructionReference` or `location`"):
        await client.request("jvmdebug/runTo", thread)
    await client.request("jvmdebug/runTo", {**thread, "instructionReference": returns["address"]})
    await client.event("stopped", threadId=frame["threadId"])
    top, *_ = await client.top_frames(frame["threadId"])
    assert top["instructionPointerReference"] == returns["address"]
    line = program.marker("done")
    await client.request("jvmdebug/runTo", {**thread, "location": f"Loop:{line}"})
    await client.event("stopped", threadId=frame["threadId"])
    top, *_ = await client.top_frames(frame["threadId"])
    assert top["line"] == line
    await client.request("disconnect")


async def test_step_filters_are_changed_while_the_program_runs(
    client: DapClient, our_attributes: AttributesOf
) -> None:
    program = debuggee("basics", "Loop")
    skipping = {"stepFilters": {"skipClasses": ["Loop"]}}
    frame = await client.run_to(program, "call", {**our_attributes(program), **skipping})
    thread = {"threadId": frame["threadId"]}

    async def step_in() -> int:
        await client.request("stepIn", thread)
        await client.event("stopped", reason="step")
        top, *_ = await client.top_frames(frame["threadId"])
        line: int = top["line"]
        return line

    await client.request("jvmdebug/stepFilters", {"enabled": False})
    assert await step_in() == program.marker("square")
    await client.request("jvmdebug/stepFilters", {"justMyCode": True})
    assert await step_in() == program.marker("square") + 1
    await client.request("jvmdebug/stepFilters", {"enabled": True, "filters": {}})
    assert await step_in() == program.marker("square") + 2
    await client.request("disconnect")


async def test_the_objects_of_a_class(client: DapClient, our_attributes: AttributesOf) -> None:
    program = debuggee("basics", "Loop")
    frame = await client.run_to(program, "add", our_attributes(program))
    found = await client.request("jvmdebug/instances", {"className": "Loop"})
    assert (found["className"], found["count"]) == ("Loop", 1)
    (one,) = found["instances"]
    fields = await client.children(one["variablesReference"])
    assert fields["name"]["value"] == '"summing"'
    counts = {"classNames": ["Loop", "java.lang.Thread", "no.Such"]}
    counted = (await client.request("jvmdebug/instanceCounts", counts))["counts"]
    assert {each["className"]: each["count"] > 0 for each in counted} == {
        "Loop": True,
        "java.lang.Thread": True,
        "no.Such": False,
    }
    with pytest.raises(Refused, match=r"no class no\.Such is loaded"):
        await client.request("jvmdebug/instances", {"className": "no.Such"})
    many = {"className": "java.lang.String", "count": 5}
    found = await client.request("jvmdebug/instances", many)
    assert len(found["instances"]) == 5 < found["count"]
    await client.request("continue", {"threadId": frame["threadId"]})


async def test_a_profile_beside_other_requests(
    client: DapClient, our_attributes: AttributesOf, tmp_path: Path
) -> None:
    program = debuggee("basics", "Loop")
    attributes = {**our_attributes(program), "args": ["2000000000"]}
    launched = await client.begin_debugging("launch", **attributes)
    await client.configured(launched)
    file = tmp_path / "cpu.html"
    profile = client.begin("jvmdebug/profile", {"seconds": 60, "path": str(file)})
    with pytest.raises(Refused, match="a profile is being taken"):
        await client.request("jvmdebug/profile", {"seconds": 1})
    histogram = await client.request("jvmdebug/histogram", {"count": 3, "collect": True})
    assert len(histogram["classes"]) == 3 < histogram["classCount"]
    assert histogram["classes"][0]["bytes"] >= histogram["classes"][1]["bytes"]
    assert histogram["instances"] > sum(each["instances"] for each in histogram["classes"])
    dump = {"frames": 1}
    while not any(
        each["name"] == "main" and each["frames"][0].startswith("Loop.")
        for each in (await client.request("jvmdebug/threadDump", dump))["threads"]
    ):
        pass
    allocations = {"seconds": 0.1, "kind": "alloc"}
    with pytest.raises(Refused, match="jvmdebug/endProfile"):
        await client.request("jvmdebug/profile", allocations)
    await client.request("jvmdebug/endProfile")
    answer = await client.answer(profile)
    assert (answer["success"], answer["body"]["isComplete"]) == (True, False)
    assert any(each["name"].startswith("Loop.") for each in answer["body"]["methods"])
    assert (answer["body"]["path"], "Loop" in file.read_text()) == (str(file), True)
    found = await client.request("jvmdebug/profile", allocations)
    assert (found["kind"], found["unit"], found["isComplete"]) == ("alloc", "bytes", True)
    for wrong in (str(tmp_path / "cpu.exe"), str(tmp_path / "none" / "cpu.html")):
        with pytest.raises(Refused, match="path"):
            await client.request("jvmdebug/profile", {"seconds": 1, "path": wrong})
    await client.request("disconnect")


async def test_a_heap_dump_is_written_and_a_cancelled_one_leaves_no_file(
    client: DapClient, our_attributes: AttributesOf, tmp_path: Path
) -> None:
    program = debuggee("basics", "Loop")
    await client.run_to(program, "add", our_attributes(program))
    file = tmp_path / "loop.hprof"
    written = await client.request("jvmdebug/heapDump", {"path": str(file)})
    assert (written["path"], written["bytes"]) == (str(file), file.stat().st_size)
    heap = jvmdebug.heap.open(file)
    assert len(heap) >= written["objects"] > len(heap.instances("Loop")) == 1
    cancelled = client.begin("jvmdebug/heapDump", {"path": str(tmp_path / "cancelled.hprof")})
    await client.request("cancel", {"requestId": cancelled})
    answer = await client.answer(cancelled)
    assert (answer["success"], answer["message"]) == (False, "cancelled")
    assert await asyncio.to_thread(lambda: list(tmp_path.iterdir())) == [file]
    with pytest.raises(Refused, match="there is no folder"):
        await client.request("jvmdebug/heapDump", {"path": str(tmp_path / "none" / "a.hprof")})
    await client.request("disconnect")


async def test_a_thread_dump_names_the_deadlock(
    client: DapClient, our_attributes: AttributesOf
) -> None:
    program = debuggee("threads", "Deadlock")
    launched = await client.begin_debugging("launch", **our_attributes(program))
    await client.configured(launched)
    dump: dict[str, Any] = {"deadlocks": []}

    async def ask() -> None:
        while not dump["deadlocks"]:
            dump.update(await client.request("jvmdebug/threadDump", {"frames": 2}))

    await asyncio.wait_for(ask(), 40)
    (circle,) = dump["deadlocks"]
    threads = {each["name"]: each for each in dump["threads"]}
    for name, other in zip(circle, [*circle[1:], circle[0]], strict=True):
        assert threads[name]["status"] == "blocked"
        assert threads[name]["waitsFor"]["owner"] == other
        assert 0 < len(threads[name]["frames"]) <= 2
        assert threads[name]["holds"]
        assert threads[name]["isVirtual"] is False
    listed = (await client.request("threads"))["threads"]
    numbers = {each["name"]: each["id"] for each in listed}
    assert threads["main"]["threadId"] == numbers["main"]
    await client.request("disconnect")


async def test_calls_and_writes_are_told_in_the_console(
    client: DapClient, our_attributes: AttributesOf
) -> None:
    program = debuggee("basics", "Loop")
    frame = await client.run_to(program, "square", our_attributes(program))
    await client.request("setBreakpoints", {"source": frame["source"], "breakpoints": []})
    for wrong in ("jvmdebug/trace", "jvmdebug/whoSets"):
        with pytest.raises(Refused, match="either"):
            await client.request(wrong, {})
    with pytest.raises(Refused, match="there is no observation 7"):
        await client.request("jvmdebug/stopObserving", {"observation": 7})
    with pytest.raises(Refused, match="shop"):
        await client.request("jvmdebug/trace", {"method": "no method"})
    body = await client.request("jvmdebug/trace", {"frameId": frame["id"]})
    assert body == {"observation": 1, "title": "calls of Loop#square(int)"}
    scopes = (await client.request("scopes", {"frameId": frame["id"]}))["scopes"]
    assert scopes
    await client.request("jvmdebug/whoSets", {"field": "Loop.total"})
    body = await client.request("jvmdebug/whoSets", {"field": "Loop.calls"})
    assert body == {"observation": 3, "title": "writes to Loop.calls"}
    await client.request("jvmdebug/stopObserving", {"observation": 3})
    ended = await client.event("jvmdebug/observationEnded")
    assert ended == {"observation": 3, "title": "writes to Loop.calls"}
    await client.request("continue", {"threadId": frame["threadId"]})
    await client.event("terminated")
    told = client.output("console")
    assert "calls of Loop#square(int): begun" in told
    assert "Loop.square(1) = 1 (" in told
    assert "Loop.total: 0 -> 1 at Loop.add(Loop.java:" in told
    assert "writes to Loop.calls: ended after 0" in told
    assert "writes to Loop.total: ended after" in told


async def test_a_kept_object_is_shown_at_later_stops(
    client: DapClient, our_attributes: AttributesOf
) -> None:
    program = debuggee("basics", "Loop")
    frame = await client.run_to(program, "squared", our_attributes(program))
    asked = {"expression": 'new StringBuilder("mine")', "frameId": frame["id"]}
    made = (await client.request("evaluate", asked))["variablesReference"]
    scope = (await client.request("scopes", {"frameId": frame["id"]}))["scopes"][0]
    with pytest.raises(Refused, match="this is no object"):
        await client.request("jvmdebug/keep", {"variablesReference": scope["variablesReference"]})
    for _ in range(2):
        (shown,) = (await client.request("jvmdebug/keep", {"variablesReference": made}))["objects"]
        assert shown["name"] == "kept 1"
    await client.request("continue", {"threadId": frame["threadId"]})
    await client.event("stopped")
    top, *_ = await client.top_frames(frame["threadId"])
    await client.request("evaluate", {"expression": "System.gc()", "frameId": top["id"]})
    (shown,) = (await client.request("jvmdebug/kept"))["objects"]
    assert "mine" in shown["value"]
    assert (await client.request("jvmdebug/release", {"number": 1}))["objects"] == []
    with pytest.raises(Refused, match="no object is kept as 1"):
        await client.request("jvmdebug/release", {"number": 1})
    await client.request("disconnect")


async def test_the_client_is_told_who_checks_a_condition(
    client: DapClient, our_attributes: AttributesOf
) -> None:
    program = debuggee("probed", "Probed")
    path, line = program.marked("look")
    launched = await client.begin_debugging("launch", **our_attributes(program), probes="auto")
    conditions = ("i == 3", "(i = i) == 99")
    asked = [{"line": line, "condition": each} for each in conditions]
    placed = await client.set_lines(path, *asked)
    await client.configured(launched)
    await client.event("stopped", reason="breakpoint")
    first, second = (await client.request("jvmdebug/probes"))["probes"]
    assert [first["breakpointId"], second["breakpointId"]] == [each["id"] for each in placed]
    assert (first["condition"], first["how"], first["hits"]) == (conditions[0], "probe", 1)
    assert first["installMs"] > 0
    assert first["location"] == f"Probed.look(Probed.java:{line})"
    assert (second["how"], second["hits"]) == ("event", 0)
    assert second["why"] == "an assignment to a local variable of the program"
    await client.request("disconnect")
