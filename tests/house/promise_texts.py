# SPDX-License-Identifier: Apache-2.0
"""The sentences in README, docs and public docstrings that promise something.

A sentence promises if it has one of the words below, which is meant to find too many. Each is then
in `promises.toml`: with the tests that hold it, or among those that promise nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tests.support.jdks import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WORDS: Final = re.compile(
    r"\bexact(ly)?\b|\brestores?\b|\bleaves? (nothing|no)\b|\bunchanged\b|\bnever\b"
    r"|\bnothing\b[^.]{0,30}\b(left|stays|remains|lost|frozen|changed)\b"
    r"|\bas (javac|Java)\b|\bas (it|they|the class(es)?|the program) (was|were)\b"
    r"|\bfield by field\b|\blets? (it|the program|an attached one) (run|go) on\b|\bcosts? nothing\b"
    r"|\bresumes? (every|all)|\ball threads run on\b|\bwithout (running|stopping|a stop)\b",
    re.IGNORECASE,
)
_CODE: Final = re.compile(r"^\s*```.*?^\s*```", re.DOTALL | re.MULTILINE)
_INLINE: Final = re.compile(r"`[^`]*`")
_PARAGRAPH: Final = re.compile(r"\n\s*\n|\n(?=\s*[-*#] )|\n(?=\|)")
_END: Final = re.compile(r"(?<=[.:;])\s+(?=[A-Z`*\[\"(])")


def documents() -> list[Path]:
    """What users read. The API reference is made of the public docstrings."""
    docs = REPOSITORY / "docs"
    return [
        *(REPOSITORY / "README.md", REPOSITORY / "SECURITY.md"),
        *sorted((docs / "how-to").glob("*.md")),
        *sorted((docs / "tutorial").glob("*.md")),
        *(docs / "reference" / "api.md", docs / "reference" / "expressions.md"),
    ]


def sentences(text: str) -> Iterator[str]:
    """The sentences of a document, without its code, each on one line."""
    for paragraph in _PARAGRAPH.split(_CODE.sub("", text)):
        yield from _END.split(" ".join(paragraph.split()))


def promising(text: str) -> list[str]:
    """The sentences that promise something, perhaps."""
    return [each for each in sentences(text) if WORDS.search(_INLINE.sub("`", each))]
