# SPDX-License-Identifier: Apache-2.0
"""Reads files of coverage, to merge them: our JSON, LCOV, JaCoCo's XML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.coverage.errors import CoverageError
from jvmdebug.os_errors import reason
from jvmdebug.regular_file import read_text

if TYPE_CHECKING:
    from pathlib import Path

    from jvmdebug.coverage.model import Coverage

_MOST_BYTES: Final = 500_000_000


def read_coverage(path: str | Path) -> Coverage:
    """What a file has. CoverageError if it cannot be read, or is none."""
    try:
        text = read_text(path, limit=_MOST_BYTES)
    except OSError as error:
        raise CoverageError(f"{path} cannot be read: {reason(error)}") from None
    except ValueError as error:
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
