# SPDX-License-Identifier: Apache-2.0
"""What the text of a source declares at its head: its package and its imports.

Pure functions, without a parser. Called by `sources` and `projects`.
"""

from __future__ import annotations

import re
from typing import Final

MOST_PARSED: Final = 1 << 20
"""Characters of a source that are parsed: the parser takes 0.2 s for them and lets nothing else run
meanwhile. Longer ones are generated, and what their text would tell is done without.
"""
_NO_CODE: Final = re.compile(
    r'\A#![^\n]*|//[^\n]*|/\*.*?(?:\*/|\Z)|"""(?:.*?)"""|"(?:\\.|[^"\\\n])*"', re.DOTALL
)
_PACKAGE: Final = re.compile(r"(?<![\w.$`])package\s+(?!object\b)([\w.$`]+)")
_IMPORT: Final = re.compile(r"^\s*import\s+(static\s+)?([\w.$]+(?:\.\*)?)\s*;", re.MULTILINE)


def imports_declared(text: str) -> tuple[str, ...]:
    """What a Java source imports: `java.util.List`, `java.util.*`, `static java.lang.Math.max`,
    `static java.lang.Math.*`.
    """
    return tuple(f"static {name}" if static else name for static, name in _IMPORT.findall(text))


def package_declared(text: str) -> str:
    """The package that a Java, Kotlin, Scala or Groovy source declares; empty for none.

    It comes before the first body. Scala may name it in several clauses, one inside the other.
    """
    head = _NO_CODE.sub(" ", text[:MOST_PARSED]).partition("{")[0]
    return ".".join(_PACKAGE.findall(head)).replace("`", "")
