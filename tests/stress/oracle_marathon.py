# SPDX-License-Identifier: Apache-2.0
"""Storms one after the other, on programs, JDKs, ways and options that are drawn, until the time is
over: `python -m tests.stress --programs --minutes 20`.

With `--program`, `--jdk`, `--way`, `--full`, `--vm-arg` or `--deed` only these are drawn from; a
run that failed prints the command that does it again, and its deeds.
"""

from __future__ import annotations

import random
import time
import traceback
from typing import TYPE_CHECKING, Final

from tests.stress.oracle_programs import PROGRAMS, SMALL
from tests.stress.oracle_running import WAYS, Run, storm
from tests.stress.sampling import COLLECTORS, has_collector
from tests.stress.storm_targets import StormOutcome

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from tests.support.jdks import Jdk

_RUN_S: Final = 30.0
_OTHERS: Final = (("-Xint",), ("-Xcheck:jni",), ())


def add_options(parser: argparse.ArgumentParser) -> None:
    """What can be asked for."""
    group = parser.add_argument_group("with --programs")
    group.add_argument("--programs", action="store_true", help="bare and under a storm, compared")
    group.add_argument("--program", action="append", choices=PROGRAMS, help="only this one")
    group.add_argument("--way", action="append", choices=WAYS, help="how it is reached")
    group.add_argument("--full", action="store_true", help="full mode, and no other (--values too)")
    group.add_argument("--vm-arg", action="append", help="these options, and no others")
    group.add_argument("--deed", action="append", help="only these deeds: condition, swap, ...")
    group.add_argument("--class", action="append", dest="classes", help="only classes like that")
    group.add_argument("--quiet", action="store_true", help="do not print each deed")


def go(options: argparse.Namespace, jdks: Sequence[Jdk]) -> int:
    """The number of runs that failed, at most 1 of them as exit code."""
    failed = 0
    for number, run in enumerate(_runs(options, jdks)):
        mode = "full" if run.full else "auto"
        what = f"{run.program.name}, JDK {run.jdk.version}, {run.way}, {mode}, {run.vm_args}"
        print(f"{number}: {what}, seed {run.seed}", flush=True)
        outcome = StormOutcome()
        if not options.quiet:
            outcome.said = lambda text: print(f"    {text}", flush=True)
        try:
            storm(run, outcome)
        except Exception:  # noqa: BLE001 - whatever it is, the next run goes on
            failed += 1
            print(f"{number}: FAILED\n{traceback.format_exc()}", flush=True)
        else:
            print(f"{number}: as without a debugger: {outcome}", flush=True)
    print(f"{failed} runs failed")
    return min(failed, 1)


def _runs(options: argparse.Namespace, jdks: Sequence[Jdk]) -> list[Run] | _Drawn:
    """One run if all is said, to do again what failed; else as many as there is time for."""
    if options.minutes is None and len(options.program or ()) == 1 and len(options.way or ()) == 1:
        program = PROGRAMS[options.program[0]]
        return [
            Run(
                jdk,
                program,
                options.seed,
                options.seconds,
                options.way[0],
                options.full,
                tuple(options.vm_arg or ()),
                tuple(options.deed or ()),
                tuple(options.classes or ()),
            )
            for jdk in jdks
        ]
    return _Drawn(options, jdks)


class _Drawn:
    """Runs that are drawn from the seed, until the time is over."""

    def __init__(self, options: argparse.Namespace, jdks: Sequence[Jdk]) -> None:
        self._options = options
        self._jdks = jdks
        self._end = time.monotonic() + options.seconds
        self._number = 0

    def __iter__(self) -> _Drawn:
        return self

    def __next__(self) -> Run:
        if time.monotonic() >= self._end:
            raise StopIteration
        self._number += 1
        options = self._options
        seed = options.seed + self._number - 1
        chance = random.Random(seed)
        jdk = chance.choice(self._jdks)
        names = options.program or [*PROGRAMS, *(each.name for each in SMALL * 3)]
        programs = [PROGRAMS[each] for each in names if PROGRAMS[each].least <= jdk.version]
        assert programs, f"none of {names} runs on JDK {jdk.version}"
        return Run(
            jdk,
            chance.choice(programs),
            seed,
            min(_RUN_S, options.seconds),
            chance.choice(options.way or WAYS),
            options.full or chance.random() < 0.3,
            tuple(options.vm_arg or self._vm_args(jdk, chance)),
            tuple(options.deed or ()),
            tuple(options.classes or ()),
        )

    def _vm_args(self, jdk: Jdk, chance: random.Random) -> tuple[str, ...]:
        collectors = self._options.collector or COLLECTORS
        there = [each for each in collectors if has_collector(jdk, each)]
        return (f"-XX:+Use{chance.choice(there)}GC", *chance.choice(_OTHERS))
