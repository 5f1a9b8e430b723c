# SPDX-License-Identifier: Apache-2.0
"""The command line `jvmdebug`: parses arguments and starts what they name.

Owns the sub-commands `launch`, `attach`, `listen` and `agent`; those that ask a question and end
are in `subcommands`. `main` has served other front ends before, and calls this.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
import warnings
from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug import entry_points
from jvmdebug_cli import exit_codes, options, subcommands
from jvmdebug_cli.parser import Parser, say

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from typing import TextIO


_DESCRIPTION = """\
A Java debugger without an IDE: at a prompt, in one line, from an editor or a script.

Debug
  jvmdebug launch Hello.java                             compile a file and debug it
  jvmdebug launch shop.Main -cp build/classes            debug a class
  jvmdebug launch --project ~/shop                       debug a Maven or Gradle project
  jvmdebug test CartTest#adds                            run tests of a project, or --debug them
  jvmdebug attach localhost:5005                         debug a JVM that listens for a debugger
  java $(jvmdebug agent --option 5005) -jar app.jar      a JVM to attach to
  jvmdebug listen                                        debug JVMs that connect to us
  jvmdebug join shop.Main                                join a session that another has started
  jvmdebug sessions                                      which sessions there are to join
  jvmdebug dap                                           serve an editor (Debug Adapter Protocol)
  jvmdebug mcp                                           serve a coding assistant (MCP)
  jvmdebug relay --listen HOST:PORT ...                  let other machines debug, over TLS
  jvmdebug sources                                       tell an editor main classes and tests

Ask a running JVM; TARGET is HOST:PORT, unix:PATH, tls://HOST:PORT, container:NAME,
pod:NAMESPACE/POD or a process id
  jvmdebug ps                                            which JVMs there are, and which listen
  jvmdebug doctor                                        what this machine lacks, and how to get it
  jvmdebug threads TARGET                                stacks, locks and deadlocks
  jvmdebug monitors TARGET --for 10                      who waits for which monitor, how long
  jvmdebug profile TARGET -o cpu.html                    where it spends its time: a flame graph
  jvmdebug heap TARGET histogram                         what fills the heap; paths: why it is alive
  jvmdebug alloc TARGET                                  who allocates what, and what stays alive
  jvmdebug gc TARGET --for 60                            garbage collections
  jvmdebug eval TARGET 'shop.Main.orders.size()'         the value of an expression
  jvmdebug swap TARGET build/classes                     give it new code

Ask a heap dump
  jvmdebug heap app.hprof dominators                     what keeps most memory alive
  jvmdebug heap app.hprof paths shop.Cart                why objects are not garbage

Walk a recording back and forward
  jvmdebug replay fail.jvmrec                            who wrote this, and when

Watch it without stopping it (--at TARGET, or -- MAIN ARGS to start a program)
  jvmdebug trace 'shop.Cart#*' --at TARGET               calls, results and times as a tree
  jvmdebug who-sets shop.Customer.name --to null -- shop.Main
  jvmdebug sample 'shop.Main.pool.size()' --every 1s --at TARGET
  jvmdebug count shop.Cart#add --at TARGET --for 10      how often; time A B: how long from A to B
