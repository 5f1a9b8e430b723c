# SPDX-License-Identifier: Apache-2.0
"""`make scale`: what many threads, classes, frames, elements and objects cost, beside libjdwp.

Prints a table per JDK: per operation the processor time of the threads that serve the debugger
(the agent's own and the VM's), ours, libjdwp's, and the ratio. And how much memory the process
grew by.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING

from tests.scale.dimensions import DIMENSIONS, Dimension
from tests.scale.vm import running
from tests.support.jdks import Jdk, jdks_to_test

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.process import AgentKind

_AGENTS: tuple[AgentKind, ...] = ("jvmdebug", "stock")


def measure(jdk: Jdk, agent: AgentKind, dimension: Dimension, size: int) -> dict[str, str]:
    """Milliseconds of each operation, as text, and the KiB that memory grew by."""
    found: dict[str, str] = {}
    with running(
        jdk, agent, agent_options=dimension.agent_options, vm_args=dimension.vm_args
    ) as vm:
        for name, operation in dimension.operations(vm, size):
            before, began = vm.processor_us(), time.monotonic()
            try:
                operation()
            except AssertionError as refused:
                found[name] = str(refused)
                continue
            except ConnectionError as lost:
                found[name] = str(lost)
                break
            spent = (vm.processor_us() - before) / 1000
            found[name] = f"{spent:,.1f} ({(time.monotonic() - began) * 1000:,.0f})"
            found["resident MiB at the end"] = f"{vm.resident_kib() / 1024:,.0f}"
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the arguments, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.scale", description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the full sizes (1.0)")
    parser.add_argument("--only", default="", help="dimensions whose name begins with this")
    parser.add_argument("--agents", default=",".join(_AGENTS), help="jvmdebug,stock")
    chosen = parser.parse_args(arguments)
    agents = [agent for agent in _AGENTS if agent in chosen.agents.split(",")]
    for jdk in jdks_to_test():
        for dimension in DIMENSIONS:
            if jdk.version < dimension.since or not dimension.name.startswith(chosen.only):
                continue
            size = int(dimension.size * chosen.share)
            print(f"\nJDK {jdk.version}, {size:,} {dimension.name}; ms of processor (of clock)")
            columns = {agent: measure(jdk, agent, dimension, size) for agent in agents}
            for name in columns[agents[0]]:
                cells = "".join(f"{columns[agent].get(name, '-'):>28}" for agent in agents)
                print(f"  {name:26}{cells}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
