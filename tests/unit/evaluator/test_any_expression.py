# SPDX-License-Identifier: Apache-2.0
"""Random expressions are bound, or rejected with an error that has a column."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind.dispatch import binder_for
from jvmdebug.evaluator.parse import parser
from jvmdebug.evaluator.symbols.types import VOID
from tests.unit.evaluator.fake_types import FakeTypes, scope_in
from tests.unit.evaluator.test_binder import LOCALS

if TYPE_CHECKING:
    from jvmdebug.evaluator.bind import bound

ATOMS = st.sampled_from(
    [
        *LOCALS,
        *(
            "1",
            "0L",
            "1.5f",
            "2.0",
            "'c'",
            "true",
            "null",
            '"s"',
            "this",
            "total",
            "items",
            "LIMIT",
        ),
        *("Cart", "Cart.LIMIT", "shop.Cart", "java.util", "Integer.class", "prices", "0x7fffffff"),
    ]
)
BINARY = st.sampled_from(
    [
        "+",
        "-",
        "*",
        "/",
        "%",
        "<<",
        ">>",
        ">>>",
        "<",
        ">",
        "<=",
        ">=",
        "==",
        "!=",
        "&",
        "|",
        "^",
        "&&",
        "||",
        "=",
        "+=",
        "-=",
        "<<=",
        "instanceof",
    ]
)
UNARY = st.sampled_from(
    ["-", "+", "~", "!", "++", "--", "(int) ", "(Object) ", "(Cart) ", "(byte) "]
)
MEMBERS = st.sampled_from(
    [
        ".length",
        ".get(0)",
        ".total",
        ".add(1)",
        ".name",
        ".length()",
        "[0]",
        ".own(1)",
        "++",
        ".Item",
    ]
)


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("{} {} {}".format, inner, BINARY, inner),
        st.builds("({}) {} ({})".format, inner, BINARY, inner),
        st.builds("{}{}".format, UNARY, inner),
        st.builds("({}){}".format, inner, MEMBERS),
        st.builds("{}{}".format, inner, MEMBERS),
        st.builds("{} ? {} : {}".format, inner, inner, inner),
        st.builds("new Cart({})".format, inner),
        st.builds("new int[] {{{}, {}}}".format, inner, inner),
        st.builds("new Object[{}][]".format, inner),
        st.builds("Cart.same({}, {})".format, inner, inner),
        st.builds("sum({}, {})".format, inner, inner),
    )


EXPRESSIONS = st.recursive(ATOMS, _larger, max_leaves=8)


@settings(max_examples=400)
@given(EXPRESSIONS, st.booleans(), st.booleans())
def test_any_expression_is_bound_or_an_error(text: str, is_static: bool, read_only: bool) -> None:  # noqa: FBT001
    scope = scope_in("shop.Cart", is_static=is_static, **LOCALS)

    async def bind() -> bound.Bound:
        return await binder_for(scope, FakeTypes(), is_read_only=read_only).bind(parser.parse(text))

    column: int | None
    try:
        node = asyncio.run(bind())
    except EvaluationError as error:
        column = error.column
    else:
        column = node.span.column
        assert node.type == VOID or str(node.type)
    assert column is not None, text
    assert 0 <= column <= len(text)


def test_deep_nesting_is_an_error() -> None:
    deep = "(" * 200 + "1" + ")" * 200
    with pytest.raises(EvaluationError, match="nested more than"):
        parser.parse(deep)
    with pytest.raises(EvaluationError, match="nested more than"):
        parser.parse("+".join(["1"] * 300))


async def test_the_deepest_allowed_nesting_can_be_bound() -> None:
    binder = binder_for(scope_in("shop.Cart", is_static=False, **LOCALS), FakeTypes())
    node = await binder.bind(parser.parse("+".join(["i"] * 99)))
    assert str(node.type) == "int"
