# SPDX-License-Identifier: Apache-2.0
"""Steps of every depth and size through every kind of code, and the filters of steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.conformance.differential.acts import WALKS, Play, acting, acting_over
from tests.conformance.differential.conversations.event_requests import offer
from tests.conformance.jdwp.stage import (
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


@acting_over(_walks(), WALKS, "nothing")
def walk(play: Play, walk: Walk) -> None:
    """One request, as many steps as it takes."""
    play.choose(walk.act)
    play.run_to(walk.act)
    filters = JDK if walk.filtered else []
    play.walk(walk.depth, walk.steps, *filters, size=walk.size)


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


@acting_over(OUT_OF, WALKS, "nothing")
def out(play: Play, where: tuple[str, str]) -> None:
    """Out, with and without filters, then out again."""
    act, marker = where
    for filters in ([], JDK):
        play.choose(act)
        play.run_to(marker)
        play.step(OUT, *filters)
        play.step(OUT, *filters)
        play.run_to("stop")


@acting_over(OUT_OF, WALKS, "nothing")
def out_by_instruction(play: Play, where: tuple[str, str]) -> None:
    """Out with the least size; then over."""
    act, marker = where
    play.choose(act)
    play.run_to(marker)
    play.step(OUT, size=MIN)
    play.step(OVER, size=MIN)


NESTED = {
    "privileged": ("privileged", "acts.Walks$Privileged", "run"),
    "constructor": ("objects", "acts.Walks$Parent", "<init>"),
    "child_constructor": ("objects", "acts.Walks$Child", "<init>"),
    "bridge": ("objects", "acts.Walks$Child", "compareTo"),
    "overridden": ("objects", "acts.Walks$Child", "same"),
    "super_called": ("objects", "acts.Walks$Parent", "same"),
    "initialiser": ("objects", "acts.Walks$Initialised", "get"),
}


@acting_over(NESTED, WALKS, "nothing")
def out_of_a_method_by_its_entry(play: Play, where: tuple[str, str, str]) -> None:
    """Stopped by a method entry, out to the caller."""
    act, owner, method = where
    play.choose(act)
    entry = play.request(METHOD_ENTRY, class_match(owner), thread_only(play.thread))
    while True:
        location = play.go()[0]["location"]
        if _name(play, location) == method:
            break
    play.clear(METHOD_ENTRY, entry)
    play.step(OUT)
    play.step(OVER)


def _name(play: Play, location: Message) -> str:
    methods = play.vm.ask("ReferenceType.Methods", type_id=location["type_id"])["methods"]
    return str(next(one["name"] for one in methods if one["method_id"] == location["method_id"]))


@acting(WALKS, "lambdas")
def out_of_a_lambda(play: Play) -> None:
    play.run_to("sort")
    play.step(INTO, *JDK, class_exclude("acts.Walks$$Lambda*"))
    play.step(OUT, *JDK, class_exclude("acts.Walks$$Lambda*"))


@acting(WALKS, "threadRun")
def out_of_the_last_frame(play: Play) -> None:
    """Out of run() and of Thread.run(): what the VM calls next is stepped into."""
    play.run_to("threadBody")
    entry = play.request(METHOD_ENTRY, class_match("acts.Walks"))
    events = play.go()
    play.clear(METHOD_ENTRY, entry)
    runner = events[0]["thread"]
    play.step(OUT, thread=runner)
    play.step(OUT, thread=runner)
    play.step(OUT, thread=runner)


# --- filters --------------------------------------------------------------------------------------


@acting(WALKS, "straight")
def count_of_a_step(play: Play) -> None:
    play.run_to("straight")
    for depth, number in ((OVER, 2), (INTO, 3), (INTO, 1), (OUT, 1)):
        play.begin_step(depth, count(number))
        play.go()


@acting(WALKS, "straight")
def count_before_the_class(play: Play) -> None:
    """A count ends the prediction of what filters will leave out."""
    play.run_to("straight")
    play.begin_step(INTO, count(2), class_exclude("acts.Walks$*"))
    play.go()


@acting(WALKS, "objects")
def class_match_of_a_step(play: Play) -> None:
    play.run_to("objects")
    play.walk(INTO, 12, class_match("acts.Walks$*"))


@acting(WALKS, "objects")
def class_only_of_a_step(play: Play) -> None:
    play.prepare("acts.Walks$Child") if not _is_loaded(play, "Lacts/Walks$Child;") else None
    play.run_to("callSame")
    only = {"kind": 4, "type_id": play.stage.type("Lacts/Walks$Parent;")}
    play.walk(INTO, 8, only)


def _is_loaded(play: Play, signature: str) -> bool:
    return bool(play.vm.ask("VirtualMachine.ClassesBySignature", signature=signature)["classes"])


@acting(WALKS, "straight")
def class_exclude_of_the_class_itself(play: Play) -> None:
    """Nothing is left to stop at but the stop."""
    play.run_to("callMiddle")
    play.begin_step(OVER, class_exclude("acts.*"))
    play.break_at("loop")
    play.go()


@acting(WALKS, "straight")
def location_of_a_step(play: Play) -> None:
    play.run_to("straight")
    play.begin_step(INTO, location_only(play.stage.place("leafEnd")))
    play.go()


@acting(WALKS, "instances")
def instance_of_a_step(play: Play) -> None:
    play.run_to("instances")
    second = play.stage.static("second")
    play.begin_step(INTO, {"kind": 11, "instance": second})
    play.go()


@acting(WALKS, "instances")
def no_instance_of_a_step(play: Play) -> None:
    """Null: in static methods only."""
    play.run_to("own")
    play.walk(INTO, 6, {"kind": 11, "instance": 0})


@acting(WALKS, "straight")
def filters_before_the_step(play: Play) -> None:
    """The order of modifiers is the order in which they are asked."""
    play.run_to("callMiddle")
    step = {"kind": 10, "thread": play.thread, "size": 1, "depth": INTO}
    play.request(SINGLE_STEP, class_match("acts.Walks"), step)
    play.go()
    play.go()


@acting(WALKS, "straight")
def other_thread_of_a_step(play: Play) -> None:
    play.run_to("straight")
    other = play.stage.threads()["Finalizer"]
    play.begin_step(OVER, thread_only(other))
    play.break_at("loop")
    play.go()


@acting(WALKS, "straight")
def source_name_of_a_step(play: Play) -> None:
    play.run_to("straight")
    play.begin_step(OVER, {"kind": 12, "pattern": "Walks.java"})


# --- several requests -----------------------------------------------------------------------------


@acting(WALKS, "straight")
def two_steps_on_one_thread(play: Play) -> None:
    """The second takes the place of the first."""
    play.run_to("callMiddle")
    play.begin_step(OVER)
    second = play.begin_step(INTO)
    play.go()
    play.go()
    play.clear(SINGLE_STEP, second)
    play.break_at("straightEnd")
    play.go()


@acting(WALKS, "straight")
def two_steps_and_the_first_is_cleared(play: Play) -> None:
    play.run_to("callMiddle")
    first = play.begin_step(OVER)
    play.begin_step(INTO)
    play.clear(SINGLE_STEP, first)
    play.break_at("straightEnd")
    play.resume()
    play.talk.next_set(only=kinds)


def kinds(happened: Message) -> Message:
    """Only the kinds and the policy of an event set."""
    bare = [
        {**one, "location": NOWHERE, "thread": 0, "request_id": 0} for one in happened["events"]
    ]
    return {**happened, "events": bare}


NOWHERE = {"tag": 1, "type_id": 0, "method_id": 0, "index": 0}


@acting(WALKS, "straight")
def step_with_breakpoints_on_its_way(play: Play) -> None:
    """A breakpoint in a callee stops; the step goes on afterwards."""
    play.run_to("callMiddle")
    play.break_at("leafEnd")
    play.begin_step(OVER)
    play.go()
    play.go()


@acting(WALKS, "recursion")
def out_to_a_breakpoint_and_on(play: Play) -> None:
    """Both are told at once; then the step goes out of that frame too."""
    play.run_to("fibBase")
    place = play.step(OUT)[0]["location"]
    play.request(BREAKPOINT, location_only(place))
    play.begin_step(OUT)
    play.go()
    play.go()


@acting(WALKS, "straight")
def new_step_inside_another(play: Play) -> None:
    play.run_to("callMiddle")
    inside = play.break_at("leaf")
    step = play.begin_step(OVER)
    play.go()
    play.clear(SINGLE_STEP, step)
    play.clear(BREAKPOINT, inside)
    play.step(OUT)
    play.step(OUT)


@acting(WALKS, "straight")
def step_that_suspends_the_thread_only(play: Play) -> None:
    play.run_to("straight")
    play.begin_step(OVER, policy=EVENT_THREAD)
    play.go()
    play.counts([play.thread, play.stage.threads()["Finalizer"]])
    play.ask("ThreadReference.Resume", thread=play.thread)
    play.talk.next_set()
    play.vm.ask("VirtualMachine.Suspend")
    play.vm.ask("ThreadReference.Resume", thread=play.thread)


@acting(WALKS, "straight")
def odd_sizes_and_depths(play: Play) -> None:
    play.run_to("callMiddle")
    for size, depth in ((7, OVER), (1, 7), (-1, OVER), (1, -1)):
        step = {"kind": 10, "thread": play.thread, "size": size, "depth": depth}
        offer(play, SINGLE_STEP, step)
