# SPDX-License-Identifier: Apache-2.0
"""Class filters on hidden classes, whose names have a slash: `scenarios.Plain/0x…`.

The wire has the VM's signature, `Lscenarios/Plain.0x…;`. The filters compare Java's name.
"""

from __future__ import annotations

from tests.conformance.differential.conversations.occurrences import record_until_unloaded
from tests.conformance.differential.scenarios import (
    EVENTS,
    Scenario,
    scenario_conversation,
    scenario_conversations,
)
from tests.support.jdwp_session import (
    CLASS_PREPARE,
    CLASS_UNLOAD,
    METHOD_ENTRY,
    NONE,
    class_exclude,
    class_match,
)

PATTERNS = {
    "match": class_match("scenarios.Plain/0x*"),
    "match_package": class_match("scenarios.Pl*"),
    "match_with_dot": class_match("scenarios.Plain.0x*"),
    "match_with_slashes": class_match("scenarios/Plain*"),
    "match_class_name": class_match("scenarios.Plain"),
    "exclude": class_exclude("scenarios.Plain/0x*"),
    "exclude_with_dot": class_exclude("scenarios.Plain.0x*"),
}


@scenario_conversations(PATTERNS, EVENTS, "hidden", least_version=15)
def prepared_or_entered(scenario: Scenario, modifier: dict[str, object]) -> None:
    scenario.run_to("hidden")
    own = class_exclude("java.*"), class_exclude("sun.*"), class_exclude("jdk.*")
    scenario.request(CLASS_PREPARE, modifier, *own, class_exclude("scenarios.Hidden"))
    scenario.request(METHOD_ENTRY, modifier, *own, class_match("scenarios.Pl*"))
    scenario.to_the_stop()


@scenario_conversation(EVENTS, "unloadHidden", least_version=15)
def unloaded(scenario: Scenario) -> None:
    """A class that the other conversations do not use."""
    scenario.run_to("unloadHidden")
    for modifiers in (
        (class_match("scenarios.Ghost/0x*"),),
        (class_match("scenarios.Gh*"), class_exclude("scenarios.Ghost.0x*")),
        (class_match("scenarios.Ghost.0x*"),),
        (class_match("scenarios.Gh*"), class_exclude("scenarios.Ghost/0x*")),
    ):
        scenario.request(CLASS_UNLOAD, *modifiers, policy=NONE)
    record_until_unloaded(scenario)
