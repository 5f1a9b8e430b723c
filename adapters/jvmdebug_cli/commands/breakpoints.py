# SPDX-License-Identifier: Apache-2.0
"""Commands about breakpoints: break, tbreak, log, catch, watch, breakpoints, delete, disable."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_cli import view
from jvmdebug_cli.command import Completes, UsageError, command
from jvmdebug_cli.place_options import USAGE, log_options, place_options
from jvmdebug_cli.visit import originals

if TYPE_CHECKING:
    from jvmdebug_cli.shell import Shell

_TOPIC = "Breakpoints"


def place(shell: Shell, text: str) -> str:
    """A breakpoint spec; a line number alone refers to the file that is shown, and before the
    program runs to that of its main class.
    """
    if not text.partition(":")[0].isdecimal():
        return text
    if shell.has_frame:
        return f"{shell.frame.source_path or shell.frame.type_name}:{text}"
    if shell.session.state is jvmdebug.SessionState.HELD and shell.session.pid is not None:
        return f"{shell.session.name}:{text}"
    raise UsageError(f"line {text} of which file? None is shown yet: `break shop/Cart.java:{text}`")


async def _break(shell: Shell, argument: str, *, once: bool) -> None:
    asked = place_options(argument)
    if not asked.spec:
        raise UsageError(
            "break where? `break shop/Cart.java:42`, `break shop.Cart#add`, `break 42`"
        )
    await shell.need_program()
    thread, instance = await asked.only(shell)
    made = await shell.session.break_at(
        place(shell, asked.spec),
        condition=asked.condition,
        once=once,
        thread=thread,
        instance=instance,
    )
    await shell.show_new_breakpoint(made)


@command("break", "b", usage=f"break SPEC {USAGE}", topic=_TOPIC, completes=Completes.PLACE)
async def break_(shell: Shell, argument: str) -> None:
    """Set a breakpoint.

    SPEC is a line (`shop/Cart.java:42`, `shop.Cart:42`, or `42` in the file that is shown) or a
    method (`shop.Cart#add`, `shop.Cart#add(int)`, also with `:` or `.`; `add` in every class that
    is not of the JDK), or an instruction (`shop.Cart#add#12`). CONDITION is a Java expression.

    A line means its own code; `42:lambda1` is the first lambda that begins on it, `42:all` all.

    With `thread` only hits of that thread stop and are counted, with `instance` only those whose
    `this` is the object that EXPRESSION gives now: `break 42 thread worker-1 if count > 9`.
    """
    await _break(shell, argument, once=False)


@command("tbreak", "tb", usage=f"tbreak SPEC {USAGE}", topic=_TOPIC, completes=Completes.PLACE)
async def tbreak(shell: Shell, argument: str) -> None:
    """Set a breakpoint that is removed when it is hit."""
    await _break(shell, argument, once=True)


@command(
    "log",
    "dprintf",
    usage=f"log SPEC [{USAGE} --] MESSAGE",
    topic=_TOPIC,
    completes=Completes.LOG,
)
async def log(shell: Shell, argument: str) -> None:
    """Print a message whenever a place is reached, without stopping; `{…}` is an expression.

    With two dashes before the message it may be told less often, as by `break`:
    `log shop.Cart:42 thread worker-1 if count > 9 -- total is {total}`.
    """
    asked, message = log_options(argument)
    await shell.need_program()
    thread, instance = await asked.only(shell)
    made = await shell.session.break_at(
        place(shell, asked.spec),
        condition=asked.condition,
        log_message=message,
        thread=thread,
        instance=instance,
    )
    await shell.show_new_breakpoint(made)


@command(
    "catch",
    usage=f"catch [caught|uncaught|none] [TYPES] {USAGE}",
    topic=_TOPIC,
    completes=Completes.CLASS,
)
async def catch(shell: Shell, argument: str) -> None:
    """Stop where an exception is thrown: of any type or of some, caught, uncaught or both.

    TYPES are names or patterns: `catch java.io.*, !java.io.EOFException`. CONDITION may use the
    exception: `catch if $exception.getMessage() == null`. A program that was launched stops at all
    uncaught ones until there is a `catch uncaught`; `catch none` has them end it.

    What frameworks throw on purpose, to end a thread for instance, stops only where TYPES name it
    or what it extends; `--control-exception` adds to what is known as such.

    `thread` and `instance` are as for `break`: what that thread throws, and what methods of that
    object themselves throw.
    """
    word, _, rest = argument.partition(" ")
    if word == "none" and rest:
        raise UsageError(f"`catch none` takes nothing after it, not {rest!r}")
    which, typed = (word, rest) if word in ("caught", "uncaught") else ("all", argument)
    asked = place_options(f" {typed}")
    if "," not in asked.spec and len(asked.spec.split()) > 1:
        raise UsageError("name types with commas: `catch java.io.IOException, com.acme.*`")
    await shell.need_program()
    if word == "none":
        await shell.session.breakpoints.stop_at_uncaught(enabled=False)
        shell.console.write("An exception that nothing catches does not stop the program.")
        return
    thread, instance = await asked.only(shell)
    if which == "uncaught":  # these are meant, and no others
        await shell.session.breakpoints.stop_at_uncaught(enabled=False)
    made = await shell.session.break_on_exception(
        asked.spec or "java.lang.Throwable",
        caught=which != "uncaught",
        uncaught=which != "caught",
        condition=asked.condition,
        thread=thread,
        instance=instance,
    )
    await shell.show_new_breakpoint(made)


@command(
    "watch",
    usage=f"watch [read|write|both] FIELD|VARIABLE|ELEMENT {USAGE}",
    topic=_TOPIC,
    completes=Completes.FIELD,
)
async def watch(shell: Shell, argument: str) -> None:
    """Stop when a field or an array is written (or a field read), or a variable has been written.

    `watch shop.Cart.total` watches the field in every object; while the program is stopped,
    `watch cart.total` or `watch total` watches it in that object. `watch sum` watches the local
    variable of the selected method, `watch shop.Cart#add.sum` that of any. `watch prices[3]` is for
    an element of the array that `prices` is now, `watch prices[*]` for all; code of the JDK
    (`Arrays.fill`, `System.arraycopy`) is not seen. CONDITION may use the values before and after,
    and `$index`: `watch cart.total if $new > $old`.

    `thread` and `instance` are as for `break`: only what that thread does counts, and only what
    methods of that object do: `watch shop.Cart.total thread worker-1`.
    """
    word, _, rest = argument.partition(" ")
    how, typed = (word, rest) if word in ("read", "write", "both") else ("write", argument)
    asked = place_options(typed)
    if len(asked.spec.split()) != 1:
        raise UsageError(
            "watch which field or variable? `watch shop.Cart.total`, `watch cart.total`"
        )
    await shell.need_program()
    thread, instance = await asked.only(shell)
    made = await shell.session.watch(
        await _field(shell, asked.spec),
        read=how != "write",
        write=how != "read",
        condition=asked.condition,
        thread=thread,
        instance=instance,
    )
    await shell.show_new_breakpoint(made)


async def _field(shell: Shell, text: str) -> str | jvmdebug.DataTarget:
    """What has that name in the selected frame, else the field of a type."""
    is_element = text.endswith("]")
    if shell.stop is None and not is_element:
        return text
    try:
        return await shell.frame.data_target(text)
    except jvmdebug.EvaluationError:
        owner = text.rpartition(".")[0]
        is_variable = "." not in owner and owner[:1].islower()  # it may be a class all the same
        if is_element or (is_variable and owner not in await shell.session.code.names.classes()):
            raise
        return text


@command("breakpoints", topic=_TOPIC)
async def breakpoints(shell: Shell, _: str) -> None:
    """List the breakpoints.

    `how` says who checks: `probe`, the program itself, at full speed; `event`, the debugger, at
    each hit, with the reason below.
    """
    if shell.session.breakpoints:
        shown = [(each, shell.hit_commands.of(each)) for each in shell.session.breakpoints]
        shell.console.write(view.breakpoints(shown))
    else:
        shell.console.write("no breakpoints")
    if shell.session.breakpoints.stops_at_uncaught:
        shell.console.write("Uncaught exceptions stop too; `catch none` changes that.")


def named(shell: Shell, argument: str, doing: str) -> list[jvmdebug.Breakpoint]:
    """The breakpoints that `3`, `1 3`, `shop.Cart:42` or `all` denotes. Raises UsageError."""
    known = {str(each.id): each for each in shell.session.breakpoints}
    if argument == "all":
        return list(known.values())
    placed = [each for each in known.values() if argument and str(each.spec) == argument]
    if placed:
        return placed
    numbers = argument.split()
    if not numbers:
        raise UsageError(f"{doing} which? `{doing} 1`, `{doing} all`; `breakpoints` lists them")
    for number in numbers:
        if number not in known:
            raise UsageError(f"there is no breakpoint {number!r}; `breakpoints` lists them")
    return [known[number] for number in numbers]


@command(
    "delete",
    "d",
    "clear",
    "unwatch",
    usage="delete NUMBERS|SPEC|all",
    topic=_TOPIC,
    completes=Completes.BREAKPOINT,
)
async def delete(shell: Shell, argument: str) -> None:
    """Remove breakpoints: by their numbers, or as they were set (`delete shop/Cart.java:42`)."""
    gone = named(shell, argument, "delete")
    for each in originals(shell, gone):
        await each.remove()
    await shell.session.breakpoints.remove(gone)


@command("disable", usage="disable NUMBERS|all", topic=_TOPIC, completes=Completes.BREAKPOINT)
async def disable(shell: Shell, argument: str) -> None:
    """Disable breakpoints."""
    chosen = named(shell, argument, "disable")
    for each in (*chosen, *originals(shell, chosen)):
        await each.disable()


@command("enable", usage="enable NUMBERS|all", topic=_TOPIC, completes=Completes.BREAKPOINT)
async def enable(shell: Shell, argument: str) -> None:
    """Enable breakpoints again."""
    chosen = named(shell, argument, "enable")
    for each in (*chosen, *originals(shell, chosen)):
        await each.enable()
