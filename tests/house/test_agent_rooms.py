# SPDX-License-Identifier: Apache-2.0
"""The rooms of the agent include each other in one direction only."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tests.house.tracked import text_of, tracked_files

ORDER: Final = (
    ("platform",),
    ("classfile",),
    ("jvm",),
    ("ids",),
    ("code",),
    ("threads",),
    ("events",),
    ("probes", "throws", "jumps", "origins"),
    ("by_pattern",),
    ("coverage", "recording"),
    ("commands",),
)
"""A room includes those before it, and itself."""

MAY_INCLUDE_ALL: Final = {"events": 1, "probes": 2, "throws": 2}
"""How many files of a room still include `agent.h`, by which they reach everything."""

_LEVEL: Final = {room: level for level, rooms in enumerate(ORDER) for room in rooms}
_INCLUDE: Final = re.compile(r'^#include "((?:agent/)?(\w+)/\w+\.h)"', re.MULTILINE)
_ALL: Final = '#include "agent/agent.h"'


def _files() -> dict[Path, int]:
    found = {}
    for path in tracked_files():
        room = path.parent.name
        is_room = path.parent.parent in {Path("native"), Path("native/agent")}
        if is_room and room in _LEVEL and path.suffix in {".h", ".cpp"}:
            found[path] = _LEVEL[room]
    return found


def test_no_room_includes_one_above_it() -> None:
    upward = {}
    for path, level in _files().items():
        names = frozenset(
            name for name, room in _INCLUDE.findall(text_of(path)) if _LEVEL.get(room, -1) > level
        )
        if names:
            upward[path.relative_to("native").as_posix()] = names
    assert upward == {}


def test_fewer_files_include_everything() -> None:
    found: dict[str, int] = {}
    for path, level in _files().items():
        if _ALL in text_of(path) and level < _LEVEL["commands"]:
            found[path.parent.name] = found.get(path.parent.name, 0) + 1
    assert found.keys() <= MAY_INCLUDE_ALL.keys()
    assert all(count <= MAY_INCLUDE_ALL[room] for room, count in found.items()), found
