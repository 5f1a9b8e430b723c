# SPDX-License-Identifier: Apache-2.0
"""What a source text says about its lines before any class of it is loaded."""

from __future__ import annotations

from jvmdebug.breakpoints.source_shape import shape_of

TEXT = """\
package shop.parts;

class Outer {
    int field;

    Runnable run() {
        return new Runnable() {
            public void run() {
                // here
            }
        };
    }

    enum Kind { A { int value() { return 1; } }; int value() { return 0; } }
}

interface Other {
}
"""


def test_the_innermost_body_around_a_line() -> None:
    shape = shape_of(TEXT, is_java=True)
    assert shape.package == "shop.parts"
    assert shape.innermost_body(4) == (3, 15)
    assert shape.innermost_body(9) == (7, 11)
    assert shape.innermost_body(17) == (17, 18)
    assert shape.innermost_body(14) == (14, 14)
    assert shape.innermost_body(16) is None
    assert shape.innermost_body(1) is None


def test_another_language_has_a_package_only() -> None:
    shape = shape_of("package shop.`in`.parts\n\nclass A {\n}\n", is_java=False)
    assert shape.package == "shop.in.parts"
    assert shape.bodies == ()


def test_text_that_is_not_finished() -> None:
    shape = shape_of("package p; class A { void f() {", is_java=True)
    assert shape.package == "p"
