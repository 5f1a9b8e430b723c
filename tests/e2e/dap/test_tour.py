# SPDX-License-Identifier: Apache-2.0
"""What an editor asks beside stepping: modules, sources, places, threads to end, exceptions."""

from __future__ import annotations

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
    launched = await client.begin_debugging("launch", mode="full", **attributes(program))
    source = program.source("Tour.java")
    places = [program.marker(name) for name in ("first", "second", "ended")]
    await client.set_lines(source, *places)
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    frame, *_rest = await client.top_frames(stop["threadId"])
    assert "moduleId" not in frame

    await _locations(client, program, frame)
    await _modules_and_sources(client, program, stop["threadId"], jdk)
    await _end_the_worker(client, stop["threadId"])
    await client.request("setExceptionBreakpoints", {"filters": ["uncaught"]})
    await client.request("continue", {"threadId": stop["threadId"]})
    await client.event("stopped", reason="exception")
    await _exception(client, program, stop["threadId"])
    await client.request("disconnect")


async def _locations(client: DapClient, program: Debuggee, frame: Body) -> None:
    """Where the variables are declared, and the code that some of them hold."""
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
    told = await client.event("module")
    assert told["reason"] == "new"
    assert told["module"]["name"].startswith("unnamed module of java.net.URLClassLoader@")
    assert told["module"]["path"].rstrip("/") == str(program.class_path[0].resolve())


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
