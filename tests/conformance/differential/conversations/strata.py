# SPDX-License-Identifier: Apache-2.0
"""Classes with a JSR-45 source map: their lines in steps, their names in filters, by stratum."""

from __future__ import annotations

from tests.conformance.differential.conversations.reference_type import describe
from tests.conformance.differential.fixture import Fixture
from tests.conformance.differential.scenarios import (
    Scenario,
    scenario_conversation,
    scenario_conversations,
)
from tests.support.jdwp_session import CLASS_PREPARE, INTO, OUT, OVER, class_match

STRATA = Fixture("strata", "strata", "strata.Strata", marker="stop")
TEMPLATE = "Lstrata/Template;"

IDS = {"of_the_class": "", "java": "Java", "other": "Whole", "unknown": "Kotlin"}


@scenario_conversation(STRATA, "nothing", fresh=True)
def described(scenario: Scenario) -> None:
    """The map as it is; line tables stay those of the class file, whatever the stratum."""
    type_id = scenario.session.type(TEMPLATE)
    describe(scenario.client, type_id)
    for stratum in ("Whole", ""):
        scenario.ask("VirtualMachine.SetDefaultStratum", stratum_id=stratum)
        method_id = scenario.method(TEMPLATE, "applyAsInt")
        scenario.ask("Method.LineTable", type_id=type_id, method_id=method_id)


def _walk(scenario: Scenario, depth: int, stratum: str) -> None:
    """Steps from the call of the mapped method until its caller's next line."""
    scenario.ask("VirtualMachine.SetDefaultStratum", stratum_id=stratum)
    scenario.run_to("applyPage")
    only = class_match("strata.*")
    scenario.step(INTO, only)
    for _ in range(12):
        (event,) = scenario.step(depth, only)
        if event["location"]["type_id"] == scenario.session.type():
            break
    scenario.vm.ask("VirtualMachine.SetDefaultStratum", stratum_id="")


@scenario_conversations(IDS, STRATA, "apply")
def over(scenario: Scenario, stratum: str) -> None:
    """Lines are those of the sources: several of Java's may be one, and some none."""
    _walk(scenario, OVER, stratum)


@scenario_conversations(IDS, STRATA, "apply")
def into(scenario: Scenario, stratum: str) -> None:
    _walk(scenario, INTO, stratum)


@scenario_conversations(IDS, STRATA, "apply")
def out(scenario: Scenario, stratum: str) -> None:
    _walk(scenario, OUT, stratum)


SOURCES = {
    "of_the_default_stratum": "page.tpl",
    "another_of_it": "part.tpl",
    "of_another_stratum": "whole.w",
    "path": "web/page.tpl",
    "java": "Template.java",
    "end": "*.tpl",
    "beginning": "page*",
    "none": "nowhere.tpl",
    "stratum": "Page",
    "generated_file": "page_tpl.java",
    "end_of_generated_file": "*_tpl.java",
}


@scenario_conversations(SOURCES, STRATA, "load")
def prepared(scenario: Scenario, source: str) -> None:
    """Classes by the names of their sources."""
    scenario.run_to("load")
    scenario.request(CLASS_PREPARE, {"kind": 12, "pattern": source}, class_match("strata.*"))
    scenario.to_the_stop()


@scenario_conversations(IDS, STRATA, "load")
def prepared_by_the_names_of_all_strata(scenario: Scenario, stratum: str) -> None:
    """Whichever is the default one."""
    scenario.ask("VirtualMachine.SetDefaultStratum", stratum_id=stratum)
    scenario.run_to("load")
    for source in ("page.tpl", "whole.w"):
        scenario.request(CLASS_PREPARE, {"kind": 12, "pattern": source}, class_match("strata.*"))
    scenario.to_the_stop()
    scenario.vm.ask("VirtualMachine.SetDefaultStratum", stratum_id="")


OTHER_MAPS = {
    "header_only": "loadHeader",
    "java_stratum_of_its_own": "loadJava",
    "blanks": "loadBlanks",
    "empty_generated_file": "loadEmpty",
    "without_end": "loadWithoutEnd",
    "malformed_file": "loadMalformed",
    "malformed_lines": "loadMalformedLines",
}


@scenario_conversations(OTHER_MAPS, STRATA, "nothing")
def prepared_with_another_map(scenario: Scenario, choice: str) -> None:
    """Shows which of the names count: the generated file's, those of the sources, a prefix of
    either.
    """
    scenario.choose(choice)
    scenario.run_to("loadOther")
    for source in (
        "page_tpl.java",
        "page tpl.java",
        "page tpl.java*",
        "other.java",
        "page.tpl",
        "page.tpl  ",
        "page*",
        "",
    ):
        scenario.request(CLASS_PREPARE, {"kind": 12, "pattern": source}, class_match("strata.*"))
    scenario.to_the_stop()
