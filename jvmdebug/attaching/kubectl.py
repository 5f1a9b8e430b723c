# SPDX-License-Identifier: Apache-2.0
"""The command kubectl, which speaks to a Kubernetes cluster for us.

Owns its command lines and what becomes of its errors. Blocks: call it in a thread. Called by
`pods`.
"""

from __future__ import annotations

import contextlib
import json
import queue
import re
import shutil
import subprocess
import threading
import time
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.attaching.port_forward import PortForward, end
from jvmdebug.errors import LaunchError
from jvmdebug.os_errors import reason
from jvmdebug.platform.processes import own_group
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

_FORWARDING: Final = re.compile(rb"Forwarding from 127\.0\.0\.1:(\d+)")
_LONGEST_REASON: Final = 300
_NO_SHELL: Final = re.compile(
    r'"sh": executable file not found|exec: "?(?:/bin/)?sh"?: .*(?:not found|no such file)'
    r"|stat (?:/bin/)?sh: no such file"
)


class NoShellError(LaunchError):
    """The container has no shell to run a command in."""


class Kubectl:
    """The command for one pod."""

    def __init__(self, namespace: str, pod: str, *, until: float) -> None:
        """`until`: of the monotonic clock, when its commands are given up. Raises LaunchError."""
        found = shutil.which("kubectl")
        if found is None:
            raise LaunchError(
                "kubectl is not on the PATH: it is what reaches pods; install it, or forward the"
                " port of the agent yourself"
            )
        self._command = [found, "--namespace", namespace]
        self._pod = pod
        self._until = until

    def described(self) -> dict[str, Any]:
        """The pod as the cluster describes it. Raises LaunchError."""
        done = self._run(["get", "pod", self._pod, "--output", "json"])
        try:
            found = json.loads(done)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise LaunchError(f"kubectl does not describe the pod {self._pod}: no JSON came")
        return found

    def shell(
        self, container: str, script: str, content: bytes = b"", timeout_s: float | None = None
    ) -> bytes:
        """Run a script of sh in a container, with `content` as its input. What it has written.
        Raises NoShellError, LaunchError.
        """
        words = ["exec", "--stdin", self._pod, "--container", container, "--", "sh", "-c", script]
        return self._run(words, content, timeout_s)

    def debug(self, container: str, name: str, image: str, words: Sequence[str]) -> None:
        """Add an ephemeral container beside one, which sees its processes. Raises LaunchError."""
        self._run(
            [
                *("debug", self._pod, f"--target={container}", f"--container={name}"),
                *(f"--image={image}", "--quiet", "--attach=false", "--", *words),
            ]
        )

    def forward(self, port: int, timeout_s: float | None = None) -> PortForward:
        """Forward a free port of this machine's loopback to that port of the pod. Raises
        LaunchError.
        """
        until = self._until if timeout_s is None else time.monotonic() + timeout_s
        words = ["port-forward", f"pod/{self._pod}", f":{port}", "--address", "127.0.0.1"]
        running = subprocess.Popen(  # noqa: S603 - no shell
            [*self._command, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            **own_group(has_console=False),  # Ctrl+C at the prompt is not for it
        )
        try:
            return PortForward(running, _forwarded_port(running, until))
        except BaseException:
            end(running)
            raise

    def _run(
        self, words: Sequence[str], content: bytes = b"", timeout_s: float | None = None
    ) -> bytes:
        left = max(1.0, self._until - time.monotonic()) if timeout_s is None else timeout_s
        try:
            done = subprocess.run(  # noqa: S603 - no shell
                [*self._command, *words],
                input=content,
                capture_output=True,
                check=False,
                timeout=left,
            )
        except subprocess.TimeoutExpired:
            raise LaunchError(f"kubectl {words[0]} does not end within {left:.0f} s") from None
        except OSError as error:
            raise LaunchError(f"kubectl cannot be run: {reason(error)}") from error
        if done.returncode:
            told = done.stderr.decode(errors="replace")
            if words[0] == "exec" and _NO_SHELL.search(told):
                raise NoShellError(_reason(done.stderr))
            raise LaunchError(f"kubectl {words[0]}: {_reason(done.stderr or done.stdout)}")
        return done.stdout


def _forwarded_port(running: subprocess.Popen[bytes], until: float) -> int:
    said: queue.Queue[bytes | None] = queue.Queue()
    # It says something of each connection too, and would wait for a reader.
    threading.Thread(target=_read_lines, args=(running, said), daemon=True).start()
    told = b""
    with contextlib.suppress(queue.Empty):
        while (line := said.get(timeout=max(0.0, until - time.monotonic()))) is not None:
            told += line
            if (found := _FORWARDING.search(line)) is not None:
                return int(found[1])
        raise LaunchError(f"kubectl port-forward ends: {_reason(told)}")
    raise LaunchError(f"kubectl port-forward does not begin: {_reason(told)}")


def _read_lines(running: subprocess.Popen[bytes], said: queue.Queue[bytes | None]) -> None:
    assert running.stdout is not None
    with running.stdout:
        for line in running.stdout:
            said.put(line)
    said.put(None)


def _reason(told: bytes) -> str:
    """The last line that says something, safe to show."""
    lines = [line for line in told.decode(errors="replace").splitlines() if line.strip()]
    return one_line(lines[-1] if lines else "it says nothing", _LONGEST_REASON)
