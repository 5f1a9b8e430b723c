# SPDX-License-Identifier: Apache-2.0
"""Descriptors and Java names, both ways."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug.classfile import descriptors

PAIRS = [
    ("I", "int"),
    ("Z", "boolean"),
    ("[J", "long[]"),
    ("Ljava/lang/String;", "java.lang.String"),
    ("[[Lshop/Cart$Item;", "shop.Cart$Item[][]"),
    ("LMain;", "Main"),
    ("Lgröße/Maß;", "größe.Maß"),
    ("Lshop/Cart$$Lambda.0x0000700001;", "shop.Cart$$Lambda/0x0000700001"),
    ("Lshop/Cart$$Lambda$1/739498517;", "shop.Cart$$Lambda$1/739498517"),
    ("Lshop/Cart$1;", "shop.Cart$1"),
    ("Lshop/1;", "shop.1"),
    ("V", "void"),
    ("La/my test;", "a.my test"),
]


@pytest.mark.parametrize(("descriptor", "name"), PAIRS)
def test_both_ways(descriptor: str, name: str) -> None:
    assert descriptors.java_name(descriptor) == name
    assert descriptors.descriptor_of(name) == descriptor


@pytest.mark.parametrize("wrong", ["", "L", "L;", "Q", "java.lang.String", "[", "II"])
def test_invalid_descriptors(wrong: str) -> None:
    with pytest.raises(ValueError, match="not a type descriptor"):
        descriptors.java_name(wrong)


@pytest.mark.parametrize("wrong", ["", "[]", " ", "[I", "La;"])
def test_invalid_names(wrong: str) -> None:
    with pytest.raises(ValueError, match="not the name of a Java type"):
        descriptors.descriptor_of(wrong)


def test_method_descriptors() -> None:
    parsed = descriptors.parse_method_descriptor("(I[[JLa/B;D)[La/B;")
    assert parsed.parameters == ("I", "[[J", "La/B;", "D")
    assert parsed.result == "[La/B;"
    assert descriptors.parse_method_descriptor("()V") == ((), "V")
    assert descriptors.method_text("add", "(ILjava/lang/String;)V") == "add(int, java.lang.String)"


@pytest.mark.parametrize(
    "wrong", ["", "I", "()", "(", "(I", "(V)V", "(X)V", "()VV", "(La/B)V", "()["]
)
def test_invalid_method_descriptors(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"not a (method descriptor|type at)"):
        descriptors.parse_method_descriptor(wrong)


TYPES = st.sampled_from([descriptor for descriptor, _ in PAIRS if descriptor != "V"])


@given(st.lists(TYPES, max_size=8), TYPES | st.just("V"))
def test_any_method_descriptor_is_split_into_its_parts(parameters: list[str], result: str) -> None:
    parsed = descriptors.parse_method_descriptor(f"({''.join(parameters)}){result}")
    assert parsed == (tuple(parameters), result)


def test_a_nested_class_may_be_named_with_dots() -> None:
    assert descriptors.binary_names("a.b.C.D.E[]") == ("a.b.C.D.E[]", "a.b.C$D$E[]")
    assert descriptors.binary_names("a.b.C$D.E") == ("a.b.C$D.E", "a.b.C$D$E")
    assert descriptors.binary_names("a.b.C") == ("a.b.C",)
    assert descriptors.binary_names("a.b.c") == ("a.b.c",)


def test_parts_of_names() -> None:
    assert descriptors.simple_name("a.b.C$D") == "D"
    assert descriptors.simple_name("a.b.C$1") == "C$1"
    assert descriptors.simple_name("a.b.C[]") == "C[]"
    assert descriptors.simple_name("a.C$$Lambda/0x0012") == "Lambda"
    assert descriptors.package_name("a.b.C$D") == "a.b"
    assert descriptors.package_name("Main") == ""
    assert [descriptors.slot_count(each) for each in ("I", "J", "D", "La;", "V")] == [1, 2, 2, 1, 0]
