# SPDX-License-Identifier: Apache-2.0
"""The shape of the agent: a class is in one source file, and has few methods."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final

from tests.house.tracked import text_of, tracked_files

MAX_METHODS: Final = 40

SPREAD: Final = {
    "agent.Session": 2,
    "events.Breakpoints": 2,
    "events.RequestTable": 2,
    "heap.HeapDump": 2,
    "jvm.Env": 3,
    "threads.Suspension": 3,
}
"""Class → over how many files it is spread. The list may only shrink."""

MANY: Final = {
    "ids.ObjectTable": 43,
    "jvm.Env": 119,
}
"""Class → how many methods it has, where these are more than 40. The list may only shrink."""

_METHOD: Final = re.compile(r"^(?![ #}/]).*?\b([A-Z]\w+)::(~?\w+)\(", re.MULTILINE)
"""The beginning of a definition, at the left margin."""


def _methods() -> dict[str, dict[str, set[str]]]:
    """Class → file → methods that are defined there."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path in tracked_files():
        if path.is_relative_to("native/agent") and path.suffix == ".cpp":
            for name, method in _METHOD.findall(text_of(path)):
                found[f"{path.parent.name}.{name}"][path.name].add(method)
    return found


def test_a_class_is_in_one_file() -> None:
    spread = {name: len(files) for name, files in _methods().items() if len(files) > 1}
    assert spread == SPREAD


def test_a_class_has_few_methods() -> None:
    counts = {name: sum(map(len, files.values())) for name, files in _methods().items()}
    assert {name: count for name, count in counts.items() if count > MAX_METHODS} == MANY
