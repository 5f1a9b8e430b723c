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


def slides(text: str, path: str, lines: range) -> list[int]:
    """Tells to which line each of the lines may slide at most."""
    shape = shape_of(text, path)
    return [shape.last_line_to_slide_to(line) for line in lines]


def test_no_line_slides_out_of_a_class_or_past_one() -> None:
    assert shape_of(TEXT, "Outer.java").packages == frozenset({"shop.parts"})
    #                  1   2   3   4   5   6   7   8   9  10  11  12  13  14  15
    assert slides(TEXT, "Outer.java", range(1, 16)) == [
        *(11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11),
        *(14, 14, 14, 15),
    ]
    assert slides(TEXT, "Outer.java", range(16, 19)) == [18, 18, 18], "Other has no code"


def test_what_a_line_waits_for() -> None:
    shape = shape_of(TEXT, "Outer.java")
    anonymous, kind = "an anonymous class at line 7", "enum Kind at line 14"
    assert [shape.awaited_at(line, ()) for line in (4, 9, 13)] == [anonymous, anonymous, kind]
    assert shape.awaited_at(15, (6, 7)) is None, "the class around is loaded"
    assert shape.awaited_at(15, ()) == "class Outer at line 3"
    assert shape_of("class A\n", "A.kt").awaited_at(1, ()) is None


def test_an_interface_with_code_counts() -> None:
    for member in ("default void f() { }", "int ONE = f();"):
        text = f"// a\ninterface I {{\n  {member}\n}}\nclass B {{\n}}\n"
        assert slides(text, "I.java", range(1, 2)) == [4]


def test_kotlin() -> None:
    text = """\
package shop

private val rates = mapOf("{" to 1,
    "b" to 2)

data class Part(
    val name: String,
)

interface Named { val name: String }

/* class Old { /* nested */ { */
class Cart(val size: Int) : Named {
    override val name get() = "cart ${ if (size > 0) "{" else "}" } $size"

    fun each() {
        if (size > 1) {
            println()
        }

        listOf(1).forEach {
            println(it)

        }
    }

    companion object
}

fun main() {
    println()

}
"""
    before, inside = {1: 4, 5: 8, 9: 24, 26: 27, 29: 33}, {4: 4, 7: 8, 8: 8, 14: 24, 17: 24}
    behind = {20: 24, 23: 24, 25: 25, 27: 27, 28: 28, 31: 33, 32: 33}
    wanted = before | inside | behind
    assert {line: slides(text, "Cart.kt", range(line, line + 1))[0] for line in wanted} == wanted


def test_another_language_has_a_package_and_slides_nowhere() -> None:
    text = "package shop.`in`.parts\n\nclass A {\n}\n"
    assert shape_of(text, "Outer.groovy").packages == frozenset({"shop.in.parts"})
    assert slides(text, "Outer.groovy", range(1, 4)) == [1, 2, 3]
    assert slides("<% %>\n\n<% %>\n", "page.jsp", range(2, 3)) == [3], "a page is one class"


def test_text_that_is_not_finished() -> None:
    shape = shape_of("package p; class A { void f() {", "Outer.java")
    assert shape.packages == frozenset({"p"})


CONTINUED = """\
class Toll {
    int plain;
    String text(
        int min,
        int max) {
        // nothing
        throw new IllegalStateException(
            "a" + min
            + "b");
    }
    Runnable task() {
        Runnable it = new Runnable() {
            public void run() {
                go(
                    1);
            }
        };
        all(x -> {
            go(x);
            return x;
        }, "last",
            "of all");
        if (it != null
            ) {
            class Local { int a = 1; }
        }
        return it;
    }

    abstract void none(int a,
        int b);
}
"""


def moves(text: str, path: str, code: set[int]) -> dict[int, int | None]:
    """Tells where each line without code moves to."""
    shape = shape_of(text, path)
    lines = range(1, len(text.splitlines()) + 1)
    return {line: shape.line_with_code(line, code) for line in lines if line not in code}


def test_a_line_stays_in_its_statement_else_in_its_method() -> None:
    method = {7, 8, 12, 18, 19, 20, 23, 27}
    found = moves(CONTINUED, "Toll.java", method)
    assert [found[line] for line in (3, 4, 5, 6)] == [7, 7, 7, 7], "the first line of the method"
    assert [found[line] for line in (9, 10)] == [8, 8], "not the next method"
    assert [found[line] for line in (13, 14, 15, 16)] == [None] * 4, "the class is not loaded"
    assert found[17] == 12, "the end of the statement that makes the object"
    assert [found[line] for line in (21, 22)] == [20, 18]
    assert [found[line] for line in (24, 26, 28)] == [23, 27, 27]
    assert found[25] is None, "a class that is not loaded"
    assert [found[line] for line in (29, 30, 31)] == [None] * 3, "no code behind"
    loaded = moves(CONTINUED, "Toll.java", method | {14, 16})
    assert (loaded[13], loaded[15], loaded[17]) == (14, 14, 12)


def test_a_line_of_kotlin_stays_in_its_statement_else_in_its_function() -> None:
    text = """\
class Cart {
    fun text(min: Int): String {
        throw IllegalStateException(
            "a" + min
            + "b")
    }
    fun one() =
        min +
        2
    fun each() {
        list.filter { it > 1 }
            .map {
                // nothing
                it + 1
            }
        if (a &&
            b
        ) {
            go(
                1)
        }
    }
    val named: String
        get() {
            return "a"
        }
}
"""
    found = moves(text, "Cart.kt", {3, 4, 8, 11, 12, 16, 19, 21, 25})
    lines = (2, 5, 6, 7, 9, 10, 15, 17, 18, 20, 22, 23, 24, 26)
    assert [found[line] for line in lines] == [*(3, 4, 4, 8, 8, 11, 12, 16, 16, 19, 21, 25, 25, 25)]
    assert (found[13], found[14]) == (None, None), "the lambda may be a class that is not loaded"
