# SPDX-License-Identifier: Apache-2.0
"""The libFuzzer targets of native/fuzz: `python -m tools.fuzzed [--seconds S] [TARGET...]`.

Builds them with the preset `fuzz`, which needs clang 19 with its runtime (installed with apt-get if
this is root), and runs each for the given time, beginning with its seeds. New inputs are kept in
build/fuzz/corpus, failing ones in build/fuzz/found. Without clang it prints the reason and runs
nothing: `ctest` runs the seeds and random changes of them with any compiler. With `--jobs N`, N
targets run at a time, and what one prints is shown when it has ended.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.jdks import REPOSITORY
from tools.system_packages import install

if TYPE_CHECKING:
    from collections.abc import Sequence

BUILD = REPOSITORY / "build" / "fuzz"
SEEDS = REPOSITORY / "native" / "fuzz" / "seeds"
TARGETS = ("framer", "messages", "options", "greetings", "classes", "packets")
_COMPILER = "clang++-19"
_PACKAGES = ["clang-19", "libclang-rt-19-dev"]
_LIVES_ON = "packets"
"""Leaks are not searched here: an agent lives as long as its process; the fake VM counts them."""
_LONGEST_INPUT = 4096
_ONE_INPUT_S = 60


def can_build() -> bool:
    """Whether clang is here with libFuzzer: it makes an empty target."""
    if shutil.which(_COMPILER) is None:
        return False
    target = 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }'
    command = [_COMPILER, "-fsanitize=fuzzer,address", "-x", "c++", "-", "-o", os.devnull]
    made = subprocess.run(command, input=target, text=True, capture_output=True, check=False)
    return made.returncode == 0


def why_not() -> str | None:
    """Why the targets cannot be built here; None if they can."""
    if not can_build() and shutil.which("apt-get") is not None and os.geteuid() == 0:
        install(_PACKAGES)
    if can_build():
        return None
    return f"{_COMPILER} with libFuzzer is needed: apt-get install {' '.join(_PACKAGES)}"


def build(targets: Sequence[str]) -> None:
    """Configure and build these targets."""
    cmake = Path(sys.executable).with_name("cmake")
    environment = os.environ | {"PATH": f"{cmake.parent}{os.pathsep}{os.environ['PATH']}"}
    names = [f"fuzz_{target}" for target in targets]
    configure = [str(cmake), "--preset", "fuzz"]
    for command in (configure, [str(cmake), "--build", "--preset", "fuzz", "--target", *names]):
        subprocess.run(command, cwd=REPOSITORY, env=environment, check=True)


def fuzz(target: str, seconds: int, *, together: bool) -> bool:
    """Run one target; whether it passed. `together`: print what it says when it has ended."""
    corpus = BUILD / "corpus" / target
    found = BUILD / "found" / target
    for folder in (corpus, found):
        folder.mkdir(parents=True, exist_ok=True)
    command = [
        str(BUILD / "native" / "fuzz" / f"fuzz_{target}"),
        f"-max_total_time={seconds}",
        f"-max_len={_LONGEST_INPUT}",
        f"-timeout={_ONE_INPUT_S}",
        f"-detect_leaks={int(target != _LIVES_ON)}",
        f"-artifact_prefix={found}/",
        "-print_final_stats=1",
        str(corpus),
        str(SEEDS / target),
    ]
    environment = dict(os.environ)
    if target == _LIVES_ON:
        # The option above is for one input; the sanitizer looks once more when the process ends.
        environment["ASAN_OPTIONS"] = "detect_leaks=0"
    output = subprocess.PIPE if together else None
    errors = subprocess.STDOUT if together else None
    ran = subprocess.run(
        command, env=environment, stdout=output, stderr=errors, errors="replace", check=False
    )
    if together:
        print(ran.stdout, flush=True)
    return ran.returncode == 0


def main() -> None:
    """Build and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=300, help="for each target")
    parser.add_argument("--jobs", type=int, default=1, help="targets that run at a time")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}")
    options = parser.parse_args()
    if reason := why_not():
        print(f"libFuzzer targets are skipped: {reason}")
        return
    targets = options.targets or TARGETS
    build(targets)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        run_one = functools.partial(fuzz, seconds=options.seconds, together=options.jobs > 1)
        passed = dict(zip(targets, pool.map(run_one, targets), strict=True))
    failed = [target for target in targets if not passed[target]]
    sys.exit(f"found something: {', '.join(failed)}; see {BUILD / 'found'}" if failed else 0)


if __name__ == "__main__":
    main()
