# SPDX-License-Identifier: Apache-2.0
"""A program of which every name and text attacks whoever shows it.

Owns the class files with names that javac would not write, and what must not be in any text that
is shown. The debuggee is `tests/debuggees/hostile`.
"""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.debuggees import Debuggee

NAME = "\x1bc\nforged line\r\u202e\x9b2J"
"""What a JVM takes as the name of a class or a member: anything but `. ; [ /` and `<>`."""
_UTF8 = 1
_OF_TWO, _OF_FOUR = (7, 8, 16, 19, 20), (3, 4, 9, 10, 11, 12, 17, 18)
_WIDTHS = dict.fromkeys(_OF_TWO, 2) | dict.fromkeys(_OF_FOUR, 4) | {15: 3, 5: 8, 6: 8}
"""The bytes of a constant behind its tag (JVMS 4.4)."""
_TWO_SLOTS = (5, 6)


def hostile(folder: Path, source_file: str | None = None) -> Debuggee:
    """The program, compiled into `folder`; its SourceFile attribute says `source_file`."""
    program = debuggee("hostile", "Hostile")
    classes = folder / "classes"
    classes.mkdir()
    for compiled in program.class_path[0].glob("*.class"):
        name = compiled.name.replace("Placeholder", NAME)
        (classes / name).write_bytes(_renamed(compiled.read_bytes(), source_file))
    return replace(program, class_path=(classes,))


def _renamed(class_file: bytes, source_file: str | None) -> bytes:
    """The class file with other Utf8 constants: nothing in it refers to them by place."""
    (count,) = struct.unpack_from(">H", class_file, 8)
    constants = [class_file[:10]]
    at, number = 10, 1
    while number < count:
        tag = class_file[at]
        if tag == _UTF8:
            (length,) = struct.unpack_from(">H", class_file, at + 1)
            text = class_file[at + 3 : at + 3 + length]
            changed = text.replace(b"Placeholder", NAME.encode())
            if text == b"Hostile.java" and source_file is not None:
                changed = source_file.encode()
            constants.append(struct.pack(">BH", _UTF8, len(changed)) + changed)
            at += 3 + length
        else:
            constants.append(class_file[at : at + 1 + _WIDTHS[tag]])
            at += 1 + _WIDTHS[tag]
        number += 2 if tag in _TWO_SLOTS else 1
    return b"".join(constants) + class_file[at:]


def attacks(text: str, *, several_lines: bool = False) -> bool:
    """Whether a terminal would obey something in it, or a reader be misled."""
    return any(not each.isprintable() and not (several_lines and each in "\n\t") for each in text)
