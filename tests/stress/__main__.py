# SPDX-License-Identifier: Apache-2.0
"""A run on each JDK: `python -m tests.stress [--seed N] [--seconds S] [--sessions N] [--fast]`.

With `--sampling` everything that samples, with `--probes` breakpoints that the program checks, with
`--late` the same for an agent that is loaded later, on each collector that the JDK has; with
`--values` small classes whose values the program compares, in the mode `full` or else `auto`;
`--minutes M` long: `--sampling --minutes 60` is the hour that an agent has to survive.
With `--programs` real programs and small ones run bare and under a storm of everything that a
debugger does, and are compared; see `oracle_marathon` for its options.
"""

from __future__ import annotations

import argparse
import random
from functools import partial

from tests.stress import oracle_marathon
from tests.stress.churn_running import churn
from tests.stress.hot_values import compute_under_stress
from tests.stress.late_churning import churn_late
from tests.stress.running import run
from tests.stress.sampling import COLLECTORS, has_collector, sample_under_stress
from tests.support.jdks import Jdk, jdk_of, jdks_to_test


def _sample(jdk: Jdk, options: argparse.Namespace) -> None:
    for collector in options.collector or COLLECTORS:
        if not has_collector(jdk, collector):
            print(f"JDK {jdk.version} has no {collector} collector")
            continue
        print(f"JDK {jdk.version}, {collector}, seed {options.seed}: ", end="", flush=True)
        outcome = sample_under_stress(
            jdk,
            collector,
            seed=options.seed,
            seconds=options.seconds,
            sessions=options.sessions,
            fast=options.fast,
        )
        print(outcome, flush=True)


def _churn(jdk: Jdk, options: argparse.Namespace) -> None:
    for collector in options.collector or COLLECTORS:
        if not has_collector(jdk, collector):
            print(f"JDK {jdk.version} has no {collector} collector")
            continue
        print(f"JDK {jdk.version}, {collector}, seed {options.seed}: ", end="", flush=True)
        how = churn_late if options.late else partial(churn, fast=options.fast)
        outcome = how(
            jdk,
            seed=options.seed,
            seconds=options.seconds,
            sessions=options.sessions,
            vm_args=(f"-XX:+Use{collector}GC", "-Xcheck:jni"),
        )
        print(outcome, flush=True)


def _jdks(options: argparse.Namespace) -> tuple[Jdk, ...]:
    if not options.jdk:
        return jdks_to_test()
    found = tuple(jdk for version in options.jdk if (jdk := jdk_of(version)))
    assert len(found) == len(options.jdk), f"this machine has not all of {options.jdk}"
    return found


def _compute(jdk: Jdk, options: argparse.Namespace) -> None:
    print(f"JDK {jdk.version}, seed {options.seed}: ", end="", flush=True)
    outcome = compute_under_stress(
        jdk,
        seed=options.seed,
        seconds=options.seconds,
        mode="full" if options.full else "auto",
    )
    print(outcome, flush=True)


def main() -> None:
    """Run on each JDK named, else on those of JVMDEBUG_TEST_VERSIONS."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--seconds", type=float, default=60.0)
    length.add_argument("--minutes", type=float)
    parser.add_argument("--sessions", type=int, default=5)
    parser.add_argument("--fast", action="store_true", help="the agent with mode=fast")
    parser.add_argument("--sampling", action="store_true", help="everything that samples")
    parser.add_argument("--probes", action="store_true", help="probes that come and go")
    parser.add_argument("--values", action="store_true", help="values in small classes")
    parser.add_argument(
        "--late",
        action="store_true",
        help="the same, started without an agent",
    )
    parser.add_argument(
        "--collector",
        action="append",
        choices=COLLECTORS,
        help="with --sampling or --probes: only this one",
    )
    parser.add_argument("--jdk", type=int, action="append", help="only this version")
    oracle_marathon.add_options(parser)
    options = parser.parse_args()
    if options.minutes is not None:
        options.seconds = 60 * options.minutes
    if options.programs:
        raise SystemExit(oracle_marathon.go(options, _jdks(options)))
    for jdk in _jdks(options):
        if options.sampling:
            _sample(jdk, options)
            continue
        if options.values:
            _compute(jdk, options)
            continue
        if options.probes or options.late:
            _churn(jdk, options)
            continue
        # Before the run: one that hangs can be repeated.
        print(f"JDK {jdk.version}, seed {options.seed}: ", end="", flush=True)
        outcome = run(
            jdk,
            seed=options.seed,
            seconds=options.seconds,
            sessions=options.sessions,
            fast=options.fast,
        )
        print(outcome, flush=True)


if __name__ == "__main__":
    main()
