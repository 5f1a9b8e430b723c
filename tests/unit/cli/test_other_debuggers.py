# SPDX-License-Identifier: Apache-2.0
"""Commands as jdb and gdb have them."""

from __future__ import annotations

import pytest

from jvmdebug_cli import commands as _commands  # noqa: F401 - fills the table
from jvmdebug_cli.command import find
from jvmdebug_cli.other_debuggers import translated


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("stop at shop.Cart:42", "break shop.Cart:42"),
        ("stop  in shop.Cart.add", "break shop.Cart.add"),
        ("step up", "finish"),
        ("step", "step"),
        ("where all", "stacks"),
        ("where 3", "where 3"),
        ("thread apply all bt", "stacks"),
        ("thread 1", "thread 1"),
        ("set var total = 1", "set total = 1"),
        ("set variables = 1", "set variables = 1"),
        ("info b", "breakpoints"),
        ("info breakpoints", "breakpoints"),
        ("i args", "args"),
        ("rwatch shop.Cart.total", "watch read shop.Cart.total"),
        ("watch access shop.Cart.total", "watch read shop.Cart.total"),
        ("dump this", "print /r this"),
        ("catch all java.io.IOException", "catch java.io.IOException"),
        ("print/x total", "print/x total"),
    ],
)
def test_forms_of_several_words(theirs: str, ours: str) -> None:
    assert translated(theirs) == ours


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        *(("cont", "continue"), ("bt", "where"), ("suspend", "pause"), ("eval", "print")),
        *(("ptype", "class"), ("clear", "delete"), ("fin", "finish"), ("ni", "nexti")),
        *(("advance", "until"), ("reenter", "restart"), ("read", "source"), ("vars", "locals")),
    ],
)
def test_other_names(theirs: str, ours: str) -> None:
    assert find(theirs).name == ours
