# SPDX-License-Identifier: Apache-2.0
"""Class files in the image of a JDK, and files that are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug.classfile import ClassFile
from jvmdebug.classfile.runtime_image import RuntimeImage
from jvmdebug.errors import ClassFileError
from tests.support.jdks import newest_compiler

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def image() -> RuntimeImage:
    return RuntimeImage.read(newest_compiler().home / "lib" / "modules")


@pytest.mark.parametrize(
    "name", ["java/lang/Object", "java/util/HashMap$Values", "java/sql/Date", "javax/swing/JTree"]
)
def test_classes_of_any_module(image: RuntimeImage, name: str) -> None:
    found = image.class_file(name)
    assert found is not None
    assert ClassFile.read(found).name == name


@pytest.mark.parametrize("name", ["java/util/Nope", "no/such/Package", "", "Main", "java/util/"])
def test_what_is_not_there(image: RuntimeImage, name: str) -> None:
    assert image.class_file(name) is None


def test_other_files(tmp_path: Path) -> None:
    whole = newest_compiler().home / "lib" / "modules"
    with whole.open("rb") as file:
        head = file.read(100)
    for content, message in ((b"", "not whole"), (b"\0" * 100, "no image"), (head, "not whole")):
        path = tmp_path / "modules"
        path.write_bytes(content)
        with pytest.raises(ClassFileError, match=message):
            RuntimeImage.read(path)
    with pytest.raises(OSError, match="modules"):
        RuntimeImage.read(tmp_path / "none" / "modules")
