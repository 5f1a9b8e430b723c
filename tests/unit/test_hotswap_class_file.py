# SPDX-License-Identifier: Apache-2.0
"""The outline of a class file, and files that are none."""

from __future__ import annotations

import pytest

from jvmdebug.hotswap import ClassFile
from tests.support.debuggees import debuggee


def content() -> bytes:
    return (debuggee("swap", "Swap").class_path[0] / "Swap.class").read_bytes()


def test_the_outline() -> None:
    found = ClassFile.read(content())
    assert (found.java_name, found.superclass, found.interfaces) == (
        "Swap",
        "java/lang/Object",
        (),
    )
    assert [(each.name, each.descriptor) for each in found.fields] == [("price", "I")]
    names = [each.name for each in found.methods]
    assert names == ["<init>", "word", "unused", "main", "<clinit>"]
    assert found.java_release == 11


@pytest.mark.parametrize("size", [0, 3, 7, 9, 60, 300, -200])
def test_what_is_cut_off(size: int) -> None:
    with pytest.raises(ValueError, match="not a whole class file"):
        ClassFile.read(content()[:size])


def test_what_is_something_else() -> None:
    with pytest.raises(ValueError, match="CAFEBABE"):
        ClassFile.read(b"PK\3\4" + bytes(40))
