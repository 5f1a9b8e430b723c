# SPDX-License-Identifier: Apache-2.0
"""A program runs bare and under a storm, and both times it does the same.

Owns the runs and the comparison: what it writes, its exit code, what reflection says of its
classes, their bytes as a second java agent is told them, and how quick it is afterwards.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import shutil
import tempfile
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import pytest

import jvmdebug
from tests.stress.class_bytes import differing, kept
from tests.stress.equivalent import equivalent
from tests.stress.patience import patiently
from tests.stress.running import check_jni, port_of, reckon, started
from tests.stress.session_end import exit_code
from tests.stress.storm import DEED_S
from tests.stress.storm_deeds import EveryDeed
from tests.stress.storm_targets import StormOutcome, Targets
from tests.support import process

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from tests.stress.oracle_programs import OracleProgram
    from tests.support.jdks import Jdk

T = TypeVar("T")
Way = Literal["listen", "pid", "launch"]
WAYS: Final[tuple[Way, ...]] = ("listen", "pid", "launch")
ENDS: Final = ("rest", "leave", "detach", "lose")
"""How a session ends: all is taken back before, or not; or the connection is lost."""
SLOWER: Final = 2.5
"""How many times longer a round may take when the storm is over."""
_END_S: Final = 400.0
"""Of processor time: the compilers have thousands of classes that the second agent asks for."""
_OPTIONS: Final = "-Duser.language=en"


@dataclass(frozen=True)
class Run:
    """One storm: all that it depends on."""

    jdk: Jdk
    program: OracleProgram
    seed: int
    seconds: float = 20.0
    way: Way = "listen"
    full: bool = False
    vm_args: tuple[str, ...] = ()
    deeds: tuple[str, ...] = ()
    """Only these, if any are named."""
    classes: tuple[str, ...] = ()
    """Only classes whose names begin like that."""
    sessions: int = 3
    compares_speed: bool = True
    """Not in a run that is too short for the compiler to come to rest."""

    def args(self) -> tuple[str, ...]:
        """The arguments of the program: the workload, and whether a few rounds are enough."""
        return (self.program.workload, *(() if self.compares_speed else ("quick",)))

    def again(self) -> str:
        """The command that does it again."""
        deeds = "".join(f" --deed {each}" for each in self.deeds)
        classes = "".join(f" --class '{each}'" for each in self.classes)
        vm_args = "".join(f" --vm-arg={each}" for each in self.vm_args)
        full = " --full" if self.full else ""
        return (
            f"python -m tests.stress --programs --program {self.program.name}"
            f" --jdk {self.jdk.version} --way {self.way}{full} --seed {self.seed}"
            f" --seconds {self.seconds:g}{vm_args}{deeds}{classes}"
        )


@dataclass
class Facts:
    """What is compared."""

    output: str
    reflection: list[str]
    seen: dict[str, bytes]
    rounds: dict[str, list[int]] = field(default_factory=dict)
    """Microseconds, of the rounds at the beginning, of those in the storm and afterwards."""

    @classmethod
    def read(cls, folder: Path) -> Facts:
        """What the program has left there."""
        rounds: dict[str, list[int]] = {"warm": [], "storm": [], "calm": []}
        for line in (folder / "rounds").read_text().splitlines():
            when, _, micros = line.partition(" ")
            rounds[when].append(int(micros))
        seen = {each.name: each.read_bytes() for each in (folder / "seen").iterdir()}
        reflection = (folder / "reflection").read_text(errors="replace").splitlines()
        return cls((folder / "written").read_text(errors="replace"), reflection, seen, rounds)


_bare: dict[tuple[Any, ...], Facts] = {}


def bare(run: Run) -> Facts:
    """The same without a debugger, once for each JDK and each set of options."""
    key = (run.jdk, run.args(), run.vm_args, min(run.seconds, 10))
    if key not in _bare:
        program = run.program.debuggee()
        with started(run.jdk, program, _vm_args(run), *run.args(), has_agent=False) as (
            jvm,
            output,
            folder,
        ):
            time.sleep(min(run.seconds, 10) / 2)  # it gets as warm as in the storm
            reckon(jvm, output, folder, _END_S)
            _bare[key] = Facts.read(folder)
    return _bare[key]


def storm(run: Run, outcome: StormOutcome | None = None) -> StormOutcome:
    """One run; AssertionError for all that was not right, with how to do it again."""
    outcome = outcome or StormOutcome()
    try:
        expected = bare(run)
        if run.way == "launch":
            found = asyncio.run(_launched(run, outcome))
        else:
            found = _attached(run, outcome)
        compare(run, expected, found, outcome)
    except Exception as error:
        last = "\n  ".join(outcome.deeds[-40:])
        error.add_note(f"{outcome}\nThe last of {len(outcome.deeds)} deeds:\n  {last}")
        error.add_note(f"again: {run.again()}")
        raise
    return outcome


async def _in_time(work: Coroutine[Any, Any, T], pid: int, run: Run, outcome: StormOutcome) -> T:
    """Awaits the result. What a session does besides its deeds takes its time as well."""
    try:
        return await patiently(work, pid, 3 * run.seconds + 6 * DEED_S)
    except TimeoutError:
        raise AssertionError(f"hangs after {outcome.deeds[-1:]}") from None


def _vm_args(run: Run) -> tuple[str, ...]:
    agent = f"-javaagent:{_second_agent(run)}={','.join(run.program.prefixes)}"
    later = ("-XX:+EnableDynamicAgentLoading",) if run.jdk.version >= 21 else ()
    return (agent, *later, _OPTIONS, f"-Xmx{run.program.heap}", *run.vm_args)


def _second_agent(run: Run) -> Path:
    """The jar of the other java agent, made of the program's own classes."""
    classes = run.program.debuggee().class_path[0]
    jar = Path(tempfile.gettempdir(), f"second-agent-{classes.name}.jar")
    if not jar.exists():
        made = jar.with_suffix(f".{random.SystemRandom().randrange(1 << 32)}")
        with zipfile.ZipFile(made, "w") as file:
            manifest = "Premain-Class: oracle.SecondAgent\nCan-Retransform-Classes: true\n"
            file.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\n{manifest}")
            for each in (classes / "oracle").glob("*.class"):
                file.write(each, f"oracle/{each.name}")
        made.rename(jar)
    return jar


