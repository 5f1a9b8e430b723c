# SPDX-License-Identifier: Apache-2.0
"""Histograms compared: what has grown between two moments. Used by session and dumps alike."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.heap.heap_objects import ClassUsage


@dataclass(frozen=True, slots=True)
class ClassChange:
    """How the objects of one class have changed; negative: there are fewer."""

    type_name: str
    instances: int
    shallow_size: int

    def as_dict(self) -> dict[str, Any]:
        """Returns a dict for JSON."""
        return asdict(self)


def difference(before: Iterable[ClassUsage], after: Iterable[ClassUsage]) -> list[ClassChange]:
    """What has changed, the largest growth in bytes first."""
    changes: dict[str, tuple[int, int]] = {}
    for sign, usages in ((-1, before), (1, after)):
        for usage in usages:
            instances, size = changes.get(usage.type_name, (0, 0))
            changes[usage.type_name] = (
                instances + sign * usage.instances,
                size + sign * usage.shallow_size,
            )
    found = [ClassChange(name, *change) for name, change in changes.items() if any(change)]
    return sorted(found, key=lambda each: (-each.shallow_size, -each.instances, each.type_name))
