# SPDX-License-Identifier: Apache-2.0
"""The support that the reference states, compared with the agent in both modes.

The declarations name the kinds that go with each modifier, and the capabilities; here each kind is
asked for with each modifier, all of them in one session.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.jdwp_session import VM_START, JdwpSession, session_of
from tests.support.wire_grammar import DECLARATIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm

pytestmark = pytest.mark.agent

_NEEDED = {
    "BREAKPOINT": "LocationOnly",
    "SINGLE_STEP": "Step",
    "FIELD_ACCESS": "FieldOnly",
    "FIELD_MODIFICATION": "FieldOnly",
}
"""What a kind of request does not go without."""
_FIRST_OWN = 100


@cache
def declared(file: str) -> Mapping[str, Any]:
    """One file of the declarations."""
    return tomllib.loads((DECLARATIONS / f"{file}.toml").read_text(encoding="utf-8"))


def kinds() -> dict[str, Mapping[str, Any]]:
    """Event kinds that can be asked for: name → what is declared of the event."""
    names = {n: name for name, n in declared("constants")["enum"]["EventKind"].items()}
    cases = declared("events")["variant"]["Event"]["case"].values()
    asked = [case for case in cases if case["tag"] < _FIRST_OWN and case["tag"] != VM_START]
    return {names[case["tag"]]: case for case in asked}


def expected(modifier: str, kind: str, session: JdwpSession) -> str:
    """How the agent answers to this kind with this modifier, by the declarations."""
    case = declared("events")["variant"]["Modifier"]["case"][modifier]
    if modifier == "PlatformThreadsOnly" and not has_virtual_threads(session):
        return "ILLEGAL_ARGUMENT"
    # A step has one modifier that says how; a second one is one too many.
    twice = modifier == "Step" and _NEEDED.get(kind) == "Step"
    taken = (
        kind in case.get("kinds", [kind]) and kind not in case.get("not_kinds", ()) and not twice
    )
    return "NONE" if taken else "ILLEGAL_ARGUMENT"


def some_array(session: JdwpSession) -> int:
    """A new array of ints."""
    (of_ints,) = session.vm.ask("VirtualMachine.ClassesBySignature", signature="[I")["classes"]
    asked = {"type_id": of_ints["type_id"], "length": 1}
    return int(session.vm.ask("ArrayType.NewInstance", **asked)["new_array"]["id"])


def has_virtual_threads(session: JdwpSession) -> bool:
    """Whether the VM knows them."""
    version: int = session.vm.ask("VirtualMachine.Version")["jdwp_major"]
    since: int = declared("events")["variant"]["Modifier"]["case"]["PlatformThreadsOnly"]["since"]
    return version >= since


@pytest.mark.parametrize("agent", ["jvmdebug", "jvmdebug-fast"])
def test_each_kind_takes_the_modifiers_that_are_declared(jdk: Jdk, agent: AgentInVm) -> None:
    numbers = declared("constants")["enum"]["EventKind"]
    with session_of(jdk, agent, "steps") as session:
        thread = session.run_to("sort")
        modifiers: dict[str, Mapping[str, Any]] = {
            "Count": {"count": 1},
            "Conditional": {"expression_id": 1},
            "ThreadOnly": {"thread": thread},
            "ClassOnly": {"type_id": session.type()},
            "ClassMatch": {"pattern": "none"},
            "ClassExclude": {"pattern": "*"},
            "LocationOnly": {"location": session.place("afterSort")},
            "ExceptionOnly": {"exception_type": 0, "caught": True, "uncaught": True},
            "FieldOnly": {"type_id": session.type(), "field_id": session.field("count")},
            "Step": {"thread": thread, "size": 1, "depth": 1},
            "InstanceOnly": {"instance": 0},
            "SourceNameMatch": {"pattern": "none"},
            "PlatformThreadsOnly": {},
            "NearFrame": {"thread": thread, "above": 0, "budget": 0},
            "ElementStore": {"array": some_array(session), "index": -1},
            "FieldStore": {"letter": ord("I"), "is_static": False},
            "FieldUser": {"name": "count"},
            "ByProbe": {},
            "Shown": {"frames": 20, "bytes": 1000},
        }
        session.vm.ask("Agent.Capabilities")  # who knows them may ask for a probe
        cases = declared("events")["variant"]["Modifier"]["case"]
        assert modifiers.keys() == cases.keys()
        given = {name: {"kind": cases[name]["tag"], **one} for name, one in modifiers.items()}
        wrong = []
        for kind in kinds():
            needed = [given[_NEEDED[kind]]] if kind in _NEEDED else []
            for name in cases:
                fields = {
                    "event_kind": numbers[kind],
                    "suspend_policy": 0,
                    "modifiers": [*needed, given[name]],
                }
                said = session.vm.refusal("EventRequest.Set", **fields)
                right = expected(name, kind, session)
                if said != right:
                    wrong.append(f"{kind} with {name}: {said}, declared: {right}")
        assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("agent", ["jvmdebug", "jvmdebug-fast"])
def test_the_capabilities_that_are_declared_are_on(jdk: Jdk, agent: AgentInVm) -> None:
    with session_of(jdk, agent, "steps") as session:
        bits = session.vm.ask("VirtualMachine.CapabilitiesNew")
        own = session.vm.ask("Agent.Capabilities")
    # The last one, as with the JDK's own agent, although both filter by source names.
    off = {
        "can_add_method",
        "can_unrestrictedly_redefine_classes",
        "can_use_source_name_filters",
    }
    named = {name for name in bits if name.startswith("can_")}
    assert {name for name in named if not bits[name]} == off
    needed = {
        one["capability"]
        for path in DECLARATIONS.glob("*.toml")
        for one in [
            *declared(path.stem).get("command", {}).values(),
            *(
                case
                for each in declared(path.stem).get("variant", {}).values()
                for case in each["case"].values()
            ),
        ]
        if "capability" in one
    }
    assert needed <= named - off
    # What JDWP has no bit for, with the reason and the way out.
    is_off = {one["name"]: one["reason"] for one in own["capabilities"] if not one["is_on"]}
    assert is_off.keys() == ({"method_exit_events"} if agent == "jvmdebug-fast" else set())
    assert all("mode=full" in reason for reason in is_off.values())
