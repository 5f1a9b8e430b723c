# SPDX-License-Identifier: Apache-2.0
"""Signature attributes to static types."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug.evaluator.symbols import signatures, types
from jvmdebug.evaluator.symbols.types import ClassType, TypeVariable


@pytest.mark.parametrize(
    ("signature", "shown"),
    [
        ("I", "int"),
        ("[[Z", "boolean[][]"),
        ("Ljava/lang/String;", "java.lang.String"),
        ("Ljava/util/List<Ljava/lang/String;>;", "java.util.List<java.lang.String>"),
        (
            "Ljava/util/Map<+Ljava/lang/Number;-[I>;",
            "java.util.Map<? extends java.lang.Number, ? super int[]>",
        ),
        ("Ljava/util/List<*>;", "java.util.List<?>"),
        ("La/Outer<TT;>.Inner<Ljava/lang/String;>;", "a.Outer.Inner<java.lang.String>"),
        ("[TT;", "T[]"),
    ],
)
def test_value_types(signature: str, shown: str) -> None:
    assert str(signatures.value_type(signature)) == shown


def test_a_hidden_class_keeps_its_suffix() -> None:
    assert signatures.value_type("La/B$$Lambda.0x1f;") == ClassType("a.B$$Lambda/0x1f")


def test_class_signatures_have_parameters_and_supertypes() -> None:
    parsed = signatures.class_signature(
        "<T::Ljava/lang/Comparable<TU;>;U:Ljava/lang/Number;:Ljava/io/Serializable;>"
        "La/Base<TT;>;Ljava/util/List<TU;>;"
    )
    first, second = parsed.parameters
    assert (first.name, second.name) == ("T", "U")
    assert types.erasure(first) == ClassType("java.lang.Comparable")
    assert [str(each) for each in second.bounds] == ["java.lang.Number", "java.io.Serializable"]
    (argument,) = first.bounds[0].arguments if isinstance(first.bounds[0], ClassType) else ()
    assert isinstance(argument, TypeVariable)
    assert types.erasure(argument) == ClassType("java.lang.Number")
    assert str(parsed.superclass) == "a.Base<T>"
    assert [str(each) for each in parsed.interfaces] == ["java.util.List<U>"]


def test_method_signatures() -> None:
    parsed = signatures.method_signature(
        "<X:Ljava/lang/Exception;>(ITX;[Ljava/lang/String;)Ljava/util/List<TX;>;^TX;^La/Oops;"
    )
    assert [str(each) for each in parsed.parameters] == ["int", "X", "java.lang.String[]"]
    assert str(parsed.result) == "java.util.List<X>"
    assert [each.name for each in parsed.type_parameters] == ["X"]
    assert signatures.method_signature("()V").result == types.VOID


@pytest.mark.parametrize(
    "signature", ["", "Q", "Ljava/lang/String", "II", "L;", "La<", "[", "T;", "La/B<I>;"]
)
def test_malformed_value_types(signature: str) -> None:
    with pytest.raises(ValueError, match="malformed"):
        signatures.value_type(signature)


@given(st.text(alphabet="LITV;/a<>[*+-:^().", max_size=20))
def test_any_text_is_parsed_or_rejected(text: str) -> None:
    for read in (
        signatures.value_type,
        signatures.class_signature,
        signatures.method_signature,
    ):
        try:
            read(text)
        except ValueError as error:
            assert "malformed" in str(error)  # noqa: PT017 - reading may also succeed


def test_substitution_replaces_wildcards_by_their_bounds() -> None:
    variable = signatures.value_type("TE;")
    upper = types.Wildcard(upper=ClassType("a.B"))
    assert types.substitute(variable, {"E": upper}) == ClassType("a.B")
    listed = signatures.value_type("Ljava/util/List<TE;>;")
    assert types.substitute(listed, {"E": upper}) == ClassType("java.util.List", (upper,))
    array = signatures.value_type("[TE;")
    assert str(types.substitute(array, {"E": ClassType("a.B")})) == "a.B[]"
