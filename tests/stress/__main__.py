# SPDX-License-Identifier: Apache-2.0
"""`python -m tests.stress [--seed N] [--seconds S] [--sessions N] [--fast]`: a run on each JDK."""

from __future__ import annotations

import argparse
import random

from tests.stress.running import run
from tests.support.jdks import jdks_to_test


def main() -> None:
    """Run on each JDK of JVMDEBUG_TEST_VERSIONS."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--sessions", type=int, default=5)
    parser.add_argument("--fast", action="store_true", help="the agent with mode=fast")
    options = parser.parse_args()
    for jdk in jdks_to_test():
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
