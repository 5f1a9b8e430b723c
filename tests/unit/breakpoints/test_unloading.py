# SPDX-License-Identifier: Apache-2.0
"""Breakpoints in classes that the VM unloads while they are looked at."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from jvmdebug.breakpoints import BreakpointOptions
from jvmdebug.sources import parse_spec
from tests.support.fake_classes import FakeMethod

if TYPE_CHECKING:
    from jvmdebug.breakpoints import BreakpointSet
    from tests.support.fake_classes import FakeClasses
    from tests.support.fake_vm import FakeVm

PLAIN = BreakpointOptions()
ADD = FakeMethod("add", "(I)V", lines={0: 5, 4: 6})


@pytest.mark.parametrize("spec", ["shop/Cart.java:6", "shop.Cart#add"])
async def test_a_class_that_is_unloaded_while_its_lines_are_read_is_left_out(
    breakpoints: BreakpointSet, classes: FakeClasses, fake_vm: FakeVm, spec: str
) -> None:
    gone, kept = classes.load("shop.Cart", ADD), classes.load("shop.Cart", ADD)
    fake_vm.hold("Method.LineTable")
    adding = asyncio.create_task(breakpoints.add(parse_spec(spec), PLAIN))
    await fake_vm.wait_for("Method.LineTable", 2)
    classes.unload(gone)
    fake_vm.release("Method.LineTable")
    made = await adding
    assert [each.code.type.id for each in made.locations if each.code] == [kept.id]
