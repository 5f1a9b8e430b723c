# SPDX-License-Identifier: Apache-2.0
"""A clone that is not built, with Python started in it: its sources hide the installed package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_sources_that_are_not_built_say_so() -> None:
    program = "import sys; sys.path.insert(0, '.'); import jvmdebug; jvmdebug.launch"
    isolated = [sys.executable, "-S", "-E", "-c", program]  # without what is installed
    result = subprocess.run(isolated, cwd=ROOT, capture_output=True, text=True, check=False)
    message = result.stderr.splitlines()[-1]
    assert message.startswith(f"ImportError: jvmdebug is imported from {ROOT / 'jvmdebug'}"), (
        message
    )
    assert "start Python in another directory" in message
