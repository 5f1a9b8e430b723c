# SPDX-License-Identifier: Apache-2.0
"""Tells which VM this is, as it says itself. Made by `virtual_machine`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_SHORTEST_SINCE: Final = 19


@dataclass(frozen=True, slots=True)
class VmVersion:
    """The VM's description of itself. `feature_release` is 8 for 1.8.0_422 and 17 for 17.0.15."""

    description: str
    jdwp: tuple[int, int]
    vm_version: str
    vm_name: str
    feature_release: int

    @property
    def writes_numbers_longer(self) -> bool:
        """Whether string conversion gives some float and double numbers more digits than they need,
        as before JDK 19 (JDK-4511638).
        """
        return self.feature_release < _SHORTEST_SINCE


def feature_release(version: str) -> int:
    """`1.8.0_422` → 8, `17.0.15` → 17, `25-ea` → 25; 0 when it is not known."""
    found = re.match(r"(?:1\.)?(\d+)", version)
    return int(found.group(1)) if found else 0
