# SPDX-License-Identifier: Apache-2.0
"""How traces and samples show."""

from __future__ import annotations

import io
import json
from dataclasses import fields

import jvmdebug
from jvmdebug_cli.observed_views import CallTree, JsonLines, Writes, duration, sparkline
from jvmdebug_cli.printer import Printer


def _entered(number: int, depth: int, thread: int = 1) -> jvmdebug.CallEntered:
    return jvmdebug.CallEntered(
        time=0.0,
        thread=f"t{thread}",
        thread_id=thread,
        number=number,
        parent=None,
        depth=depth,
        type_name="shop.Cart",
        method_name=f"m{number}",
        this=None,
        arguments=(),
        stack=(),
    )


def _over(
    call: jvmdebug.CallEntered, result: str | None = None, why_not: str | None = None
) -> jvmdebug.Call:
    value = None if result is None else jvmdebug.ObservedValue(result, "int")
    given = {each.name: getattr(call, each.name) for each in fields(call)}
    return jvmdebug.Call(
        **given, outcome="returned", result=value, why_no_result=why_not, duration_s=0.002
    )


def test_an_unknown_result_is_explained_once() -> None:
    output = io.StringIO()
    tree = CallTree(Printer(output, is_terminal=False))
    for number in (1, 2):
        tree.show(_over(_entered(number, 0), why_not="the fast mode does not see it"))
    tree.end()
    _thread, first, why, second = output.getvalue().splitlines()
    assert (first.split()[:3], second.split()[:3]) == (
        ["└", "shop.Cart.m1", "="],
        ["└", "shop.Cart.m2", "="],
    )
    assert "--mode full" in why


def test_a_write_is_shown_at_once_where_lines_have_no_end() -> None:
    output = io.StringIO()
    null = jvmdebug.ObservedValue("null", "null")
    entry = jvmdebug.StackEntry("shop.Cart", "clear", "shop/Cart.java", 12)
    write = jvmdebug.FieldWrite(
        time=0.0,
        thread="main",
        thread_id=1,
        field="shop.Cart.name",
        old=null,
        new=null,
        instance=None,
        stack=(entry,),
    )
    Writes(Printer(output, is_terminal=False)).show(write)
    assert output.getvalue() == (
        "shop.Cart.name: null -> null  thread main\n    at shop.Cart.clear(Cart.java:12)\n"
    )


def test_calls_are_a_tree() -> None:
    output = io.StringIO()
    tree = CallTree(Printer(output, is_terminal=False))
    outer, inner, other = _entered(1, 0), _entered(2, 1), _entered(3, 0, thread=2)
    for event in (outer, inner, _over(inner, "7"), other, _over(other), _over(outer)):
        tree.show(event)
    tree.show(outer)
    tree.end()
    assert output.getvalue().splitlines() == [
        "thread t1:",
        "  shop.Cart.m1()",
        "    shop.Cart.m2() = 7  2.0 ms",
        "thread t2:",
        "  shop.Cart.m3()  2.0 ms",
        "thread t1:",
        "  └ shop.Cart.m1  2.0 ms",
        "  shop.Cart.m1()",
    ]


def test_a_call_is_one_line_of_json() -> None:
    output = io.StringIO()
    lines = JsonLines(Printer(output, is_terminal=False))
    lines.show(_entered(1, 0))
    lines.show(_over(_entered(1, 0)))
    lines.show(_entered(2, 0))
    lines.end()
    over, still_open = map(json.loads, output.getvalue().splitlines())
    assert (over["number"], over["outcome"]) == (1, "returned")
    assert (still_open["number"], still_open["outcome"]) == (2, None)


def test_a_chart() -> None:
    assert sparkline([0, 1, 2, 7]) == "▁▂▃█"
    assert sparkline([5, 5]) == "▁▁"
    assert sparkline([]) == ""


def test_times() -> None:
    assert [duration(each) for each in (0.000012, 0.0034, 1.25)] == ["12 µs", "3.4 ms", "1.25 s"]
