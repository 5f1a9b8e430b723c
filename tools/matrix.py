# SPDX-License-Identifier: Apache-2.0
"""The tests on every JDK with every agent: `python -m tools.matrix [--jdk N…] [--part NAME…]`.

Runs one part of the tests on one JDK after the other (`PARTS`), and says which, how long it took
and how it went. Parts that passed are kept in build/matrix, so that a run that was interrupted or
failed goes on where it was when it is started again; a change in the working tree or --again
begins anew. The output of each part is in build/matrix/<jdk>-<part>.log. The conversations of the
differential tests have another order in each run.

`make matrix` calls it with JDK 11, 17, 21 and 25; `make matrix JDKS=21 PARTS="wire evaluate"`
chooses.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import secrets
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.support.jdks import jdk_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

REPOSITORY: Final = Path(__file__).resolve().parents[1]
STATE: Final = REPOSITORY / "build" / "matrix"
JDKS: Final = (11, 17, 21, 25)
PARTS: Final = {
    "unit": ("tests/unit", "tests/fuzz", "tests/house", "tests/scale", "tests/stress"),
    "wire": ("tests/conformance/jdwp", "tests/conformance/robust"),
    "differential": ("tests/conformance/differential",),
    "sessions": (
        "tests/e2e/api",
        "tests/e2e/attributes",
        "tests/e2e/containers",
        "tests/e2e/core",
        "tests/e2e/coverage",
        "tests/e2e/recording",
        "tests/e2e/edge_cases",
        "tests/e2e/heap",
        "tests/e2e/jvmti",
        "tests/e2e/profiling",
        "tests/e2e/dropin",
        "tests/e2e/libraries",
        "tests/e2e/projects",
        "tests/e2e/relay",
        "tests/e2e/remote",
        "tests/e2e/script",
        "tests/e2e/sources",
        "tests/e2e/testing",
    ),
    "evaluate": ("tests/e2e/evaluate",),
    "front-ends": (
        "tests/conformance/dap",
        "tests/e2e/assistant",
        "tests/e2e/cli",
        "tests/e2e/dap",
        "tests/e2e/joining",
        "tests/e2e/editors",
        "tests/e2e/vscode",
    ),
    "slow": ("tests",),
}
"""Name → what pytest is given. `slow` has what takes minutes each and is run when it is named."""


@dataclass(frozen=True)
class Part:
    """A part of the tests on one JDK."""

    jdk: int
    name: str

    def __str__(self) -> str:
        return f"{self.jdk}-{self.name}"

    def command(self, workers: int) -> list[str]:
        """The command of the process that runs it."""
        marks = "slow" if self.name == "slow" else "not slow"
        options = ["-n", str(workers), "-q", "-m", marks, *PARTS[self.name]]
        return [sys.executable, "-m", "tools.tests", *options]


class Results:
    """What passed with which sources, kept in a file."""

    def __init__(self, file: Path, sources: str) -> None:
        self._file = file
        self._sources = sources
        self._passed: dict[str, list[str | float]] = {}
        if file.exists():
            self._passed = json.loads(file.read_text(encoding="utf-8"))

    def seconds(self, part: Part) -> float | None:
        """How long the part took when it passed with these sources; None when it did not."""
        sources, seconds = self._passed.get(str(part), ("", 0.0))
        return float(seconds) if sources == self._sources else None

    def passed(self, part: Part, seconds: float) -> None:
        """Keep that it did."""
        self._passed[str(part)] = [self._sources, round(seconds)]
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(json.dumps(self._passed, indent=1), encoding="utf-8")


def sources() -> str:
    """A digest of the commit and of what is changed since."""
    digest = hashlib.sha256()
    for command in (["git", "rev-parse", "HEAD"], ["git", "diff", "HEAD"]):
        digest.update(subprocess.run(command, cwd=REPOSITORY, check=True, stdout=-1).stdout)
    return digest.hexdigest()


def run_part(part: Part, workers: int) -> bool:
    """Run it, its output in its log; whether it passed."""
    order = os.environ.get("JVMDEBUG_TEST_ORDER", str(secrets.randbelow(1_000_000)))
    environment = os.environ | {
        "JVMDEBUG_TEST_VERSIONS": str(part.jdk),
        "JVMDEBUG_TEST_SETS": "all",
        "JVMDEBUG_TEST_ORDER": order,
    }
    with log_of(part).open("w", encoding="utf-8") as log:
        print(f"JVMDEBUG_TEST_ORDER={order}", file=log, flush=True)
        ran = subprocess.run(
            part.command(workers),
            cwd=REPOSITORY,
            env=environment,
            check=False,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    return ran.returncode == 0


def log_of(part: Part) -> Path:
    """The file with the output of its last run."""
    STATE.mkdir(parents=True, exist_ok=True)
    return STATE / f"{part}.log"


def run(parts: Sequence[Part], results: Results, run_one: Callable[[Part], bool]) -> list[Part]:
    """Run the parts that have not passed yet, and say so; those that failed."""
    failed: list[Part] = []
    for number, part in enumerate(parts, 1):
        title = f"[{number}/{len(parts)}] JDK {part.jdk}, {part.name}"
        if (seconds := results.seconds(part)) is not None:
            print(f"{title}: passed before, in {seconds:.0f} s", flush=True)
            continue
        print(f"{title}: {' '.join(PARTS[part.name])} …", flush=True)
        started = time.monotonic()
        is_good = run_one(part)
        took = time.monotonic() - started
        print(f"{title}: {'passed' if is_good else 'FAILED'}, {took:.0f} s", flush=True)
        if is_good:
            results.passed(part, took)
        else:
            failed.append(part)
    return failed


def main() -> None:
    """Run what is asked for; exits with 1 when something failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jdk", type=int, nargs="+", default=list(JDKS))
    usual = [name for name in PARTS if name != "slow"]
    parser.add_argument("--part", nargs="+", choices=list(PARTS), default=usual)
    parser.add_argument("--again", action="store_true", help="also what has passed already")
    parser.add_argument("-n", type=int, default=2, help="tests at once")
    given = parser.parse_args()
    if missing := [version for version in given.jdk if jdk_of(version) is None]:
        raise SystemExit(f"no JDK {missing}: `make matrix` fetches 11, 17, 21 and 25")
    if given.again:
        (STATE / "passed.json").unlink(missing_ok=True)
    parts = [Part(jdk, name) for jdk in given.jdk for name in given.part]
    results = Results(STATE / "passed.json", sources())
    failed = run(parts, results, lambda part: run_part(part, given.n))
    for part in failed:
        log = log_of(part)
        print(f"\n=== JDK {part.jdk}, {part.name}; all of it is in {log}")
        print("\n".join(log.read_text(encoding="utf-8").splitlines()[-40:]))
    if failed:
        raise SystemExit(
            f"{len(failed)} of {len(parts)} parts failed: {', '.join(map(str, failed))}"
        )
    print(f"all {len(parts)} parts passed")


if __name__ == "__main__":
    main()
