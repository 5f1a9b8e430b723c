# SPDX-License-Identifier: Apache-2.0
"""Class files that another java agent was given, compared."""

from __future__ import annotations

import tempfile
from pathlib import Path


def differing(expected: dict[str, bytes], found: dict[str, bytes]) -> list[str]:
    """Names and sizes of those that both have and that are not the same, byte for byte."""
    return sorted(
        f"{name}: {len(content)} bytes bare, {len(found[name])} now"
        for name, content in expected.items()
        if name in found and found[name] != content
    )


def kept(expected: dict[str, bytes], found: dict[str, bytes]) -> Path:
    """A folder with those that differ, in `bare` and `now`, to look at them with javap."""
    folder = Path(tempfile.mkdtemp(prefix="storm-classes-"))
    for kind, files in (("bare", expected), ("now", found)):
        (folder / kind).mkdir()
        for name in expected.keys() & found.keys():
            if expected[name] != found[name]:
                (folder / kind / name).write_bytes(files[name])
    return folder
