# SPDX-License-Identifier: Apache-2.0
"""Commands as jdb and gdb have them."""

from __future__ import annotations

import pytest

from jvmdebug_cli import commands as _commands  # noqa: F401 - fills the table
from jvmdebug_cli.command import UsageError, find
from jvmdebug_cli.other_debuggers import INSTEAD, translated


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
        ("stop", "breakpoints"),
        ("br shop.Cart:42", "break shop.Cart:42"),
        ("3 next", "next 3"),
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


_JDB = """\
run threads thread suspend resume where wherei up down kill interrupt print dump eval set locals
classes class methods fields threadgroups threadgroup stop clear catch ignore watch unwatch
trace untrace step stepi next cont list use sourcepath exclude classpath monitor unmonitor read
lock threadlocks pop reenter redefine disablegc enablegc help version exit quit repeat dbgtrace"""
_GDB = """\
break b br tbreak tb hbreak thbreak rbreak delete d clear enable disable condition commands
ignore info i run r start starti continue c fg step s next n finish fin until u advance stepi si
nexti ni jump j return call signal kill k detach disconnect attach backtrace bt where frame f up
down print p inspect x output printf echo display undisplay set show list l search directory dir
source shell make thread t taas ptype whatis quit q help h apropos define document python layout
tui save handle catch tcatch watch rwatch awatch record rn rc reverse-next reverse-step
checkpoint file pwd cd tty generate-core-file gcore skip dprintf"""


@pytest.mark.parametrize("word", sorted({*_JDB.split(), *_GDB.split()}))
def test_each_of_their_commands_has_an_answer(word: str) -> None:
    """Ours, or what to do in its place."""
    ours = translated(word).partition(" ")[0]
    if word not in INSTEAD:
        assert find(ours).text
        return
    with pytest.raises(UsageError, match=f"there is no command '{word}'; ") as refused:
        find(ours)
    assert INSTEAD[word] in str(refused.value)
