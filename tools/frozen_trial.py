# SPDX-License-Identifier: Apache-2.0
"""Tries the archive without Python as a user would: `python -m tools.frozen_trial ARCHIVE`.

It is unpacked into an empty folder and used with an environment that has JAVA_HOME and an empty
PATH, so no Python, no compiler of the system, no variable of this shell: a session at the prompt, a
session over the Debug Adapter Protocol, each subcommand, the server for assistants, a relay's
certificate, and what it says of questions that it cannot answer. `--times` measures the time to the
answer of `initialize`, beside the jvmdebug of this environment.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from jvmdebug_cli.command_line import parsers
from tests.support.jdks import newest_compiler
from tools.artifacts import fresh
from tools.progress import StepError, step

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

REPOSITORY: Final = Path(__file__).resolve().parents[1]
WORK: Final = REPOSITORY / "build" / "frozen" / "trial"
SLOWER_MS: Final = 150
"""How much later than the unfrozen one the frozen one may answer `initialize`."""

_COMMANDS: Final = "break Basket.java:34\nrun\nprint item.name\n"
_SHOWS: Final = ("Breakpoint 1, Basket.total(Basket.java:34)", '"tea"')
_LINE: Final = 34
_STARTS: Final = 15
_TIMEOUT_S: Final = 120.0
_PROGRAM: Final = "jvmdebug.exe" if os.name == "nt" else "jvmdebug"


class TrialError(Exception):
    """The archive was tried and does not do what it should."""


def try_archive(archive: Path, work: Path, *, pure: bool = False) -> None:
    """Unpack the archive and use it; `pure`: it has no compiled module. Raises StepError,
    TrialError.
    """
    with tarfile.open(archive) as packed:
        packed.extractall(fresh(work / "unpacked"), filter="data")
    command = str(work / "unpacked" / "jvmdebug" / _PROGRAM)
    folder = fresh(work / "folder")
    shutil.copy(REPOSITORY / "examples" / "Basket.java", folder)
    environment = bare_environment(work)
    _try_prompt(command, folder, environment)
    _try_adapter(command, folder, environment)
    _try_commands(command, folder, environment)
    _try_assistant(command, folder, environment)
    _try_recording(command, folder, environment)
    _try_what_is_left_out(command, folder, environment, pure=pure)


def bare_environment(work: Path) -> dict[str, str]:
    """The environment of a machine that has a JDK and nothing else."""
    jdk = newest_compiler().home
    kept = ("SYSTEMROOT", "COMSPEC", "TEMP", "TMP")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    home = str(fresh(work / "home"))
    return environment | {
        "JAVA_HOME": str(jdk),
        "PATH": str(fresh(work / "empty")),
        "HOME": home,
        "USERPROFILE": home,
    }


def _try_prompt(command: str, folder: Path, environment: Mapping[str, str]) -> None:
    (folder / "commands").write_text(_COMMANDS, encoding="utf-8")
    words = [command, "launch", "--agent", "jvmdebug", "-x", "commands", "--batch", "Basket.java"]
    shown = step("a session at the prompt", words, cwd=folder, environment=environment)
    if lacking := [text for text in _SHOWS if text not in shown]:
        raise TrialError(f"the session should show {lacking}; it was:\n{shown}")


def _try_commands(command: str, folder: Path, environment: Mapping[str, str]) -> None:
    for words in (
        ["--version"],
        ["doctor", "--json"],
        *([each, "--help"] for each in parsers()[1]),
    ):
        ran = _run([command, *words], folder, environment)
        if ran.returncode != 0 or "Traceback" in ran.stdout + ran.stderr:
            raise TrialError(f"jvmdebug {' '.join(words)}: {ran.returncode}\n{ran.stderr}")
        if "--json" in words:
            agent = [each for each in json.loads(ran.stdout) if each["subject"] == "agent"]
            if not agent or agent[0]["state"] != "ok":
                raise TrialError(f"jvmdebug doctor says of the agent: {agent}")


def _try_recording(command: str, folder: Path, environment: Mapping[str, str]) -> None:
    words = ["record", "-o", "basket.jvmrec", "--", "Basket.java"]
    made = _run([command, *words], folder, environment)
    shown = _run([command, "replay", "basket.jvmrec", "--search", "total=900"], folder, environment)
    if made.returncode != 0 or shown.returncode != 0 or "Basket.total" not in shown.stdout:
        said = made.stderr + shown.stdout + shown.stderr
        raise TrialError(f"a recording should show where total was 900; it was:\n{said}")


def _try_what_is_left_out(
    command: str, folder: Path, environment: Mapping[str, str], *, pure: bool
) -> None:
    """A heap dump can be asked for everything but tables; those say what to install. Without the
    compiled module it is refused.
    """
    dump = ["heap", "dump.hprof"]
    made = _run([command, "heap", "dump", "dump.hprof", "--", "Basket.java"], folder, environment)
    if made.returncode != 0:
        raise TrialError(f"jvmdebug heap dump: {made.stdout}{made.stderr}")
    shown = _run([command, *dump, "histogram"], folder, environment)
    if pure:
        if shown.returncode == 0 or "has no compiled module" not in shown.stderr:
            raise TrialError(f"jvmdebug heap dump.hprof should say why not: {shown.stderr}")
        return
    if shown.returncode != 0:
        raise TrialError(f"jvmdebug heap dump.hprof histogram: {shown.stdout}{shown.stderr}")
    refused = _run([command, *dump, "sql", "select 1 from instances"], folder, environment)
    told = refused.stdout + refused.stderr
    if refused.returncode == 0 or "pip install 'jvmdebug[heap]'" not in told:
        raise TrialError(f"jvmdebug heap dump.hprof sql should say what to install: {told}")


def _run(
    words: Sequence[str], folder: Path, environment: Mapping[str, str], given: str = ""
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        cwd=folder,
        env=environment,
        input=given,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
        check=False,
    )


class _Adapter:
    """An adapter on standard input and output, and its messages."""

    def __init__(self, command: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [*command, "dap"],
            cwd=cwd,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._seq = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def ask(self, command: str, **arguments: object) -> dict[str, Any]:
        """The body of the response. Raises TrialError for an error."""
        self.send(command, **arguments)
        seq = self._seq
        return self.until(lambda each: each.get("request_seq") == seq).get("body") or {}

    def send(self, command: str, **arguments: object) -> None:
        self._seq += 1
        message = {"seq": self._seq, "type": "request", "command": command, "arguments": arguments}
        body = json.dumps(message).encode()
        stream = self._process.stdin
        if stream is None:
            raise TrialError("the adapter has no standard input")
        stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        stream.flush()

    def event(self, name: str) -> dict[str, Any]:
        return self.until(lambda each: each.get("event") == name).get("body") or {}

    def until(self, is_wanted: Any) -> dict[str, Any]:  # noqa: ANN401 - a predicate
        """The next message that is wanted."""
        while True:
            message = self._message()
            if message.get("success") is False:
                raise TrialError(f"the adapter refuses: {message}")
            if is_wanted(message):
                return message

    def _message(self) -> dict[str, Any]:
        stream = self._process.stdout
        length = 0
        while stream is not None:
            line = stream.readline()
            if not line:
                raise TrialError(f"the adapter has ended: {self._process.wait()}")
            if not line.strip():
                found: dict[str, Any] = json.loads(stream.read(length))
                return found
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        raise TrialError("the adapter has no standard output")


def _try_adapter(command: str, folder: Path, environment: Mapping[str, str]) -> None:
    begun = time.monotonic()
    source = {"path": str(folder / "Basket.java")}
    with _Adapter([command], folder, environment) as adapter:
        adapter.ask("initialize", adapterID="jvmdebug", linesStartAt1=True)
        adapter.send("launch", program=source["path"], agent="jvmdebug", console="internalConsole")
        adapter.event("initialized")
        adapter.ask("setBreakpoints", source=source, breakpoints=[{"line": _LINE}])
        adapter.ask("configurationDone")
        thread = adapter.event("stopped")["threadId"]
        frame = adapter.ask("stackTrace", threadId=thread)["stackFrames"][0]
        found = adapter.ask("evaluate", expression="item.name + 1", frameId=frame["id"])
        if frame["line"] != _LINE or found["result"] != '"tea1"':
            raise TrialError(f"a session over DAP has stopped in {frame}, item.name + 1 is {found}")
        adapter.ask("disconnect", terminateDebuggee=True)
    print(f"a session over DAP: done, {time.monotonic() - begun:.1f} s", flush=True)


def _try_assistant(command: str, folder: Path, environment: Mapping[str, str]) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "trial", "version": "1"},
        },
    }
    ran = _run([command, "mcp"], folder, environment, json.dumps(hello) + "\n")
    if '"serverInfo"' not in ran.stdout:
        raise TrialError(f"jvmdebug mcp does not answer: {ran.stdout}\n{ran.stderr}")
    token = folder / "token"
    token.write_text("0123456789abcdef0123456789abcdef\n", encoding="utf-8")
    token.chmod(0o600)
    relay = [command, "relay", "--listen", "127.0.0.1:0", "--token-file", str(token), "127.0.0.1:1"]
    with subprocess.Popen(relay, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            line = "" if process.stdout is None else process.stdout.readline()
        finally:
            process.terminate()
    if "127.0.0.1:" not in line:
        raise TrialError(f"jvmdebug relay does not listen: {line}")


def initialize_ms(
    commands: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> list[float]:
    """Median times from the start of an adapter to its answer to `initialize`, by command. They
    take turns, so that what else the machine does is the same for all.
    """
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(_STARTS):
        for command, taken in zip(commands, times, strict=True):
            begun = time.monotonic()
            with _Adapter([command], folder, environment) as adapter:
                adapter.ask("initialize", adapterID="jvmdebug")
                taken.append(1000 * (time.monotonic() - begun))
    return [statistics.median(taken) for taken in times]


def measure(frozen: str, unfrozen: str, work: Path) -> None:
    """Print both times. Raises TrialError if the frozen one is too slow."""
    environment = bare_environment(work)
    commands = [unfrozen, frozen]
    found = initialize_ms(commands, fresh(work / "folder"), environment)
    for name, time_ms in zip(commands, found, strict=True):
        print(f"{time_ms:7.1f} ms  {name}")
    if found[1] - found[0] > SLOWER_MS:
        raise TrialError(f"the frozen one is more than {SLOWER_MS} ms slower")


def main() -> None:
    """Try an archive, or measure it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("archive", type=Path)
    parser.add_argument("--times", action="store_true", help="measure the start, do not try it")
    given = parser.parse_args()
    try:
        if given.times:
            with tarfile.open(given.archive) as packed:
                packed.extractall(fresh(WORK / "unpacked"), filter="data")
            frozen = str(WORK / "unpacked" / "jvmdebug" / _PROGRAM)
            measure(frozen, str(Path(sys.executable).with_name("jvmdebug")), WORK)
        else:
            try_archive(given.archive, WORK)
    except (StepError, TrialError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
