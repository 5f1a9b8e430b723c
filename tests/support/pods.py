# SPDX-License-Identifier: Apache-2.0
"""A cluster of Kubernetes without one: pods that are containers of this machine, and a stand-in for
kubectl on the PATH. Called by the tests of attaching to pods.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

    from tests.support.containers import Container

_STAND_IN = Path(__file__).with_name("kubectl_stand_in.py")


class Cluster:
    """Pods by `NAMESPACE/NAME`."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder.mkdir(exist_ok=True)
        self._state = folder / "pods.json"
        self._state.write_text("{}")
        self.commands = folder / "bin"
        """The directory of its kubectl."""
        self.commands.mkdir()
        command = self.commands / "kubectl"
        words = [sys.executable, "-S", str(_STAND_IN), str(self._state)]
        command.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
        command.chmod(0o755)
        monkeypatch.setenv("PATH", f"{self.commands}{os.pathsep}{os.environ['PATH']}")

    def add(self, name: str, container: Container, **more: Any) -> None:
        """Add a pod with the container `web`, or change it."""
        pods = json.loads(self._state.read_text())
        pods[name] = {
            "containers": {"web": {"pid": container.first, "user": container.user}},
            **more,
        }
        self._state.write_text(json.dumps(pods))

    def pod(self, name: str) -> dict[str, Any]:
        """What is known of one."""
        found: dict[str, Any] = json.loads(self._state.read_text())[name]
        return found
