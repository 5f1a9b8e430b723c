# SPDX-License-Identifier: Apache-2.0
"""JSR-45 source maps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug.sources.smap import SourceEntry, SourceMap

JSP = """SMAP
HelloServlet.java
JSP
*S JSP
*F
1 Hello.jsp
+ 2 greeting.jsp
include/greeting.jsp
*L
1#1,5:10,2
6:20
2#2:30
7#1,3:40,0
*E
"""
KOTLIN = """SMAP
Cart.kt
Kotlin
*S Kotlin
*F
+ 1 Cart.kt
shop/Cart
+ 2 _Collections.kt
kotlin/collections/CollectionsKt___CollectionsKt
*L
1#1,40:1
1549#2:41
1620#2,3:42
*S KotlinDebug
*F
+ 1 Cart.kt
shop/Cart
*L
12#1:41
12#1:42,3
*E
"""


def test_a_line_goes_to_its_source_and_back() -> None:
    stratum = SourceMap.parse(JSP).stratum()
    assert stratum is not None
    hello, greeting = SourceEntry("Hello.jsp"), SourceEntry("greeting.jsp", "include/greeting.jsp")
    assert stratum.source_line(10) == (hello, 1)
    assert stratum.source_line(11) == (hello, 1)
    assert stratum.source_line(19) == (hello, 5)
    assert stratum.source_line(20) == (hello, 6)
    assert stratum.source_line(30) == (greeting, 2)
    assert stratum.source_line(40) == (hello, 7)
    assert stratum.source_line(9) is None
    assert stratum.source_line(21) is None


def test_several_strata() -> None:
    parsed = SourceMap.parse(KOTLIN)
    assert parsed.default == "Kotlin"
    assert list(parsed.strata) == ["Kotlin", "KotlinDebug"]
    stratum = parsed.stratum()
    assert stratum is not None
    found = stratum.source_line(43)
    assert found is not None
    assert (found[0].name, found[1]) == ("_Collections.kt", 1621)
    calls = parsed.stratum("KotlinDebug")
    assert calls is not None
    found = calls.source_line(43)
    assert found is not None
    assert (found[0].name, found[1]) == ("Cart.kt", 12)
    assert parsed.stratum("Java") is None


def test_unknown_sections_are_skipped() -> None:
    text = JSP.replace("*S JSP\n", "*V\nvendor says\nthings\n*O Java\n*S x\n*C Java\n*S JSP\n")
    text = text.replace("*L\n", "*X later\n*L\n").replace("\n", "\r\n")
    assert SourceMap.parse(text) == SourceMap.parse(JSP)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not a map",
        "SMAP\nA.java\nJSP\n",
        "SMAP\nA.java\nJSP\n*S JSP\n*L\nx:y\n*E",
        "SMAP\nA.java\nJSP\n*S JSP\n*F\nnoname\n*E",
        "SMAP\nA.java\nJSP\nstray\n*E",
        "SMAP\nA.java\nJSP\n*O Java\n",
    ],
)
def test_malformed_maps(text: str) -> None:
    with pytest.raises(ValueError, match="source map"):
        SourceMap.parse(text)


@given(st.lists(st.sampled_from([*JSP.splitlines(), *KOTLIN.splitlines(), "", "*", "1#9:1"])))
def test_any_lines_are_read_or_refused(lines: list[str]) -> None:
    try:
        parsed = SourceMap.parse("\n".join(["SMAP", "A", "JSP", *lines]))
    except ValueError:
        return
    for stratum in parsed.strata.values():
        for line in range(60):
            stratum.source_line(line)
