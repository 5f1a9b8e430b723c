# SPDX-License-Identifier: Apache-2.0
"""Class files: what is read is written again, and invalid files are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug.classfile import (
    Attribute,
    ClassFile,
    Code,
    ConstantTag,
    LineTable,
    annotation_types,
    annotation_values,
    encode_inner_classes,
    inner_classes,
    instructions,
)
from jvmdebug.errors import ClassFileError
from tests.unit.classfile.corpus import compiled, swap


def walk(file: ClassFile) -> None:
    """Read everything in a class file that can be read."""
    for each in file.constants:
        if each.tag == ConstantTag.UTF8:
            file.constants.utf8(each.number)
        file.constants.find_member(each.number)
    assert file.encode()
    inner = file.attribute("InnerClasses")
    if inner is not None:
        inner_classes(inner.content)
    annotation_types(file, file)
    for member in file.fields + file.methods:
        annotation_types(file, member)
    for method in file.methods:
        found = method.attribute("Code")
        if found is not None:
            code = Code.read(found.content, file.constants)
            assert sum(each.size for each in instructions(code.code)) == len(code.code)
            assert code.line_table is not None


def test_the_outline() -> None:
    found = ClassFile.read(swap())
    assert (found.java_name, found.superclass, found.interfaces) == (
        "Swap",
        "java/lang/Object",
        (),
    )
    assert [(each.name, each.descriptor) for each in found.fields] == [("price", "I")]
    names = [each.name for each in found.methods]
    assert names == ["<init>", "word", "unused", "main", "<clinit>"]
    assert found.java_release == 11


def test_annotations_nested_without_end_are_refused() -> None:
    file = ClassFile.read(swap())
    arrays = b"[\0\1" * 2_000
    descriptor = file.methods[0].name_index
    content = b"\0\1" + descriptor.to_bytes(2) + b"\0\1\0\1" + arrays
    deep = replace(file, attributes=(Attribute("RuntimeVisibleAnnotations", 0, content),))
    with pytest.raises(ClassFileError, match="nested more than 100 deep"):
        annotation_types(deep, deep)


def test_what_is_written_in_an_annotation() -> None:
    """Read `@Code(word=unused, price=[I])`, made of constants that the class has."""
    file = ClassFile.read(swap())
    utf8 = {
        file.constants.utf8(each.number): each.number.to_bytes(2)
        for each in file.constants
        if each.tag == ConstantTag.UTF8
    }
    values = utf8["word"] + b"s" + utf8["unused"] + utf8["price"] + b"[\0\1s" + utf8["I"]
    content = b"\0\1" + utf8["Code"] + b"\0\2" + values
    with_one = replace(file, attributes=(Attribute("RuntimeVisibleAnnotations", 0, content),))
    assert annotation_values(with_one, with_one, "Code") == {"word": "unused", "price": ["I"]}
    assert annotation_values(with_one, with_one, "Other") is None
    assert annotation_values(file, file, "Code") is None


def test_class_files_of_the_compiler_are_written_as_they_were_read() -> None:
    every = [(path, path.read_bytes()) for path in compiled()]
    assert len(every) > 20
    for path, content in every:
        file = ClassFile.read(content)
        assert file.encode() == content, path
        walk(file)
        for method in file.methods:
            if (attribute := method.attribute("Code")) is not None:
                code = Code.read(attribute.content, file.constants)
                assert code.encode() == attribute.content
                for table in (a for a in code.attributes if a.name == "LineNumberTable"):
                    assert LineTable.read(table.content).encode() == table.content
        if (inner := file.attribute("InnerClasses")) is not None:
            assert encode_inner_classes(inner_classes(inner.content)) == inner.content


def test_the_code_of_a_method() -> None:
    file = ClassFile.read(swap())
    (word,) = (each for each in file.methods if each.name == "word")
    attribute = word.attribute("Code")
    assert attribute is not None
    code = Code.read(attribute.content, file.constants)
    assert code.handlers == ()
    begins = [index for index, _ in code.line_table.lines]
    assert begins == sorted(begins)
    assert begins[0] == 0
    assert set(begins) <= {each.index for each in instructions(code.code)}


def test_handlers_of_exceptions_are_read() -> None:
    handlers = [
        handler
        for path in compiled()
        for file in (ClassFile.read(path.read_bytes()),)
        for method in file.methods
        if (attribute := method.attribute("Code")) is not None
        for handler in Code.read(attribute.content, file.constants).handlers
    ]
    assert handlers
    assert all(each.start < each.end for each in handlers)


@pytest.mark.parametrize("version", range(45, 70))
def test_every_version_is_read(version: int) -> None:
    content = swap()[:6] + version.to_bytes(2) + swap()[8:]
    assert ClassFile.read(content).java_release == version - 44


def test_a_version_that_is_too_old_is_none() -> None:
    with pytest.raises(ClassFileError, match=r"no version 44\.0"):
        ClassFile.read(swap()[:6] + b"\0\x2c" + swap()[8:])


@pytest.mark.parametrize("size", [0, 3, 7, 9, 60, 300, -200, -1])
def test_a_truncated_class_file_is_refused(size: int) -> None:
    with pytest.raises(ClassFileError, match="not a whole class file"):
        ClassFile.read(swap()[:size])


def test_bytes_after_the_end_are_refused() -> None:
    with pytest.raises(ClassFileError, match="3 bytes too many behind the end of the class file"):
        ClassFile.read(swap() + b"\0\0\0")


def test_a_file_that_is_no_class_file_is_refused() -> None:
    with pytest.raises(ClassFileError, match="CAFEBABE"):
        ClassFile.read(b"PK\3\4" + bytes(40))


def test_a_length_that_lies() -> None:
    content = swap()
    at = content.rindex((2).to_bytes(4))  # the last attribute, SourceFile, holds two bytes
    for length in (3, 2**31, 2**32 - 1):
        with pytest.raises(ClassFileError, match="not a whole class file"):
            ClassFile.read(content[:at] + length.to_bytes(4) + content[at + 4 :])


def test_an_unknown_tag() -> None:
    content = swap()
    assert content[10] == ConstantTag.METHOD_REFERENCE
    with pytest.raises(ClassFileError, match="entry 1 of the constant pool has the unknown tag 2"):
        ClassFile.read(content[:10] + b"\2" + content[11:])


def test_a_constant_of_another_kind() -> None:
    file = ClassFile.read(swap())
    name = next(each for each in file.constants if each.tag == ConstantTag.UTF8).number
    with pytest.raises(ClassFileError, match=f"entry {name} of the constant pool is UTF8, not CL"):
        ClassFile.read(replace(file, this_class=name).encode())
    with pytest.raises(ClassFileError, match="the constant pool has no entry 65535"):
        ClassFile.read(replace(file, super_class=65535).encode())


def test_bytes_too_many_in_an_attribute() -> None:
    file = ClassFile.read(swap())
    for attribute in (each for method in file.methods for each in method.attributes):
        with pytest.raises(ClassFileError, match="1 bytes too many behind the end of a Code"):
            Code.read(attribute.content + b"\0", file.constants)


def test_replaced_parts_are_written() -> None:
    file = ClassFile.read(swap())
    added = Attribute("price", file.fields[0].name_index, b"1")
    marked = replace(file, attributes=(*file.attributes, added))
    assert ClassFile.read(marked.encode()).attributes[-1] == added


@given(st.data())
def test_changed_bytes_are_read_or_refused(data: st.DataObject) -> None:
    content = bytearray(swap())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        new = data.draw(
            st.one_of(
                st.binary(min_size=1, max_size=4),
                st.sampled_from((b"\0", b"\xff", b"\xff\xff", b"\xff\xff\xff\xff", b"\x7f\xff")),
            )
        )
        if data.draw(st.booleans()):
            content[at : at + len(new)] = new
        else:
            content[at:at] = new
    try:
        walk(ClassFile.read(bytes(content)))
    except ClassFileError:
        return


@given(st.binary(max_size=200))
def test_any_bytes_are_refused(content: bytes) -> None:
    with pytest.raises(ClassFileError):
        ClassFile.read(content)
