# SPDX-License-Identifier: Apache-2.0
"""The report of a heap, whose names and strings are the program's: they stay text, on one line."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

import jvmdebug.heap
from tests.support.hprof import HprofWriter

if TYPE_CHECKING:
    from pathlib import Path

_CLASS = "shop/<script>alert(1)</script>\"'&"
_FIELD = "</details><img src=x onerror=alert(2)>"
_STRING = '</td></table></main><script>alert("@BODY@")</script>\n\u2028\u202e\x1b[31m'


class _Page(HTMLParser):
    """What a browser makes of it: the elements that are open, and the text in each."""

    _VOID = ("meta", "input")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: dict[str, int] = {}
        self.attributes: set[str] = set()
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements[tag] = self.elements.get(tag, 0) + 1
        self.attributes |= {name for name, _ in attrs}
        if tag not in self._VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "main" in self.open:
            self.texts.append(data)


@pytest.fixture
def heap(tmp_path: Path) -> jvmdebug.heap.HeapFile:
    """Equal strings with a text that is HTML, kept by two classes in fields with such names."""
    writer = HprofWriter()
    writer.class_(0x10, _CLASS, statics={_FIELD: 0x2000})
    writer.class_(0x40, _CLASS + "2", statics={_FIELD: 0x2000})
    writer.class_(0x18, "[Ljava/lang/Object;")
    writer.class_(0x20, "java/lang/String", fields=["value"])
    writer.class_(0x28, "[C")
    writer.objects(0x2000, 0x18, [0x3000, 0x3100])
    for string in (0x3000, 0x3100):
        writer.instance(string, 0x20, [string + 8])
        writer.chars(string + 8, _STRING)
    writer.root(0x10)
    writer.root(0x40)
    return jvmdebug.heap.open(writer.write(tmp_path / "a.hprof"))


def test_names_and_strings_of_the_program_stay_text(
    heap: jvmdebug.heap.HeapFile, tmp_path: Path
) -> None:
    content = heap.report(tmp_path / "a.html", _STRING).read_text("utf-8")
    page = _Page(content)
    assert page.open == []
    assert page.elements["script"] == page.elements["main"] == 1
    assert "img" not in page.elements
    assert not {"src", "href", "onerror"} & page.attributes
    assert not {"\u2028", "\u202e", "\x1b"} & set(content)
    shown = "".join(page.texts)
    assert f"class {_CLASS.replace('/', '.')}" in shown
    assert f".{_FIELD}" in shown
    assert '<script>alert("@BODY@")</script>\\n\\u2028\\u202e\\u001b[31m' in shown


def test_the_file_of_the_heap_is_not_written_over(heap: jvmdebug.heap.HeapFile) -> None:
    with pytest.raises(jvmdebug.heap.HeapError, match="it is the heap dump itself"):
        heap.report(heap.path)
    with pytest.raises(jvmdebug.heap.HeapError, match="cannot write"):
        heap.report("/no/such/folder/a.html")


def test_a_heap_without_objects(tmp_path: Path) -> None:
    heap = jvmdebug.heap.open(HprofWriter().write(tmp_path / "a.hprof"))
    page = _Page(heap.report(tmp_path / "a.html").read_text("utf-8"))
    assert "0 objects of 0 classes" in (tmp_path / "a.html").read_text("utf-8")
    assert page.open == []
