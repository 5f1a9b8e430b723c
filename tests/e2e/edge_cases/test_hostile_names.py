# SPDX-License-Identifier: Apache-2.0
"""Every text that a debuggee chooses, hostile, through every place that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug_dap.errors import ErrorId
from tests.support.dap_client import Refused, local_client
from tests.support.hostile import attacks, hostile
from tests.support.process import launch_options
from tests.support.prompt import jvmdebug_command
from tests.support.sessions import launched, next_stop

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.dap_client import Body, DapClient
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

MANY = 10_000_000
MAX_MESSAGE = 1_000_000
SOURCE_FILES = {
    "as it is": None,
    "escapes": "\x1b]52;c;aGk=\x07\nforged line\r\u202e.java",
    "60,000 characters": "x" * 60_000 + ".java",
    "a path": "../../../../../../etc/passwd",
    "empty": "",
}
_OF_THE_PROGRAM = ("stdout", "stderr")
_EXACT = ("path", "evaluateName", "text")
"""What a client sends back, opens or inserts."""
_SEVERAL_LINES = ("output", "description", "stackTrace", "message", "format", "content")


def texts(body: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Every string in a message, with the name of its field."""
    if isinstance(body, dict):
        for name, each in body.items():
            yield from texts(each, name)
    elif isinstance(body, list):
        for each in body:
            yield from texts(each, field)
    elif isinstance(body, str):
        yield field, body


def attacking(messages: list[Body]) -> list[tuple[str, str, str]]:
    """Texts that attack, and messages that are too long."""
    found = []
    for message in messages:
        name = message.get("event") or message.get("command") or ""
        body = message.get("body") or {}
        if body.get("category") in _OF_THE_PROGRAM:
            continue
        found += [
            (name, field, text[:80])
            for field, text in texts([body, {"message": message.get("message")}])
            if field not in _EXACT and attacks(text, several_lines=field in _SEVERAL_LINES)
        ]
        length = sum(len(text) for _, text in texts(body))
        if length > MAX_MESSAGE:
            found.append((name, "length", str(length)))
    return found


async def look_everywhere(client: DapClient, thread: int) -> None:
    """What an editor asks at a stop, of the two topmost frames and two levels deep."""
    await client.request("threads")
    frames: list[Body] = []
    for shown in (
        {},
        {"format": {"parameterValues": True, "parameterNames": True, "module": True}},
    ):
        asked = {"threadId": thread, "levels": 20, **shown}
        frames = (await client.request("stackTrace", asked))["stackFrames"]
    for frame in frames[:2]:
        scopes = (await client.request("scopes", {"frameId": frame["id"]}))["scopes"]
        for scope in scopes:
            asked = {"variablesReference": scope["variablesReference"]}
            for variable in (await client.request("variables", asked))["variables"]:
                if inner := variable["variablesReference"]:
                    await client.request("variables", {"variablesReference": inner, "count": 20})
        await client.request("completions", {"frameId": frame["id"], "text": "", "column": 1})
    for context in ("hover", "watch", "repl"):
        for expression in ("thrown", "map", "file", "builder", "kind", "EVIL"):
            asked = {"expression": expression, "frameId": frames[0]["id"], "context": context}
            await client.request("evaluate", asked)
    for expression in ("fails()", "nothing", "kind.nothing", "thrown.nothing()"):
        asked = {"expression": expression, "frameId": frames[0]["id"], "context": "repl"}
        with pytest.raises(Refused):
            await client.request("evaluate", asked)
    modules = (await client.request("modules"))["modules"]
    assert [each for each in modules if each["name"].startswith("evil")]
    await client.request("loadedSources")
    source = frames[0].get("source") or {}
    if reference := source.get("sourceReference"):
        asked = {"source": source, "sourceReference": reference}
        await client.request("source", asked)


