# SPDX-License-Identifier: Apache-2.0
"""The conversations about steps and changed stacks with our agent in its fast mode.

There the agent learns of the end of a frame by other means; its events must be the same. CI runs
them on one JDK.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import pytest

from tests.conformance.differential.differences import fits
from tests.conformance.differential.registry import all_conversations
from tests.conformance.differential.running import vms_of
from tests.support.jdks import jdks_to_test
from tests.support.matrix import is_newest, is_whole

if TYPE_CHECKING:
    from tests.support.jdks import Jdk


_NO_EVENTS = ("native_code.exceptions[*", "native_code.entries_and_exits[*")
_OTHERWISE = (
    # Native code clears an exception, or throws one in its place: libjdwp gets no single step
    # from there on and passes the end of the step, the fast mode does not.
    "native_code.out[replaced]",
    "native_code.step_from_an_exception[out]",
    "native_code.walk[swallowed-over]",
    # And one that it throws itself is reported at the second instruction of its handler.
    "native_code.over_the_end[replaced]",
    "native_code.walk[replaced-over]",
    # Out of the first frame of a thread, where native code goes on.
    "native_code.thread_of_native_code[*",
)
"""What the fast mode does without, and where it ends a step elsewhere."""


def _jdks() -> list[object]:
    others = [pytest.mark.agent, pytest.mark.slow]
    return [
        pytest.param(
            jdk,
            id=jdk.label,
            marks=[pytest.mark.agent] if is_whole() or is_newest(jdk) else others,
        )
        for jdk in jdks_to_test()
        if jdk.has_jdwp
    ]


@pytest.mark.parametrize("on", _jdks())
@pytest.mark.parametrize("pattern", ["steps.*", "steps_kept.*", "stacks.*", "native_code.*"])
def test_the_fast_mode_says_the_same(on: Jdk, pattern: str) -> None:
    chosen = [
        one
        for one in all_conversations()
        if fits(one.name, pattern)
        and one.is_for(on.version)
        and not any(fits(one.name, other) for other in (*_NO_EVENTS, *_OTHERWISE))
    ]
    bad = []
    for fixture, held in groupby(chosen, key=lambda one: one.fixture):
        if fixture.runs_on(on):
            with vms_of(fixture, on, "jvmdebug-fast") as vms:
                bad += [verdict for one in held if not (verdict := vms.hold(one)).is_good]
    assert chosen
    assert not bad, "\n".join(map(str, bad))
