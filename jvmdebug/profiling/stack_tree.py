# SPDX-License-Identifier: Apache-2.0
"""Stacks as paths in a tree: each node is a frame and its callers.

Owns the tree and the values at its nodes, added up by thread and state. Filled by `sampling` and
`contended`, read by `profile` and by what writes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT: Final = 0


@dataclass(frozen=True, slots=True)
class ProfiledFrame:
    """A frame of a stack; `str(frame)` is `shop.Cart.add:42`."""

    type_name: str
    """Empty if its class was unloaded before it could be asked."""
    method: str
    source: str
    """The name of the source file; empty if it is not known."""
    line: int | None

    @property
    def name(self) -> str:
        """`shop.Cart.add`."""
        return f"{self.type_name}.{self.method}" if self.type_name else self.method

    def __str__(self) -> str:
        return self.name if self.line is None else f"{self.name}:{self.line}"


class Key(NamedTuple):
    """What a value belongs to."""

    thread: int
    node: int
    state: str


class StackTree:
    """Node 0 is the root, a stack without frames."""

    def __init__(self) -> None:
        self.parents: list[int] = [ROOT]
        self.frames: list[ProfiledFrame | None] = [None]
        self.values: dict[Key, tuple[int, int]] = {}
        """How often it was seen, and the value."""
        self._children: dict[tuple[int, ProfiledFrame], int] = {}

    def __len__(self) -> int:
        return len(self.parents)

    def append(self, parent: int, frame: ProfiledFrame) -> int:
        """A node that is new."""
        self.parents.append(parent)
        self.frames.append(frame)
        return len(self.parents) - 1

    def node(self, frames: Iterable[ProfiledFrame]) -> int:
        """The node of a stack, whose topmost frame is the last."""
        current = ROOT
        for frame in frames:
            key = (current, frame)
            found = self._children.get(key)
            if found is None:
                found = self._children[key] = self.append(current, frame)
            current = found
        return current

    def add(self, key: Key, count: int, value: int) -> None:
        """More of the same."""
        counted, sum_ = self.values.get(key, (0, 0))
        self.values[key] = (counted + count, sum_ + value)

    def stack(self, node: int) -> Iterator[ProfiledFrame]:
        """The frames of a node, the topmost first."""
        while node != ROOT:
            frame = self.frames[node]
            if frame is not None:
                yield frame
            node = self.parents[node]
