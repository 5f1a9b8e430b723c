# SPDX-License-Identifier: Apache-2.0
"""Static methods that are invoked through a type that inherits them, or does not."""

from __future__ import annotations

from itertools import product

from tests.conformance.differential.calls import GREETER, integer
from tests.conformance.differential.scenarios import (
    MANY_THREADS,
    Scenario,
    scenario_conversations,
)
from tests.support.jdwp_session import SINGLE_THREADED

POLITE_GREETER = "Lscenarios/ManyThreads$PoliteGreeter;"
POLITE = "Lscenarios/ManyThreads$Polite;"
MORE_POLITE = "Lscenarios/ManyThreads$MorePolite;"
"""MorePolite extends Polite, which implements PoliteGreeter, which extends Greeter."""

TYPES = {
    "interface": GREETER,
    "subinterface": POLITE_GREETER,
    "class": POLITE,
    "subclass": MORE_POLITE,
    "object": "Ljava/lang/Object;",
    "array": "[I",
    "stranger": "Ljava/lang/String;",
}
STATIC_METHODS = ((GREETER, "twice"), (POLITE_GREETER, "thrice"), (POLITE, "four"))


@scenario_conversations(TYPES, MANY_THREADS, "nothing")
def invoked_through(scenario: Scenario, through: str) -> None:
    """A class inherits those of its superclasses, and nothing inherits an interface's."""
    for command, (owner, name) in product(("ClassType", "InterfaceType"), STATIC_METHODS):
        scenario.ask(
            f"{command}.InvokeMethod",
            type_id=scenario.session.type(through),
            thread=scenario.thread,
            method_id=scenario.method(owner, name),
            arguments=[integer(5)],
            options=SINGLE_THREADED,
        )
