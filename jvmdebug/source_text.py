# SPDX-License-Identifier: Apache-2.0
"""What the text of a source declares at its head: its package and its imports.

Pure functions, without a parser. Called by `sources` and `projects`.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

MOST_PARSED: Final = 1 << 20
"""Characters of a source that are parsed: the parser takes 0.2 s for them and lets nothing else run
meanwhile. Longer ones are generated, and what their text would tell is done without.
"""
_NO_CODE: Final = re.compile(
    r'\A#![^\n]*|//[^\n]*|/\*.*?(?:\*/|\Z)|"""(?:.*?)"""|"(?:\\.|[^"\\\n])*"', re.DOTALL
)
_WITH_PACKAGES: Final = frozenset(
    {"java", "kt", "kts", "scala", "sc", "groovy", "gradle", "gvy", "gy", "gsh", "aj", "xtend"}
)
"""The suffixes of files in languages that have a package clause; without one in the text, the
classes are in the unnamed package.
"""
_SCALA: Final = re.compile(
    r"(?<![\w.$`])package\s+(?P<object>object\s+)?(?P<name>[\w.$`]+)(?P<opens>\s*[{:])?|[{}]"
)
_SCALA_CHARACTER: Final = re.compile(r"'(?:\\.|[^\\'\n])'")
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


def is_in_a_package(path: str) -> bool:
    """Whether the classes of such a source are in the package that its text or its directory names.

    Those of pages (JSP, templates) are where their container puts them.
    """
    return path.rpartition(".")[2] in _WITH_PACKAGES | {"clj", "cljc"}


def packages_declared(text: str, path: str) -> frozenset[str] | None:
    """The packages of the classes in a source file: one, but for Scala.

    None if the language, which the name of the file tells, has no package clause (Clojure, JSP), so
    the text does not tell.
    """
    suffix = path.rpartition(".")[2]
    if suffix not in _WITH_PACKAGES:
        return None
    return (
        _scala_packages(text) if suffix in ("scala", "sc") else frozenset({package_declared(text)})
    )


class _Clause(NamedTuple):
    """A package clause of Scala that is open."""

    name: str
    depth: int
    """The number of braces around what is in it."""
    column: int | None
    """Where it begins, if the indentation tells its end."""


def _scala_packages(text: str) -> frozenset[str]:
    """The packages of all clauses, also of one in the braces of another, and package objects."""
    code = _SCALA_CHARACTER.sub(" ", _NO_CODE.sub(" ", text[:MOST_PARSED]))
    found: set[str] = set()
    clauses: list[_Clause] = []
    depth = 0
    for each in _SCALA.finditer(code):
        if each[0] in ("{", "}"):
            depth += 1 if each[0] == "{" else -1
            clauses = [clause for clause in clauses if clause.depth <= depth]
            continue
        column = each.start() - code.rfind("\n", 0, each.start())
        clauses = [it for it in clauses if it.column is None or it.column < column]
        opens = (each["opens"] or "").strip()
        name = each["name"].replace("`", "")
        full = ".".join([*(clause.name for clause in clauses), name])
        if not clauses and (opens or each["object"]):
            found.add("")  # there may be classes outside of it
        found.add(full)
        depth += opens == "{"
        if not each["object"]:
            clauses.append(_Clause(name, depth, column if opens == ":" else None))
    return frozenset(found or {""})
