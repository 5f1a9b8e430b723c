# SPDX-License-Identifier: Apache-2.0
"""Requests of an editor besides stepping: modules, sources, locations, threads, exceptions."""

from __future__ import annotations

import base64
import struct
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.dap_client import Refused
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

    AttributesOf = Callable[[Debuggee], dict[str, Any]]
    Body = dict[str, Any]


async def test_a_tour(client: DapClient, attributes: AttributesOf, jdk: Jdk) -> None:
    program = debuggee("tour", "Tour")
    await client.initialize(supportsMemoryEvent=True, supportsInvalidatedEvent=True)
    launched = client.begin("launch", {"mode": "full", **attributes(program)})
    await client.event("initialized")
    source = program.source("Tour.java")
    places = [program.marker(name) for name in ("first", "second", "ended")]
    await client.set_lines(source, *places)
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    frame, *_rest = await client.top_frames(stop["threadId"])
    assert "moduleId" not in frame

    await _locations(client, program, frame)
    await _memory(client, frame)
    await _modules_and_sources(client, program, stop["threadId"], jdk)
    await client.request("setExceptionBreakpoints", {"filters": ["uncaught"]})
    await _end_the_worker(client, stop["threadId"])
    await client.request("continue", {"threadId": stop["threadId"]})
    await client.event("stopped", reason="exception")
    await _exception(client, program, stop["threadId"])
    await client.request("disconnect")


async def _locations(client: DapClient, program: Debuggee, frame: Body) -> None:
    """The declarations of the variables, and the code that some of them hold."""
    known = await client.locals_of(frame)

    async def lines(variable: Body, kind: str) -> list[int]:
        asked = {"locationReference": variable[f"{kind}LocationReference"]}
        found = await client.request("locations", asked)
        assert found["source"]["path"] == str(program.source("Tour.java"))
        return [found["line"]]

    assert await lines(known["args"], "declaration") == [program.marker("arguments")]
    assert await lines(known["doubled"], "declaration") == [program.marker("lambda")]
    assert await lines(known["doubled"], "value") == [program.marker("lambda")]
    assert await lines(known["measured"], "value") == [program.marker("reference")]
    assert await lines(known["nested"], "value") == [program.marker("nested")]
    assert "valueLocationReference" not in known["bytes"]
    inside = await client.children(known["tour"]["variablesReference"])
    assert await lines(inside["numbers"], "declaration") == [program.marker("field")]
    with pytest.raises(Refused, match="location reference 7777 was never given out"):
        await client.request("locations", {"locationReference": 7777})


async def _memory(client: DapClient, frame: Body) -> None:
    """Bytes of arrays and buffers, whole and in part, and beyond their ends."""
    known = await client.locals_of(frame)
    inside = await client.children(known["tour"]["variablesReference"])
    numbers = inside["numbers"]["memoryReference"]

    async def read(reference: str, count: int, offset: int = 0) -> bytes:
        asked = {"memoryReference": reference, "count": count, "offset": offset}
        body = await client.request("readMemory", asked)
        content = base64.b64decode(body["data"])
        assert len(content) + body.get("unreadableBytes", 0) == count
        return content

    async def write(reference: str, content: bytes, offset: int, **more: bool) -> Body:
        data = base64.b64encode(content).decode()
        asked = {"memoryReference": reference, "offset": offset, "data": data, **more}
        return await client.request("writeMemory", asked)

    whole = struct.pack("<3i", 1, -2, 0x12345678)
    assert await read(numbers, 12) == whole
    assert await read(numbers, 100) == whole
    assert await read(numbers, 5, 3) == whole[3:8]
    assert await read(numbers, 4, 12) == b""
    assert await read(numbers, 4, -2) == b""
    assert await read(numbers, 0) == b""
    assert "memoryReference" not in known["tour"]

    # Into the middle of the second number: its other bytes stay.
    assert await write(numbers, b"\x01\x02", 5) == {"bytesWritten": 2}
    assert (await client.event("memory"))["count"] == 2
    assert await read(numbers, 4, 4) == b"\xfe\x01\x02\xff"
    with pytest.raises(Refused, match="4 bytes at offset 10 do not fit: the memory has 12"):
        await write(numbers, bytes(4), 10)
    partly = await write(numbers, b"abcd", 10, allowPartial=True)
    assert partly == {"bytesWritten": 2, "offset": 10}
    assert await read(numbers, 4, 8) == b"\x78\x56ab"
    with pytest.raises(Refused, match="base64"):
        await client.request("writeMemory", {"memoryReference": numbers, "data": "%"})

    heap, direct = known["heap"]["memoryReference"], known["direct"]["memoryReference"]
    assert heap == known["bytes"]["memoryReference"]
    assert await read(heap, 4) == bytes((10, 20, 30, 40))
    assert await read(direct, 20) == b"\1\2\3\4" + bytes(12)
    await write(direct, b"\x0f", 3)
    assert await read(direct, 3, 2) == b"\3\x0f\0"
    answer = await client.request("evaluate", {"expression": "direct.getInt(0)"})
    assert answer["result"] == str(0x0102030F)


