# SPDX-License-Identifier: Apache-2.0
"""The command set that is ours: what the agent says about itself, in both modes.

Never sent to the JDK's own agent, which takes the number of the set for a signed byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.jdwp.stage import OPTIONS, SetConversation, launched, listening_port
from tests.conformance.jdwp.test_session import ours

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

WITHOUT_IN_FAST_MODE = {"exception_events", "method_exit_events"}


@pytest.mark.agent
@pytest.mark.parametrize("mode", ["full", "fast"])
def test_mode_and_capabilities(jdk: Jdk, mode: str) -> None:
    options = OPTIONS if mode == "full" else f"{OPTIONS},mode=fast"
    with launched(jdk, ours(options), "none") as jvm:
        vm = SetConversation(listening_port(jvm))
        reply = vm.ask("Agent.Capabilities")
        assert reply["mode"] == mode
        assert reply["version"].count(".") == 2
        off = {each["name"]: each["reason"] for each in reply["capabilities"] if not each["is_on"]}
        assert set(off) == (WITHOUT_IN_FAST_MODE if mode == "fast" else set())
        assert all("mode=full" in reason for reason in off.values())
        assert {each["name"] for each in reply["capabilities"]} >= WITHOUT_IN_FAST_MODE
        vm.close()
