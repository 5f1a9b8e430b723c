# SPDX-License-Identifier: Apache-2.0
"""Commands that run the program: run, continue, pause, step, next, finish, until, detach, kill."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_cli import view
from jvmdebug_cli.command import Completes, UsageError, command, count_of

if TYPE_CHECKING:
    from jvmdebug_cli.shell import Shell

_TOPIC = "Running"


@command("run", "r", topic=_TOPIC)
async def run(shell: Shell, _: str) -> None:
    """Start the program; start it again after it has ended.

    It stops at a breakpoint, at an exception that `catch` names, or when you press Ctrl-C.
    """
    if shell.session.past is not None:
        raise UsageError("this is a recording: the past cannot be run; `continue` goes on in it")
    if shell.stop is not None:
        raise UsageError(
            "the program has been started already; `continue` resumes it, "
            "`kill` and then `run` start it again"
        )
    if shell.ended:
        await shell.begin_again()
    await shell.session.start()
    await shell.wait_for_stop()


@command("start", topic=_TOPIC)
async def start(shell: Shell, _: str) -> None:
    """Start the program and stop at the beginning of its main method."""
    main = f"{shell.session.name}#main"
    if shell.session.pid is None:
        raise UsageError("the program has been started already: break where it should stop")
    await shell.session.break_at(main, once=True)
    await run(shell, "")


@command("continue", "c", "cont", "resume", "fg", usage="continue [COUNT]", topic=_TOPIC)
async def continue_(shell: Shell, argument: str) -> None:
    """Resume the program until the next stop; wait for that if the program runs already.

    `continue 3` stops at the third hit of this breakpoint. At a terminal the next command can be
    typed at once if you have attached to the program.
    """
    if shell.is_running:
        await shell.wait_for_stop()
        return
    stop = shell.current_stop()
    passed = count_of(argument) - 1
    if passed and not stop.breakpoints:
        raise UsageError("no breakpoint has stopped here whose hits could be counted")
    for each in stop.breakpoints if passed else ():
        await each.set_hit_condition(f"> {each.hits + passed}")
    await stop.resume()
    await shell.wait_or_ask()


@command("pause", "interrupt", "suspend", topic=_TOPIC)
async def pause(shell: Shell, _: str) -> None:
    """Stop the program where it is; Ctrl-C does the same."""
    if shell.stop is not None:
        raise UsageError("the program is stopped already; `continue` resumes it")
    if not shell.is_running:
        shell.current_stop()  # says why
    await shell.show_stop(await shell.session.suspend())


@command("next", "n", usage="next [COUNT]", topic=_TOPIC)
async def next_(shell: Shell, argument: str) -> None:
    """Run to the next line, over calls."""
    for _ in range(count_of(argument)):
        await shell.current_stop().step_over()
        if not await shell.step_ended():
            return


@command("step", "s", usage="step [COUNT]", topic=_TOPIC)
async def step(shell: Shell, argument: str) -> None:
    """Run to the next line, into calls."""
    for _ in range(count_of(argument)):
        await shell.current_stop().step_into()
        if not await shell.step_ended():
            return


@command("targets", topic=_TOPIC)
async def targets(shell: Shell, _: str) -> None:
    """List the remaining calls of this line; `into NUMBER` steps into one."""
    found = await shell.current_stop().step_in_targets()
    for number, call in enumerate(found, 1):
        shell.console.write(f"{number}  {jvmdebug.one_line(call.label)}")
    if not found:
        shell.console.write("no calls ahead on this line")


@command("into", usage="into NUMBER|NAME", topic=_TOPIC)
async def into(shell: Shell, argument: str) -> None:
    """Step into one call of the line, by its number in `targets` or by the name of the method."""
    found = await shell.current_stop().step_in_targets()
    chosen = [
        call
        for number, call in enumerate(found, 1)
        if argument in (str(number), call.name, call.label)
    ]
    if not chosen:
        raise UsageError(f"there is no call {argument!r} ahead on this line; see `targets`")
    await shell.current_stop().step_into(target=chosen[0])
    await shell.wait_for_stop()


@command("stepi", "si", usage="stepi [COUNT]", topic=_TOPIC)
async def stepi(shell: Shell, argument: str) -> None:
    """Run one bytecode instruction, into calls."""
    for _ in range(count_of(argument)):
        await shell.current_stop().step_into("instruction")
        if not await shell.step_ended():
            return
        if shell.frame.line is not None:  # else the stop has shown it
            shell.console.write(await view.instruction(shell.frame))


@command("nexti", "ni", usage="nexti [COUNT]", topic=_TOPIC)
async def nexti(shell: Shell, argument: str) -> None:
    """Run one bytecode instruction, over calls."""
    for _ in range(count_of(argument)):
        await shell.current_stop().step_over("instruction")
        if not await shell.step_ended():
            return
        if shell.frame.line is not None:
            shell.console.write(await view.instruction(shell.frame))


@command("finish", "fin", topic=_TOPIC)
async def finish(shell: Shell, _: str) -> None:
    """Run until the current method has returned; show its return value if that is known."""
    await shell.current_stop().step_out()
    await shell.wait_for_stop()
    shell.explain_returns()


@command("until", "u", "advance", usage="until SPEC", topic=_TOPIC, completes=Completes.PLACE)
async def until(shell: Shell, argument: str) -> None:
    """Run until a line or method is reached once, or until another stop.

    `until 42` is line 42 of the file that is shown.
    """
    if not argument:
        raise UsageError("until where? For example `until 42` or `until shop.Cart#add`")
    spec = argument
    if argument.isdecimal():
        spec = f"{shell.frame.source_path or shell.frame.type_name}:{argument}"
    await shell.current_stop().run_to(spec)
    await shell.wait_for_stop()


@command("detach", topic=_TOPIC)
async def detach(shell: Shell, _: str) -> None:
    """Remove all breakpoints, resume the program, and leave."""
    await shell.let_go()
    await shell.session.detach()
    shell.leaving = True


@command("kill", "k", topic=_TOPIC)
async def kill(shell: Shell, _: str) -> None:
    """End the program."""
    await shell.let_go()
    await shell.session.terminate()
    await shell.wait_for_stop()
