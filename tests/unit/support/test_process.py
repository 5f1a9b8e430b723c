# SPDX-License-Identifier: Apache-2.0
"""The fixtures themselves: a debuggee compiles, a VM starts, answers and ends."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.process import Jvm, JvmError, agent_argument, java_processes, kill

if TYPE_CHECKING:
    from tests.support.jdks import Jdk


def test_a_marker_names_one_line() -> None:
    program = debuggee("basics", "Hello")
    source, line = program.marked("greeting")
    assert source.name == "Hello.java"
    assert "String greeting" in source.read_text(encoding="utf-8").splitlines()[line - 1]
    with pytest.raises(LookupError, match="nowhere"):
        program.marker("no-such-marker")


def test_a_debuggee_without_debug_tables_is_another_compilation() -> None:
    full, bare = debuggee("basics", "Loop"), debuggee("basics", "Loop", debug_tables="none")
    sizes = [(d.class_path[0] / "Loop.class").stat().st_size for d in (full, bare)]
    assert sizes[0] > sizes[1]


async def test_output_and_exit_code(jdk: Jdk) -> None:
    jvm = await Jvm.start(jdk, debuggee("basics", "Hello"), args=["3"])
    assert await jvm.wait() == 3
    assert (jvm.stdout, jvm.stderr) == ("hello\n", "to stderr\n")


async def test_the_stock_agent_says_where_it_listens(jdk: Jdk) -> None:
    if not jdk.has_jdwp:
        pytest.skip(f"{jdk.home} has no stock agent")
    options = "transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0"
    agent = agent_argument("stock", options)
    jvm = await Jvm.start(jdk, debuggee("basics", "Hello"), agent=agent)
    try:
        assert 0 < await jvm.port() < 65536
        assert jvm.pid in java_processes()
    finally:
        await jvm.end()
    assert jvm.pid not in java_processes()


async def test_a_vm_that_ends_early_is_an_error_with_its_output(jdk: Jdk) -> None:
    jvm = await Jvm.start(jdk, debuggee("basics", "NoSuchClass"))
    try:
        with pytest.raises(JvmError, match="NoSuchClass"):
            await jvm.port()
    finally:
        await jvm.end()


def test_kill_accepts_a_vm_that_has_exited() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    kill(frozenset({child}))
