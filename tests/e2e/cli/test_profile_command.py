# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug profile`: of a process that was started without an agent, and what it refuses."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.bare_program import bare_program
from tests.support.debuggees import debuggee
from tests.support.prompt import ask, jvmdebug_command

if TYPE_CHECKING:
    from tests.support.jdks import Jdk


async def test_a_process(jdk: Jdk, tmp_path: Path) -> None:
    async with bare_program(
        jdk,
        "-XX:+EnableDynamicAgentLoading",
        program=debuggee("profiled", "Profiled"),
        args=["platform"],
    ) as running:
        page = tmp_path / "cpu.html"
        words = ["profile", str(running.pid), "--for"]
        code, output, errors = await ask(*words, "1", "--hz", "200", "-o", page)
        assert code == 0, errors
        assert "Profiled.hot" in output.splitlines()[1]
        assert output.splitlines()[-1] == f"written: {page}"
        assert page.read_text().startswith("<!DOCTYPE html>")
        # Ctrl-C ends it early, and what there is, is written.
        early = tmp_path / "early.json"
        async with jvmdebug_command(*words, "40", "--json", "-o", early) as profiling:
            await asyncio.to_thread(_wait_until_sampled, running.pid)
            profiling.process.send_signal(signal.SIGINT)
            assert await profiling.end() == 0
        assert not json.loads(profiling.printed)["is_complete"]
        assert json.loads(early.read_text())["exporter"] == "jvmdebug"
        assert running.running.returncode is None


def _wait_until_sampled(pid: int) -> None:
    """Waits until the sampler's thread is there."""
    while True:
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):
                if (task / "comm").read_text().startswith("jvmdebug Sample"):
                    return


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["4711", "--for", "0"], "--for '0' is no time: it has to be greater than 0"),
        ([], "say which program"),
        (["4711", "--format", "html"], "say which with -o FILE"),
        (["4711", "-o", "/no/such/folder/a.html"], "there is no such folder"),
        (["4711", "--wall", "--signals"], "--signals is for CPU time"),
    ],
)
async def test_wrong_usage(arguments: list[str], words: str) -> None:
    code, _, errors = await ask("profile", *arguments)
    assert code == 2
    assert words in errors
