# SPDX-License-Identifier: Apache-2.0
"""The times of a link as users have them."""

from __future__ import annotations

from jvmdebug.jdwp import link

TOLD_S = 10.0
GOES_ON_S = 15.0
MOMENT_S = 2.0
"""For a debugger that comes back at once: `kMoment` in native/agent/session_link.cpp."""


def test_how_soon_a_lost_link_is_told() -> None:
    """Each side looks once in an interval."""
    terms = link.terms(link.RECONNECT_S, holds=False)
    assert terms.patience_s + terms.interval_s < TOLD_S
    assert terms.agent_patience_s + terms.interval_s + MOMENT_S < GOES_ON_S
    assert terms.patience_s + terms.interval_s < terms.agent_patience_s
