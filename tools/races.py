# SPDX-License-Identifier: Apache-2.0
"""The agent under ThreadSanitizer, with a busy program: `python -m tools.races [--seconds S]`.

Builds the agent with the preset `tsan`, runs tests/stress (random debuggers, everything that
samples, probes that come and go) on each JDK whose `java` preloads the sanitizer's runtime, and
reads the reports. The VM and the code that it compiles are not instrumented, so most reports are
about them: a race counts only if both accesses are the agent's own. Suppressions cannot express
that; they match any frame, and the VM is below every callback of the agent.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys

from tests.support.jdks import REPOSITORY, jdks_to_test
from tools.sanitized import build, look_alike, runtime

BUILD = REPOSITORY / "build" / "tsan"
REPORTS = BUILD / "reports"

_OURS = "libjvmdebug.so"
# What stands above the agent's own frame when it calls into these.
_PASSED_OVER = ("libtsan", "libstdc++", "libc.so", "libgcc", "libpthread")
# An atomic shared_ptr has a lock in its pointer, which libstdc++ 12 gives back after a load without
# an order that the sanitizer could see (memory_order_relaxed).
_LOCKED_BY_ITSELF = "std::_Sp_atomic<"
_MODULE = re.compile(r"^\s+#\d+ .*\(([^()\s]+?)\+0x[0-9a-f]+\)", re.MULTILINE)
_ACCESS = re.compile(
    r"^\s+(?:Previous )?(?:atomic )?(?:read|write) of size.*?(?=^\s*$)",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)


def is_ours(access: str) -> bool:
    """Whether the stack of an access ends in the agent, not in what the agent called."""
    if _LOCKED_BY_ITSELF in access.partition("#1 ")[0]:
        return False
    modules: list[str] = _MODULE.findall(access)
    own = [name for name in modules if not name.startswith(_PASSED_OVER)]
    return bool(own) and own[0].startswith(_OURS)


def races(text: str) -> list[str]:
    """The reports of data races in which both accesses are the agent's own."""
    reports = [part for part in re.split(r"^=+$", text, flags=re.MULTILINE) if "data race" in part]
    found: list[str] = []
    for report in reports:
        accesses = _ACCESS.findall(report + "\n\n")
        if len(accesses) >= 2 and all(is_ours(access) for access in accesses[:2]):
            found.append(report.strip())
    return found


def main() -> None:
    """Build, run, and check the reports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fast", action="store_true", help="the agent with mode=fast")
    options = parser.parse_args()
    os.environ["JVMDEBUG_AGENT"] = str(build("tsan"))
    shutil.rmtree(REPORTS, ignore_errors=True)
    REPORTS.mkdir(parents=True)
    settings = {
        "LD_PRELOAD": f"{runtime('libtsan.so')} {runtime('libstdc++.so.6')}",
        "TSAN_OPTIONS": f"exitcode=0:report_signal_unsafe=0:log_path={REPORTS}/report",
    }
    # After JVMDEBUG_AGENT is there: the tests' support reads it when a VM is started.
    from tests.stress import random_client  # noqa: PLC0415
    from tests.stress.churn_running import churn  # noqa: PLC0415
    from tests.stress.running import run  # noqa: PLC0415
    from tests.stress.sampling import sample_under_stress  # noqa: PLC0415

    random_client.GOES_ON_S *= 6  # what the sanitizer watches is slower

    for jdk in jdks_to_test():
        home = look_alike(jdk, BUILD / "jdks", settings)
        sanitizing = type(jdk)(home, jdk.version)
        outcome = run(sanitizing, seed=options.seed, seconds=options.seconds, fast=options.fast)
        print(f"JDK {jdk.version}, seed {options.seed}: {outcome}", flush=True)
        sampled = sample_under_stress(
            sanitizing,
            "G1",
            seed=options.seed,
            seconds=options.seconds,
            sessions=3,
            fast=options.fast,
        )
        print(f"JDK {jdk.version}, seed {options.seed}: {sampled}", flush=True)
        churned = churn(
            sanitizing,
            seed=options.seed,
            seconds=options.seconds,
            sessions=3,
            fast=options.fast,
        )
        print(f"JDK {jdk.version}, seed {options.seed}: {churned}", flush=True)
    found = [
        race
        for report in sorted(REPORTS.iterdir())
        for race in races(report.read_text(errors="replace"))
    ]
    for race in found:
        print("---", race[:6000], sep="\n")
    sys.exit(f"{len(found)} race(s) in the agent" if found else 0)


if __name__ == "__main__":
    main()
