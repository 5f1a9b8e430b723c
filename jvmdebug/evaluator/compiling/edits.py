# SPDX-License-Identifier: Apache-2.0
"""Edits to a text, and mapping positions of the edited text back to the original."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """Characters [start, end) of the original are replaced; an insertion has start == end. Of two
    insertions at one position, the outer one comes first.
    """

    start: int
    end: int
    replacement: str
    is_outer: bool = False

    @property
    def order(self) -> tuple[int, int, bool]:
        return self.start, self.end, not self.is_outer


class EditedText:
    """The original with all edits applied; they must not overlap."""

    def __init__(self, original: str, edits: list[Edit]) -> None:
        self._pieces: list[tuple[int, int]] = []  # (offset in the result, offset in the original)
        parts: list[str] = []
        position = size = 0
        for edit in sorted(edits, key=lambda each: each.order):
            kept = original[position : edit.start]
            for start, part in ((position, kept), (edit.start, edit.replacement)):
                self._pieces.append((size, start))
                parts.append(part)
                size += len(part)
            position = edit.end
        self._pieces.append((size, position))
        parts.append(original[position:])
        self._length = len(original)
        self.text = "".join(parts)

    def original_offset(self, offset: int) -> int:
        """The position in the original; inside a replacement, where the replaced text begins."""
        begin, original = max(
            (piece for piece in self._pieces if piece[0] <= offset), default=(0, 0)
        )
        following = next((start for at, start in self._pieces if at > begin), self._length)
        return min(original + offset - begin, max(following, original))
