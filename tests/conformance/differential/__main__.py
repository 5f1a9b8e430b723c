# SPDX-License-Identifier: Apache-2.0
"""Runs conversations from the command line: `python -m tests.conformance.differential [PATTERN]`.

Prints what differs, to write a conversation or to fix the agent with. `--jdk 17` picks the JDKs.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import groupby

from tests.conformance.differential import ledger
from tests.conformance.differential.differences import fits
from tests.conformance.differential.registry import all_conversations
from tests.conformance.differential.running import vms_of
from tests.support.jdks import jdk_of


def main() -> int:
    """The number of conversations in which the agents differ."""
    parser = argparse.ArgumentParser(prog="differential")
    parser.add_argument("patterns", nargs="*", default=["*"])
    parser.add_argument("--jdk", type=int, action="append")
    parser.add_argument("--ledger", action="store_true", help="write ledger.toml again")
    options = parser.parse_args()
    bad = 0
    heard: dict[str, set[str]] = {}
    chosen = [
        one
        for one in all_conversations()
        if any(fits(one.name, pattern) for pattern in options.patterns)
    ]
    for version in options.jdk or [25]:
        jdk = jdk_of(version)
        if jdk is None:
            raise SystemExit(f"no JDK {version}")
        for fixture, held in groupby(chosen, key=lambda one: one.fixture):
            if not fixture.runs_on(jdk):
                continue
            began = time.monotonic()
            with vms_of(fixture, jdk) as vms:
                for one in held:
                    if not one.is_for(version):
                        continue
                    verdict = vms.hold(one)
                    if version == ledger.VERSION:
                        heard[one.name] = verdict.exercised
                    bad += not verdict.is_good
                    if not verdict.is_good:
                        print(verdict)
            print(f"{fixture.name} on {jdk.label}: {time.monotonic() - began:.1f} s")
    if options.ledger:
        ledger.write(heard)
    print(f"{len(chosen)} conversations, {bad} with differences")
    return min(bad, 100)


if __name__ == "__main__":
    sys.exit(main())
