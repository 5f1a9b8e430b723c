# SPDX-License-Identifier: Apache-2.0
"""A test that takes too long fails, whatever runs at that moment."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_SWALLOWS = """
import asyncio, time
from tests.support import time_limits

time_limits.AGAIN_S = 3


async def test_waits_for_ever():
    asyncio.get_running_loop().call_soon(time.sleep, 1)  # the first alarm meets this callback
    await asyncio.Event().wait()
"""


def test_an_alarm_that_a_callback_takes_is_repeated(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(_SWALLOWS)
    options = ["-p", "tests.support.time_limits", "-o", "asyncio_mode=auto", "--timeout=0.5"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "--rootdir", tmp_path, tmp_path / "test_it.py"],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert "1 failed" in run.stdout, run.stdout + run.stderr
    assert "Timeout (>0.5s)" in run.stdout
