# SPDX-License-Identifier: Apache-2.0
"""The processor time of a start: `jvmdebug --version`, and `jvmdebug dap` up to `initialize`, and
until it could serve the next request too.

Beside a start of Python that imports asyncio, since processor time depends on the machine and on
what else it does. `tests/unit/dap/test_startup.py` holds the number of imported modules.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from jvmdebug_dap.framing import encode

MAX_DAP_MS: Final = 150
_INITIALIZE: Final = encode(
    {"seq": 1, "type": "request", "command": "initialize", "arguments": {"adapterID": "bench"}}
)
_STARTS: Final = {
    "python, import asyncio": ("-c", "import asyncio"),
    "jvmdebug --version": ("-m", "jvmdebug_cli", "--version"),
    "jvmdebug launch --help": ("-m", "jvmdebug_cli", "launch", "--help"),
    "jvmdebug dap, to its end": ("-m", "jvmdebug_cli", "dap"),
}
_INITIALIZE_ANSWERED: Final = "jvmdebug dap, initialize"


def measure(runs: int) -> dict[str, list[float]]:
    """Start → processor time of each run in ms, user and system; by turns, after one to warm up."""
    times: dict[str, list[float]] = {name: [] for name in (*_STARTS, _INITIALIZE_ANSWERED)}
    with tempfile.TemporaryDirectory(prefix="jvmdebug-bench-") as cache:
        # An installed jvmdebug is compiled; the environment may forbid to write that here.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for _ in range(runs + 1):
            for name, arguments in _STARTS.items():
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run(
                    [sys.executable, *arguments],
                    input=_INITIALIZE,
                    stdout=subprocess.DEVNULL,
                    env=environment,
                    check=True,
                )
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                times[name].append(seconds * 1000)
            times[_INITIALIZE_ANSWERED].append(_until_answered(environment))
    return {name: found[1:] for name, found in times.items()}


def _until_answered(environment: dict[str, str]) -> float:
    """What the adapter has taken when its answer is read."""
    with subprocess.Popen(
        [sys.executable, *_STARTS["jvmdebug dap, to its end"]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(_INITIALIZE)
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"Content-Length")
        taken = int(Path(f"/proc/{process.pid}/schedstat").read_text().split()[0])
        process.communicate()
    return taken / 1e6


def table(found: dict[str, list[float]]) -> str:
    """The results as text."""
    lines = [f"start, ms of processor time (the budget of `initialize` is {MAX_DAP_MS})"]
    lines.append(f"{'':34}{'median':>10}{'least':>10}")
    for name, times in found.items():
        lines.append(f"{name:34}{statistics.median(times):>10.0f}{min(times):>10.0f}")
    return "\n".join(lines)
