# SPDX-License-Identifier: Apache-2.0
"""The names of the variables of Kotlin code, in nested copies of inline functions."""

from __future__ import annotations

from jvmdebug.model.variable import LocalVariable
from jvmdebug.sources.kotlin_variables import named_as_in_source


def shown(method: str, *found: tuple[str, int]) -> dict[str, str]:
    """Raw name → shown name, of variables given by raw name and start."""
    variables = [
        LocalVariable(name, "Lshop/Cart;", None, slot, is_argument=False, start=start)
        for slot, (name, start) in enumerate(found)
    ]
    named = named_as_in_source(variables, method)
    return {variables[each.slot].name: each.name for each in named}


def test_what_the_compiler_adds_is_left_out() -> None:
    found = shown("work", ("$completion", 0), ("$continuation", 5), ("$result", 5), ("x", 9))
    assert found == {"$completion": "$completion", "x": "x"}


def test_receivers_and_captured_variables() -> None:
    assert shown("shout", ("$this$shout", 0), ("$sum", 0), ("this_$iv", 4)) == {
        "$this$shout": "this@shout",
        "$sum": "sum",
        "this_$iv": "this@Cart",
    }
    assert shown("f", ("$sum", 0), ("sum", 3)) == {"$sum": "sum (in f)", "sum": "sum"}


def test_the_innermost_copy_has_the_name() -> None:
    found = shown(
        "total",
        ("it", 2),
        ("$this$map$iv", 8),
        ("$i$f$map", 10),
        ("item$iv", 14),
        ("it", 16),
        ("$i$a$-map-Cart$total$1", 18),
        ("$this$map$iv", 20),
        ("$i$f$map", 22),
        ("$this$mapTo$iv$iv", 24),
        ("$i$f$mapTo", 26),
        ("item$iv$iv", 30),
    )
    assert found["item$iv$iv"] == "item"
    assert found["item$iv"] == "item (in map)"
    assert found["$this$mapTo$iv$iv"] == "this@mapTo"


def test_a_lambda_with_receiver_is_called_by_the_function_that_takes_it() -> None:
    found = shown(
        "names", ("$this$names_u24lambda_u243", 4), ("$i$a$-apply-NamesKt$names$described$1", 6)
    )
    assert found == {"$this$names_u24lambda_u243": "this@apply"}


def test_numbers_of_scopes_are_left_out() -> None:
    assert shown("f", ("$i$f$map\\1\\10", 2), ("item\\1", 4)) == {"item\\1": "item"}
