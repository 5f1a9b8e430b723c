# SPDX-License-Identifier: Apache-2.0
"""The size of the extension; how long its activation takes, and F5 to the first stop."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.e2e.vscode.conftest import EXTENSION, HERE, TOOLS, line_of, run
from tests.e2e.vscode.test_vscode import GREETING
from tests.unit.projects.test_detection import write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.vscode.conftest import Person

OWN_SERVER = True
pytestmark = [
    pytest.mark.vscode,
    pytest.mark.slow,
    pytest.mark.timeout(780),
    pytest.mark.skipif(shutil.which("node") is None, reason="VS Code needs Node.js"),
]


def test_the_extension_is_small_and_activated_at_once(packaged: Path) -> None:
    assert packaged.stat().st_size < 300_000
    found = [
        json.loads(run("node", HERE / "activation.cjs", EXTENSION / "dist", timeout_s=60))
        for _ in range(3)
    ]
    assert found[0]["subscriptions"] > 30
    # Beside the start of Node.js, about 40 ms: what else the machine does slows both.
    assert min(each["milliseconds"] / each["started"] for each in found) < 1.25


@pytest.mark.variant
def test_f5_to_the_first_stop_of_a_compiled_program(newcomer: Person) -> None:
    """The budget is 1.5 s on a quiet machine. All times: build/vscode/first-stop.json."""
    write(newcomer.folder / "src" / "Greeting.java", GREETING)
    write(newcomer.folder / "bin" / ".keep")
    seen = newcomer.does("first-stop", line=line_of(GREETING, "greeted"), runs=7)
    (TOOLS / "first-stop.json").write_text(json.dumps(seen["times"], indent=1) + "\n")
    assert min(each["stopped"] for each in seen["times"]) < 1500
