# SPDX-License-Identifier: Apache-2.0
"""One run: the busy program, several debuggers one after the other, then several at once, and the
checks at the end.

Owns the process and the final checks: its sums are right, it ends with 0, no file `hs_err` is
there. How a connection ends is drawn as well: disposed, closed, or lost in the middle with
everything suspended.
"""

from __future__ import annotations

import contextlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.stress.client import Client
from tests.stress.patience import Patience, ended
from tests.stress.random_client import RandomClient
from tests.stress.rivals import compete
from tests.support import process
from tests.support.debuggees import Debuggee, debuggee

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk

_LISTENING = re.compile(r"Listening for transport dt_socket at address: (\d+)")
_OPTIONS = "transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0"
_END_S = 90.0
_DUMP_S = 10.0
_STORY = 6000
_REDEFINED = ("Scratch", "Worker$Summing", "Worker$Throwing", "Ledger")


@dataclass
class Outcome:
    """What came of a run."""

    outcomes: Counter[str] = field(default_factory=Counter)
    """`ThreadReference.Name NONE` → how often."""
    events: int = 0
    sessions: int = 0
    rivals: Counter[str] = field(default_factory=Counter)
    """Of several debuggers at once: how many were served, refused or lost their connection."""

    def __str__(self) -> str:
        commands = {name.split()[0] for name in self.outcomes}
        errors = sum(n for name, n in self.outcomes.items() if not name.endswith(" NONE"))
        return (
            f"{sum(self.outcomes.values())} commands ({len(commands)} kinds, {errors} refused), "
            f"{self.events} events, {self.sessions} sessions, "
            f"at once: {', '.join(f'{n} {what}' for what, n in sorted(self.rivals.items()))}"
        )


def run(
    jdk: Jdk,
    *,
    seed: int,
    seconds: float,
    sessions: int = 4,
    fast: bool = False,
    vm_args: tuple[str, ...] = (),
) -> Outcome:
    """One run; AssertionError when anything was not right, with the seed in it."""
    chance = random.Random(seed)
    program = debuggee("busy", "busy.Busy")
    outcome = Outcome()
    try:
        with started(jdk, program, vm_args, fast=fast) as (jvm, output, folder):
            for number in range(sessions):
                _one_session(output, chance, program, outcome, seconds / (sessions + 1))
                outcome.sessions = number + 1
                assert jvm.poll() is None, "the VM has ended"
            port = port_of(output, sessions + 1)
            outcome.rivals = compete(port, chance, seconds / (sessions + 1))
            assert jvm.poll() is None, "the VM has ended"
            reckon(jvm, output, folder)
    except Exception as error:
        error.add_note(f"seed {seed}, JDK {jdk.version}, fast={fast}: {outcome}")
        raise
    return outcome


def _class_files(program: Debuggee) -> dict[str, bytes]:
    folder = program.class_path[0] / "busy"
    return {f"Lbusy/{name};": (folder / f"{name}.class").read_bytes() for name in _REDEFINED}


def _one_session(
    output: Path, chance: random.Random, program: Debuggee, outcome: Outcome, seconds: float
) -> None:
    vm = Client(port_of(output, outcome.sessions + 1))
    try:
        client = RandomClient(vm, chance, _class_files(program))
        client.run(time.monotonic() + seconds)
        outcome.events += client.events
        end = chance.randrange(3)
        if end == 0:
            vm.ask("VirtualMachine.Dispose")
        elif end == 1:
            vm.ask("VirtualMachine.Suspend")  # and gone: the agent must let them go
    finally:
        outcome.outcomes += vm.outcomes
        vm.close()


def port_of(output: Path, times: int, pid: int | None = None) -> int:
    """The port after the agent has begun to listen that many times; with `pid`, of that process,
    by its processor time.
    """
    deadline = time.monotonic() + _END_S
    patience = None if pid is None else Patience(pid, _END_S)
    while len(found := _LISTENING.findall(output.read_text(errors="replace"))) < times:
        is_over = patience.is_over() if patience else time.monotonic() >= deadline
        assert not is_over, f"it does not listen: {output.read_text()}"
        time.sleep(0.05)
    return int(found[-1])


def _wait_for(output: Path, text: str, jvm: subprocess.Popen[bytes], timeout_s: float) -> None:
    patience = Patience(jvm.pid, timeout_s)
    while not re.search(text, output.read_text(errors="replace")):
        assert jvm.poll() is None, f"the VM has ended: {output.read_text(errors='replace')}"
        assert not patience.is_over(), f"no {text!r} in {timeout_s} s of processor time"
        time.sleep(0.05)


@contextlib.contextmanager
def started(
    jdk: Jdk,
    program: Debuggee,
    vm_args: tuple[str, ...],
    *args: str,
    fast: bool = False,
    has_agent: bool = True,
) -> Iterator[tuple[subprocess.Popen[bytes], Path, Path]]:
    """The program, at work; its output and its directory. Without an agent it has none at first."""
    options = _OPTIONS + (",mode=fast" if fast else "")
    agent = (process.agent_argument("jvmdebug", options),) if has_agent else ()
    class_path = ":".join(map(str, program.class_path))
    with tempfile.TemporaryDirectory(prefix="stress-") as name:
        folder = Path(name)
        output = folder / "output"
        command = [
            str(jdk.java),
            *agent,
            "-Xmx256m",
            *vm_args,
            "-cp",
            class_path,
            program.main_class,
            *args,
        ]
        with output.open("wb") as file:
            jvm = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=file, stderr=file, cwd=folder
            )
        try:
            _wait_for(output, "at work", jvm, _END_S)
            yield jvm, output, folder
        except Exception as error:
            error.add_note(_last_words(jvm, output, folder))
            raise
        finally:
            if jvm.stdin is not None:
                jvm.stdin.close()
            if jvm.poll() is None:
                jvm.kill()
            jvm.wait()


def _last_words(jvm: subprocess.Popen[bytes], output: Path, folder: Path) -> str:
    """What the program printed; if the VM crashed, that, and where the whole story is."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        jvm.wait(_DUMP_S)  # the connection is lost before the file is written
    words = [f"exit code {jvm.poll()}", output.read_text(errors="replace")[-2000:]]
    for story in folder.glob("hs_err*"):
        kept = Path(tempfile.gettempdir()) / f"stress-{story.name}"
        shutil.copyfile(story, kept)
        words += [f"kept as {kept}:", story.read_text(errors="replace")[:_STORY]]
    return "\n".join(words)


def check_jni(text: str, *, returns: bool = False) -> None:
    """What -Xcheck:jni has said.

    Args:
        text: The output of the VM.
        returns: The VM reports what methods return. Up to JDK 20 it leaves a reference for each.
    """
    assert "WARNING in native method" not in text, text
    assert returns or "JNI local refs" not in text, text


def reckon(
    jvm: subprocess.Popen[bytes], output: Path, folder: Path, seconds: float = _END_S
) -> None:
    """End the program, which finds that everything is right, in that much processor time."""
    assert jvm.stdin is not None
    jvm.stdin.close()
    code = ended(jvm, seconds)
    if code is None:
        jvm.send_signal(signal.SIGQUIT)  # the VM prints the stacks of its threads
        _wait_for(output, "(?s)Full thread dump.*JNI global refs", jvm, _DUMP_S)
        raise AssertionError(f"it does not end: {output.read_text(errors='replace')}")
    text = output.read_text(errors="replace")
    assert "all sums are right" in text, text
    assert code == 0, f"exit code {code}: {text}"
    assert not list(folder.glob("hs_err*")), text
