# SPDX-License-Identifier: Apache-2.0
"""A comment of a declaration begins with a verb or with what the thing is: see test_docstrings.

In C++ a comment belongs to a declaration if it is in a namespace or a type, not in the body of a
function, and ends in the line before the declaration; in TypeScript if it is a `/** */`. Other
comments may begin with any word: in a body a sentence may well begin with "If".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tests.house.test_docstrings import FRAGMENTS
from tests.house.tracked import is_generated, text_of, tracked_files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RIDDLES: Final = re.compile(
    r"\b(?:anew|nobody|of its own accord|somebody|stands still|whoever|whom)\b", re.IGNORECASE
)
"""Say instead: again, no thread (client, code), by itself, is stopped, a client that, which."""

_COMMENT: Final = re.compile(r"^\s*//\s?(.*)$")
_TEXT: Final = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|//.*")
_RAW_TEXT: Final = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
_TYPE: Final = re.compile(r"\b(?:namespace|class|struct|union|enum|extern)\b")
_DOC_COMMENT: Final = re.compile(r"/\*\*(.*?)\*/", re.DOTALL)
_ERROR_CODE: Final = re.compile(r"[A-Z]+_[A-Z_]+,? (?:for|if|or|unless|when|where)\b")
_ANY_COMMENT: Final = re.compile(r"//.*|^ *\*.*|/\*\*.*", re.MULTILINE)


def _opens_declarations(head: str) -> bool:
    """Whether a brace after this text opens a namespace or a type, not a body or a value."""
    return _TYPE.search(head) is not None and not re.search(r"[(=]", head)


def comments_of_declarations(text: str) -> Iterator[tuple[int, str]]:
    """Line and text of each comment in a namespace or a type that has code below it."""
    lines = _RAW_TEXT.sub(lambda found: "0" + "\n" * found[0].count("\n"), text).split("\n")
    scopes: list[bool] = []
    head = ""
    comment: list[str] = []
    for number, line in enumerate(lines):
        found = _COMMENT.match(line)
        if found:
            if not found[1].startswith("SPDX"):
                comment.append(found[1])
            continue
        if comment and line.strip() and all(scopes):
            yield number - len(comment) + 1, "\n".join(comment)
        comment = []
        if line.startswith("#"):
            continue
        for each in re.split(r"([{};])", _TEXT.sub("", line)):
            if each == "{":
                scopes.append(_opens_declarations(head))
            elif each == "}" and scopes:
                scopes.pop()
            head = "" if each in {"{", "}", ";"} else f"{head} {each}"


def _fragment_of(comment: str) -> str | None:
    """The first words of a comment that begins with a fragment or an error code."""
    words = comment.split(maxsplit=1)
    word = words[0].rstrip(",:;.") if words else ""
    return word if word in FRAGMENTS or _ERROR_CODE.match(comment) else None


def fragments_in(path: Path) -> list[str]:
    """The comments of declarations in a file that begin with a fragment."""
    text = text_of(path)
    if path.suffix == ".ts":
        comments = [
            (text.count("\n", 0, found.start()) + 1, found[1].lstrip(" *\n"))
            for found in _DOC_COMMENT.finditer(text)
        ]
    else:
        comments = list(comments_of_declarations(text))
    found = ((number, _fragment_of(comment)) for number, comment in comments)
    return [f"{path}:{number}: {word}" for number, word in found if word is not None]


def _sources() -> list[Path]:
    return [
        path
        for path in tracked_files()
        if not is_generated(path)
        and (path.suffix == ".ts" or (path.suffix in {".h", ".cpp"} and path.parts[0] == "native"))
    ]


def test_no_comment_of_a_declaration_begins_with_a_fragment() -> None:
    files = _sources()
    assert len(files) > 500
    found = [each for path in files for each in fragments_in(path)]
    assert not found, "begin with a verb or with what the thing is"


def test_no_comment_has_a_riddle() -> None:
    found = [
        f"{path}: {comment[0].strip()}"
        for path in _sources()
        for comment in _ANY_COMMENT.finditer(text_of(path))
        if RIDDLES.search(comment[0])
    ]
    assert not found, "say which thread, client or code it is"


def test_bodies_and_values_are_no_declarations() -> None:
    text = """
// Of a file.
namespace a {
// Of a class.
class A : public B {
  // Of a member.
  int member = 0;
  // Of a function.
  void f() {
    // If it holds.
    g("{");
  }
};
// Of a value.
constexpr std::array kAll = {
    // In it.
    1,
};
}  // namespace a
"""
    found = [comment for _, comment in comments_of_declarations(text)]
    assert found == ["Of a file.", "Of a class.", "Of a member.", "Of a function.", "Of a value."]
