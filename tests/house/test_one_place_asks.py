# SPDX-License-Identifier: Apache-2.0
"""Whether a VM has probes, or nothing but probes, is asked where the checker is chosen."""

from __future__ import annotations

import re
from typing import Final

from tests.house.tracked import text_of, tracked_files

_ASKED: Final = re.compile(r"AgentCapability\.(PROBES|BREAKPOINT_EVENTS)\b")
_MAY_ASK: Final = {
    "jvmdebug/breakpoints/checkers.py",
    # They say why something is impossible.
    "jvmdebug/breakpoints/late_checker.py",
    "jvmdebug/breakpoints/location_checker.py",
    # Below the breakpoints: one command in place of many, and what the capability is.
    "jvmdebug/events/clearing.py",
    "jvmdebug/model/agent.py",
    # Steps are another thing, with the same choice.
    "jvmdebug/stepping/stepper.py",
}


def test_only_the_choice_of_a_checker_asks_for_probes() -> None:
    asking = {
        str(path)
        for path in tracked_files()
        if path.suffix == ".py" and path.parts[0] == "jvmdebug"
        if _ASKED.search(text_of(path))
    }
    assert asking == _MAY_ASK
