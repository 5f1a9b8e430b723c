# SPDX-License-Identifier: Apache-2.0
"""What a client is told to read again, and when: after a hot reload, and after a value was set."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.dap_client import Body, DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


async def stopped_in_total(client: DapClient, attributes: AttributesOf, **about: Any) -> Body:
    """The frame of `Loop.add`, whose `this` has a field that is shown in the text of `this`."""
    program = debuggee("basics", "Loop")
    await client.initialize(**about)
    launched = client.begin("launch", attributes(program))
    await client.event("initialized")
    path, line = program.marked("total")
    await client.set_lines(path, line)
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    frame, *_ = await client.top_frames(stop["threadId"])
    return frame


@pytest.mark.parametrize("command", ["setVariable", "setExpression"])
@pytest.mark.parametrize("knows", [True, False])
async def test_what_shows_a_value_that_was_set(
    client: DapClient, attributes: AttributesOf, command: str, *, knows: bool
) -> None:
    """The text of the object that has the field is another one now."""
    frame = await stopped_in_total(client, attributes, supportsInvalidatedEvent=knows)
    this = (await client.locals_of(frame))["this"]
    where = {"variablesReference": this["variablesReference"], "name": "total"}
    if command == "setExpression":
        where = {"frameId": frame["id"], "expression": "this.total"}
    changed = await client.request(command, {**where, "value": "77"})
    assert changed["value"] == "77"
    now = (await client.locals_of(frame))["this"]
    assert "total=0" in this["value"]
    assert "total=77" in now["value"]
    told = [each["areas"] for each in client.bodies("invalidated")]
    assert told == ([["variables"]] if knows else [])
    await client.request("disconnect")


@pytest.mark.parametrize("client_id", ["vscode", "another"])
@pytest.mark.parametrize("moment", ["running", "stopped"])
async def test_threads_stay_after_a_hot_reload(
    client: DapClient, attributes: AttributesOf, tmp_path: Path, client_id: str, moment: str
) -> None:
    program = debuggee("script", "Reads")
    classes = tmp_path / "classes"
    shutil.copytree(program.class_path[0], classes)
    await client.initialize(clientID=client_id, supportsInvalidatedEvent=True)
    launched = client.begin("launch", {**attributes(program), "classPaths": [str(classes)]})
    await client.event("initialized")
    path, line = program.marked("asks")
    await client.set_lines(path, line)
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    await client.set_lines(path)
    if moment == "running":
        await client.request("continue", {"threadId": stop["threadId"]})
    file = classes / "Reads.class"
    file.write_bytes(file.read_bytes().replace(b"ready", b"steady"[1:]))
    await client.request("jvmdebug/redefineClasses", {"paths": [str(file)]})
    await client.event("jvmdebug/classesRedefined")
    listed = (await client.request("threads"))["threads"]
    assert "main" in [each["name"] for each in listed]
    told = [each["areas"] for each in client.bodies("invalidated")]
    at_stop = ["variables"] if client_id == "vscode" else ["stacks", "variables"]
    assert told == ([at_stop] if moment == "stopped" else [])
    await client.request("disconnect")


async def test_the_thread_that_has_stopped_is_the_first(
    client: DapClient, attributes: AttributesOf
) -> None:
    """Then the program's others; the VM's own are the last."""
    program = debuggee("threads", "ManyThreads")
    await client.run_to(program, "work", attributes(program))
    stop = client.bodies("stopped")[-1]
    listed = (await client.request("threads"))["threads"]
    names = [each["name"] for each in listed]
    assert listed[0]["id"] == stop["threadId"]
    assert names[0].startswith("worker-")
    own = [each for each in names if each in OF_THE_VM]
    assert len(own) > 2
    assert names[-len(own) :] == own
    assert "main" in names
    await client.request("disconnect")


OF_THE_VM = {"Reference Handler", "Finalizer", "Signal Dispatcher", "Common-Cleaner"}
OF_THE_VM |= {"Notification Thread", "Attach Listener", "Service Thread"}
