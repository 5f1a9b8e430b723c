# SPDX-License-Identifier: Apache-2.0
"""Class files that another java agent was given, compared."""

from __future__ import annotations


def differing(expected: dict[str, bytes], found: dict[str, bytes]) -> list[str]:
    """Names and sizes of those that both have and that are not the same, byte for byte."""
    return sorted(
        f"{name}: {len(content)} bytes bare, {len(found[name])} now"
        for name, content in expected.items()
        if name in found and found[name] != content
    )
