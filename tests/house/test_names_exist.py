# SPDX-License-Identifier: Apache-2.0
"""Documents and comments name files, classes and functions that exist.

A rename takes the walks, the theories of operation and the decisions with it. See test_named_files
for paths.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from tests.house.tracked import is_generated, text_of, tracked_files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ELSEWHERE: Final = frozenset(
    {
        # of HotSpot
        *("ExecuteDiagnosticCommand", "JvmtiBreakpoint", "MethodComparator", "forte.cpp"),
        *("each_method_version_do", "mark_newly_obsolete_methods"),
        # made by a build
        "dist/",
        # of the JDK and of libraries of C
        *("OutOfMemoryErrors", "MurmurHash3"),
    }
)
"""Names that are not ours."""
THIS: Final = "test_names_exist.py"
PAGES: Final = (
    *("ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "docs/adr/", "docs/architecture/"),
    *("docs/glossary.md", "docs/reference/"),
)
MAY_NAME_OTHERS: Final = "docs/reference/dap.md"
"""Its names are made of ours (`callsMethods`); so may be those of how-tos, or the reader's own."""

_CODE: Final = frozenset({".h", ".cpp", ".c", ".java", ".ts", ".py", ".toml"})
_BRACES: Final = frozenset({".h", ".cpp", ".c", ".java", ".ts"})
_TEXT: Final = r'R"(?P<end>\w*)\((?:.|\n)*?\)(?P=end)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
_PIECE: Final = re.compile(rf"{_TEXT}|(?P<comment>//[^\n]*|/\*(?:.|\n)*?\*/)")
_UNUSED_IN_PYTHON: Final = re.compile(r'"""(?:.|\n)*?"""|#[^\n]*')
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_LISTING: Final = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
_QUOTED: Final = re.compile(r"`([^`\n]+)`")
_FILE: Final = re.compile(r"[\w.-]+\.(?:h|cpp|py|ts|toml)")
_FOLDER: Final = re.compile(r"[\w.-]+(?:/[\w.-]+)*/")
_MEMBER: Final = re.compile(r"\w+(?:(?:::|\.)\w+)*(?:\(.*\))?")
_NAMED_FILE: Final = re.compile(r"\b\w+\.(?:h|cpp|py|toml)\b")
_CLASS: Final = re.compile(r"\b[A-Z][a-z]+[A-Z]\w*\b")
_CALL: Final = re.compile(r"\b[a-z_]\w+(?=\(\))")


def _comments(text: str) -> Iterator[str]:
    return (found["comment"] for found in _PIECE.finditer(text) if found["comment"])


def _without_comments(path: Path) -> str:
    text = text_of(path)
    if path.suffix in _BRACES:
        return _PIECE.sub(lambda found: "" if found["comment"] else found[0], text)
    return _UNUSED_IN_PYTHON.sub("", text) if path.suffix == ".py" else text


@cache
def _words() -> frozenset[str]:
    """All names in code."""
    files = [path for path in tracked_files() if path.suffix in _CODE and path.name != THIS]
    return frozenset(word for path in files for word in _WORD.findall(_without_comments(path)))


@cache
def _files() -> frozenset[str]:
    return frozenset(path.name for path in tracked_files())


@cache
def _folders() -> frozenset[str]:
    """The paths of folders, and their ends."""
    parents = {parent for path in tracked_files() for parent in path.parents}
    return frozenset("/".join(each.parts[at:]) for each in parents for at in range(len(each.parts)))


def _is_missing(quoted: str) -> bool:
    if quoted in ELSEWHERE:
        return False
    if _FILE.fullmatch(quoted):
        return quoted not in _files()
    if _FOLDER.fullmatch(quoted):
        return quoted.rstrip("/") not in _folders()
    if not _MEMBER.fullmatch(quoted) or not re.search(r"[A-Z(]", quoted):
        return False
    words = _WORD.findall(quoted.partition("(")[0])
    return any(word not in _words() and word not in ELSEWHERE for word in words)


def missing_in_document(text: str) -> list[str]:
    """The names in backticks that are of nothing here."""
    return [name for name in _QUOTED.findall(_LISTING.sub("", text)) if _is_missing(name)]


def missing_in_comments(text: str) -> list[str]:
    """The files, classes and functions in comments of C++ or Java that are of nothing here."""
    found: list[str] = []
    for comment in _comments(text):
        files = (each for each in _NAMED_FILE.findall(comment) if each not in _files())
        names = [*_CLASS.findall(comment), *_CALL.findall(comment)]
        found += [*files, *(each for each in names if each not in _words())]
    return [each for each in found if each not in ELSEWHERE]


def test_documents_name_what_exists() -> None:
    pages = [path for path in tracked_files() if str(path).startswith(PAGES)]
    assert len(pages) > 20
    missing = {
        str(path): missing_in_document(text_of(path))
        for path in pages
        if str(path) != MAY_NAME_OTHERS
    }
    assert {path: names for path, names in missing.items() if names} == {}


def test_comments_name_what_exists() -> None:
    files = [
        path
        for path in tracked_files()
        if path.parts[0] == "native" and path.suffix in _BRACES and not is_generated(path)
    ]
    assert len(files) > 500
    missing = {str(path): missing_in_comments(text_of(path)) for path in files}
    assert {path: names for path, names in missing.items() if names} == {}


def test_other_names_are_found() -> None:
    page = (
        "`gone_file.h`, `tests/house/`, `gone/folder/`, `CodeChanges`, `GoneClass`, `gone_call()`"
    )
    assert missing_in_document(page) == ["gone_file.h", "gone/folder/", "GoneClass", "gone_call()"]
    code = (
        'const char* kText = "// GoneClass";  // GoneClass, gone_file.h, CodeChanges, gone_call()'
    )
    assert missing_in_comments(code) == ["gone_file.h", "GoneClass", "gone_call"]


def test_only_foreign_names_are_left_out() -> None:
    assert {name for name in ELSEWHERE if name in _words() or name in _files()} == set()
