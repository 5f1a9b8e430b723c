# SPDX-License-Identifier: Apache-2.0
"""Lines of classes, with and without a source map, from the model's answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar, cast

import pytest

from jvmdebug.classfile import LineTable
from jvmdebug.model.location import Location
from jvmdebug.sources import (
    SourceLine,
    breakable_lines,
    breakable_lines_of,
    source_line,
    source_paths,
)

if TYPE_CHECKING:
    from jvmdebug.model.reference_type import ReferenceType

T = TypeVar("T")

SMAP = """SMAP
hello_jsp.java
JSP
*S JSP
*F
+ 0 hello.jsp
web/hello.jsp
*L
1,3:10,2
*E
"""


@dataclass(eq=False)
class FakeMethod:
    """What class_lines asks of a method."""

    lines: tuple[tuple[int, int], ...]
    declaring_type: object = None

    async def line_table(self) -> LineTable:
        return LineTable(self.lines)


class FakeVm:
    """What class_lines asks of a VM."""

    def companion(self, class_: type[T]) -> T:
        return class_()


@dataclass(eq=False)
class FakeType:
    """What class_lines asks of a class."""

    name: str
    source: str | None
    tables: tuple[tuple[tuple[int, int], ...], ...]
    extension: str | None = None
    made: list[FakeMethod] = field(default_factory=list)
    vm: FakeVm = field(default_factory=FakeVm)

    async def methods(self) -> list[FakeMethod]:
        if not self.made:
            self.made = [FakeMethod(lines, self) for lines in self.tables]
        return self.made

    async def source_file(self) -> str | None:
        return self.source

    async def source_debug_extension(self) -> str | None:
        return self.extension


def as_type(fake: FakeType) -> ReferenceType:
    return cast("ReferenceType", fake)


CART = FakeType("shop.Cart", "Cart.java", (((0, 5), (4, 6), (9, 5)), ((0, 6),), ()))
JSP = FakeType("web.hello_jsp", "hello_jsp.java", (((0, 9), (1, 10), (5, 11), (9, 12)),), SMAP)


async def test_every_copy_of_a_line_is_found() -> None:
    lines = await breakable_lines(as_type(CART))
    path = "shop/Cart.java"
    assert set(lines) == {SourceLine(path, 5), SourceLine(path, 6)}
    assert [each.index for each in lines[SourceLine(path, 5)]] == [0, 9]
    assert [each.index for each in lines[SourceLine(path, 6)]] == [4, 0]
    assert len({each.method for each in lines[SourceLine(path, 6)]}) == 2


async def test_a_source_map_leads_to_the_translated_source() -> None:
    lines = await breakable_lines(as_type(JSP))
    # Line 9 of the class file belongs to no line of the page.
    assert {place: len(found) for place, found in lines.items()} == {
        SourceLine("web/hello.jsp", 1): 2,
        SourceLine("web/hello.jsp", 2): 1,
    }
    assert await source_paths(as_type(JSP)) == ("web/hello.jsp",)


async def test_where_a_location_is() -> None:
    (method, *_) = await CART.methods()
    location = Location(cast("object", method), 4)  # type: ignore[arg-type]
    assert await source_line(location) == SourceLine("shop/Cart.java", 6)
    (translated,) = await JSP.methods()
    assert await source_line(Location(translated, 9)) == SourceLine("web/hello.jsp", 2)  # type: ignore[arg-type]
    assert await source_line(Location(translated, 0)) is None  # type: ignore[arg-type]


async def test_lines_of_a_source_from_several_classes() -> None:
    item = FakeType("shop.Cart$Item", "Cart.java", (((0, 12),),))
    other = FakeType("other.Cart", "Cart.java", (((0, 99),),))
    types = [as_type(each) for each in (CART, item, other)]
    assert await breakable_lines_of(types, "shop/Cart.java") == (5, 6, 12)


@pytest.mark.parametrize("extension", ["", "no map", "SMAP\nbroken"])
async def test_an_attribute_that_is_no_map_is_not_used(extension: str) -> None:
    fake = FakeType("shop.Cart", None, (((0, 5),),), extension)
    assert list(await breakable_lines(as_type(fake))) == [SourceLine("shop/Cart.java", 5)]
