# SPDX-License-Identifier: Apache-2.0
"""Other code that does the same, for hot swaps: each method of a program begins with a statement
that never does anything, on a line that it has already.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from typing import TYPE_CHECKING, Final

from tests.support.debuggees import COMPILED, folder_to_fill
from tests.support.jdks import newest_compiler
from tests.support.warm_javac import javac

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.debuggees import Debuggee

_METHOD: Final = re.compile(r"^ +(?:[\w<>\[\], ]+ )?\w+\([^()]*\)(?: throws [\w., ]+)? \{$")
_STATEMENT: Final = re.compile(r"^ +(?:if|for|while|switch|try|catch|synchronized|return|new)\b")
_CALLS_OTHER: Final = re.compile(r"^ +(?:super|this)\(")
_ADDED: Final = " if (System.nanoTime() == 5L) { System.nanoTime(); }"


def with_more(text: str) -> str:
    """The source with that statement in its methods; the same lines."""
    lines = text.splitlines()
    for at, line in enumerate(lines):
        following = lines[at + 1] if at + 1 < len(lines) else ""
        is_method = _METHOD.match(line) and not _STATEMENT.match(line)
        if is_method and not _CALLS_OTHER.match(following):
            lines[at] += _ADDED
    return "\n".join(lines) + "\n"


@cache
def equivalent(program: Debuggee, *topics: Path) -> Path:
    """The folder with the classes of these sources, compiled once."""
    sources = [each for folder in topics for each in sorted(folder.rglob("*.java"))]
    texts = {each.name: with_more(each.read_text(encoding="utf-8")) for each in sources}
    digest = hashlib.sha256(repr((newest_compiler().home, program.release, texts)).encode())
    classes = COMPILED / f"{program.topic}-equivalent-{digest.hexdigest()[:16]}"
    if classes.exists():
        return classes
    with folder_to_fill(classes) as unfinished:
        if unfinished is None:
            return classes
        written = []
        for name, text in texts.items():
            written.append(unfinished / name)
            written[-1].write_text(text, encoding="utf-8")
        options = ("-g", "-parameters", "--release", str(program.release))
        javac(written, unfinished, *options, class_path=program.class_path)
    return classes
