# SPDX-License-Identifier: Apache-2.0
"""The command line `jvmdebug`: parses arguments and starts what they name.

Owns the sub-commands `launch`, `attach` and `agent`. Other front ends register theirs in the entry
point group `jvmdebug.commands`, so that no front end imports another (the DAP server is `dap`
there). Each entry point is a function `(arguments: list[str]) -> int`.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import sys
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_cli import options

if TYPE_CHECKING:
    from collections.abc import Sequence

_COMMANDS = "jvmdebug.commands"

_DESCRIPTION = """\
A Java debugger without an IDE.

  jvmdebug launch shop.Main --class-path build/classes     debug a class at a prompt
  jvmdebug launch Hello.java                               compile a file and debug it
  jvmdebug attach localhost:5005                           debug a JVM that listens for a debugger
  jvmdebug dap                                             serve an editor (Debug Adapter Protocol)
  java $(jvmdebug agent --option 5005) -jar app.jar        a JVM to attach to
"""

_EPILOG = "`jvmdebug COMMAND --help` explains a command. At the prompt, `help` does."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 2 for wrong usage, 1 for an error."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and (plugin := _plugin(given[0])) is not None:
        run = plugin.load()
        return int(run(given[1:]))
    parser = _parser()
    if not given:
        parser.print_help(sys.stderr)
        return 2
    parsed = _parse(parser, given)
    try:
        return int(parsed.run(parsed))
    except jvmdebug.JvmDebugError as error:
        print(f"jvmdebug: {jvmdebug.several_lines(str(error))}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _parse(parser: argparse.ArgumentParser, given: list[str]) -> argparse.Namespace:
    """All that follows `--`, and each word that is no option, is the program's: argparse takes
    neither once an option has come after the program.
    """
    ours, _, of_program = _partition(given, "--")
    parsed, more = parser.parse_known_args(ours)
    if (more or of_program) and not hasattr(parsed, "args"):
        parser.error(f"unrecognized arguments: {' '.join([*more, *of_program])}")
    if unknown := [word for word in more if word.startswith("-")]:
        parsed.usage_error(
            f"there is no option {' '.join(unknown)}; those of the program follow after --"
        )
    if more or of_program:
        parsed.args = [*parsed.args, *more, *of_program]
    return parsed


def _partition(words: list[str], separator: str) -> tuple[list[str], list[str], list[str]]:
    if separator not in words:
        return words, [], []
    place = words.index(separator)
    return words[:place], [separator], words[place + 1 :]


def _plugin(name: str) -> importlib.metadata.EntryPoint | None:
    found = importlib.metadata.entry_points(group=_COMMANDS, name=name)
    return next(iter(found), None)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jvmdebug",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"jvmdebug {jvmdebug.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    launching = options.add_launch(commands)
    launching.set_defaults(run=_launch, usage_error=launching.error)
    options.add_attach(commands).set_defaults(run=_attach)
    options.add_agent(commands).set_defaults(run=_agent)
    for entry in importlib.metadata.entry_points(group=_COMMANDS):
        commands.add_parser(entry.name, help="serve an editor over the Debug Adapter Protocol")
    return parser


def _launch(parsed: argparse.Namespace) -> int:
    if parsed.program is None:
        parsed.usage_error("name the program: a class, MODULE/CLASS, a .java file or a .jar file")
    return _debug(parsed, options.launched(parsed))


def _attach(parsed: argparse.Namespace) -> int:
    return _debug(parsed, options.attached(parsed))


def _debug(parsed: argparse.Namespace, opening: options.Opening) -> int:
    # The prompt and the core take longer to import than `--version` and `dap` may take.
    prompt = importlib.import_module("jvmdebug_cli.prompt")
    commands = options.initial_commands(parsed)
    return int(prompt.run(opening, commands, batch=parsed.batch, rethrows=parsed.rethrows))


def _agent(parsed: argparse.Namespace) -> int:
    if parsed.path:
        print(jvmdebug.launch_agent_path())
    else:
        address = parsed.option or options.DEFAULT_ADDRESS
        option = jvmdebug.agent_option(
            address,
            suspend=parsed.suspend,
            mode=parsed.mode,
            virtual_threads=parsed.virtual_threads,
        )
        print(option)
    return 0
