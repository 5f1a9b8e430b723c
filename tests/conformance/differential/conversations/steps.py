# SPDX-License-Identifier: Apache-2.0
"""Steps of every depth and size through every kind of code, and the filters of steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.conformance.differential.conversations.event_requests import offer
from tests.conformance.differential.scenarios import (
    WALKS,
    Scenario,
    scenario_conversation,
    scenario_conversations,
)
from tests.support.jdwp_session import (
    BREAKPOINT,
    EVENT_THREAD,
    INTO,
    METHOD_ENTRY,
    MIN,
    OUT,
    OVER,
    SINGLE_STEP,
    class_exclude,
    class_match,
    count,
    location_only,
    thread_only,
)

if TYPE_CHECKING:
    from tests.support.wire_reading import Message

JDK = [class_exclude(name) for name in ("java.*", "javax.*", "sun.*", "com.sun.*", "jdk.*")]
"""What IDEs ask for."""

ACTS = (
    "straight",
    "recursion",
    "exceptions",
    "reflection",
    "privileged",
    "natives",
    "objects",
    "lambdas",
    "instances",
    "monitors",
)


@dataclass(frozen=True)
class Walk:
    """A step request to be followed through an act."""

    act: str
    depth: int
    steps: int
    size: int = 1
    filtered: bool = False


def _walks() -> dict[str, Walk]:
    walks: dict[str, Walk] = {}
    for act in ACTS:
        walks[f"{act}-over"] = Walk(act, OVER, 30)
        walks[f"{act}-into"] = Walk(act, INTO, 60, filtered=True)
        walks[f"{act}-into-the-jdk"] = Walk(act, INTO, 25)
        walks[f"{act}-instructions-over"] = Walk(act, OVER, 40, size=MIN)
        walks[f"{act}-instructions-into"] = Walk(act, INTO, 60, size=MIN)
    return walks


@scenario_conversations(_walks(), WALKS, "nothing")
def walk(scenario: Scenario, walk: Walk) -> None:
    """One request, as many steps as it takes."""
    scenario.choose(walk.act)
    scenario.run_to(walk.act)
    filters = JDK if walk.filtered else []
    scenario.walk(walk.depth, walk.steps, *filters, size=walk.size)


OUT_OF = {
    "leaf": ("straight", "leaf"),
    "fibBase": ("recursion", "fibBase"),
    "fibRight": ("recursion", "fibRight"),
    "throw": ("exceptions", "throw"),
    "innerCatch": ("exceptions", "innerCatch"),
    "target": ("reflection", "target"),
    "apply": ("lambdas", "apply"),
    "own": ("instances", "own"),
    "inside": ("monitors", "inside"),
}


@scenario_conversations(OUT_OF, WALKS, "nothing")
def out(scenario: Scenario, where: tuple[str, str]) -> None:
    """Steps out, with and without filters, then out again."""
    act, marker = where
    for filters in ([], JDK):
        scenario.choose(act)
        scenario.run_to(marker)
        scenario.step(OUT, *filters)
        scenario.step(OUT, *filters)
        scenario.run_to("stop")


@scenario_conversations(OUT_OF, WALKS, "nothing")
def out_by_instruction(scenario: Scenario, where: tuple[str, str]) -> None:
    """Steps out with the least size; then over."""
    act, marker = where
    scenario.choose(act)
    scenario.run_to(marker)
    scenario.step(OUT, size=MIN)
    scenario.step(OVER, size=MIN)


NESTED = {
    "privileged": ("privileged", "scenarios.Walks$Privileged", "run"),
    "constructor": ("objects", "scenarios.Walks$Parent", "<init>"),
    "child_constructor": ("objects", "scenarios.Walks$Child", "<init>"),
    "bridge": ("objects", "scenarios.Walks$Child", "compareTo"),
    "overridden": ("objects", "scenarios.Walks$Child", "same"),
    "super_called": ("objects", "scenarios.Walks$Parent", "same"),
    "initialiser": ("objects", "scenarios.Walks$Initialised", "get"),
}


@scenario_conversations(NESTED, WALKS, "nothing")
def out_of_a_method_by_its_entry(scenario: Scenario, where: tuple[str, str, str]) -> None:
    """Stopped by a method entry, out to the caller."""
    act, owner, method = where
    scenario.choose(act)
    entry = scenario.request(METHOD_ENTRY, class_match(owner), thread_only(scenario.thread))
    while True:
        location = scenario.go()[0]["location"]
        if _name(scenario, location) == method:
            break
    scenario.clear(METHOD_ENTRY, entry)
    scenario.step(OUT)
    scenario.step(OVER)


def _name(scenario: Scenario, location: Message) -> str:
    methods = scenario.vm.ask("ReferenceType.Methods", type_id=location["type_id"])["methods"]
    return str(next(one["name"] for one in methods if one["method_id"] == location["method_id"]))


@scenario_conversation(WALKS, "lambdas")
def out_of_a_lambda(scenario: Scenario) -> None:
    scenario.run_to("sort")
    scenario.step(INTO, *JDK, class_exclude("scenarios.Walks$$Lambda*"))
    scenario.step(OUT, *JDK, class_exclude("scenarios.Walks$$Lambda*"))


@scenario_conversation(WALKS, "threadRun")
def out_of_the_last_frame(scenario: Scenario) -> None:
    """Steps out of run() and of Thread.run(): what the VM calls next is stepped into."""
    scenario.run_to("threadBody")
    entry = scenario.request(METHOD_ENTRY, class_match("scenarios.Walks"))
    events = scenario.go()
    scenario.clear(METHOD_ENTRY, entry)
    runner = events[0]["thread"]
    scenario.step(OUT, thread=runner)
    scenario.step(OUT, thread=runner)
    scenario.step(OUT, thread=runner)


# --- filters --------------------------------------------------------------------------------------


@scenario_conversation(WALKS, "straight")
def count_of_a_step(scenario: Scenario) -> None:
    scenario.run_to("straight")
    for depth, number in ((OVER, 2), (INTO, 3), (INTO, 1), (OUT, 1)):
        scenario.begin_step(depth, count(number))
        scenario.go()


@scenario_conversation(WALKS, "straight")
def count_before_the_class(scenario: Scenario) -> None:
    """A count ends the prediction of what filters will leave out."""
    scenario.run_to("straight")
    scenario.begin_step(INTO, count(2), class_exclude("scenarios.Walks$*"))
    scenario.go()


@scenario_conversation(WALKS, "objects")
def class_match_of_a_step(scenario: Scenario) -> None:
    scenario.run_to("objects")
    scenario.walk(INTO, 12, class_match("scenarios.Walks$*"))


@scenario_conversation(WALKS, "objects")
def class_only_of_a_step(scenario: Scenario) -> None:
    scenario.prepare("scenarios.Walks$Child") if not _is_loaded(
        scenario, "Lscenarios/Walks$Child;"
    ) else None
    scenario.run_to("callSame")
    only = {"kind": 4, "type_id": scenario.session.type("Lscenarios/Walks$Parent;")}
    scenario.walk(INTO, 8, only)


def _is_loaded(scenario: Scenario, signature: str) -> bool:
    return bool(
        scenario.vm.ask("VirtualMachine.ClassesBySignature", signature=signature)["classes"]
    )


@scenario_conversation(WALKS, "straight")
def class_exclude_of_the_class_itself(scenario: Scenario) -> None:
    """Nothing is left to stop at but the stop."""
    scenario.run_to("callMiddle")
    scenario.begin_step(OVER, class_exclude("scenarios.*"))
    scenario.break_at("loop")
    scenario.go()


@scenario_conversation(WALKS, "straight")
def location_of_a_step(scenario: Scenario) -> None:
    scenario.run_to("straight")
    scenario.begin_step(INTO, location_only(scenario.session.place("leafEnd")))
    scenario.go()


@scenario_conversation(WALKS, "instances")
def instance_of_a_step(scenario: Scenario) -> None:
    scenario.run_to("instances")
    second = scenario.session.static("second")
    scenario.begin_step(INTO, {"kind": 11, "instance": second})
    scenario.go()


@scenario_conversation(WALKS, "instances")
def no_instance_of_a_step(scenario: Scenario) -> None:
    """Null: in static methods only."""
    scenario.run_to("own")
    scenario.walk(INTO, 6, {"kind": 11, "instance": 0})


@scenario_conversation(WALKS, "straight")
def filters_before_the_step(scenario: Scenario) -> None:
    """The order of modifiers is the order in which they are asked."""
    scenario.run_to("callMiddle")
    step = {"kind": 10, "thread": scenario.thread, "size": 1, "depth": INTO}
    scenario.request(SINGLE_STEP, class_match("scenarios.Walks"), step)
    scenario.go()
    scenario.go()


@scenario_conversation(WALKS, "straight")
def other_thread_of_a_step(scenario: Scenario) -> None:
    scenario.run_to("straight")
    other = scenario.session.threads()["Finalizer"]
    scenario.begin_step(OVER, thread_only(other))
    scenario.break_at("loop")
    scenario.go()


@scenario_conversation(WALKS, "straight")
def source_name_of_a_step(scenario: Scenario) -> None:
    scenario.run_to("straight")
    scenario.begin_step(OVER, {"kind": 12, "pattern": "Walks.java"})


# --- several requests -----------------------------------------------------------------------------


@scenario_conversation(WALKS, "straight")
def two_steps_on_one_thread(scenario: Scenario) -> None:
    """The second takes the place of the first."""
    scenario.run_to("callMiddle")
    scenario.begin_step(OVER)
    second = scenario.begin_step(INTO)
    scenario.go()
    scenario.go()
    scenario.clear(SINGLE_STEP, second)
    scenario.break_at("straightEnd")
    scenario.go()


@scenario_conversation(WALKS, "straight")
def two_steps_and_the_first_is_cleared(scenario: Scenario) -> None:
    scenario.run_to("callMiddle")
    first = scenario.begin_step(OVER)
    scenario.begin_step(INTO)
    scenario.clear(SINGLE_STEP, first)
    scenario.break_at("straightEnd")
    scenario.resume()
    scenario.client.next_set(only=kinds)


def kinds(happened: Message) -> Message:
    """Only the kinds and the policy of an event set."""
    bare = [
        {**one, "location": NOWHERE, "thread": 0, "request_id": 0} for one in happened["events"]
    ]
    return {**happened, "events": bare}


NOWHERE = {"tag": 1, "type_id": 0, "method_id": 0, "index": 0}


@scenario_conversation(WALKS, "straight")
def step_with_breakpoints_on_its_way(scenario: Scenario) -> None:
    """A breakpoint in a callee stops; the step goes on afterwards."""
    scenario.run_to("callMiddle")
    scenario.break_at("leafEnd")
    scenario.begin_step(OVER)
    scenario.go()
    scenario.go()


@scenario_conversation(WALKS, "recursion")
def out_to_a_breakpoint_and_on(scenario: Scenario) -> None:
    """Steps out to a breakpoint: both are reported in one event set; then the step goes out of that
    frame too.
    """
    scenario.run_to("fibBase")
    place = scenario.step(OUT)[0]["location"]
    scenario.request(BREAKPOINT, location_only(place))
    scenario.begin_step(OUT)
    scenario.go()
    scenario.go()


@scenario_conversation(WALKS, "straight")
def new_step_inside_another(scenario: Scenario) -> None:
    scenario.run_to("callMiddle")
    inside = scenario.break_at("leaf")
    step = scenario.begin_step(OVER)
    scenario.go()
    scenario.clear(SINGLE_STEP, step)
    scenario.clear(BREAKPOINT, inside)
    scenario.step(OUT)
    scenario.step(OUT)


@scenario_conversation(WALKS, "straight")
def step_that_suspends_the_thread_only(scenario: Scenario) -> None:
    scenario.run_to("straight")
    scenario.begin_step(OVER, policy=EVENT_THREAD)
    scenario.go()
    scenario.counts([scenario.thread, scenario.session.threads()["Finalizer"]])
    scenario.ask("ThreadReference.Resume", thread=scenario.thread)
    scenario.client.next_set()
    scenario.vm.ask("VirtualMachine.Suspend")
    scenario.vm.ask("ThreadReference.Resume", thread=scenario.thread)


@scenario_conversation(WALKS, "straight")
def odd_sizes_and_depths(scenario: Scenario) -> None:
    scenario.run_to("callMiddle")
    for size, depth in ((7, OVER), (1, 7), (-1, OVER), (1, -1)):
        step = {"kind": 10, "thread": scenario.thread, "size": size, "depth": depth}
        offer(scenario, SINGLE_STEP, step)
