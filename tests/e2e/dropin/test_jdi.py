# SPDX-License-Identifier: Apache-2.0
"""A JDI program, unchanged, sees under our agent what it sees under the JDK's own."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from tests.e2e.dropin.conftest import DropIn
    from tests.support.jdks import Jdk

_TIMEOUT_S = 90.0
_MARKERS = ("ready", "chain", "redefinable", "popped", "unloaded")


def debugged(tools: Jdk, jdk: Jdk, way: str) -> str:
    """The transcript of `dropin.debugger.Debugger`, which starts the debuggee with that JDK."""
    program = debuggee("dropin", "dropin.debugger.Debugger")
    class_path = os.pathsep.join(map(str, program.class_path))
    markers = [f"{name}={program.marker(name)}" for name in _MARKERS]
    command = [str(tools.java), f"-Ddebuggee.home={jdk.home}", "-cp", class_path]
    ran = subprocess.run(
        [*command, program.main_class, way, "-agentlib:jdwp=", *markers],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=_TIMEOUT_S,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_everything_that_jdi_can_do(dropin: DropIn) -> None:
    stock, ours = dropin.both(lambda jdk: debugged(dropin.tools_for(jdk), jdk, "launching"))
    if stock is not None:
        assert ours.splitlines() == stock.splitlines()
    for seen in (
        "popped 4242",
        "answer NEW1",
        "ModificationWatchpointEvent",
        "returns 40",
        "MonitorContendedEnteredEvent",
        "unloaded: [dropin.Late]",
    ):
        assert seen in ours


@pytest.mark.parametrize("way", ["listening", "process", "raw"])
def test_the_connectors_that_jdb_does_not_use(dropin: DropIn, way: str) -> None:
    stock, ours = dropin.both(lambda jdk: debugged(dropin.tools_for(jdk), jdk, way))
    assert stock in (None, ours)
    assert re.search(r"BreakpointEvent main at dropin.Program.main:\d+", ours)
    assert ours.endswith("exit code 0\n")
