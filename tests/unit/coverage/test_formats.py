# SPDX-License-Identifier: Apache-2.0
"""Formats of coverage: written, read, merged."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from jvmdebug.coverage import (
    Bits,
    Coverage,
    CoverageError,
    CoveredClass,
    CoveredMethod,
    LineCoverage,
    read_coverage,
)

if TYPE_CHECKING:
    from pathlib import Path


def _coverage(seen: int, ways: int, path: str | None = None) -> Coverage:
    """Two methods in three lines; `seen` and `ways` are the bits of line 3."""
    add = CoveredMethod(
        "add",
        "(I)V",
        {3: LineCoverage(Bits(4, seen), (Bits(2, ways),)), 4: LineCoverage(Bits(2, 0))},
    )
    clear = CoveredMethod("clear", "()V", {7: LineCoverage(Bits(1, 1))})
    return Coverage((CoveredClass("shop.Cart", "Cart.java", (add, clear), path),))


def test_sums() -> None:
    found = _coverage(0b0011, 0b01)
    counters = found.counters
    assert (counters.lines.missed, counters.lines.covered) == (1, 2)
    assert (counters.branches.missed, counters.branches.covered) == (1, 1)
    assert (counters.instructions.missed, counters.instructions.covered) == (4, 3)
    assert (counters.methods.missed, counters.methods.covered) == (0, 2)
    assert (counters.complexity.missed, counters.complexity.covered) == (1, 2)
    lines = found.files[0].lines
    assert [each.status for each in lines.values()] == ["partial", "none", "full"]
    assert found.of_file("Cart.java") is found.files[0]
    assert found.of_file("/home/src/shop/Cart.java") is found.files[0]
    assert found.of_file("Till.java") is None


def test_json_is_merged_exactly(tmp_path: Path) -> None:
    one = _coverage(0b0011, 0b01).write(tmp_path / "one.json")
    two = _coverage(0b1100, 0b10).write(tmp_path / "two.json")
    assert read_coverage(one) == _coverage(0b0011, 0b01)
    merged = read_coverage(one).merged_with(read_coverage(two))
    assert merged.counters.instructions.covered == 5
    assert merged.counters.branches.missed == 0
    assert merged.files[0].lines[3].status == "full"


@pytest.mark.parametrize(("name", "ways"), [("one.info", 2), ("one.xml", 1)])
def test_other_formats_are_merged_too(name: str, ways: int, tmp_path: Path) -> None:
    one = _coverage(0b0011, 0b01).write(tmp_path / name)
    two = _coverage(0b1100, 0b10).write(tmp_path / ("two" + name.removeprefix("one")))
    merged = read_coverage(one).merged_with(read_coverage(two))
    assert (merged.counters.lines.missed, merged.counters.lines.covered) == (1, 2)
    assert merged.counters.branches.covered == ways
    exact = _coverage(0b0011, 0b01).write(tmp_path / "one.json")
    with pytest.raises(CoverageError, match="cannot be merged with each other"):
        read_coverage(exact).merged_with(merged)
    again = read_coverage(merged.write(tmp_path / "merged.json"))
    with pytest.raises(CoverageError, match="cannot be merged with each other"):
        read_coverage(exact).merged_with(again)


def test_lcov() -> None:
    text = _coverage(0b0011, 0b01, "/src/shop/Cart.java").text("lcov")
    rows = text.splitlines()
    assert rows[:2] == ["TN:", "SF:/src/shop/Cart.java"]
    assert {"DA:3,1", "DA:4,0", "BRDA:3,0,0,1", "BRDA:3,0,1,0", "LF:3", "LH:2"} <= set(rows)
    assert "FNDA:1,shop.Cart.add(I)V" in rows


def test_xml_reports() -> None:
    found = _coverage(0b0011, 0b01)
    jacoco = ET.fromstring(found.text("jacoco"))
    (line, *_) = jacoco.iter("line")
    assert line.attrib == {"nr": "3", "mi": "2", "ci": "2", "mb": "1", "cb": "1"}
    cobertura = ET.fromstring(found.text("cobertura"))
    assert cobertura.attrib["lines-covered"] == "2"
    (line, *_) = cobertura.iter("line")
    assert line.attrib["condition-coverage"] == "50% (1/2)"


def test_a_page_has_the_sources_and_says_nothing_of_its_own(tmp_path: Path) -> None:
    source = tmp_path / "Cart.java"
    source.write_text("a\nb\nif (x < 1) { }\nd\ne\nf\ng\n")
    page = _coverage(0b0011, 0b01, str(source)).text("html", "<shop>")
    assert "if (x &lt; 1) { }" in page
    assert "&lt;shop&gt;" in page
    assert 'class="partial"' in page
    assert "http" not in page


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "not coverage that jvmdebug has written"),
        ("<html></html>", "no report of JaCoCo's"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><report/>', "declares entities"),
        ("SF:a\nDA:one,two\n", "line 2 is not of an LCOV file"),
        ("nothing", "neither JSON"),
    ],
)
def test_what_cannot_be_read(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "found"
    file.write_text(text)
    with pytest.raises(CoverageError, match=said):
        read_coverage(file)
