# SPDX-License-Identifier: Apache-2.0
"""Costs grow in proportion: four times the size costs about four times as much.

What costs its square costs sixteen times. Costs are processor time of the threads that serve the
debugger, so that a busy machine does not matter; the limit is well above four for what it does to
caches, and a second measurement decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from tests.scale import vm as orders
from tests.scale.dimensions import DIMENSIONS, Dimension
from tests.scale.vm import running

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

_SMALL: Final = 0.02
"""Of the full size; and four times of it."""
_FACTOR: Final = 4
_LIMIT: Final = 10.0
_IGNORED_MS: Final = 5.0
"""What is cheaper at the larger size costs little whatever its growth."""


def _costs(jdk: Jdk, dimension: Dimension, size: int) -> dict[str, float]:
    """Milliseconds of processor time of each operation."""
    found: dict[str, float] = {}
    with running(
        jdk, "jvmdebug", agent_options=dimension.agent_options, vm_args=dimension.vm_args
    ) as vm:
        for name, operation in dimension.operations(vm, size):
            before = vm.processor_us()
            operation()
            found[name] = (vm.processor_us() - before) / 1000
    return found


def _too_steep(jdk: Jdk, dimension: Dimension, share: float) -> dict[str, str]:
    size = int(dimension.size * share)
    small = _costs(jdk, dimension, size)
    large = _costs(jdk, dimension, _FACTOR * size)
    return {
        name: f"{small[name]:.1f} → {large[name]:.1f} ms"
        for name in small
        if large[name] > max(_IGNORED_MS, _LIMIT * small[name])
    }


@pytest.mark.agent
@pytest.mark.parametrize("dimension", DIMENSIONS, ids=lambda each: each.name.replace(" ", "-"))
@pytest.mark.parametrize(
    "share", [_SMALL, pytest.param(0.25, marks=[pytest.mark.slow, pytest.mark.timeout(600)])]
)
def test_costs_grow_with_the_size_and_no_faster(
    jdk: Jdk, dimension: Dimension, share: float
) -> None:
    if jdk.version < dimension.since:
        pytest.skip(f"{dimension.name}: since Java {dimension.since}")
    found = _too_steep(jdk, dimension, share)
    if found:
        again = _too_steep(jdk, dimension, share)
        found = {name: text for name, text in found.items() if name in again}
    assert found == {}, f"from {dimension.size * share:,.0f} to four times as many"


@pytest.mark.agent
def test_many_known_virtual_threads_start_as_fast_as_few(jdk: Jdk) -> None:
    """What the agent does then is done on their carriers."""
    if jdk.version < 21:
        pytest.skip("virtual threads: since Java 21")

    def cost_of_start(count: int) -> float:
        with running(jdk, "jvmdebug", agent_options="includevirtualthreads=y") as vm:
            before = vm.processor_us(all_threads=True)
            vm.carry_out(orders.VIRTUAL_THREADS, count)
            return vm.processor_us(all_threads=True) - before

    assert cost_of_start(20_000) < _LIMIT * cost_of_start(5_000)
