# SPDX-License-Identifier: Apache-2.0
"""Pages that people read whole stay short: decisions, and the changelog."""

from __future__ import annotations

from typing import Final

from tests.house.tracked import text_of, tracked_files

MOST_OF_A_DECISION: Final = 6_000
"""Bytes of a page in docs/adr; how things work is told in headers, walks and hotspot.md."""
MOST_OF_THE_CHANGELOG: Final = 30_000


def _size(text: str) -> int:
    return len(text.encode())


def test_a_decision_is_one_page() -> None:
    pages = [path for path in tracked_files() if str(path).startswith("docs/adr/")]
    assert len(pages) > 10
    sizes = {path.name: _size(text_of(path)) for path in pages}
    assert {name: size for name, size in sizes.items() if size > MOST_OF_A_DECISION} == {}


def test_the_changelog_has_one_line_for_each_entry() -> None:
    (changelog,) = (path for path in tracked_files() if str(path) == "CHANGELOG.md")
    text = text_of(changelog)
    assert _size(text) <= MOST_OF_THE_CHANGELOG
    lines = text.splitlines()
    entries = [at for at, line in enumerate(lines) if line.startswith("- ")]
    assert len(entries) > 100
    longer = [lines[at] for at in entries if lines[at + 1].startswith(" ")]
    assert longer == [], "what needs more than a line is told in the documentation"
