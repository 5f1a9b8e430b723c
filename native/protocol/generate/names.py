# SPDX-License-Identifier: Apache-2.0
"""Turns names of the declarations into those of each language."""

from __future__ import annotations

import re

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z][a-z0-9]*|[a-z0-9]+|[A-Z]+")


def snake_case(name: str) -> str:
    """`IDSizes` → `id_sizes`, `ClassesBySignature` → `classes_by_signature`."""
    return "_".join(word.lower() for word in _WORD.findall(name))


def enumerator(name: str) -> str:
    """`INVALID_THREAD` → `kInvalidThread`."""
    return "k" + "".join(word.capitalize() for word in name.split("_"))


def sentence(text: str) -> str:
    """The text with a full stop at its end."""
    return text if text.endswith((".", "?", "!")) else text + "."


def capitalised(text: str) -> str:
    """The text with a big first letter, unless it begins with code."""
    return text[:1].upper() + text[1:]
