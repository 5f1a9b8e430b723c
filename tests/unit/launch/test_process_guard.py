# SPDX-License-Identifier: Apache-2.0
"""The process that ends launched programs when we are gone."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from jvmdebug.launch.process_exit import exit_of
from jvmdebug.launch.process_guard import ProcessGuard
from tests.support.listening import ended

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# What does us: it starts a guard and dies without a word.
_STARTS_GUARD = """
import os, signal, sys
from pathlib import Path
from jvmdebug.launch.process_guard import ProcessGuard
guard = ProcessGuard.start(Path(sys.argv[2]))
guard.watch(int(sys.argv[1]))
if sys.argv[3] == "let go":
    guard.let_go()
print(guard._process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def program() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


def left_in(folder: Path) -> list[str]:
    return [each.name for each in folder.iterdir()]


async def killed_with_guard(pid: int, temporary: Path, word: str) -> None:
    """A process that watches `pid` is killed, and its guard has ended."""
    us = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _STARTS_GUARD, str(pid), str(temporary), word,
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    printed, _ = await us.communicate()
    assert us.returncode == -signal.SIGKILL
    await ended(int(printed))


async def test_the_program_ends_and_its_files_go(
    program: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    temporary = tmp_path / "compiled"
    temporary.mkdir()
    (temporary / "Main.class").touch()
    await killed_with_guard(program.pid, temporary, "")
    assert await exit_of(program) == -signal.SIGTERM
    assert left_in(tmp_path) == []


async def test_a_program_that_was_let_go_goes_on(
    program: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    (tmp_path / "Main.class").touch()
    await killed_with_guard(program.pid, tmp_path, "let go")
    assert program.poll() is None
    assert left_in(tmp_path) == ["Main.class"]


async def test_a_program_that_does_not_end_is_killed(
    program: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    program.send_signal(signal.SIGSTOP)  # SIGTERM waits for SIGCONT
    await killed_with_guard(program.pid, tmp_path, "")
    assert await exit_of(program) == -signal.SIGKILL


async def test_an_end_in_order_leaves_no_process() -> None:
    guard = ProcessGuard.start()
    guard.watch(1)
    await guard.close()
    await guard.close()
    assert guard._process is not None
    assert guard._process.returncode == 0


async def test_a_guard_that_was_killed_does_no_harm() -> None:
    guard = ProcessGuard.start()
    assert guard._process is not None
    guard._process.kill()
    await exit_of(guard._process)
    guard.watch(1)
    guard.let_go()
    await guard.close()
