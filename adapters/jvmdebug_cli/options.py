# SPDX-License-Identifier: Apache-2.0
"""The options of the sub-commands, as arguments of `jvmdebug.launch` and `jvmdebug.attach`.

Owns the help texts and the parsing of addresses and paths. Called by `main`.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import jvmdebug
from jvmdebug.os_errors import reason
from jvmdebug.regular_file import read_text
from jvmdebug_cli import terminal
from jvmdebug_cli.addresses import (
    add_container,
    add_token_file,
    address_or_process,
    contained_target,
    listening_place,
    other_process,
)
from jvmdebug_cli.argument_types import count_from, duration, duration_or_zero
from jvmdebug_cli.exit_codes import OutOfReachError, WrongUsageError
from jvmdebug_cli.program_options import (
    add_program_options,
    add_source_path,
    existing_paths,
    launch_opening,
    source_path,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

    Opening: TypeAlias = AbstractAsyncContextManager[jvmdebug.Session]

DEFAULT_ADDRESS = "5005"

_LAUNCH_DESCRIPTION = """\
Start a Java program under the debugger, held before its first instruction, and open a prompt.

  jvmdebug launch shop.Main --class-path build/classes:lib/gson.jar -- --verbose
  jvmdebug launch Hello.java --command 'break Hello.java:7' --command run
  jvmdebug launch app.jar --source-path src/main/java
  jvmdebug launch --project ~/shop             compile a Maven, Gradle or plain project and debug it
  jvmdebug launch --project ~/shop Main        ... that class of it

While the program runs, what is typed is its standard input; while it is stopped, a command.
"""

_ATTACH_DESCRIPTION = """\
Attach to a JVM, where its debug agent listens, ours or the JDK's, or by its process id, and open a
prompt. When you leave the prompt, the program continues.

  java $(jvmdebug agent --option 5005) -jar app.jar &
  jvmdebug attach 5005
  jvmdebug attach 4711             process 4711; `jvmdebug ps` lists them
  jvmdebug attach --container shop the JVM in that container of this machine
  jvmdebug attach --pod shop/web-0 the JVM in that pod, by kubectl

Into a process that was started without an agent, ours is loaded. It has breakpoints, with the
variables of the topmost frame, and watches of writes; steps by instructions, the other frames'
variables and watches of reads need one that is there when the JVM starts.
"""

_LISTEN_DESCRIPTION = """\
Wait for JVMs that connect to us (server=n): behind a firewall, in a container, on another machine.
Each is a session of its own, and all are held or run at the same time; their prompts open one after
the other, in the order in which they have connected. Ctrl-C ends the waiting.

  jvmdebug listen                              on port 5005 of this machine only
  jvmdebug listen '*:5005' --token-file FILE   for JVMs anywhere that know the token in FILE
  jvmdebug listen --batch -c 'break shop.Cart#add' -c run -c where --count 3

The JVM's option: -agentpath:$(jvmdebug agent --path)=transport=dt_socket,server=n,address=HOST:5005
or, with the JDK's agent, -agentlib:jdwp=transport=dt_socket,server=n,address=HOST:5005
"""

_JOIN_DESCRIPTION = """\
Open a prompt in a debug session that another prompt, an editor, an assistant or a script of yours
has started on this machine. All see the same stops, breakpoints and output; who resumes is said.
When you leave the prompt, the session goes on, with the breakpoints that you have set.

  jvmdebug sessions                which sessions there are
  jvmdebug join                    the only one
  jvmdebug join shop.Main
  jvmdebug join shop.Main --batch -c where -c locals
"""

_AGENT_DESCRIPTION = """\
Print the argument that makes a JVM listen for a debugger, or the path of the agent.

  jvmdebug agent --path            the agent's library
  jvmdebug agent --option          the -agentpath argument; it listens on port 5005, loopback only,
                                   and the program runs at once
  jvmdebug agent --option --suspend
                                   ... the program waits for a debugger before its first instruction
  jvmdebug agent --option 0        ... on a free port, which the JVM prints when it starts
  jvmdebug agent --option unix:/run/user/1000/app.jdwp
                                   ... on a UNIX-domain socket of this user only
  jvmdebug agent --option '*:8000' --token-file FILE
                                   ... on all interfaces: debuggers have to know the token in FILE
