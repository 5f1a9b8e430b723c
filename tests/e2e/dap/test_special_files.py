# SPDX-License-Identifier: Apache-2.0
"""Names in requests and settings that lead to devices, pipes, huge files and links to nowhere: an
answer within a second, while others are answered.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug_dap.errors import ErrorId
from tests.support.dap_client import local_client
from tests.support.debuggees import debuggee
from tests.support.special_files import KINDS, special_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]

ANSWER_S = 1.0
SLOW_MACHINE = 8
"""How much longer it may take where tests share the processor; without an end is longer."""
SETTING_S = 20
"""To refuse a launch, which may start java to ask it for its version."""
HUGE_NUMBER = 2**31 - 1


def requests_with(path: str, name: str) -> list[tuple[str, dict[str, Any]]]:
    """Each request that carries a path, or a number or a name that may be anything."""
    source = {"path": path, "name": name}
    line = {"source": source, "line": 1}
    return [
        ("setBreakpoints", {"source": source, "breakpoints": [{"line": 3}]}),
        ("setBreakpoints", {"source": source, "breakpoints": [{"line": HUGE_NUMBER}]}),
        ("setBreakpoints", {"source": source, "breakpoints": []}),
        ("breakpointLocations", line),
        ("breakpointLocations", {**line, "endLine": HUGE_NUMBER}),
        ("source", {"source": source, "sourceReference": 0}),
        ("gotoTargets", line),
        ("jvmdebug/redefineClasses", {"paths": [path]}),
        ("jvmdebug/redefineClasses", {"paths": [path], "changedOnly": False}),
        ("jvmdebug/replaceSources", {"paths": [path]}),
        ("setFunctionBreakpoints", {"breakpoints": [{"name": f"{path}#run"}]}),
        ("setFunctionBreakpoints", {"breakpoints": []}),
    ]


@pytest.mark.parametrize("kind", KINDS)
async def test_requests_are_answered_whatever_a_name_leads_to(
    client: DapClient, our_attributes: AttributesOf, tmp_path: Path, kind: str
) -> None:
    program = debuggee("basics", "Loop")
    frame = await client.run_to(program, "square", our_attributes(program))
    for name in ("Loop.java", "Loop.class", "Loop.kt"):
        path = str(special_file(tmp_path / name, kind, name))
        for command, arguments in requests_with(path, name):
            begun = time.monotonic()
            asked = client.begin(command, arguments)
            other = client.begin("scopes", {"frameId": frame["id"]})
            async with asyncio.timeout(ANSWER_S * SLOW_MACHINE):
                assert (await client.answer(other))["success"], command
                answer = await client.answer(asked)
            is_defect = not answer["success"] and answer["body"]["error"]["id"] == ErrorId.INTERNAL
            assert not is_defect, (command, answer)
            assert time.monotonic() - begun < ANSWER_S * SLOW_MACHINE, command
    source = frame["source"]["path"]
    (placed,) = await client.set_lines(program.source("Loop.java"), program.marker("squared"))
    assert placed["verified"], source
    await client.request("disconnect")


SETTINGS = ("envFile", "javaExec", "cwd", "mainClass", "project", "projectName")


@pytest.mark.parametrize("kind", KINDS)
async def test_a_launch_is_refused_whatever_its_settings_lead_to(
    our_attributes: AttributesOf, tmp_path: Path, kind: str
) -> None:
    attributes = our_attributes(debuggee("basics", "Loop"))
    accepted = {}
    for name in SETTINGS:
        path = special_file(tmp_path / name, kind)
        if name in ("cwd", "project", "projectName") and kind == "directory":
            continue  # right for these
        async with local_client() as client, asyncio.timeout(SETTING_S):
            await client.initialize()
            asked = client.begin("launch", {**attributes, name: str(path)})
            configured = client.begin("configurationDone")
            answer = await client.answer(asked)
            await client.answer(configured)
            if answer["success"]:
                accepted[name] = str(path)
    assert set(accepted) <= {"project", "projectName"}


@pytest.mark.parametrize("kind", KINDS)
async def test_a_program_runs_with_such_files_on_its_paths(
    client: DapClient, our_attributes: AttributesOf, tmp_path: Path, kind: str
) -> None:
    program = debuggee("basics", "Loop")
    attributes = our_attributes(program)
    names = ("a.jar", "Other.java" if kind == "huge" else "Loop.java")
    paths = [str(special_file(tmp_path / name, kind, name)) for name in names]
    folders = [str(tmp_path / name / kind) for name in names]
    # java itself reads a pipe on its class path until somebody writes to it.
    java_reads = kind not in ("pipe", "endless", "linked")
    attributes["sourcePaths"] = [*folders, *paths, *attributes["sourcePaths"]]
    if java_reads:
        attributes["classPaths"] = [*attributes["classPaths"], *folders, *paths]
    frame = await client.run_to(program, "square", attributes)
    assert frame["line"] == program.marker("square")
    assert (await client.top_frames(frame["threadId"]))[0]["source"]["path"].endswith("Loop.java")
    await client.request("disconnect")


NAMES = {
    "NUL": "/tmp/Loop\0.java",
    "long": "/" + "x" * 5_000 + "/Loop.java",
    "deep": "/.." * 5_000 + "/Loop.java",
    "nothing": "",
    "no letters": "/\ud800/Loop.java",
    "a pattern": "/*/**/[Loop].java",
    "a file of the kernel": "/proc/self/mem",
    "messages of the kernel": "/proc/kmsg",
    "a process's files": "/proc/self/fd",
}


async def test_requests_are_answered_whatever_a_name_is(
    client: DapClient, our_attributes: AttributesOf
) -> None:
    program = debuggee("basics", "Loop")
    frame = await client.run_to(program, "square", our_attributes(program))
    for text in NAMES.values():
        for command, arguments in requests_with(text, "Loop.java"):
            asked = client.begin(command, arguments)
            other = client.begin("scopes", {"frameId": frame["id"]})
            async with asyncio.timeout(ANSWER_S * SLOW_MACHINE):
                assert (await client.answer(other))["success"], command
                answer = await client.answer(asked)
            is_defect = not answer["success"] and answer["body"]["error"]["id"] == ErrorId.INTERNAL
            assert not is_defect, (command, text, answer)
    await client.request("disconnect")


def numbers_in(frame: dict[str, Any], thread: int, number: int) -> list[tuple[str, dict[str, Any]]]:
    """Each request with a number that says how much, or from where."""
    code = {"memoryReference": frame["instructionPointerReference"]}
    return [
        ("stackTrace", {"threadId": thread, "startFrame": number, "levels": number}),
        ("stackTrace", {"threadId": thread, "startFrame": 0, "levels": number}),
        ("disassemble", {**code, "instructionCount": number}),
        ("disassemble", {**code, "instructionCount": 3, "instructionOffset": number}),
        ("disassemble", {**code, "instructionCount": 3, "offset": number}),
        ("readMemory", {**code, "count": number}),
        ("readMemory", {**code, "count": 3, "offset": number}),
        ("modules", {"startModule": number, "moduleCount": number}),
        ("modules", {"startModule": 0, "moduleCount": number}),
        ("completions", {"frameId": frame["id"], "text": "i", "column": number}),
        ("stepInTargets", {"frameId": number}),
        ("variables", {"variablesReference": frame["id"], "start": number, "count": number}),
        ("jvmdebug/instances", {"type": "java.lang.String", "limit": number}),
    ]


@pytest.mark.parametrize("number", [HUGE_NUMBER, -HUGE_NUMBER, 2**53, 10**30])
async def test_requests_are_answered_whatever_a_number_is(
    client: DapClient, our_attributes: AttributesOf, number: int
) -> None:
    program = debuggee("basics", "Loop")
    frame = await client.run_to(program, "square", our_attributes(program))
    for command, arguments in numbers_in(frame, frame["threadId"], number):
        asked = client.begin(command, arguments)
        other = client.begin("scopes", {"frameId": frame["id"]})
        async with asyncio.timeout(ANSWER_S * SLOW_MACHINE):
            assert (await client.answer(other))["success"], command
            answer = await client.answer(asked)
        is_defect = not answer["success"] and answer["body"]["error"]["id"] == ErrorId.INTERNAL
        assert not is_defect, (command, answer)
    await client.request("disconnect")
