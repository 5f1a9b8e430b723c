# SPDX-License-Identifier: Apache-2.0
"""Runs pytest for CI: `python -m tools.tests PYTEST-ARGUMENTS`.

At most three tests that failed are run once more, alone: with every core busy a VM can be late.
The last line names them, and build/run-again keeps it, so that they can be mended; `.ci/run` prints
that file at its end. More failures, or a second one of a test, fail the run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

REPOSITORY = Path(__file__).resolve().parents[1]
RUN_AGAIN = REPOSITORY / "build" / "run-again"
SOME_TESTS_FAILED = 1
MOST_ONCE_MORE = 3


def run_tests(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run pytest, and what failed once more if it is little; the exit code.

    Each run has a cache of its own, as two may be under way at once.
    """
    with tempfile.TemporaryDirectory() as cache:
        return _run_tests([*arguments, "-o", f"cache_dir={cache}"], environment, Path(cache))


def _run_tests(arguments: Sequence[str], environment: Mapping[str, str], cache: Path) -> int:
    pytest = str(Path(sys.executable).with_name("pytest"))
    command = [pytest, *arguments]
    code = subprocess.run(command, cwd=REPOSITORY, env=environment, check=False).returncode
    last_failed = cache / "v" / "cache" / "lastfailed"
    if code != SOME_TESTS_FAILED or not last_failed.exists():
        return code
    failed = list(json.loads(last_failed.read_text(encoding="utf-8")))
    if len(failed) > MOST_ONCE_MORE:
        return code
    print(f"\n=== once more, alone: {', '.join(failed)}", flush=True)
    again = [pytest, "--last-failed", "--last-failed-no-failures=none", *arguments, "-n", "0"]
    code = subprocess.run(again, cwd=REPOSITORY, env=environment, check=False).returncode
    outcome = (
        "failed once and passed when run again" if code == 0 else "failed twice, or one of them"
    )
    line = f"=== {outcome}: {', '.join(failed)}"
    print(line, flush=True)
    RUN_AGAIN.parent.mkdir(exist_ok=True)
    with RUN_AGAIN.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    return code


if __name__ == "__main__":
    sys.exit(run_tests(sys.argv[1:], os.environ))
