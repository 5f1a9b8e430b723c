# SPDX-License-Identifier: Apache-2.0
"""A second F5 without a change: a project that is up to date, from the start of the adapter to the
program's first line, also in a terminal of the client, and to a stop in its first line, beside
`java` itself.

By turns, in one run. The budget: the program runs at most 0.3 s later than with `java` alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jvmdebug_dap.framing import encode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk

MOST_MORE_MS: Final = 300
_MAIN: Final = """\
package shop;
public class Main {
    public static void main(String[] args) {
        System.out.println("begun");
    }
}
"""
_LINE: Final = 4
JAVA, RUN, STOP = "java -cp classes shop.Main", "F5, to the same line", "F5, to a stop there"
TERMINAL = "F5 in a terminal, to that line"


@dataclass(frozen=True, slots=True)
class _Times:
    """The times of what happened, in ms since the start of the adapter."""

    initialized: float
    launched: float
    ended: float


class _Adapter:
    """`jvmdebug dap`, asked one thing after the other."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._seq = 0
        self.terminal: subprocess.Popen[bytes] | None = None
        """What the adapter has had started in a terminal."""

    def send(self, command: str, **arguments: Any) -> None:
        self._write({"type": "request", "command": command, "arguments": arguments})

    def _write(self, content: dict[str, Any]) -> None:
        self._seq += 1
        message = {"seq": self._seq, **content}
        assert self._process.stdin is not None
        self._process.stdin.write(encode(message))
        self._process.stdin.flush()

    def wait(self, kind: str, name: str, text: str = "") -> None:
        """Read up to that response or event."""
        while True:
            message = self._message()
            if message.get("command") == "runInTerminal":
                self._run(message)
            if message.get(kind) == name and text in json.dumps(message):
                assert message.get("success", True), message
                return

    def _run(self, request: dict[str, Any]) -> None:
        """Start the command as a terminal does, whose own start is not part of this."""
        asked = request["arguments"]
        self.terminal = subprocess.Popen(
            asked["args"],
            cwd=asked["cwd"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        answered = {"type": "response", "request_seq": request["seq"], "success": True}
        self._write({**answered, "command": request["command"]})

    def _message(self) -> dict[str, Any]:
        stream, size = self._process.stdout, 0
        assert stream is not None
        while line := stream.readline().strip():
            size = int(line.rpartition(b":")[2])
        assert size, "the adapter ended"
        found: dict[str, Any] = json.loads(stream.read(size))
        return found


def measure(jdk: Jdk, runs: int) -> dict[str, list[_Times]]:
    """What → the times of each run, after one that warms all up."""
    found: dict[str, list[_Times]] = {JAVA: [], RUN: [], TERMINAL: [], STOP: []}
    with _project() as (root, environment):
        environment["JAVA_HOME"] = str(jdk.home)
        classes = _compiled(root, environment)
        for _ in range(runs + 1):
            found[JAVA].append(_java(jdk, classes, environment))
            for what in (RUN, TERMINAL, STOP):
                found[what].append(_debugged(root, environment, what))
    return {what: times[1:] for what, times in found.items()}


@contextlib.contextmanager
def _project() -> Iterator[tuple[Path, dict[str, str]]]:
    with tempfile.TemporaryDirectory(prefix="jvmdebug-bench-") as folder:
        root = Path(folder) / "shop"
        main = root / "src" / "shop" / "Main.java"
        main.parent.mkdir(parents=True)
        (root / "lib").mkdir()
        (root / "bin").mkdir()
        main.write_text(_MAIN)
        environment = {
            name: text for name, text in os.environ.items() if not name.startswith("JDK_")
        }
        environment["XDG_CACHE_HOME"] = str(Path(folder) / "cache")
        environment["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "python")
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        yield root, environment


def _compiled(root: Path, environment: dict[str, str]) -> Path:
    """The folder of its classes, after the first F5."""
    _debugged(root, environment, RUN)
    (made,) = root.parent.rglob("Main.class")
    return made.parents[1]


def _java(jdk: Jdk, classes: Path, environment: dict[str, str]) -> _Times:
    begun = time.monotonic()
    command = [str(jdk.java), "-cp", str(classes), "shop.Main"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        taken = (time.monotonic() - begun) * 1000
    return _Times(0, 0, taken)


def _debugged(root: Path, environment: dict[str, str], what: str) -> _Times:
    main = root / "src" / "shop" / "Main.java"
    begun = time.monotonic()

    def since() -> float:
        return (time.monotonic() - begun) * 1000

    with subprocess.Popen(
        [sys.executable, "-m", "jvmdebug_cli", "dap"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    ) as process:
        adapter = _Adapter(process)
        client = {"adapterID": "jvmdebug", "clientID": "bench"}
        adapter.send("initialize", **client, supportsRunInTerminalRequest=True)
        console = "integratedTerminal" if what is TERMINAL else "internalConsole"
        adapter.send("launch", program=str(main), console=console)
        adapter.wait("command", "initialize")
        initialized = since()
        adapter.wait("event", "initialized")
        launched = since()
        if what is STOP:
            lines = [{"line": _LINE}]
            adapter.send("setBreakpoints", source={"path": str(main)}, breakpoints=lines)
        adapter.send("configurationDone")
        if what is STOP:
            adapter.wait("event", "stopped")
        elif adapter.terminal is not None:
            assert adapter.terminal.stdout is not None
            assert adapter.terminal.stdout.readline() == b"begun\n"
        else:
            adapter.wait("event", "output", "begun")
        ended = since()
        adapter.send("disconnect", terminateDebuggee=True)
        adapter.wait("command", "disconnect")
        if adapter.terminal is not None:
            adapter.terminal.communicate()
    return _Times(initialized, launched, ended)


def table(found: dict[str, list[_Times]]) -> str:
    """The results as text."""
    java = statistics.median(each.ended for each in found[JAVA])
    lines = [
        f"a second F5 without a change, ms from its begin (budget: {MOST_MORE_MS} more than java)",
        f"{'':30}{'initialize':>12}{'held':>8}{'there':>8}{'more than java':>16}{'least':>8}",
    ]
    for what, times in found.items():
        parts = [
            statistics.median(getattr(each, name) for each in times) for name in _Times.__slots__
        ]
        least = min(each.ended for each in times)
        begin = "".join(
            f"{each:>{width}.0f}" for each, width in zip(parts, (12, 8, 8), strict=True)
        )
        lines.append(f"{what:30}{begin}{parts[-1] - java:>16.0f}{least:>8.0f}")
    return "\n".join(lines)
