# SPDX-License-Identifier: Apache-2.0
"""Reads files of coverage, to merge them: our JSON, LCOV, JaCoCo's XML."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug.coverage.errors import CoverageError

if TYPE_CHECKING:
    from jvmdebug.coverage.model import Coverage


def read_coverage(path: str | Path) -> Coverage:
    """What a file has. CoverageError if it cannot be read, or is none."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CoverageError(f"{path} cannot be read: {error}") from None
    from jvmdebug.coverage import jacoco_xml, lcov, stored  # noqa: PLC0415 - seldom needed

    begins = text.lstrip()[:1]
    try:
        if begins == "{":
            return stored.read(text)
        if begins == "<":
            return jacoco_xml.read(text)
        if "SF:" in text:
            return lcov.read(text)
    except CoverageError as error:
        raise CoverageError(f"{path}: {error}") from None
    raise CoverageError(f"{path} is neither JSON of jvmdebug's, nor LCOV, nor JaCoCo's XML")
