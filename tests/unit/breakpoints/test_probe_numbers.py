# SPDX-License-Identifier: Apache-2.0
"""The numbers of probes are few, and come again; the names of their classes do not."""

from __future__ import annotations

from jvmdebug.probes.numbers import ProbeNumbers

_ALL = 0xFFFF


def test_a_class_never_has_the_name_of_one_before() -> None:
    numbers = ProbeNumbers()
    taken = [numbers.take() for _ in range(_ALL)]
    assert set(taken) == set(range(1, _ALL + 1))
    numbers = ProbeNumbers()
    names = {numbers.name("Lshop/Cart;", numbers.take()) for _ in range(2 * _ALL + 1)}
    assert len(names) == 2 * _ALL + 1