"""

_OPTIONS: Final = ("-h", "--help", "--version")

_SERVERS: Final = ("dap", "mcp", "sources")
"""Served by `main`: named here for the message about a command that there is not."""

_EPILOG = """\
`jvmdebug help COMMAND` explains a command; at the prompt, `help` does. --json is for scripts.
Exit codes: 0 done, 1 the program or what was asked for failed, 2 wrong usage, 3 could not reach or
start the program.
"""


def main(given: list[str]) -> int:
    """Run the command line and return its exit code (see `exit_codes`)."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # else a text that it cannot encode is an error
            stream.reconfigure(errors="backslashreplace")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("once", RuntimeWarning)
            warnings.showwarning = _show_warning
            return _run(given)
    except BrokenPipeError:  # `| head` has seen enough; what is left must not be written at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exit_codes.DONE


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Shows a warning as one line of ours: the user of a command has no line of Python."""
    del category, filename, lineno, file, line
    say(f"jvmdebug: {message}", sys.stderr)


def _run(given: list[str]) -> int:
    parser, commands = parsers()
    if not given:
        parser.print_help(sys.stderr)
        return exit_codes.WRONG_USAGE
    if given[0] == "help":
        given = [*given[1:2], "--help"]
    name = given[0]
    if name.startswith("-") and name not in _OPTIONS:
        parser.error(f"there is no option {name} before the command")
    if not name.startswith("-") and name not in commands and (other := _of_others(name)):
        return int(other.load()(given[1:]))
    parsed = _parse(parser, given)
    try:
        return int(parsed.run(parsed))
    except (
        *(exit_codes.WrongUsageError, exit_codes.OutOfReachError),
        jvmdebug.JvmDebugError,
    ) as error:
        say(f"jvmdebug: {jvmdebug.several_lines(str(error))}", sys.stderr)
        return exit_codes.exit_code(error)
    except KeyboardInterrupt:
        return exit_codes.INTERRUPTED


def _parse(parser: argparse.ArgumentParser, given: list[str]) -> argparse.Namespace:
    """All that follows `--`, and each word that is no option, is the program's: argparse takes
    neither once an option has come after the program.
    """
    ours, _, of_program = _partition(given, "--")
    parsed, more = parser.parse_known_args(ours)
    takes_program = hasattr(parsed, "args")
    if unknown := [word for word in more if word.startswith("-")]:
        what = f"there is no option {' '.join(unknown)}"
        parsed.usage_error(
            f"{what}; those of the program follow after --" if takes_program else what
        )
    if (more or of_program) and not takes_program:
        parsed.usage_error(f"it takes no {' '.join([*more, *of_program])!r}")
    if more or of_program:
        parsed.args = [*parsed.args, *more, *of_program]
    return parsed


def _partition(words: list[str], separator: str) -> tuple[list[str], list[str], list[str]]:
    if separator not in words:
        return words, [], []
    place = words.index(separator)
    return words[:place], [separator], words[place + 1 :]


def _of_others(name: str) -> EntryPoint | None:
    """The command of another distribution, if `name` is one."""
    return next(
        (each for each in entry_points.of_group(entry_points.COMMANDS) if each.name == name), None
    )


class _Version(argparse.Action):
    """`--version`: the version is found out when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"jvmdebug {jvmdebug.__version__}")
        parser.exit()


def parsers() -> tuple[argparse.ArgumentParser, frozenset[str]]:
    """The parser, and the names of its commands."""
    parser: argparse.ArgumentParser = Parser(
        prog="jvmdebug",
        usage="jvmdebug COMMAND ...",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(
        prog="jvmdebug", metavar="COMMAND", required=True, help=argparse.SUPPRESS
    )
    options.add_launch(commands).set_defaults(run=_launch)
    options.add_attach(commands).set_defaults(run=_attach)
    options.add_listen(commands).set_defaults(run=_listen)
    options.add_join(commands).set_defaults(run=_join)
    options.add_agent(commands).set_defaults(run=_agent)
    for each in subcommands.ALL:
        each.add(commands)
    for name in _SERVERS:
        commands.add_parser(name)
    for command in commands.choices.values():
        command.set_defaults(usage_error=command.error)
    return parser, frozenset(commands.choices)


def _launch(parsed: argparse.Namespace) -> int:
    if parsed.program is None and parsed.project is None:
        parsed.usage_error(
            "name the program: a class, MODULE/CLASS, a .java file or a .jar file; or a --project"
        )
    return _debug(parsed, options.launched(parsed))


def _attach(parsed: argparse.Namespace) -> int:
    return _debug(parsed, options.attached(parsed))


def _listen(parsed: argparse.Namespace) -> int:
    host, port = options.listening_address(parsed.address)
    prompts = importlib.import_module("jvmdebug_cli.listening")
    return int(prompts.run(host, port, options.initial_commands(parsed), parsed))


def _join(parsed: argparse.Namespace) -> int:
    return _debug(parsed, options.joined(parsed))


def _debug(parsed: argparse.Namespace, opening: options.Opening) -> int:
    # The prompt and the core take longer to import than `--version` and `dap` may take.
    prompt = importlib.import_module("jvmdebug_cli.prompt")
    commands = options.initial_commands(parsed)
    return int(prompt.run(opening, commands, batch=parsed.batch, options=parsed))


def _agent(parsed: argparse.Namespace) -> int:
    library = jvmdebug.launch_agent_path(parsed.platform)  # what fails after this is typed
    if parsed.path:
        print(library)
    else:
        address = parsed.option or options.DEFAULT_ADDRESS
        try:
            option = jvmdebug.agent_option(
                address,
                suspend=parsed.suspend,
                mode=parsed.mode,
                virtual_threads=parsed.virtual_threads,
                token_file=parsed.token_file,
                insecure=parsed.insecure,
                library=library,
            )
        except jvmdebug.LaunchError as error:
            raise exit_codes.WrongUsageError(str(error)) from None
        print(option)
    return 0
