# SPDX-License-Identifier: Apache-2.0
"""Collections that another thread was changing without a lock: reading them ends."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.display.views.maps import HashTable
from jvmdebug.display.views.sorted import SortedTree
from jvmdebug.jdwp.ids import ObjectId
from jvmdebug.model.values import NULL, ObjectReference

if TYPE_CHECKING:
    from collections.abc import Sequence

_VM: Any = None
ONE, TWO = (ObjectReference(_VM, ObjectId(number)) for number in (1, 2))


async def test_a_bucket_that_is_a_circle(monkeypatch: pytest.MonkeyPatch) -> None:
    async def read_nodes(nodes: Sequence[ObjectReference], *_names: str) -> list[Any]:
        return [(node, NULL, TWO if node == ONE else ONE) for node in nodes]

    monkeypatch.setattr(layout, "read_nodes", read_nodes)
    async with asyncio.timeout(5):
        entries = await HashTable()._buckets([ONE])
    assert [each.key for each in entries] == [ONE, TWO]


async def test_a_tree_that_is_a_circle(monkeypatch: pytest.MonkeyPatch) -> None:
    async def read_nodes(nodes: Sequence[ObjectReference], *_names: str) -> list[Any]:
        return [(TWO if node == ONE else ONE, NULL, NULL, NULL) for node in nodes]

    async def no_walk(*_asked: object) -> None:
        """The agent cannot do that."""

    async def read_int(_holder: ObjectReference, _name: str) -> int:
        return 2

    async def read_object(_holder: ObjectReference, _name: str) -> ObjectReference:
        return ONE

    monkeypatch.setattr(layout, "read_nodes", read_nodes)
    monkeypatch.setattr(layout, "read_object", read_object)
    monkeypatch.setattr(layout, "read_int", read_int)
    monkeypatch.setattr(layout, "walk", no_walk)
    async with asyncio.timeout(5):
        with pytest.raises(UnknownLayoutError, match="not a tree"):
            await SortedTree().page(ONE, 0, 10)
