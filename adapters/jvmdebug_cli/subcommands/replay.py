# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug replay`: a recording at the prompt, or one question to it."""

from __future__ import annotations

import importlib
from itertools import islice
from typing import TYPE_CHECKING, Any

import jvmdebug
from jvmdebug_cli import options
from jvmdebug_cli.argument_types import count_from
from jvmdebug_cli.exit_codes import DONE, FAILED
from jvmdebug_cli.program_options import add_source_path, source_path
from jvmdebug_cli.subcommands.asking import Commands, add_command, printers

if TYPE_CHECKING:
    import argparse

    from jvmdebug.recording import Moment, Recording, Write

_DESCRIPTION = """\
Open a recording at its end, and walk it back and forward: `back`, `reverse-continue` (`rc`),
`step`, `next`, `finish`, `continue`, `where`, `locals`, `print`, `break`, `who-wrote x`,
`when x == 42`, `values x`. Or ask it one question, at its end.

  jvmdebug replay fail.jvmrec
  jvmdebug replay fail.jvmrec --batch -c 'who-wrote this.total' -c where
  jvmdebug replay fail.jvmrec --values this.total --json
  jvmdebug replay fail.jvmrec --search total=42       where a variable or field of that name was 42
  jvmdebug replay fail.jvmrec --perfetto trace.json   for ui.perfetto.dev
"""


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "replay", "walk a recording back and forward", _DESCRIPTION)
    parser.add_argument("file", metavar="FILE", help="a recording, `fail.jvmrec`")
    add_source_path(parser)
    questions = parser.add_argument_group("a question in place of the prompt")
    one = questions.add_mutually_exclusive_group()
    one.add_argument("--who-wrote", metavar="NAME", help="where it got its value")
    one.add_argument("--values", metavar="NAME", help="the values that it has had")
    one.add_argument("--when", metavar="COMPARISON", help="where `x == 42` came to hold last")
    one.add_argument("--search", metavar="NAME[=VALUE]", help="writes of all of that name")
    one.add_argument("--parquet", metavar="FOLDER", help="write tables of calls, lines, writes")
    one.add_argument("--perfetto", metavar="FILE", help="write a trace of the calls")
    questions.add_argument(
        "--limit", type=count_from(1), default=1000, metavar="N", help="answers at most (1000)"
    )
    options.add_commands(parser)
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    asked = (parsed.who_wrote, parsed.values, parsed.when, parsed.search)
    if any((*asked, parsed.parquet, parsed.perfetto, parsed.json)):
        with jvmdebug.recording.open(parsed.file) as recording:
            return _answer(parsed, recording)
    prompt = importlib.import_module("jvmdebug_cli.prompt")
    opening = jvmdebug.replay(parsed.file, source_path=source_path(parsed))
    return int(prompt.run(opening, options.initial_commands(parsed), batch=parsed.batch))


def _answer(parsed: argparse.Namespace, recording: Recording) -> int:
    out, err = printers(parsed)
    end = recording.end
    if parsed.parquet or parsed.perfetto:
        made = [parsed.perfetto]
        if parsed.parquet:
            made = list(map(str, recording.to_parquet(parsed.parquet)))
        else:
            recording.to_perfetto(parsed.perfetto)
        out.write_json(made) if parsed.json else out.write("\n".join(f"wrote {it}" for it in made))
        return DONE
    asked = (parsed.who_wrote, parsed.values, parsed.when, parsed.search)
    if not any(asked):
        out.write_json(_summary(recording, end))
        return DONE
    if end is None and not parsed.search:
        err.write("jvmdebug: nothing was recorded in it")
        return FAILED
    found = _found(parsed, recording, end)
    if parsed.json:
        out.write_json([_as_json(each) for each in found])
    elif found:
        from jvmdebug_cli.recorded_views import writes_table  # noqa: PLC0415 - slow to import

        out.write(writes_table(found))
        if parsed.who_wrote and len(found) > 1:
            out.write("Which of these was last is not known.")
    else:
        out.write("No such write was recorded.")
    return DONE


def _found(parsed: argparse.Namespace, recording: Recording, end: Moment | None) -> list[Write]:
    """What is found at the end; a search needs none."""
    if end is None or parsed.search:
        name, equals, value = parsed.search.partition("=")
        wanted = value.strip() if equals else None
        return list(islice(recording.writes(name.strip(), wanted), parsed.limit))
    if parsed.values:
        return end.values(parsed.values)[: parsed.limit]
    one = end.who_wrote(parsed.who_wrote) if parsed.who_wrote else end.when(parsed.when)
    return [] if one is None else [one, *one.unordered]


def _as_json(write: Write) -> dict[str, Any]:
    return {
        "name": write.name,
        "value": write.text,
        "where": write.where,
        "thread": write.moment.thread.name,
        "index": write.moment.position.index,
        "time_ns": write.moment.time_ns,
    }


def _summary(recording: Recording, end: Moment | None) -> dict[str, Any]:
    """What a recording says of itself, and where it ends."""
    header, ending = recording.header, recording.ending
    frames = [] if end is None else end.frames
    return {
        "program": header.main,
        "started_ms": header.started,
        "what": header.what,
        "only": list(header.only),
        "records": sum(map(recording.reader.length, recording.reader.threads)),
        "threads": [each.name for each in recording.threads],
        "ended": None if ending is None else ending.how,
        "exit_code": None if ending is None else ending.exit_code,
        "notes": recording.notes,
        "stack": [each.place for each in frames],
        "variables": {each.name: each.text for top in frames[:1] for each in top.variables()},
    }
