# SPDX-License-Identifier: Apache-2.0
"""Classes with a JSR-45 source map: their lines in steps, their names in filters, by stratum."""

from __future__ import annotations

from tests.conformance.differential.acts import Play, acting, acting_over
from tests.conformance.differential.conversations.reference_type import describe
from tests.conformance.differential.scene import Scene
from tests.conformance.jdwp.stage import CLASS_PREPARE, INTO, OUT, OVER, class_match

STRATA = Scene("strata", "strata", "strata.Strata", marker="stop")
TEMPLATE = "Lstrata/Template;"

IDS = {"of_the_class": "", "java": "Java", "other": "Whole", "unknown": "Kotlin"}


@acting(STRATA, "nothing")
def described(play: Play) -> None:
    """The map as it is; line tables stay those of the class file, whatever the stratum."""
    type_id = play.stage.type(TEMPLATE)
    describe(play.talk, type_id)
    for stratum in ("Whole", ""):
        play.ask("VirtualMachine.SetDefaultStratum", stratum_id=stratum)
        method_id = play.method(TEMPLATE, "applyAsInt")
        play.ask("Method.LineTable", type_id=type_id, method_id=method_id)


def _walk(play: Play, depth: int, stratum: str) -> None:
    """From the call of the mapped method until its caller's next line."""
    play.ask("VirtualMachine.SetDefaultStratum", stratum_id=stratum)
    play.run_to("applyPage")
    only = class_match("strata.*")
    play.step(INTO, only)
    for _ in range(12):
        (event,) = play.step(depth, only)
        if event["location"]["type_id"] == play.stage.type():
            break
    play.vm.ask("VirtualMachine.SetDefaultStratum", stratum_id="")


@acting_over(IDS, STRATA, "apply")
def over(play: Play, stratum: str) -> None:
    """Lines are those of the sources: several of Java's may be one, and some none."""
    _walk(play, OVER, stratum)


@acting_over(IDS, STRATA, "apply")
def into(play: Play, stratum: str) -> None:
    _walk(play, INTO, stratum)


@acting_over(IDS, STRATA, "apply")
def out(play: Play, stratum: str) -> None:
    _walk(play, OUT, stratum)


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
}


@acting_over(SOURCES, STRATA, "load")
def prepared(play: Play, source: str) -> None:
    """Classes by the names of their sources."""
    play.run_to("load")
    play.request(CLASS_PREPARE, {"kind": 12, "pattern": source}, class_match("strata.*"))
    play.to_the_stop()


@acting_over(IDS, STRATA, "load")
def prepared_by_the_names_of_all_strata(play: Play, stratum: str) -> None:
    """Whichever is the default one."""
    play.ask("VirtualMachine.SetDefaultStratum", stratum_id=stratum)
    play.run_to("load")
    for source in ("page.tpl", "whole.w"):
        play.request(CLASS_PREPARE, {"kind": 12, "pattern": source}, class_match("strata.*"))
    play.to_the_stop()
    play.vm.ask("VirtualMachine.SetDefaultStratum", stratum_id="")
