# SPDX-License-Identifier: Apache-2.0
"""Tests of the agent in VMs with -Xcheck:jni: `python -m tools.checked_jni [--short] [ARGS]`.

Makes a wrapper of each JDK whose `java` has that option and writes what the VM says to a file as
well. ARGS go to pytest. Fails when a test fails, and when a VM warned of a JNI call, even though
every test passed: all of them, as the VM does not say which library made a call, and the JDK's own
code and that of the debuggees are not warned of.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
from collections import Counter

from tests.support.jdks import REPOSITORY, jdks_to_test
from tools.sanitized import look_alike
from tools.tests import run_tests

BUILD = REPOSITORY / "build" / "checked-jni"
REPORTS = BUILD / "reports"

OPTIONS = (
    "-Xcheck:jni",
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:+LogVMOutput",
    "-XX:-DisplayVMOutput",  # a test reads what the program writes, or leaves it in the pipe
    f"-XX:LogFile={REPORTS}/%p.log",
)

LIMITS = ("-m", "agent and not slow", "--timeout=180")
SELECTION = (
    "tests/conformance/jdwp",
    "tests/e2e/heap",
    "tests/e2e/jvmti",
    "tests/e2e/profiling",
    *(
        f"tests/e2e/script/test_{name}.py"
        for name in (
            *("contention", "data_breakpoints", "exceptions", "instrumented", "late_attach"),
            *("late_breakpoints", "late_guards", "late_steps", "line_times", "modes"),
            *("plain_probes", "probe_calls", "probes", "probes_in_changed_code", "probes_unseen"),
            *("recorded_calls", "rethrows", "thread_dump", "traces"),
        )
    ),
    "tests/stress/test_sampling.py",
    "tests/stress/test_stress.py",
)
# Its VM cannot write what it says: the folder of the reports is not in its container.
LEFT_OUT = "tests/e2e/script/test_late_attach.py::test_in_a_container_of_another_user"
SHORT = ("tests/e2e/jvmti", "tests/stress/test_sampling.py")

_WARNING = re.compile(
    r"^(?:WARNING|FATAL ERROR)\b.*(?:JNI|native method).*\n"
    r"(?:(?:\s+at |Native frames|[VvCjJ] ).*\n)*",
    re.MULTILINE,
)
_RELEASE = re.compile(r"java\.vm\.specification\.version=(\d+)")


def warnings(text: str) -> list[str]:
    """What the VM says of JNI calls in its output, with the stacks below; nothing of a VM with the
    JDK's agent, which asks for no room for its local references; and nothing of those references
    in the program of the tests of method exits: there the VM itself leaves one behind for each
    object that it reports as returned, whatever the agent does, and before JDK 21 warns of them.
    """
    if "-agentlib:jdwp" in text:
        return []
    found = [each[0].rstrip() for each in _WARNING.finditer(text)]
    release = _RELEASE.search(text)
    if release and int(release[1]) < 21 and "sun.java.command=Returned" in text:
        return [each for each in found if "JNI local refs" not in each]
    return found


def main() -> None:
    """Run the tests, and read what the VMs said."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="the few that CI runs")
    options, arguments = parser.parse_known_args()
    shutil.rmtree(REPORTS, ignore_errors=True)
    REPORTS.mkdir(parents=True)
    homes = [str(look_alike(jdk, BUILD / "jdks", {}, OPTIONS)) for jdk in jdks_to_test()]
    environment = os.environ | {
        "JVMDEBUG_TEST_JDKS": os.pathsep.join(homes),
        "JAVA_HOME": homes[0],
        "PATH": f"{homes[0]}/bin{os.pathsep}{os.environ['PATH']}",
    }
    selection = SHORT if options.short else SELECTION
    code = run_tests([*LIMITS, f"--deselect={LEFT_OUT}", *selection, *arguments], environment)
    counts: Counter[str] = Counter()
    logs = sorted(REPORTS.iterdir())
    for log in logs:
        counts.update(warnings(log.read_text(errors="replace")))
    for warning, count in counts.most_common():
        print(f"--- {count} times", warning[:3000], sep="\n")
    print(f"{len(logs)} VMs, {sum(counts.values())} warnings")
    if not logs:
        raise SystemExit("no VM has written what it says: the check has checked nothing")
    if counts:
        raise SystemExit(f"{sum(counts.values())} warnings of -Xcheck:jni")
    sys.exit(code)


if __name__ == "__main__":
    main()
