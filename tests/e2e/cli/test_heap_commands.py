# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug heap`, `gc`, `alloc` on a running program: what they print, how they exit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.prompt import ask, ask_json

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import StartJvm
    from tests.support.process import AgentKind


async def test_paths_dumps_and_differences(
    start_jvm: StartJvm, agent_kind: AgentKind, tmp_path: Path
) -> None:
    if agent_kind == "stock":
        pytest.skip("needs our agent: see tests/e2e/heap/test_live.py")
    jvm = await start_jvm(debuggee("heap", "Leak"), suspend=False)
    at = f"127.0.0.1:{await jvm.port()}"
    await jvm.wait_for("ready")
    (path,) = await ask_json("heap", at, "paths", "Leak.CACHE", "--top", "1")
    assert path["root"] == "static field"
    (path,) = await ask_json("heap", at, "paths", "Leak$AdminSession")
    assert path["steps"][0]["via"] == ".CACHE"
    (path,) = await ask_json("heap", at, "paths", 'Leak.CACHE.entries.get("de").get(100)')
    assert path["steps"][-1]["object"]["type_name"] == "Leak$AdminSession", path
    dump = await ask_json("heap", at, "dump", tmp_path / "a.hprof")
    assert dump["size"] == (tmp_path / "a.hprof").stat().st_size
    assert (await ask_json("gc", at))["after"] > 1_000_000
    code, output, _ = await ask("heap", at, "diff", "--for", "0.1")
    assert (code, "Leak$Session" in output) == (0, False)
    code, _, errors = await ask("heap", at, "instances", "Leak", "--with-debugger")
    assert (code, "not for instances" in errors) == (2, True)
    code, _, errors = await ask("heap", at, "paths", "Leak.NONE")
    assert (code, "NONE" in errors) == (1, True)


async def test_objects_collections_and_allocations(
    start_jvm: StartJvm, agent_kind: AgentKind
) -> None:
    if agent_kind == "stock":
        pytest.skip("needs our agent: see tests/e2e/heap/test_live.py")
    jvm = await start_jvm(debuggee("heap", "Leak"), suspend=False)
    at = f"127.0.0.1:{await jvm.port()}"
    await jvm.wait_for("ready")
    assert (await ask_json("heap", at, "retained", "Leak.CACHE"))["retained_size"] > 1_000_000
    where = ("--where", "System.nanoTime() > 1")
    assert (await ask_json("heap", at, "retained", "Leak.Session"))["retained_size"] > 1_000_000
    code, _, errors = await ask("heap", at, "instances", "Leak.Session", *where)
    assert (code, "takes a thread that is stopped" in errors) == (1, True)
    page = await ask_json("heap", at, "instances", "Leak$Session", "--where", "buffer.length > 1")
    some = ("--where", 'user.startsWith("user 9") && hashCode() != 0')
    assert len((await ask_json("heap", at, "instances", "Leak$Session", *some))["objects"]) == 11
    assert (page["total"], len(page["objects"]), page["has_more"]) == (101, 20, True)
    assert (await ask_json("gc", at, "--for", "0.1"))["pauses"] >= 0
    assert (await ask_json("alloc", at, "--for", "0.1"))["samples"] >= 0
