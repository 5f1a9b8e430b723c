# SPDX-License-Identifier: Apache-2.0
"""A long name in a table moves its own row, and widens no column."""

from __future__ import annotations

from rich.console import Console

from jvmdebug_cli.rows import Rows

LONG = "http-nio-8080-exec-worker-of-the-tenant-with-a-long-name-7"
ROWS = [("* 1", "main", "stopped", "A.main(A.java:3)"), ("  2", LONG, "waiting", "B.b(B.java:1)")]


def shown(width: int) -> list[str]:
    console = Console(width=width, color_system=None)
    with console.capture() as captured:
        console.print(Rows(("  id", "name", "state", "at"), ROWS, longest=32))
    return captured.get().splitlines()


def test_the_other_rows_stay_as_they_are() -> None:
    heads, first, second = shown(120)
    assert heads.split() == ["id", "name", "state", "at"]
    assert first == "* 1   main  stopped  A.main(A.java:3)"
    assert second == f"  2   {LONG}  waiting  B.b(B.java:1)"
    assert heads.index("state") == first.index("stopped")


def test_what_does_not_fit_comes_below() -> None:
    lines = shown(80)
    assert lines[1] == "* 1   main  stopped  A.main(A.java:3)"
    assert lines[2] == f"  2   {LONG}  waiting"
    assert lines[3].strip() == "B.b(B.java:1)"
