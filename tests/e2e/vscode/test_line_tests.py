# SPDX-License-Identifier: Apache-2.0
"""Coverage in a real VS Code window: the gutter, and the tests of a line."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.e2e.testing.conftest import made_project
from tests.support.libraries import frameworks, maven

if TYPE_CHECKING:
    from tests.e2e.vscode.conftest import Person

pytestmark = [
    pytest.mark.vscode,
    pytest.mark.slow,
    pytest.mark.variant,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("node") is None, reason="VS Code needs Node.js"),
]

COVERED = """\
package shop;

public class Cart {
    private int sum;

    public void add(int price) {
        sum += price;
        if (price < 0) {
            throw new IllegalArgumentException("negative: " + price);
        }
    }

    public int total() {
        return sum;
    }
}
"""
COVERING = """\
package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CartTest {
    @Test
    void adds() {
        Cart cart = new Cart();
        cart.add(3);
        assertEquals(3, cart.total());
    }

    @Test
    void isEmpty() {
        assertEquals(0, new Cart().total());
    }
}
"""


@pytest.mark.skipif(maven() is None, reason="the test frameworks are fetched by Maven; no mvn here")
def test_which_tests_run_a_line(person: Person) -> None:
    made_project(person.folder, frameworks(), "none of them")
    for folder, name, text in (("main", "Cart", COVERED), ("test", "CartTest", COVERING)):
        sources = person.folder / "src" / folder / "java" / "shop"
        sources.mkdir(parents=True)
        (sources / f"{name}.java").write_text(text)
    shutil.rmtree(person.folder / "src" / "shop")
    seen = person.does("coverage", root=person.folder.name)
    assert seen["gutter"]["hit"] >= 4
    assert seen["gutter"]["missed"] == 2, "a statement, and a way of the branch before it"
    assert seen["text"] == "Run by one test (run again): shop.CartTest#adds"
