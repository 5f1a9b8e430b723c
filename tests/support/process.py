# SPDX-License-Identifier: Apache-2.0
"""VMs that tests start with a debug agent in them and end again.

Owns the process, its output and the agent's port. Does not speak JDWP: tests connect with
whatever they test. Used by the fixture `start_jvm` of `tests/conftest.py`, and by tests of what
`jvmdebug.launch` does itself through `java_processes`.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.resources
import os
import re
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

AgentKind = Literal["jvmdebug", "stock"]
"""Our agent or the JDK's own (libjdwp), as `jvmdebug.launch` names them."""
AgentInVm = Literal["jvmdebug", "jvmdebug-fast", "jvmdebug-full", "stock"]
"""The same with ours in the mode that is not the usual one: fast for tests that load the agent
themselves, full for those that launch the program."""

OWNER = "JVMDEBUG_TEST_OWNER"
"""Environment variable by which a VM that was left behind is known, wherever it was reparented."""

START_S = float(os.environ.get("JVMDEBUG_TEST_START_S", "20"))
"""How long a VM may take to start; an emulated one takes longer (`tools.platforms`)."""

OUTLIVING: set[int] = set()
"""Pids of VMs that a test starts for those after it; who adds one ends it and takes it out."""

_LISTENING = re.compile(r"Listening for transport dt_socket at address: (\d+)")


class JvmError(Exception):
    """A VM did not do what the test waited for; the message carries its output."""


def agent_library() -> Path:
    """Our agent: $JVMDEBUG_AGENT, or the one that `make build` put into the package."""
    if named := os.environ.get("JVMDEBUG_AGENT"):
        return Path(named)
    resource = importlib.resources.files("jvmdebug") / "_agent" / "libjvmdebug.so"
    with importlib.resources.as_file(resource) as path:
        if not path.exists():
            raise JvmError("libjvmdebug.so is not built: run `make build`")
        return path


def agent_argument(kind: AgentInVm, options: str) -> str:
    """The VM argument that loads the agent with these options."""
    if kind == "stock":
        return f"-agentlib:jdwp={options}"
    if kind == "jvmdebug-fast":
        options += ",mode=fast"
    return f"-agentpath:{agent_library()}={options}"


def launch_options(kind: AgentInVm) -> dict[str, Any]:
    """What says the same to `jvmdebug.launch`, and to the DAP request of that name."""
    name, _, mode = kind.partition("-")
    return {"agent": name, "mode": mode} if mode else {"agent": name}


class Jvm:
    """A running VM with what it has printed so far."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._output = {"stdout": "", "stderr": ""}
        self._open = set(self._output)
        self._grown = asyncio.Condition()
        self._pumps = [
            asyncio.create_task(self._pump("stdout", process.stdout)),
            asyncio.create_task(self._pump("stderr", process.stderr)),
        ]

    @classmethod
    async def start(
        cls,
        jdk: Jdk,
        debuggee: Debuggee,
        *,
        agent: str | None = None,
        vm_args: Sequence[str] = (),
        args: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
    ) -> Jvm:
        """Start the debuggee; `agent` is a VM argument, see `agent_argument`."""
        class_path = os.pathsep.join(map(str, debuggee.class_path))
        command = [str(jdk.java), *([agent] if agent else []), *vm_args]
        command += ["-cp", class_path, debuggee.main_class, *args]
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, **(env or {})},
        )
        return cls(process)

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """None while it runs; negative for the signal that ended it."""
        return self._process.returncode

    @property
    def stdout(self) -> str:
        """All of it so far, the agent's own lines included."""
        return self._output["stdout"]

    @property
    def stderr(self) -> str:
        """All of it so far."""
        return self._output["stderr"]

    async def port(self, *, timeout_s: float = START_S) -> int:
        """The port the agent listens on, once it has said so."""
        return int((await self.wait_for(_LISTENING, timeout_s=timeout_s)).group(1))

    async def wait_for(
        self, pattern: str | re.Pattern[str], *, stream: str = "stdout", timeout_s: float = 20.0
    ) -> re.Match[str]:
        """Wait until the pattern is found in the output; JvmError when that cannot be any more."""
        regex = re.compile(pattern)

        def ready() -> bool:
            return bool(regex.search(self._output[stream])) or not self._open

        try:
            async with asyncio.timeout(timeout_s), self._grown:
                await self._grown.wait_for(ready)
        except TimeoutError:
            raise self._error(f"no {regex.pattern!r} on {stream} in {timeout_s} s") from None
        found = regex.search(self._output[stream])
        if found is None:
            raise self._error(f"ended without {regex.pattern!r} on {stream}")
        return found

    async def wait(self, *, timeout_s: float = 20.0) -> int:
        """Wait until it has ended and all of its output is read; its exit code."""
        try:
            async with asyncio.timeout(timeout_s):
                code = await self._process.wait()
                await asyncio.gather(*self._pumps)
        except TimeoutError:
            raise self._error(f"still running after {timeout_s} s") from None
        return code

    async def end(self) -> None:
        """Kill it if it still runs, and release all resources."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        await self._process.wait()
        await asyncio.gather(*self._pumps)

    def _error(self, what: str) -> JvmError:
        printed = "".join(f"\n--- {name} ---\n{text}" for name, text in self._output.items())
        return JvmError(f"VM {self.pid}: {what} (exit code {self.exit_code}){printed}")

    async def _pump(self, name: str, stream: asyncio.StreamReader | None) -> None:
        assert stream is not None
        while chunk := await stream.read(65536):
            async with self._grown:
                self._output[name] += chunk.decode("utf-8", "replace")
                self._grown.notify_all()
        async with self._grown:
            self._open.discard(name)
            self._grown.notify_all()


class KnownVms:
    """The VMs of this test process, looked for again only when it has started something since.

    To look costs 0.6 ms, twice for every test, and most tests start nothing.
    """

    def __init__(self) -> None:
        self._starts = -1
        self._seen: frozenset[int] = frozenset()

    def now(self, *, look: bool = False) -> frozenset[int]:
        """Pids as `java_processes` has them; `look` even if nothing was started."""
        if look or self._starts != _starts.number:
            self._starts = _starts.number
            self._seen = java_processes()
        return self._seen


class _Starts:
    """How many processes this one has started."""

    _EVENTS = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"})

    def __init__(self) -> None:
        self.number = 0
        sys.addaudithook(self._note)

    def _note(self, event: str, _arguments: object) -> None:
        if event in self._EVENTS:
            self.number += 1


_starts = _Starts()


def java_processes() -> frozenset[int]:
    """Pids of the running VMs that this test process, or something it started, has started.

    Called often, so it reads as little as it can.
    """
    mark = f"{OWNER}={os.getpid()}".encode()
    found = set()
    with os.scandir("/proc") as folders:
        for folder in folders:
            if not folder.name.isdigit():
                continue
            with contextlib.suppress(OSError):  # it has ended meanwhile
                if _read(f"{folder.path}/comm") != b"java\n":
                    continue
                if mark in _read(f"{folder.path}/environ").split(b"\0"):
                    found.add(int(folder.name))
    return frozenset(found)


def _read(path: str) -> bytes:
    """A file of /proc, which has no size; a buffered reader takes twice as long."""
    file = os.open(path, os.O_RDONLY)
    try:
        content = b""
        while part := os.read(file, 1 << 16):
            content += part
        return content
    finally:
        os.close(file)


def kill(pids: frozenset[int]) -> None:
    """End those VMs for good."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
