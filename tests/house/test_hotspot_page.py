# SPDX-License-Identifier: Apache-2.0
"""docs/reference/hotspot.md names tests that exist, and all defects that the agent does."""

from __future__ import annotations

import re
from pathlib import Path

from tests.house.tracked import is_generated, text_of, tracked_files
from tests.support.jdks import REPOSITORY

PAGE = Path("docs/reference/hotspot.md")
ELSEWHERE = {
    "8214892": "the option onjcmd=y: docs/reference/jdks.md",
    "8336401": "the option onjcmd=y: docs/reference/jdks.md",
}
"""Numbers that are no defects, with what they are about."""


def test_the_files_and_tests_exist() -> None:
    missing = []
    for name in re.findall(r"`([\w/]+\.(?:cpp|h|py)(?:::\w+)?)`", text_of(PAGE)):
        file, _, test = name.partition("::")
        found = [
            path
            for folder in (".", "tests", "tests/conformance/robust", "native/agent")
            if (path := REPOSITORY / folder / file).is_file()
        ]
        if name == "jvmti.h":
            continue  # the JDK's
        if not found or (test and f"def {test}(" not in found[0].read_text("utf-8")):
            missing.append(name)
    assert not missing


def test_each_defect_that_the_agent_names_is_there() -> None:
    said = set(re.findall(r"JDK-(\d{7})", text_of(PAGE)))
    named: dict[str, str] = {}
    for path in tracked_files():
        if path.parts[:2] == ("native", "agent") and not is_generated(path):
            named |= dict.fromkeys(re.findall(r"JDK-(\d{7})", text_of(path)), str(path))
    assert len(named) > 5
    missing = {
        number: path for number, path in named.items() if number not in said | set(ELSEWHERE)
    }
    assert not missing, "tell them in docs/reference/hotspot.md"
