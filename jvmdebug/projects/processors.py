# SPDX-License-Identifier: Apache-2.0
"""Tells which jars of a class path bring annotation processors that javac would run."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING, Final

from jvmdebug.regular_file import open_archive, read_entry

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_SERVICE: Final = "META-INF/services/javax.annotation.processing.Processor"
_HARMLESS: Final = (
    "org.apache.logging.log4j.core.config.plugins.processor.PluginProcessor",
    "org.apache.logging.log4j.core.config.plugins.processor.PluginProcessorWithMessages",
)
"""They only serve extensions of their own library."""


def processor_in(class_path: Iterable[Path]) -> str | None:
    """A sentence that names the first jar with one; None if there is none."""
    for jar in class_path:
        if jar.suffix == ".jar" and _has_processor(jar):
            return f"{jar.name} is an annotation processor"
    return None


def _has_processor(jar: Path) -> bool:
    try:
        with open_archive(jar) as archive:
            text = read_entry(archive, _SERVICE).decode("utf-8", "replace")
    except (KeyError, OSError, zipfile.BadZipFile):
        return False
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return any(line and line not in _HARMLESS for line in lines)
