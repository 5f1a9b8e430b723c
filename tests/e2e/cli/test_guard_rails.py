# SPDX-License-Identifier: Apache-2.0
"""Options that keep the prompt from harming a program that was attached to as it ran."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.bare_program import bare_program
from tests.support.debuggees import debuggee
from tests.support.prompt import jvmdebug_command

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.bare_program import BareProgram
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

TILL = debuggee("late", "Till")
SELL = f"Till.java:{TILL.marker('sell')}"


@pytest.fixture
async def program(jdk: Jdk) -> AsyncIterator[BareProgram]:
    async with bare_program(jdk, program=TILL) as running:
        yield running


async def test_a_budget_and_a_watchdog(program: BareProgram) -> None:
    options = ("--budget", "100", "--total-budget", "0", "--watchdog", "200ms")
    async with jvmdebug_command("attach", str(program.pid), *options) as shell:
        shell.type(f"break {SELL} if slowly(count) < 0")
        await shell.see(r"^Breakpoint 1: .*disabled: it kept threads .* more than 100 ms")
        shell.type("breakpoints")
        await shell.see("disabled: it kept threads")
        shell.type(f"break {SELL}")
        await shell.see("^Resumed by the watchdog after 0.2 s")
        await shell.see(r"^Breakpoint 2: .*disabled: nobody has resumed its stops within 0.2 s")
        shell.type("enable 2")
        await shell.see("^Resumed by the watchdog after 0.2 s")


async def test_who_checks_is_said(program: BareProgram) -> None:
    async with jvmdebug_command("attach", str(program.pid)) as shell:
        shell.type(f"break {SELL} if count < 0")
        await shell.see("^Breakpoint 1: ")
        shell.type(f"break {SELL} if (count = count) < 0")
        await shell.see("^Breakpoint 2: ")
        shell.type("breakpoints")
        await shell.see(rf"^1 +{SELL} +\d+ +probe +Till\.sell")
        await shell.see("^ +if count < 0$")
        await shell.see(rf"^2 +{SELL} +\d+ +event +Till\.sell")
        await shell.see("^ +event: an assignment to a local variable")
        shell.type("quit")
        await shell.end()


async def test_a_read_only_prompt(program: BareProgram) -> None:
    async with jvmdebug_command("attach", str(program.pid), "--read-only") as shell:
        shell.type(f"break {SELL}")
        await shell.see("^Breakpoint 1: .*not set, .*the session is read-only")
        shell.type("threads")
        await shell.see("seller")
