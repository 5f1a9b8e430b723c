# SPDX-License-Identifier: Apache-2.0
"""What notebooks show: escaped, bounded, with the current line marked."""

from __future__ import annotations

from jvmdebug import notebook

EVIL = "<script>alert(1)</script>\x1b[2J\u202e&"


def test_a_table_is_escaped_and_bounded() -> None:
    shown = notebook.table(EVIL, [(EVIL, number) for number in range(300)], columns=(EVIL,))
    assert "<script" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\\u001b[2J\\u202e&amp;" in shown
    assert shown.count("<tr>") == 201
    assert "… 100 more" in shown
    assert "None" not in notebook.table("", [(None,)])


def test_code_marks_the_line() -> None:
    text = "\n".join(f"<line> {number}" for number in range(1, 20))
    shown = notebook.code(text, 10, around=1)
    assert [line for line in shown.splitlines() if "background" in line] == [
        '<span style="background: rgba(255, 200, 0, 0.3)">   10 &lt;line&gt; 10</span>'
    ]
    assert shown.count("<span") == 3
    assert notebook.code("one", 1).count("<span") == 1
    assert notebook.code("one", 30).count("<span") == 0


def test_a_dump_is_escaped() -> None:
    assert notebook.preformatted(f"a\n{EVIL}").startswith("<pre>a\n&lt;script&gt;")
