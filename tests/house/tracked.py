# SPDX-License-Identifier: Apache-2.0
"""The tracked files of the repository, as the house rules see them."""

from __future__ import annotations

import ast
import subprocess
from functools import cache
from pathlib import Path

from tests.support.jdks import REPOSITORY

SOURCE_SUFFIXES = frozenset(
    {".py", ".pyi", ".cpp", ".h", ".java", ".ts", ".mjs", ".toml", ".cmake", ".sh", ".map"}
)


@cache
def tracked_files() -> tuple[Path, ...]:
    """Files that git tracks and that exist, relative to the repository."""
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=REPOSITORY, check=True, capture_output=True, text=True
    )
    paths = [Path(name) for name in listing.stdout.split("\0") if name]
    return tuple(path for path in paths if (REPOSITORY / path).is_file())


def is_generated(path: Path) -> bool:
    """Whether a program writes that file."""
    return "generated" in path.parts or path.name == "package-lock.json"


@cache
def text_of(path: Path) -> str:
    """The text of a tracked file; empty for what is no text."""
    try:
        return (REPOSITORY / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a tracked file of Python, read once for all rules."""
    return ast.parse(text_of(path))
