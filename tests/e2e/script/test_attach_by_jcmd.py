# SPDX-License-Identifier: Apache-2.0
"""Attaching by process id as on Windows and macOS, where the JDK's `jcmd` loads the agent."""

from __future__ import annotations

import asyncio

import pytest

import jvmdebug
from jvmdebug.attaching import by_jcmd
from jvmdebug.platform import system
from tests.support.bare_program import bare_program
from tests.support.jdks import newest_compiler


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "NAME", "darwin")


async def test_a_program_is_attached_to_and_goes_on() -> None:
    async with bare_program(newest_compiler()) as program:
        async with jvmdebug.attach(pid=program.pid) as session:
            assert session.mode == "late"
            assert (await session.evaluate("Spin.rounds")).value
        assert program.running.returncode is None


async def test_what_is_no_jvm_goes_on_and_a_machine_without_jcmd(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process = await asyncio.create_subprocess_exec("sleep", "60")
    try:
        with pytest.raises(jvmdebug.LaunchError, match="jcmd: it lists no Java program"):
            await jvmdebug.load_agent(process.pid, timeout_s=10)
        assert process.returncode is None
        monkeypatch.setattr(by_jcmd, "all_jdks", list)
        with pytest.raises(jvmdebug.LaunchError, match="it takes `jcmd` of a JDK here, and no JDK"):
            await jvmdebug.load_agent(process.pid)
    finally:
        process.kill()
        await process.wait()
