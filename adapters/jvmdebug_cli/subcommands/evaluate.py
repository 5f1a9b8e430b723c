# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug eval`: the value of an expression in a program that runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug_cli.argument_types import duration
from jvmdebug_cli.exit_codes import DONE
from jvmdebug_cli.program_options import add_source_path
from jvmdebug_cli.subcommands.asking import Commands, add_command, add_target, ask, printers

if TYPE_CHECKING:
    import argparse

_DESCRIPTION = """\
Evaluate a Java expression in a program that runs. Static fields are read without stopping it, and
what only reads is computed from them; what has to run a method does so in the next thread that
enters one; with --in, where a line or a method is reached.

  jvmdebug eval localhost:5005 'shop.Main.orders.size()'
  jvmdebug eval 4711 'total + tax' --in shop.Cart:42
"""
_LONGEST: Final = 10_000


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "eval", "evaluate an expression in a running JVM", _DESCRIPTION)
    add_target(parser)
    parser.add_argument("expression", metavar="EXPRESSION", help="Java, with full names of classes")
    parser.add_argument(
        "--in",
        dest="place",
        metavar="SPEC",
        help="evaluate where this is reached next: shop/Cart.java:42, shop.Cart#add",
    )
    parser.add_argument(
        "--wait",
        type=duration,
        default=10.0,
        metavar="S",
        help="seconds to wait for a thread that comes by, if one is needed (10)",
    )
    add_source_path(parser)
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    async def question(session: jvmdebug.Session) -> int:
        out, _ = printers(parsed)
        value = await _value(session, parsed)
        if parsed.json:
            document = {"expression": parsed.expression, "type": value.type_name}
            out.write_json(document | {"text": value.text, "value": value.value})
        elif out.is_terminal:
            from rich.text import Text  # noqa: PLC0415 - slow to import

            out.write(Text.assemble(value.text, "  ", (f"({value.type_name})", "dim")))
        else:
            out.write(value.text)
        return DONE

    return ask(parsed, question)


async def _value(session: jvmdebug.Session, parsed: argparse.Namespace) -> jvmdebug.ObservedValue:
    if parsed.place is None:
        return await session.evaluate(
            parsed.expression, timeout_s=parsed.wait, value_length=_LONGEST
        )
    samples = session.sample(
        parsed.expression,
        at=parsed.place,
        limit=1,
        duration_s=parsed.wait,
        value_length=_LONGEST,
    )
    async with samples:
        sample = await samples.next()
    if sample is None:
        why = samples.message or "no thread came by"
        raise jvmdebug.EvaluationError(
            f"{parsed.place} was not reached within {parsed.wait:g} s: {why}"
        )
    if sample.value is None:
        raise jvmdebug.EvaluationError(sample.error or "it has no value there")
    return sample.value
