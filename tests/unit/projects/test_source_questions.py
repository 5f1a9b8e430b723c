# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: FLY002, ISC004 - sources in tables
"""What an editor asks about sources, with mistakes in them, and of texts that are not saved."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug.projects import source_questions
from jvmdebug.projects.source_questions import (
    SourceFolders,
    declared,
    field_at,
    method_at,
    names_above,
)
from tests.support.jdks import REPOSITORY
from tests.unit.projects.test_detection import write

if TYPE_CHECKING:
    from collections.abc import Callable

SAMPLES = json.loads((REPOSITORY / "tests/support/declared_tests.json").read_text("utf-8"))
STRING = "public static void main(String[] a) {}"


def mains(text: str, name: str = "Compact.java") -> list[str]:
    found = declared(Path(name), text)["mains"]
    return [f"{each['className']}:{each['line']}" for each in found]


def declared_tests(text: str, name: str) -> dict[str, list[str]]:
    return {
        f"{each['className']}:{each['line']}": [
            f"{method['name']}:{method['line']}" for method in each["methods"]
        ]
        for each in declared(Path(name), text)["tests"]
    }


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"package shop;\nclass Main {{\n  {STRING}\n}}", ["shop.Main:3"]),
        (
            "class A { static void main(final String... a) {} }\n"
            "class B { public static void main(String a[]) {} }",
            ["A:1", "B:2"],
        ),
        (f"class A {{ int x = f(1); static class B {{ {STRING} }} }}", ["A$B:1"]),
        (
            f"record R(int x) {{ {STRING} }}\nenum E {{ A(1) {{ void main() {{}} }}; {STRING} }}\n"
            "interface I { static void main(String[] a) {} }",
            ["R:1", "E:2", "I:3"],
        ),
        ("class A { void main() {} }", ["A:1"]),
        ("class A { void main() {}\n static void main(String[] a) {} }", ["A:1"]),
        (f"class A {{ void main() {{}}\n {STRING} }}", ["A:2"]),
        ("void main() {\n  IO.println(1);\n}", ["Compact:1"]),
        (
            f'class A {{\n @Deprecated(since = "{{")\n {STRING[:-2]} throws Exception {{}} }}',
            ["A:3"],
        ),
        (
            "class A { // static void main(String[] a) {}\n /* void main() {} */"
            ' String s = "void main() {"; String t = """\n void main() {} """; }',
            [],
        ),
        (
            "class A { private static void main(String[] a) {} static int main(int x) { return 1; }"
            " void f() { main(); } Object o = new Object() { void main() {} }; }",
            [],
        ),
        (
            "class A { void f() { class B { void main() {} } run(new C() { void main() {} }); } }",
            [],
        ),
        ("class A { public static void main(java.lang.String[] a) {} }", ["A:1"]),
        ("class Größe { public static void main(String[] a) {} }", ["Größe:1"]),
    ],
)
def test_main_methods_of_java(text: str, found: list[str]) -> None:
    assert mains(text) == found


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("package shop\n\nfun main() {}", "cart.kt", ["shop.CartKt:3"]),
        ("fun main(args: Array<String>) {}", "Main.kt", ["MainKt:1"]),
        ("fun main(vararg args: String) {}", "Main.kt", ["MainKt:1"]),
        ("suspend fun main() {}", "main.kt", ["MainKt:1"]),
        ('@file:JvmName("Shop")\npackage a.b\nfun main() {}', "x.kt", ["a.b.Shop:3"]),
        ("// fun main()\n/*\nfun main()\n*/\nclass A {\n  fun main() {}\n}", "A.kt", []),
        ("/* /* */ fun main() {} */", "A.kt", []),
        ('val x = "${if (y) "}" else "{"}"\nfun main() {}', "A.kt", ["AKt:2"]),
        ("private fun main() {}\nfun main(x: Int) {}\nfun Int.main() {}", "A.kt", []),
    ],
)
def test_main_functions_of_kotlin(text: str, name: str, found: list[str]) -> None:
    assert mains(text, name) == found


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda each: each["title"])
def test_tests_of_a_text(sample: dict[str, Any]) -> None:
    name = "File.kt" if sample.get("language") == "kotlin" else "File.java"
    assert declared_tests(sample["source"], name) == sample["tests"]


def test_a_test_begins_with_its_annotations() -> None:
    text = '@Tag("x")\nclass T {\n @Test\n @CsvSource({"a, 1", "b, 2"})\n void adds(String a) {}\n}'
    (found,) = declared(Path("T.java"), text)["tests"]
    assert (found["firstLine"], found["line"]) == (1, 2)
    assert found["methods"] == [{"name": "adds", "line": 5, "firstLine": 3}]
    text = '@Tag("x")\nclass T {\n @Test\n @DisplayName("b")\n fun adds() {}\n}'
    (found,) = declared(Path("T.kt"), text)["tests"]
    assert (found["firstLine"], found["line"]) == (1, 2)
    assert found["methods"] == [
        {"name": "adds", "line": 5, "firstLine": 3, "displayName": "b"},
    ]


@pytest.mark.parametrize(
    ("annotation", "shown"),
    [
        ('@DisplayName("adds \\"two\\" \\u00fcber")', 'adds "two" über'),
        ('@org.junit.jupiter.api.DisplayName( value = "whole" )', "whole"),
        ("@DisplayName(NAME)", None),
        ('@DisplayName(" ")', None),
        ('// @DisplayName("said")', None),
        ('@Tag("DisplayName")', None),
    ],
)
def test_names_that_tests_are_shown_with(annotation: str, shown: str | None) -> None:
    text = (
        f"{annotation}\nclass T {{\n @Test void a() {{}}\n {annotation}\n @Test void b() {{}}\n}}"
    )
    (found,) = declared(Path("T.java"), text)["tests"]
    first, second = found["methods"]
    assert [each.get("displayName") for each in (found, first, second)] == [shown, None, shown]


JAVA = """package shop;
class CartTest {
    int total = 0;