def _targets(run: Run) -> Targets:
    program = run.program
    made = program.debuggee()
    sources = program.sources()
    return Targets(
        run.classes or program.prefixes,
        made.class_path,
        program.pure,
        "checked" if sources else "",
        equivalent(made, *sources) if sources else None,
        sources,
    )


def _attached(run: Run, outcome: StormOutcome) -> Facts:
    late = run.way == "pid"
    with started(
        run.jdk,
        run.program.debuggee(),
        _vm_args(run),
        *run.args(),
        fast=not run.full,
        has_agent=not late,
    ) as (jvm, output, folder):
        for number in range(run.sessions):
            port = None if late else port_of(output, number + 1, jvm.pid)
            session = _session(run, number, jvm.pid, port, outcome)
            asyncio.run(_in_time(session, jvm.pid, run, outcome))
            assert jvm.poll() is None, "the VM has ended"
        if not late:
            port_of(output, run.sessions + 1, jvm.pid)  # the last session is over
        reckon(jvm, output, folder, _END_S)
        text = output.read_text(errors="replace")
        assert "WRONG" not in text, text
        if "-Xcheck:jni" in run.vm_args:
            check_jni(text, returns=run.full)
        return Facts.read(folder)


async def _session(
    run: Run, number: int, pid: int, port: int | None, outcome: StormOutcome
) -> None:
    """One debugger. It takes all back and leaves, or leaves, or is lost."""
    end = random.Random(f"{run.seed}/{number}").choice(ENDS)
    async with contextlib.AsyncExitStack() as stack:
        stack.enter_context(_own_agent())
        session = await _attached_to(stack, pid, port)
        await _storm(run, number, pid, session, outcome, run.seconds / run.sessions, end)


async def _attached_to(
    stack: contextlib.AsyncExitStack, pid: int, port: int | None
) -> jvmdebug.Session:
    """A session; the agent may still have to leave the one before, which was lost."""
    while True:
        try:
            opened = jvmdebug.attach(pid=pid) if port is None else jvmdebug.attach(port=port)
            return await stack.enter_async_context(opened)
        except jvmdebug.LaunchError as error:
            if "serves a debugger already" not in str(error):
                raise
            await asyncio.sleep(0.2)


