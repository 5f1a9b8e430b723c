# SPDX-License-Identifier: Apache-2.0
"""Gradle: not built yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.projects.errors import ProjectError

if TYPE_CHECKING:
    from pathlib import Path

    from jvmdebug.projects.layout import Layout, SourceSet
    from jvmdebug.projects.work import Work


class Gradle:
    """Gradle for one project: a BuildTool."""

    name = "Gradle"

    def __init__(self, root: Path) -> None:
        self._root = root

    def environment(self) -> str:
        """See BuildTool."""
        return ""

    def ask(self, work: Work) -> Layout:
        """See BuildTool."""
        del work
        raise ProjectError(f"{self._root}: Gradle projects are not supported yet")

    def build(self, source_set: SourceSet, work: Work) -> Layout | None:
        """See BuildTool."""
        del source_set, work
        raise ProjectError(f"{self._root}: Gradle projects are not supported yet")
