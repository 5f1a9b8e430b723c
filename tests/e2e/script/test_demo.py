# SPDX-License-Identifier: Apache-2.0
"""The demonstration of `make demo` runs to its end."""

from __future__ import annotations

import subprocess
import sys

from tests.support.jdks import REPOSITORY


def test_the_demonstration_runs_to_its_end() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "examples.demo"],
        cwd=REPOSITORY,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "with libjvmdebug.so, our own agent" in ran.stdout
    assert "stopped (breakpoint) in Basket.total" in ran.stdout
    assert ran.stdout.rstrip().endswith("The program ended with exit code 0.")