@pytest.mark.parametrize("source_file", SOURCE_FILES.values(), ids=SOURCE_FILES)
async def test_nothing_that_an_editor_is_told_attacks(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path, source_file: str | None
) -> None:
    program = hostile(tmp_path, source_file)
    attributes = {
        "mainClass": "Hostile",
        "classPaths": [str(program.class_path[0])],
        "sourcePaths": [str(program.source_dir)],
        "javaExec": str(jdk.java),
        "args": [str(MANY if source_file is None else 0)],
        **launch_options(agent_kind),
    }
    async with local_client() as client:
        launched = await client.begin_debugging("launch", **attributes)
        for path in (f"/{source_file or 'x' * 60_000}.java", "/a\x00b.java", "/" + "y/" * 5000):
            asked = {"source": {"path": path}, "breakpoints": [{"line": 3}]}
            await client.request("setBreakpoints", asked)
        source, line = program.marked("stop")
        logged = {"line": line, "logMessage": "{map} {thrown} {builder} {kind} {fails()}"}
        await client.set_lines(source, logged)
        stops = {"breakpoints": [{"name": "Hostile.stopHere"}]}
        await client.request("setFunctionBreakpoints", stops)
        await client.request("setExceptionBreakpoints", {"filters": ["caught"]})
        await client.configured(launched)
        stop = await client.event("stopped", reason="function breakpoint")
        await look_everywhere(client, stop["threadId"])
        await client.request("continue", {"threadId": stop["threadId"]})
        stop = await client.event("stopped", reason="exception")
        await client.request("exceptionInfo", {"threadId": stop["threadId"]})
        await client.request("setExceptionBreakpoints", {"filters": []})
        await client.request("continue", {"threadId": stop["threadId"]})
        assert (await client.event("exited"))["exitCode"] == 0
        assert attacking(client.timeline) == []
        assert "internal error" not in str([each.get("message") for each in client.timeline])


async def test_nothing_at_the_prompt_attacks(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    program: Debuggee = hostile(tmp_path, SOURCE_FILES["escapes"])
    commands = (
        *("break Hostile#stopHere", "run", "where", "threads", "locals", "print thrown"),
        *("print map", "print builder", "print fails()", "print kind.nothing", "up", "locals"),
        *("stacks", "args", "class this", "classes forged", "fields Hostile", "methods Hostile"),
        *(
            "display fails()",
            "displays",
            "list",
            "info breakpoints",
            "break Hostile#stopHere if fails() == 1",
            "disassemble",
            "finish",
        ),
    )
    asked = [word for each in commands for word in ("--command", each)]
    async with jvmdebug_command(
        *("launch", "Hostile", "0", "--batch", "--class-path", str(program.class_path[0])),
        *("--java", str(jdk.java), "--agent", agent_kind, *asked),
    ) as shell:
        await shell.end()
        assert "stopHere" in shell.printed
        lines = shell.printed.splitlines()
        assert [line for line in lines if attacks(line, several_lines=True)] == []
        assert [line for line in lines if line.startswith("forged")] == []


async def test_a_trace_at_the_terminal(tmp_path: Path, jdk: Jdk) -> None:
    program = hostile(tmp_path)
    asked = ["trace", "Hostile#*", "--class-path", str(program.class_path[0])]
    async with jvmdebug_command(*asked, "--java", str(jdk.java), "--", "Hostile", "0") as shell:
        await shell.end()
        assert "Hostile.stopHere" in shell.printed
        lines = shell.printed.splitlines()
        assert [line for line in lines if attacks(line, several_lines=True)] == []
        assert [line for line in lines if line.startswith("forged")] == []


async def test_nothing_that_a_script_or_a_notebook_shows_attacks(jdk: Jdk, tmp_path: Path) -> None:
    program = hostile(tmp_path, SOURCE_FILES["escapes"])
    async with launched(program, jdk, "jvmdebug", args=["0"]) as session:
        await session.break_at("Hostile#stopHere")
        trace = await session.trace("Hostile#*", stack=3)
        stop = await next_stop(session)
        snapshot = await session.snapshot(variables=5)
        variables = [each for frame in await stop.frames() for each in await frame.variables()]
        for each in variables:
            await each.as_text()
        await session.resume()
        await session.wait()
        calls = [*await trace.collect(), *trace.open_calls]
        shown: list[Any] = [session, session.breakpoints, stop, stop.frame, snapshot]
        shown += [*variables, *calls]
        assert len(shown) > 15
        found = [text for each in shown for text in (repr(each), str(each), each._repr_html_())]
        assert [text for text in found if attacks(text, several_lines=True)] == []
        assert [text for text in found if "\nforged" in text] == []


@pytest.mark.parametrize("attribute", ["sourcePaths", "classPaths", "program", "cwd", "javaExec"])
@pytest.mark.parametrize("path", ["/" + "x" * 5000, "a\0b"], ids=["long", "NUL"])
async def test_a_path_that_no_file_can_have_is_no_internal_error(
    tmp_path: Path, attribute: str, path: str
) -> None:
    value = [path] if attribute.endswith("Paths") else f"{path}.java"
    main = {} if attribute == "program" else {"mainClass": "java.lang.Object"}
    main["cwd"] = str(tmp_path)  # no project has the class, and the JVM does
    async with local_client() as client:
        await client.initialize()
        with pytest.raises(Refused) as refused:
            await client.request("launch", {**main, attribute: value})
        assert refused.value.error["id"] != ErrorId.INTERNAL, refused.value
        assert "NUL" in str(refused.value) or "x" * 100 in str(refused.value)
