# SPDX-License-Identifier: Apache-2.0
"""The same as `churning` in a program that was started without an agent: it is loaded anew for each
debugger, which ends well, loses its connection, or is killed.

Exact numbers are asked for as there, but of methods that run for long: what they began with has no
probes. At the end the classes have the code that they had.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from typing import TYPE_CHECKING, Final

import jvmdebug
from tests.stress.churning import LINES, Asked, ChurnOutcome
from tests.stress.probe_uses import UsingProbes
from tests.stress.running import check_jni, reckon, started
from tests.support import process
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

_STEP_S: Final = 60.0
_MARKERS: Final = ("pass", "caught", "float", "same", "inside")
_KILLED: Final = """
import asyncio, sys
import jvmdebug

async def main():
    pid, suspend, *specs = sys.argv[1:]
    async with jvmdebug.attach(pid=int(pid)) as session:
        session.settings.suspend = suspend
        for spec in specs:
            await session.break_at(spec, condition="sum % 3 == 0")
        stop = await session.next_stop(timeout_s=30)
        print("stopped", flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


def churn_late(
    jdk: Jdk, *, seed: int, seconds: float, sessions: int, vm_args: tuple[str, ...] = ()
) -> ChurnOutcome:
    """One run; AssertionError when anything was not right, with the seed in it."""
    chance = random.Random(seed)
    program = debuggee("churn", "churn.Churn")
    outcome = ChurnOutcome()
    libraries = f"-Djava.library.path={program.class_path[0]}"
    native = ("--enable-native-access=ALL-UNNAMED",) if jdk.version >= 22 else ()
    quiet = ("-XX:+EnableDynamicAgentLoading",) if jdk.version >= 21 else ()
    virtual = ("virtual",) if chance.random() < 0.5 else ()
    try:
        options = (libraries, *native, *quiet, *vm_args)
        with started(jdk, program, options, *virtual, has_agent=False) as (jvm, output, folder):
            for _ in range(sessions):
                if chance.random() < 0.25:
                    asyncio.run(_killed(jvm.pid, program, chance, outcome))
                else:
                    asyncio.run(_session(jvm.pid, program, chance, outcome, seconds / sessions))
                assert jvm.poll() is None, "the VM has ended"
            _finish(jvm, output, folder)
    except BaseException as error:
        error.add_note(f"seed {seed}, JDK {jdk.version}, late: {outcome}")
        raise
    return outcome


def _finish(jvm: subprocess.Popen[bytes], output: Path, folder: Path) -> None:
    asyncio.run(_still_alive(jvm.pid))  # the agent of the last debugger is gone
    reckon(jvm, output, folder)
    text = output.read_text(errors="replace")
    assert "all code is as it was" in text, text
    check_jni(text)


async def _still_alive(pid: int) -> None:
    async with jvmdebug.attach(pid=pid) as session:
        assert session.mode == "late"


async def _session(
    pid: int, program: Debuggee, chance: random.Random, outcome: ChurnOutcome, seconds: float
) -> None:
    lost = chance.random() < 0.3
    outcome.deeds["lost" if lost else "detached"] += 1
    async with jvmdebug.attach(pid=pid) as session:
        session.settings.log_messages_per_second = 1_000_000
        session.settings.budget_ms = session.settings.total_budget_ms = 0
        session.settings.condition_deadline_s = _STEP_S
        work = _LateChurning(session, program, chance, outcome)
        await work.go_on(seconds)
        if lost:
            await work.lose()
            return
        if chance.random() < 0.5:  # else all is still there when it detaches
            await asyncio.wait_for(work.rest(), _STEP_S)


async def _killed(
    pid: int, program: Debuggee, chance: random.Random, outcome: ChurnOutcome
) -> None:
    """A debugger that is killed while a thread stands in a probe."""
    outcome.deeds["killed"] += 1
    specs = []
    for marker in ("pass", "same")[: chance.randrange(1, 3)]:
        source, line = program.marked(marker)
        specs.append(f"churn/{source.name}:{line}")
    other = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _KILLED, str(pid), chance.choice(("all", "thread")), *specs[:1]),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "JVMDEBUG_AGENT": str(process.agent_library())},
    )
    try:
        assert other.stdout is not None
        await asyncio.wait_for(other.stdout.readline(), _STEP_S)
    finally:
        if other.returncode is None:
            other.kill()
        await other.wait()


class _LateChurning(UsingProbes):
    """The random work of one session of an agent that has come late."""

    def _possible(self) -> list[tuple[int, Callable[[], Awaitable[None]]]]:
        return [
            (10, self._ask),
            (8, self._change),
            (6, self._forget),
            (6, self._wait),
            (6, self._stop_and_step),
            (2, self._pause),
            (2, self._ride),
            (1, self.hot_swap),
            *self._uses(),
        ]

    async def _drop(self, asked: Asked) -> None:
        await asked.breakpoint.remove()
        if asked.marker != "inside":  # its frames are older than many of its probes
            asked.check()

    async def _stop_and_step(self) -> None:
        """A stop in a probe, an evaluation, steps to other probes."""
        marker = self._chance.choice(_MARKERS)
        name = LINES[marker]
        at = await self._session.break_at(
            self._spec(marker),
            condition=self._chance.choice((f"{name} % 500 == 0", f"{name} % 7 == 0", "1 < 2")),
            suspend=self._chance.choice(("all", "thread")),
        )
        if not at.verified:  # its class was hot swapped
            await at.remove()
            return
        try:
            stop = await self._session.next_stop(timeout_s=5)
        except TimeoutError:
            stop = None  # no frame of the method has come there
        await at.remove()
        for _ in range(self._chance.randrange(1, 5)):
            if stop is None:
                break
            self._outcome.stops += 1
            await self._look(stop)
            step = self._chance.choice(
                (stop.step_over, stop.step_over, stop.step_into, stop.step_out)
            )
            try:
                await step()
            except jvmdebug.UnsupportedError:
                await stop.resume()
                break
            try:
                stop = await self._session.next_stop(timeout_s=1)
            except TimeoutError:
                stop = None  # an exception, or its thread waits
        await self._session.resume()

    async def _look(self, stop: jvmdebug.Stop) -> None:
        frames = await stop.frames()
        assert all("JvmdebugProbe" not in str(each) for each in frames), frames
        await stop.frame.locals()
        try:
            value = await (await stop.frame.evaluate("Math.abs(-3) + 4")).as_text()
        except jvmdebug.EvaluationError as error:
            # What it has made meanwhile, in a program whose other threads run.
            if "garbage collected" not in str(error):
                raise
            return
        assert value == "7", value