async def _modules_and_sources(
    client: DapClient, program: Debuggee, thread_id: int, jdk: Jdk
) -> None:
    """What is loaded, and what comes with the loader that is made between the stops."""
    body = await client.request("modules")
    modules = {each["name"]: each for each in body["modules"]}
    assert body["totalModules"] == len(body["modules"]) == len(modules)
    base = modules["java.base"]
    assert (base["path"], base["isUserCode"]) == ("jrt:/java.base", False)
    assert base["version"].startswith(str(jdk.version))
    own = modules["unnamed module of app"]
    assert own["path"].rstrip("/") == str(program.class_path[0])
    assert own["isUserCode"] is True
    page = await client.request("modules", {"startModule": 1, "moduleCount": 2})
    assert page["modules"] == body["modules"][1:3]
    frame, *_rest = await client.top_frames(thread_id)
    assert frame["moduleId"] == own["id"]
    sources = (await client.request("loadedSources"))["sources"]
    assert [each["path"] for each in sources] == [str(program.source("Tour.java"))]

    await client.request("continue", {"threadId": thread_id})
    await client.event("stopped", reason="breakpoint")
    loaded = await client.event("loadedSource")
    assert (loaded["reason"], loaded["source"]["name"]) == ("new", "Later.java")
    reported = await client.event("module")
    assert reported["reason"] == "new"
    assert reported["module"]["name"].startswith("unnamed module of java.net.URLClassLoader@")
    assert reported["module"]["path"].rstrip("/") == str(program.class_path[0].resolve())


async def _end_the_worker(client: DapClient, thread_id: int) -> None:
    threads = (await client.request("threads"))["threads"]
    (worker,) = [each["id"] for each in threads if each["name"] == "worker"]
    await client.request("terminateThreads", {"threadIds": [worker]})
    await client.request("continue", {"threadId": thread_id})
    await client.event("thread", reason="exited", threadId=worker)
    await client.event("stopped", reason="breakpoint")
    with pytest.raises(Refused, match=f"there is no thread {worker}"):
        await client.request("terminateThreads", {"threadIds": [worker]})
    with pytest.raises(Refused, match="at least one thread"):
        await client.request("terminateThreads", {"threadIds": []})


async def _exception(client: DapClient, program: Debuggee, thread_id: int) -> None:
    info = await client.request("exceptionInfo", {"threadId": thread_id})
    details = info["details"]
    cause, suppressed = details["innerException"]
    assert (cause["fullTypeName"], cause["message"]) == ("Tour$Stop", "inner")
    assert cause["evaluateName"] == "$exception.getCause()"
    assert suppressed["fullTypeName"] == "java.lang.RuntimeException"
    thrown, failed = program.marker("thrown"), program.marker("thrown") - 2
    called = program.marker("ended") + 1
    assert details["stackTrace"].splitlines() == [
        "java.lang.IllegalStateException: outer",
        f"\tat Tour.fail(Tour.java:{thrown})",
        f"\tat Tour.main(Tour.java:{called})",
        "\tSuppressed: java.lang.RuntimeException: beside",
        f"\t\tat Tour.fail(Tour.java:{thrown - 1})",
        "\t\t... 1 more",
        "Caused by: Tour$Stop: inner",
        f"\tat Tour.fail(Tour.java:{failed})",
        "\t... 1 more",
    ]