@contextlib.contextmanager
def _own_agent() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JVMDEBUG_AGENT", str(process.agent_library()))
        yield


async def _storm(
    run: Run,
    number: int,
    pid: int,
    session: jvmdebug.Session,
    outcome: StormOutcome,
    seconds: float,
    end: str,
) -> None:
    session.settings.log_messages_per_second = 1_000
    work = EveryDeed(session, pid, _targets(run), f"{run.seed}/{number}", outcome, run.deeds)
    await work.go_on(seconds)
    assert not session.is_disconnected, "the connection was lost"
    outcome.begin(f"{run.seed}/{number}: {end}")
    if end == "rest":
        await work.rest()
    elif end == "detach":
        await session.detach()
    elif end == "lose":
        await session.vm.connection.close()


async def _launched(run: Run, outcome: StormOutcome) -> Facts:
    program = run.program.debuggee()
    folder = Path(tempfile.mkdtemp(prefix="storm-"))
    printed: list[str] = []
    try:
        async with jvmdebug.launch(
            program.main_class,
            class_path=program.class_path,
            args=list(run.args()),
            java=run.jdk.home,
            vm_args=_vm_args(run),
            cwd=folder,
            mode="full" if run.full else "auto",
            stdin="pipe",
            on_output=lambda piece: printed.append(piece.text),
        ) as session:
            await session.start()
            pid = session.pid
            assert pid is not None
            await _in_time(_until_at_work(session, printed), pid, run, outcome)
            storm_ = _storm(run, 0, pid, session, outcome, run.seconds, "rest")
            await _in_time(storm_, pid, run, outcome)
            await session.write_stdin(None)
            try:
                code = await patiently(exit_code(session), pid, _END_S)
            except TimeoutError:
                raise AssertionError(f"it does not end: {''.join(printed)[-3000:]}") from None
        text = "".join(printed)
        assert code == 0, f"exit code {code}: {text[-3000:]}"
        assert "all sums are right" in text, text
        assert "WRONG" not in text, text
        assert not _stories(folder), text
        return Facts.read(folder)
    except Exception as error:
        error.add_note("".join((*printed, *_stories(folder)))[-7000:])
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _stories(folder: Path) -> list[str]:
    """What a VM that crashed has written."""
    return [each.read_text(errors="replace")[:4000] for each in folder.glob("hs_err*")]


async def _until_at_work(session: jvmdebug.Session, printed: list[str]) -> None:
    while "at work" not in "".join(printed):
        assert session.exit_code is None, "".join(printed)
        await asyncio.sleep(0.02)


def compare(run: Run, expected: Facts, found: Facts, outcome: StormOutcome) -> None:
    """All differences, in one error."""
    wrong: list[str] = []
    if found.output != expected.output:
        wrong.append(f"it wrote\n{found.output[:2000]}\nand not\n{expected.output[:2000]}")
    lines = _of_same_classes(expected.reflection, found.reflection)
    if lines:
        wrong.append(f"{len(lines)} lines of reflection differ:\n" + "\n".join(lines[:12]))
    if bytes_ := differing(expected.seen, found.seen, frozenset(outcome.swapped)):
        where = kept(expected.seen, found.seen)
        wrong.append(f"{len(bytes_)} class files differ ({where}):\n" + "\n".join(bytes_[:12]))
    least = min(expected.rounds["calm"])
    outcome.during = min(found.rounds["storm"]) / least
    outcome.afterwards = factor = min(found.rounds["calm"]) / least
    if run.compares_speed and factor > SLOWER:
        wrong.append(f"a round takes {factor:.1f} times as long afterwards: {found.rounds['calm']}")
    assert not wrong, "\n".join((f"{run.program.name}, JDK {run.jdk.version}:", *wrong))


def _of_same_classes(expected: list[str], found: list[str]) -> list[str]:
    """The lines that one of them has, of classes that both have loaded."""
    both = {line.partition(" ")[0] for line in expected} & {
        line.partition(" ")[0] for line in found
    }
    only = set(expected) ^ set(found)
    has = set(found)
    return sorted(
        f"{each} [{'now' if each in has else 'bare'}]"
        for each in only
        if each.partition(" ")[0] in both
    )
