# SPDX-License-Identifier: Apache-2.0
"""Numbers that the agent's Java classes and its C++ code share are the same on both sides."""

from __future__ import annotations

import re

import pytest

from tests.support.jdks import REPOSITORY

AGENT = REPOSITORY / "native" / "agent"


@pytest.mark.parametrize(
    ("java", "declared", "header", "defined"),
    [
        ("JvmdebugThrows", r"IGNORED_BITS = (\d+);", "throws/throw_hook", r"kIgnoredBits = (\d+);"),
        (
            "JvmdebugProbeLog",
            r"SIZE = 1 << (\d+);",
            "probes/probe_classes",
            r"kLogSizePower = (\d+);",
        ),
        ("JvmdebugProbes", r"WAIT = (\d+);", "probes/probe_classes", r"kWait = (\d+);"),
        ("JvmdebugProbes", r"ARRIVE = (\d+);", "probes/probe_classes", r"kArrive = (\d+);"),
    ],
)
def test_both_sides_agree(java: str, declared: str, header: str, defined: str) -> None:
    of_java = (AGENT / "java" / "java" / "lang" / f"{java}.java").read_text("utf-8")
    of_agent = (AGENT / f"{header}.h").read_text("utf-8")
    first, second = re.search(declared, of_java), re.search(defined, of_agent)
    assert first is not None
    assert second is not None
    assert first[1] == second[1]
