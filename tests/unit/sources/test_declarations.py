# SPDX-License-Identifier: Apache-2.0
"""Tests where a text declares types, fields and variables."""

from __future__ import annotations

import pytest

from jvmdebug.sources.declarations import field_line, type_line, variable_line

TEXT = """\
package shop;
class Cart<T> {
    int total, rest;
    enum Kind {
        SMALL, LARGE;
        int weight;
    }
    record Item(String name,
                int price) {}
    static class Inner { int total; }
    void add(Item item,
             int... prices) {
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            int sum2 = i;
            use(sum2);
        }
        for (var price : prices) {
            use(price);
        }
        try (var open = open()) {
            use(open);
        } catch (RuntimeException error) {
            use(error);
        }
        run((left, right) -> {
            use(left);
        });
        run(only -> use(only));
        if (item instanceof Object match) {
            use(match);
        }
        {
            int sum = 1;
        }
        use(sum);
    }
    void other(int item) {
        use(item);
    }
}
"""


@pytest.mark.parametrize(
    ("names", "line"),
    [(["Cart"], 2), (["Cart", "Kind"], 4), (["Cart", "Item"], 8), (["Inner"], 10), (["No"], None)],
)
def test_types(names: list[str], line: int | None) -> None:
    assert type_line(TEXT, names) == line


@pytest.mark.parametrize(
    ("names", "field", "line"),
    [
        (["Cart"], "total", 3),
        (["Cart"], "rest", 3),
        (["Cart", "Inner"], "total", 10),
        (["Cart", "Kind"], "LARGE", 5),
        (["Cart", "Kind"], "weight", 6),
        (["Cart", "Item"], "price", 9),
        (["Cart"], "weight", None),
        (["No"], "total", None),
    ],
)
def test_fields(names: list[str], field: str, line: int | None) -> None:
    assert field_line(TEXT, names, field) == line


@pytest.mark.parametrize(
    ("name", "at", "line"),
    [
        ("item", 13, 11),
        ("prices", 13, 12),
        ("sum", 14, 13),
        ("i", 15, 14),
        ("i", 18, None),
        ("sum2", 16, 15),
        ("sum2", 19, None),
        ("price", 19, 18),
        ("open", 22, 21),
        ("error", 24, 23),
        ("left", 27, 26),
        ("right", 27, 26),
        ("only", 29, 29),
        ("match", 31, 30),
        ("sum", 36, 13),
        ("item", 39, 38),
        ("nothing", 13, None),
    ],
)
def test_variables(name: str, at: int, line: int | None) -> None:
    assert variable_line(TEXT, name, at) == line
