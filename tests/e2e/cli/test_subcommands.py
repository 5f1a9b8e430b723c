# SPDX-License-Identifier: Apache-2.0
"""The commands that ask a running program something and end: what they print, how they exit."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shutil
import signal
import time
from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.jdks import newest_compiler
from tests.support.prompt import ask, ask_events, ask_json, jvmdebug_command, launch_options

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import StartJvm
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


def _require_ours(agent_kind: AgentKind) -> None:
    if agent_kind == "stock":
        pytest.skip("what is asked of each agent is tested with the session, in e2e/script")


async def test_a_program_that_waits_for_its_debugger_begins(
    start_jvm: StartJvm, agent_kind: AgentKind
) -> None:
    """Nothing could be evaluated in it, and it began all the same, without a word."""
    _require_ours(agent_kind)
    jvm = await start_jvm(debuggee("script", "Spin"))
    code, output, errors = await ask("eval", f"127.0.0.1:{await jvm.port()}", "1 + 1")
    assert (code, output) == (0, "2\n")
    assert "held at its start (suspend=y) and begins now" in errors


async def test_the_doctor_has_each_runtime_load_the_agent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = await ask_json("doctor")
    (agent,) = [each for each in found if each["subject"] == "agent"]
    assert agent["state"] == "ok", agent
    assert re.search(r"libjvmdebug\.so: \d+ Java runtimes? loads? it$", agent["text"])
    assert [each for each in found if each["subject"] == "Java" and each["state"] == "ok"]
    assert all(set(each) == {"subject", "state", "text", "hint"} for each in found)
    library = tmp_path / "libother.so"
    library.write_text("no library")
    monkeypatch.setenv("JVMDEBUG_AGENT", str(library))
    code, output, errors = await ask("doctor")
    assert (code, errors) == (0, "")
    assert f"{library} is not a shared library" in output
    assert output.endswith(" missing.\n")


async def test_a_running_program_is_asked(
    start_jvm: StartJvm, jdk: Jdk, agent_kind: AgentKind
) -> None:
    _require_ours(agent_kind)
    program = debuggee("script", "Spin")
    jvm = await start_jvm(program, suspend=False)
    pid, at = str(jvm.pid), f"127.0.0.1:{await jvm.port()}"
    value = await ask_json("eval", at, 'String.join("+", "a", "b")')
    expected = {"type": "java.lang.String", "text": '"a+b"', "value": "a+b"}
    assert value == {"expression": 'String.join("+", "a", "b")'} | expected
    # From here on by process: the JDK's agent listens on another port each time.
    listed = await ask_json("ps")
    (own,) = [each for each in listed if each["pid"] == jvm.pid]
    assert own["program"] == "Spin"
    assert own["jdk"].split(".")[0] == str(jdk.version)
    assert own["agent"]["address"].startswith("127.0.0.1:")
    assert own["agent"]["is_listening"]
    assert 0 < time.time() - own["started_at"] < 600

    dump = await ask_json("threads", pid, "--frames", "2")
    assert "main" in [each["name"] for each in dump["threads"]]
    assert dump["deadlocks"] == []
    code, output, errors = await ask("eval", pid, "Spin.goOff")
    assert (code, output) == (1, "")
    assert errors.startswith("jvmdebug: Spin has no static field or class goOff")
    swapped = await ask_json("swap", pid, program.class_path[0] / "Spin.class")
    assert [(each["type"], each["outcome"]) for each in swapped] == [("Spin", "redefined")]


async def test_a_running_program_gets_an_edited_source(
    start_jvm: StartJvm, agent_kind: AgentKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _require_ours(agent_kind)
    program = debuggee("script", "Spin")
    # Compiling a source writes the program's class file: not that of the other tests.
    own_classes = shutil.copytree(program.class_path[0], tmp_path / "classes")
    program = dataclasses.replace(program, class_path=(own_classes,))
    pid = str((await start_jvm(program, suspend=False)).pid)
    source = tmp_path / "Spin.java"
    source.write_text(program.source("Spin.java").read_text().replace("++", " += 2"))
    monkeypatch.setenv("JAVA_HOME", str(newest_compiler().home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    swapped = await ask_json("swap", pid, source)
    assert [(each["type"], each["outcome"]) for each in swapped] == [("Spin", "redefined")]
    source.write_text("class Spin { int x = ; }")
    code, output, errors = await ask("swap", pid, source)
    assert (code, output) == (1, "")
    assert "Spin.java:1: illegal start of expression" in errors


async def test_a_running_program_is_observed(start_jvm: StartJvm, agent_kind: AgentKind) -> None:
    _require_ours(agent_kind)
    program = debuggee("script", "Spin")
    jvm = await start_jvm(program, suspend=False)
    pid = str(jvm.pid)
    writes = await ask_events("who-sets", "Spin.rounds", "--at", pid, "-n", "1")
    assert writes[0]["stack"][0]["line"] == program.marker("count")
    samples = await ask_events("sample", "Spin.rounds", "--at", pid, "-n", "2", "--every", "300ms")
    assert samples[0]["value"]["value"] < samples[1]["value"]["value"]
    # Nobody has left it suspended, nor its agent without a listener.
    async with jvmdebug_command("trace", "Spin#*", "--at", pid) as tracing:
        await tracing.see(r"^  Spin\.round\(\)  .* [µm]?s$")
        tracing.process.send_signal(signal.SIGINT)
        assert await tracing.end() == 0


async def test_a_process_that_is_stopped(start_jvm: StartJvm, agent_kind: AgentKind) -> None:
    _require_ours(agent_kind)
    jvm = await start_jvm(debuggee("script", "Spin"), suspend=False)
    await jvm.port()
    os.kill(jvm.pid, signal.SIGSTOP)
    try:
        code, _, errors = await ask("eval", str(jvm.pid), "1", "--timeout", "500ms")
    finally:
        os.kill(jvm.pid, signal.SIGCONT)
    assert code == 3
    assert f"it is stopped by a signal; `kill -CONT {jvm.pid}` lets it run" in errors


async def test_a_deadlock_is_named(start_jvm: StartJvm, agent_kind: AgentKind) -> None:
    _require_ours(agent_kind)
    jvm = await start_jvm(debuggee("threads", "Deadlock"), suspend=False)
    await jvm.wait_for("deadlocked")
    code, output, _ = await ask("threads", str(jvm.pid))
    assert code == 0
    lines = output.splitlines()
    assert lines[0] == "Deadlock:"
    assert sorted(line.split('"')[1::2] for line in lines[1:3]) == [["one", "two"], ["two", "one"]]
    assert re.search(r"1 deadlock; the program was held for [0-9.]+ ms$", lines[-1])
    code, output, _ = await ask("monitors", str(jvm.pid), "--break-after", "100ms")
    assert code == 0
    first, *rest = output.splitlines()
    assert re.search(r'"(one|two)" waits [0-9.]+ ms for .*, held by "(two|one)"', first)
    assert "Deadlock:" in rest
    seen = await ask_json("monitors", str(jvm.pid), "--for", "0.5")
    assert {each["thread"]: each["owner"] for each in seen["blocked"]} == {
        "one": "two",
        "two": "one",
    }
    assert seen["by_monitor"] == []


async def test_a_program_is_started_to_be_traced(jdk: Jdk) -> None:
    """What it prints is not on stdout with --json; its failure is ours."""
    _, main, *options = launch_options(jdk, "jvmdebug", "basics", "Hello")
    code, output, errors = await ask("trace", "Hello#main", *options, "--json", "--", main, "3")
    assert code == 1
    (call,) = [json.loads(line) for line in output.splitlines()]
    assert (call["method_name"], call["outcome"]) == ("main", None)
    assert errors
