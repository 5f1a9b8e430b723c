# SPDX-License-Identifier: Apache-2.0
"""`count` and `time` of a program that is started, and of one that runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.prompt import ask, ask_json, launch_options

if TYPE_CHECKING:
    from tests.conftest import StartJvm
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


async def test_a_program_from_its_start_to_its_end(jdk: Jdk) -> None:
    """The last figures are asked for while the VM dies: that kept it from ending."""
    program = debuggee("basics", "Hello")
    _, main_class, *options = launch_options(jdk, "jvmdebug", "basics", "Hello")
    started = [*options, "--json", "--", main_class, "3"]
    print_line = f"Hello.java:{program.marker('print')}"
    code, output, _ = await ask("count", print_line, "--if", "greeting != null", *started)
    counted = json.loads(output)
    assert (code, counted["count"], counted["message"]) == (1, 1, None)
    code, output, errors = await ask("time", "Hello#main", print_line, *started)
    timed = json.loads(output)
    assert (code, timed["count"], list(timed["by_thread"])) == (1, 1, ["main"]), errors
    assert 0 < timed["least_ns"] == timed["p99_ns"] < timed["seconds"] * 1e9
    code, output, errors = await ask("count", "Nothing#at", *options, "--", main_class)
    assert (code, output.splitlines()[-1]) == (0, "0")
    assert "class Nothing is not loaded." in errors


async def test_a_program_that_runs(start_jvm: StartJvm, agent_kind: AgentKind) -> None:
    if agent_kind == "stock":
        pytest.skip("what is asked of each agent is tested with the session, in e2e/script")
    program = debuggee("script", "Spin")
    target = f"127.0.0.1:{await (await start_jvm(program, suspend=False)).port()}"
    counted = await ask_json("count", "Spin#round", "--at", target, "--for", "0.5")
    assert 0 < counted["count"] <= 600
    at_end = ("--at", target, "--for", "0.3")
    code, output, _ = await ask("time", "Spin#round", "Spin#round#8", *at_end)
    assert code == 0
    assert "times: mean" in output
    in_old_code = f"Spin.java:{program.marker('round')}"  # main began before, and goes on with it
    code, output, errors = await ask("time", in_old_code, "Spin#round", *at_end)
    assert (code, output) == (0, "never\n")
    assert "were not timed: by a thread that was in the method before" in errors