    public static void main(String[] args) { }

    @Test void adds() { }
    @Nested class Empty {
        @Test void isEmpty() { }
    }
}
"""
KOTLIN = """package shop

fun main() { }
class CartTest {
    var total = 0

    @Test fun adds() { }
    @Nested inner class Empty {
        @Test fun isEmpty() { }
    }
}
"""
MISTAKES = [
    "    total.",
    "    foo(",
    '    String text = "open',
    "    if (x",
    "    @",
    "    int = ;",
    "    val x = ",
    "    ???",
    "    var y: List<",
    "    'x",
]


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize(("name", "text"), [("CartTest.java", JAVA), ("cart.kt", KOTLIN)])
def test_a_line_that_is_being_typed_hides_nothing_above_it(
    name: str, text: str, mistake: str
) -> None:
    """Nor what comes after it, if it opens nothing that it does not close."""
    lines = text.split("\n")
    at = next(number for number, line in enumerate(lines) if "isEmpty" in line)
    edited = "\n".join([*lines[: at + 1], mistake, *lines[at + 1 :]])
    for found in (mains, declared_tests):
        assert found(edited, name) == found(text, name)
    if "(" in mistake:
        return
    middle = "\n".join([*lines[:5], mistake, *lines[5:]])
    assert [each.split(":")[0] for each in declared_tests(middle, name)] == [
        each.split(":")[0] for each in declared_tests(text, name)
    ]
    assert mains(middle, name)


def test_a_text_that_ends_in_the_middle() -> None:
    assert mains("class A { public static void main(String[] a) { if (x") == ["A:1"]
    assert mains("fun main() { if (x", "a.kt") == ["AKt:1"]
    for name, text in (("T.java", JAVA), ("T.kt", KOTLIN)):
        for end in range(len(text)):
            declared(Path(name), text[:end])
            method_at(Path(name), text[:end], 3, "total")
            field_at(Path(name), text[:end], 3, "total")
            names_above(Path(name), text[:end], 3)


def test_a_large_text_is_read_quickly() -> None:
    text = (
        "class A {\n" + "  int f(int x) { return x + 1; } // (((\n" * 25_000 + " void main() {} }"
    )
    begun = time.process_time()
    assert len(mains(text)) == 1
    assert time.process_time() - begun < 4


CART = """package shop;
class Cart {
    int total;
    Cart(int total) { this.total = total; }
    void add(int cents) {
        total += cents;
    }
    public Cart(String text) { }
}
"""


@pytest.mark.parametrize(
    ("line", "word", "found"),
    [
        (6, "total", "shop.Cart#add"),
        (4, "add", "shop.Cart#add"),
        (4, "total", "shop.Cart#<init>"),
        (8, "text", "shop.Cart#<init>"),
        (1, None, ""),
    ],
)
def test_the_method_at_a_place_in_java(line: int, word: str | None, found: str) -> None:
    assert method_at(Path("Cart.java"), CART, line, word) == found


def test_the_field_at_a_place_in_java() -> None:
    assert field_at(Path("Cart.java"), CART, 6, "total") == "shop.Cart.total"
    assert field_at(Path("Cart.java"), CART, 6, None) == ""
    assert field_at(Path("Cart.java"), "", 1, "total") == ""


KOTLIN_CART = """package shop

