# SPDX-License-Identifier: Apache-2.0
"""Runs of a busy program (tests/debuggees/churn) in which probes come and go: see `churning`.

At the end the program compares the code of its classes with what it was.
"""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Final

import jvmdebug
from tests.stress.churning import STEP_S, ChurnOutcome
from tests.stress.probe_uses import UsingProbes
from tests.stress.running import check_jni, port_of, reckon, started
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

_MOST_LATE_S: Final = 4 * STEP_S
"""Of a session: it begins, does its last deed, takes everything back and ends."""


def churn(
    jdk: Jdk, *, seed: int, seconds: float, sessions: int, fast: bool, vm_args: tuple[str, ...] = ()
) -> ChurnOutcome:
    """One run; AssertionError when anything was not right, with the seed in it."""
    chance = random.Random(seed)
    program = debuggee("churn", "churn.Churn")
    outcome = ChurnOutcome()
    libraries = f"-Djava.library.path={program.class_path[0]}"
    native = ("--enable-native-access=ALL-UNNAMED",) if jdk.version >= 22 else ()
    virtual = ("virtual",) if chance.random() < 0.5 else ()
    try:
        options = (libraries, *native, *vm_args)
        with started(jdk, program, options, *virtual, fast=fast) as (jvm, output, folder):
            for number in range(sessions):
                length = seconds / sessions
                session = _session(output, program, chance, outcome, number, length)
                asyncio.run(asyncio.wait_for(session, length + _MOST_LATE_S))
                assert jvm.poll() is None, "the VM has ended"
            port_of(output, sessions + 1)  # the last session is over
            reckon(jvm, output, folder)
            text = output.read_text(errors="replace")
            assert "all code is as it was" in text, text
            check_jni(text, returns=not fast)
    except Exception as error:
        error.add_note(f"seed {seed}, JDK {jdk.version}, fast={fast}: {outcome}")
        raise
    return outcome


async def _session(
    output: Path,
    program: Debuggee,
    chance: random.Random,
    outcome: ChurnOutcome,
    number: int,
    seconds: float,
) -> None:
    port = port_of(output, number + 1)
    lost = chance.random() < 0.4
    async with jvmdebug.attach("127.0.0.1", port, probes="auto") as session:
        session.settings.log_messages_per_second = 1_000_000
        session.settings.condition_deadline_s = STEP_S
        work = UsingProbes(session, program, chance, outcome)
        await work.go_on(seconds)
        await asyncio.wait_for(work.rest(), STEP_S)
        if lost:
            await work.lose()
