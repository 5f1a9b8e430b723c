# SPDX-License-Identifier: Apache-2.0
"""The core over a UNIX-domain socket: it attaches, and it listens."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support import process
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent


def started(jdk: Jdk, option: str) -> subprocess.Popen[bytes]:
    """`dropin.Program` with that agent argument."""
    program = debuggee("dropin", "dropin.Program")
    class_path = os.pathsep.join(map(str, program.class_path))
    command = [str(jdk.java), option, "-cp", class_path, program.main_class]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An address that is free; the agent under test is the one that is named."""
    monkeypatch.setenv("JVMDEBUG_AGENT", str(process.agent_library()))
    return f"unix:{tmp_path / 'jdwp'}"


def test_options_name_the_transport(address: str) -> None:
    path = address.removeprefix("unix:")
    option = jvmdebug.agent_option(address)
    assert option.endswith(f"=transport=unix,server=y,suspend=y,address={path}")


async def reaches_chain(session: jvmdebug.Session) -> None:
    """Run to `dropin.Program#chain`."""
    line = debuggee("dropin", "dropin.Program").marker("chain")
    await session.break_at(f"Program.java:{line}")
    await session.resume()
    stop = await session.next_stop(timeout_s=30)
    assert stop is not None
    assert stop.frame.line == line


async def test_attaching(jdk: Jdk, address: str) -> None:
    with started(jdk, jvmdebug.agent_option(address)) as vm:
        try:
            async with jvmdebug.attach(address) as session:
                await reaches_chain(session)
        finally:
            vm.kill()


async def test_listening(jdk: Jdk, address: str) -> None:
    async with jvmdebug.listen(address) as listener:
        with started(jdk, jvmdebug.agent_option(address, server=False)) as vm:
            try:
                await reaches_chain(await listener.session())
            finally:
                vm.kill()


async def test_no_listener_at_the_address(address: str) -> None:
    with pytest.raises(jvmdebug.LaunchError, match=f"nothing listens at {address}.*transport=unix"):
        async with jvmdebug.attach(address, timeout_s=0.1):
            pytest.fail("connected without a listener")


def test_the_command_line(jdk: Jdk, address: str) -> None:
    with started(jdk, jvmdebug.agent_option(address)) as vm:
        try:
            command = [sys.executable, "-m", "jvmdebug_cli", "attach", address, "--batch"]
            ran = subprocess.run(
                [*command, "--command", "threads"], capture_output=True, text=True, timeout=60,
                check=False,
            )  # fmt: skip
            assert "main" in ran.stdout, ran.stdout + ran.stderr
        finally:
            vm.kill()
