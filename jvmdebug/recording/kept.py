# SPDX-License-Identifier: Apache-2.0
"""A cache of what was read from a file: the values that were used last, as many as have room."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

K = TypeVar("K", bound="Hashable")
V = TypeVar("V")


class Kept(Generic[K, V]):
    """Values by key, together no more than `most` bytes, but at least the last one. Threads may
    share it; a value is made by one of them.
    """

    def __init__(self, most: int, size_of: Callable[[V], int]) -> None:
        self._most = most
        self._size_of = size_of
        self._lock = threading.RLock()
        self._values: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self.size = 0
        """Bytes of all of them."""

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The value of a key, which is made if it is not kept."""
        with self._lock:
            known = self._values.get(key)
            if known is not None:
                self._values.move_to_end(key)
                return known[0]
            value = make()
            size = self._size_of(value)
            self._values[key] = value, size
            self.size += size
            while self.size > self._most and len(self._values) > 1:
                self.size -= self._values.popitem(last=False)[1][1]
            return value
