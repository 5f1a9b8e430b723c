# SPDX-License-Identifier: Apache-2.0
"""The formats of coverage: which there are, which one the name of a file says."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final, cast

from jvmdebug.coverage.errors import CoverageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.coverage.model import Coverage, CoverageFormat

FORMATS: Final[tuple[CoverageFormat, ...]] = ("lcov", "cobertura", "jacoco", "html", "json")
_MODULES: Final = {
    "lcov": "lcov",
    "cobertura": "cobertura",
    "jacoco": "jacoco_xml",
    "html": "html_page",
    "json": "stored",
}
_ENDINGS: Final[dict[str, CoverageFormat]] = {
    ".info": "lcov",
    ".lcov": "lcov",
    ".html": "html",
    ".json": "json",
}


def format_of(name: str) -> CoverageFormat:
    """The format that the name of a file says; CoverageError if it says none."""
    lower = name.lower()
    if lower.endswith(".xml"):
        return "cobertura" if "cobertura" in lower else "jacoco"
    for ending, found in _ENDINGS.items():
        if lower.endswith(ending):
            return found
    raise CoverageError(
        f"{name} does not say the format of the file: name it .info (LCOV), .xml, .html or .json,"
        " or choose one with --format"
    )


def text_of(coverage: Coverage, format_: CoverageFormat, title: str) -> str:
    """All of it in the format."""
    if format_ not in _MODULES:
        raise CoverageError(f"there is no format {format_!r}: choose one of {', '.join(FORMATS)}")
    module = importlib.import_module(f"jvmdebug.coverage.{_MODULES[format_]}")
    return cast("Callable[[Coverage, str], str]", module.written)(coverage, title)