var sold = 0

fun Cart.shout(loud: Boolean) = name.uppercase()

class Cart(
    val items: List<Int>,
    var name: String,
) {
    fun total(): Int {
        fun local() = 1
        return items.sumOf { it } + local()
    }
    internal fun clear() {}
    companion object {
        var made = 0
        fun of(text: String) = Cart(listOf(), text)
    }
    var seen = false
}

object Registry { fun add(cart: Cart) {} }
"""


@pytest.mark.parametrize(
    ("line", "word", "found"),
    [
        (13, "items", "shop.Cart#total"),
        (12, "local", "shop.Cart#total"),
        (5, "shout", "shop.CartKt#shout"),
        (8, "items", "shop.Cart#<init>"),
        (18, "Cart", "shop.Cart#<init>"),
        (15, "clear", "shop.Cart#clear$*"),
        (18, "text", "shop.Cart$Companion#of"),
        (23, "add", "shop.Registry#add"),
        (1, "package", ""),
    ],
)
def test_the_method_at_a_place_in_kotlin(line: int, word: str, found: str) -> None:
    assert method_at(Path("cart.kt"), KOTLIN_CART, line, word) == found


@pytest.mark.parametrize(
    ("line", "word", "found"),
    [
        (3, "sold", "shop.CartKt.sold"),
        (9, "name", "shop.Cart.name"),
        (17, "made", "shop.Cart.made"),
        (20, "seen", "shop.Cart.seen"),
        (23, "carts", "shop.Registry.carts"),
    ],
)
def test_the_field_at_a_place_in_kotlin(line: int, word: str, found: str) -> None:
    assert field_at(Path("cart.kt"), KOTLIN_CART, line, word) == found
    assert field_at(Path("cart.kt"), KOTLIN_CART, line, None) == ""


def names(text: str, line: int, path: str = "Cart.java") -> list[str]:
    found = names_above(Path(path), text, line)
    return [f"{each['name']} {each['line']}:{each['column']}" for each in found]


def test_names_above_a_stop_are_those_of_its_method_as_far_as_they_may_be_variables() -> None:
    text = "\n".join(
        [
            "class Cart {",
            "  int other(int hidden) { return hidden; }",
            "  int total(List<Item> items) {",
            "    int sum = 0; // sum of all",
            '    String text = "sum";',
            "    for (Item item : items) { sum += item.price() + this.tax + sum; }",
            "    return later;",
            "  }",
            "}",
        ]
    )
    found = names(text, 6)
    wanted = {"items 3:23", "sum 4:8", "text 5:11", "item 6:14", "items 6:21", "sum 6:30"}
    assert wanted | {"this.tax 6:52"} <= set(found)
    words = [each.split()[0] for each in found]
    assert not {"hidden", "price", "tax", "later", "all", "total"} & set(words)
    assert len([each for each in found if each.startswith("sum 6")]) == 1


def test_columns_count_as_editors_do() -> None:
    text = 'class A { void f() {\n  g("😀é", x, 10L); } }'
    assert "x 2:11" in names(text, 2)
    assert not [each for each in names(text, 2) if each.startswith("L ")]
    kotlin = 'fun f() {\n  g("😀é", x)\n}'
    assert "x 2:11" in names(kotlin, 2, "a.kt")


def test_the_method_of_a_line_in_kotlin_begins_at_its_fun() -> None:
    text = "fun first(a: Int) = a\nfun main() {\n  val cart = 1\n  println(cart)\n}\n"
    found = names(text, 4, "main.kt")
    assert {"cart 3:6", "cart 4:10"} <= set(found)
    assert "a 1:10" not in found


# Folders


def program(name: str) -> str:
    return f"class {name} {{ {STRING} }}"


def shown(found: dict[str, Any], root: Path) -> list[str]:
    of_sources = [
        f"{main['className']} {Path(each['file']).relative_to(root)}"
        for each in found["files"]
        for main in each["mains"]
    ]
    return of_sources + [
        f"{each['className']} {Path(each['file']).relative_to(root)}"
        f" of {Path(each['project']).relative_to(root)}"
        for each in found["compiled"]
    ]


def test_main_classes_and_tests_below_a_folder(tmp_path: Path) -> None:
    write(tmp_path / "src" / "B.java", program("B"))
    write(tmp_path / "src" / "CTest.java", "class CTest { @Test void runs() {} }")
    write(tmp_path / "src" / "D.java", "class D { }")
    for left_out in ("build", "target", "node_modules", ".git", "bin"):
        write(tmp_path / left_out / "E.java", program("E"))
    found = SourceFolders().below(tmp_path, {})
    assert shown(found, tmp_path) == ["B src/B.java"]
    assert [Path(each["file"]).name for each in found["files"]] == ["B.java", "CTest.java"]
    assert found["files"][1]["tests"][0]["methods"][0]["name"] == "runs"


def test_texts_that_are_not_saved_count(tmp_path: Path) -> None:
    file = write(tmp_path / "A.java", "class A { }")
    folders = SourceFolders()
    assert shown(folders.below(tmp_path, {}), tmp_path) == []
    assert shown(folders.below(tmp_path, {str(file): program("A")}), tmp_path) == ["A A.java"]
    assert shown(folders.below(tmp_path, {}), tmp_path) == []


def test_files_are_read_again_only_if_they_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    real: Callable[..., Any] = source_questions.declared

    def counted(path: Path, text: str | None = None) -> Any:
        read.append(path.name)
        return real(path, text)

    monkeypatch.setattr(source_questions, "declared", counted)
    changing = write(tmp_path / "A.java", program("A"))
    write(tmp_path / "B.java", program("B"))
    folders = SourceFolders()
    folders.below(tmp_path, {})
    folders.below(tmp_path, {})
    assert read == ["A.java", "B.java"]
    write(changing, "class A { }")
    os.utime(changing, ns=(1, 1))
    assert shown(folders.below(tmp_path, {}), tmp_path) == ["B B.java"]
    assert read[2:] == ["A.java"]


def test_a_link_that_leads_back_ends(tmp_path: Path) -> None:
    write(tmp_path / "src" / "A.java", program("A"))
    (tmp_path / "src" / "again").symlink_to(tmp_path)
    assert shown(SourceFolders().below(tmp_path, {}), tmp_path) == ["A src/A.java"]


def class_file(name: str, access: int, method: str, descriptor: str, version: int) -> bytes:
    """A class file with one field and a method, each with an attribute, as javac writes them."""

    def u2(number: int) -> bytes:
        return number.to_bytes(2)

    def utf8(text: str) -> bytes:
        return b"\x01" + u2(len(text)) + text.encode()

    constants = [utf8(name), b"\x07" + u2(1), b"\x05" + bytes(7) + b"\x01"]
    constants += [utf8(method), utf8(descriptor), utf8("Code")]

    def member(flags: int) -> bytes:
        return u2(flags) + u2(5) + u2(6) + u2(1) + u2(7) + u2(0) + u2(2) + b"\x09\x09"

    head = b"\xca\xfe\xba\xbe\0\0" + u2(version) + u2(len(constants) + 2) + b"".join(constants)
    of_class = u2(0x21) + u2(2) + u2(2) + u2(1) + u2(2)
    return head + of_class + u2(1) + member(0x9) + u2(1) + member(access) + u2(0)


CLASSIC = "([Ljava/lang/String;)V"


@pytest.mark.parametrize(
    ("access", "method", "descriptor", "version", "is_main"),
    [
        (0x9, "main", CLASSIC, 61, True),
        (0x1, "main", CLASSIC, 61, False),
        (0x9, "start", CLASSIC, 61, False),
        (0x9, "main", "()V", 61, False),
        (0x0, "main", "()V", 69, True),
        (0x2, "main", "()V", 69, False),
        (0x0, "main", "()V", 65, False),
    ],
)
def test_class_files_are_looked_at_where_no_source_has_their_class(
    tmp_path: Path, access: int, method: str, descriptor: str, version: int, *, is_main: bool
) -> None:
    write(tmp_path / "src" / "shop" / "C.java", "class C { }")
    content = class_file("gen/Made$Demo", access, method, descriptor, version)
    for place in ("bin/shop/C.class", "bin/shop/C$Inner.class", "target/classes/gen/Made.class"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_bytes(content)
    found = shown(SourceFolders().below(tmp_path, {}), tmp_path)
    assert found == (["gen.Made$Demo target/classes/gen/Made.class of ."] if is_main else [])


def test_what_is_no_class_file_or_a_part_of_one_is_passed_over(tmp_path: Path) -> None:
    whole = class_file("A", 0x9, "main", CLASSIC, 61)
    file = tmp_path / "out" / "A.class"
    file.parent.mkdir()
    for length in range(len(whole) - 4):
        file.write_bytes(whole[:length])
        assert SourceFolders().below(tmp_path, {})["compiled"] == []
    file.write_bytes(whole)
    assert len(SourceFolders().below(tmp_path, {})["compiled"]) == 1