"""

_Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001


def _add(commands: _Parsers, name: str, short: str, description: str) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=short,
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_launch(commands: _Parsers) -> argparse.ArgumentParser:
    """`jvmdebug launch`."""
    parser = _add(commands, "launch", "start a program and debug it", _LAUNCH_DESCRIPTION)
    parser.add_argument(
        "program",
        nargs="?",
        help="a class name, MODULE/CLASS, a .java file or a .jar file;"
        " may be left out with --project",
    )
    parser.add_argument(
        "args", nargs="*", help="arguments of the program (after -- if they are options)"
    )
    add_program_options(parser)
    _add_common(parser)
    return parser


def add_attach(commands: _Parsers) -> argparse.ArgumentParser:
    """`jvmdebug attach`."""
    parser = _add(commands, "attach", "debug a running JVM", _ATTACH_DESCRIPTION)
    parser.add_argument(
        "address",
        metavar="TARGET",
        nargs="?",
        help="[HOST:]PORT of the agent, unix:PATH, or the id of a Java process",
    )
    add_container(parser)
    add_token_file(parser)
    parser.add_argument(
        "--class-path",
        "-cp",
        metavar="PATH",
        help="directories and jars with classes of the program, where its own are not on this"
        " machine",
    )
    parser.add_argument(
        "--take-over",
        action="store_true",
        help="end the session of another debugger that is connected (jvmdebug's agent only)",
    )
    parser.add_argument(
        "--on-disconnect",
        choices=("resume", "hold"),
        default="resume",
        help="what a stopped program does while the link to it is lost: go on (default), or stay"
        " stopped",
    )
    parser.add_argument(
        "--reconnect",
        type=duration_or_zero,
        default=60.0,
        metavar="SECONDS",
        help="for how long to try to find a lost link again (60); 0: not at all",
    )
    parser.add_argument(
        "--read-only",
        action="store_true",
        help="run and change nothing of the program: what would is refused",
    )
    _add_common(parser)
    return parser


def add_join(commands: _Parsers) -> argparse.ArgumentParser:
    """`jvmdebug join`."""
    parser = _add(commands, "join", "join a session that another has started", _JOIN_DESCRIPTION)
    parser.add_argument(
        "name",
        nargs="?",
        metavar="NAME",
        help="the session, as `jvmdebug sessions` lists it, or the process id of its owner; may be"
        " left out if there is one",
    )
    parser.add_argument(
        "--read-only", action="store_true", help="only look: resume, set and run nothing"
    )
    add_commands(parser)
    return parser


def _add_common(parser: argparse.ArgumentParser) -> None:
    add_source_path(parser)
    parser.add_argument(
        "--suspend",
        choices=("all", "thread"),
        default="all",
        help="which threads a stop suspends (all); thread: the others go on, of a server say",
    )
    parser.add_argument(
        "--probes",
        choices=("auto", "off"),
        default="auto",
        help="auto: the program checks conditions of breakpoints itself, by compiled code, where"
        " that is possible (auto)",
    )
    parser.add_argument(
        "--log-messages-per-second",
        type=count_from(1),
        metavar="N",
        help="of one log point; the others are counted, and it says how many they were (as many as"
        " can be shown)",
    )
    parser.add_argument(
        "--budget",
        type=count_from(0),
        metavar="MS",
        help="disable a breakpoint that keeps threads for more than MS milliseconds of a second"
        " without a stop; 0: never (never; with the id of a process: 250)",
    )
    parser.add_argument(
        "--total-budget",
        type=count_from(0),
        metavar="MS",
        help="the same for all breakpoints together (never; with the id of a process: 500)",
    )
    parser.add_argument(
        "--watchdog",
        type=duration,
        metavar="S",
        help="resume a stop after S seconds if nobody has (never)",
    )
    parser.add_argument(
        "--just-my-code",
        action="store_true",
        help="steps stay out of libraries, the archives on the class path, too",
    )
    parser.add_argument(
        "--rethrows",
        action="store_true",
        help="`catch` stops each time that an exception is thrown on, not once",
    )
    parser.add_argument(
        "--control-exception",
        action="append",
        default=[],
        metavar="NAME",
        help="an exception that is thrown on purpose: only a `catch` that names types stops at it;"
        " with ! before: one that is known as such stops all the same",
    )
    parser.add_argument(
        "--timeout", type=duration, default=30.0, metavar="S", help="seconds to wait (30)"
    )
    add_commands(parser)


def add_commands(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--command",
        "-c",
        action="append",
        default=[],
        metavar="TEXT",
        help="a command to run first",
    )
    parser.add_argument(
        "--commands", "-x", type=Path, metavar="FILE", help="a file of commands to run first"
    )
    parser.add_argument(
        "--batch",
        action="store_true",
        help="end after these commands, with the exit code of the program (1 if a command failed);"
        " standard input is the program's",
    )


def add_agent(commands: _Parsers) -> argparse.ArgumentParser:
    """`jvmdebug agent`."""
    parser = _add(commands, "agent", "print the option of a JVM to attach to", _AGENT_DESCRIPTION)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--path", action="store_true", help="print the path of the agent's library")
    what.add_argument(
        "--option",
        nargs="?",
        const=DEFAULT_ADDRESS,
        metavar="ADDRESS",
        help=f"print the JVM's argument; ADDRESS is [HOST:]PORT ({DEFAULT_ADDRESS})",
    )
    parser.add_argument(
        "--platform",
        metavar="NAME",
        help="the agent for another system: linux-x86_64, linux-musl-aarch64, macos-arm64, ..."
        " (default: this machine's)",
    )
    parser.add_argument(
        "--suspend",
        action="store_true",
        help="with --option: hold the program at its start until a debugger has come and lets it go"
        " (else it runs at once, and a debugger may come at any time)",
    )
    parser.add_argument(
        "--mode",
        choices=("full", "fast"),
        default="full",
        help="with --option: full (what methods return is known, and the program's exceptions are"
        " slow) or fast (it is not, and the program runs undisturbed)",
    )
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        help="with --option: let in only debuggers that have the token in FILE",
    )
    parser.add_argument(
        "--insecure",
        action="store_true",
        help="with --option: an address that a network reaches, without a token",
    )
    parser.add_argument(
        "--virtual-threads",
        action="store_true",
        help="list all virtual threads, also parked ones; starting one takes longer then",
    )
    return parser


def add_listen(commands: _Parsers) -> argparse.ArgumentParser:
    """`jvmdebug listen`."""
    parser = _add(commands, "listen", "debug JVMs that connect to us", _LISTEN_DESCRIPTION)
    parser.add_argument(
        "address",
        metavar="[HOST:]PORT",
        nargs="?",
        default=DEFAULT_ADDRESS,
        help="where to listen (5005 on the loopback); port 0: a free one; *:PORT: everywhere",
    )
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        help="let in only JVMs whose agent has this token (token-file=)",
    )
    parser.add_argument(
        "--count", type=count_from(1), metavar="N", help="end after so many JVMs have connected"
    )
    _add_common(parser)
    return parser


def launched(parsed: argparse.Namespace) -> Opening:
    """The session of `jvmdebug launch`."""
    return launch_opening(parsed, suspend=parsed.suspend, stdin=_stdin_of_program(parsed))


def _stdin_of_program(parsed: argparse.Namespace) -> Literal["null", "pipe", "inherit"]:
    """The program's standard input. In a batch nobody else reads our input; at a terminal the
    prompt passes on what is typed while the program runs. Commands that come through a pipe are not
    the program's input.
    """
    if parsed.batch:
        return "inherit"
    return "pipe" if terminal.is_interactive() else "null"


def attached(parsed: argparse.Namespace) -> Opening:
    """The session of `jvmdebug attach`. Raises WrongUsageError."""
    contained = contained_target(parsed)
    if (contained is None) == (parsed.address is None):
        raise WrongUsageError(
            "say which program: HOST:PORT, unix:PATH or PID, --container NAME or --pod"
            f" NAMESPACE/POD{'' if contained is None else ', not both'}"
        )
    parsed.address = parsed.address or contained
    return jvmdebug.attach(
        **address_or_process(parsed.address),
        debug_image=parsed.debug_image,
        class_path=existing_paths(parsed, "class_path"),
        source_path=source_path(parsed),
        on_wait=functools.partial(_wait, parsed.address),
        suspend=parsed.suspend,
        timeout_s=parsed.timeout,
        take_over=parsed.take_over,
        token_file=parsed.token_file,
        fingerprint=parsed.fingerprint,
        on_disconnect=parsed.on_disconnect,
        reconnect_s=parsed.reconnect,
        read_only=parsed.read_only,
    )


def listening_address(text: str) -> tuple[str, int]:
    """Host and port of `5005`, `HOST:PORT` or `*:PORT`. WrongUsageError for anything else."""
    found = listening_place(text)
    if found is None:
        raise WrongUsageError(f"{text!r} is no place to listen: write PORT, HOST:PORT or *:PORT")
    return found


@contextlib.asynccontextmanager
async def joined(parsed: argparse.Namespace) -> AsyncIterator[jvmdebug.Session]:
    """The session of `jvmdebug join`."""
    async with await jvmdebug.join(
        parsed.name, kind="prompt", read_only=parsed.read_only
    ) as session:
        yield session


def initial_commands(parsed: argparse.Namespace) -> list[str]:
    """The commands of `--commands` and `--command`, in this order."""
    from_file: list[str] = []
    if parsed.commands is not None:
        try:
            from_file = read_text(parsed.commands).splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise WrongUsageError(
                f"--commands {parsed.commands}: cannot read it: {reason(error)}"
            ) from None
    return [*from_file, *parsed.command]


def _wait(address: str, why: str) -> None:
    """Wait for an agent to listen, unless the number of a process was meant that never will."""
    name = other_process(address)
    if name is not None:
        raise OutOfReachError(
            f"process {address} ({name}) is no Java program, and nothing listens at port {address}:"
            f" `jvmdebug ps` lists the programs, `jvmdebug attach localhost:{address}` waits for"
            " one that will listen there"
        )
    say_that_it_waits(why)


def say_that_it_waits(why: str) -> None:
    """Says on stderr that nothing listens yet."""
    print(f"jvmdebug: {why}", file=sys.stderr, flush=True)
