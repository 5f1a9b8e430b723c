# SPDX-License-Identifier: Apache-2.0
"""Writes docs/reference/jvmti.md from tools/jvmti_table.toml: `python -m tools.jvmti_reference
[--check]`.

What reaches each function, event and capability of JVM TI, and of JVMPI; which files of the agent
call a function is looked up in them. `make generate` runs it, `make lint` compares, and a test
holds the table against the JDK's header.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.jvmti import Jvmti, LoadedClasses
from jvmdebug.session.breakpoints import SessionBreakpoints
from jvmdebug.session.frame_handle import FrameHandle
from jvmdebug.session.heap import SessionHeap
from jvmdebug.session.session import Session
from jvmdebug.session.stop import Stop
from jvmdebug.session.threads import ThreadHandle
from jvmdebug.session.variable import Variable

if TYPE_CHECKING:
    from collections.abc import Mapping

_REPOSITORY: Final = Path(__file__).resolve().parents[1]
DOCUMENT: Final = _REPOSITORY / "docs" / "reference" / "jvmti.md"
TABLE: Final = Path(__file__).with_name("jvmti_table.toml")
_AGENT: Final = _REPOSITORY / "native" / "agent"

OWNERS: Final[Mapping[str, type]] = {
    "session.jvmti": Jvmti,
    "session.classes": LoadedClasses,
    "session.heap": SessionHeap,
    "session.breakpoints": SessionBreakpoints,
    "session": Session,
    "thread": ThreadHandle,
    "stop": Stop,
    "frame": FrameHandle,
    "variable": Variable,
}
"""What a call in the table begins with → the class that must have it."""

_TITLES: Final = {
    "functions": "Functions of JVM TI",
    "events": "Events of JVM TI",
    "capabilities": "Capabilities of JVM TI",
    "jvmpi_functions": "Functions of JVMPI",
    "jvmpi_events": "Events of JVMPI",
}
_HEAD: Final = """<!-- Written by tools/jvmti_reference.py from jvmti_table.toml: do not edit. -->
# What reaches JVM TI

For every function, event and capability of JVM TI up to JDK 25, and for its ancestor JVMPI, which
call of [the Python API](api.md) or which [command of the wire](jdwp.md) reaches it, or that the
agent uses it for itself, or why it is not available. A test compares it with the JDK's `jvmti.h`.

How to use it: [what is loaded, compiled and called through JNI](../how-to/jvmti.md). An agent that
was loaded into a running program lacks the capabilities marked `*`: HotSpot gives them only at its
start, and calls that need them fail with an error that says so.
"""
ONLY_AT_START: Final = frozenset(
    {
        "can_generate_field_modification_events",
        "can_generate_field_access_events",
        "can_get_owned_monitor_info",
        "can_get_current_contended_monitor",
        "can_pop_frame",
        "can_get_source_debug_extension",
        "can_access_local_variables",
        "can_maintain_original_method_order",
        "can_generate_single_step_events",
        "can_generate_exception_events",
        "can_generate_frame_pop_events",
        "can_generate_breakpoint_events",
        "can_generate_method_entry_events",
        "can_generate_method_exit_events",
        "can_force_early_return",
        "can_get_owned_monitor_stack_depth_info",
        "can_generate_early_vmstart",
        "can_generate_early_class_hook_events",
    }
)


@dataclass(frozen=True, slots=True)
class Row:
    """What reaches one function, event or capability."""

    name: str
    calls: tuple[str, ...]
    """Python: `session.jvmti.get_time`."""
    commands: tuple[str, ...]
    """Of the wire: `ThreadReference.Status`."""
    by_agent: bool
    """The agent uses it for itself."""
    is_out_of_reach: bool
    note: str


def table() -> dict[str, list[Row]]:
    """The rows by group, as the tables of the file are called."""
    declared = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {
        group: [_row(name, words) for name, words in rows.items()]
        for group, rows in declared.items()
    }


def _row(name: str, words: list[str]) -> Row:
    calls = [each for each in words if each[0].islower() and "." in each]
    return Row(
        name,
        tuple(calls),
        tuple(each for each in words if each[0].isupper()),
        "agent" in words,
        "no" in words,
        next((each[1:] for each in words if each.startswith("#")), ""),
    )


def exists(call: str) -> bool:
    """Whether a Python call of the table is there."""
    owner, _, name = call.rpartition(".")
    found = OWNERS.get(owner)
    if found is None:
        return False
    slots = {slot for each in found.__mro__ for slot in getattr(each, "__slots__", ())}
    return hasattr(found, name) or name in slots


@cache
def _sources() -> dict[str, str]:
    """The agent's files without their comments."""
    files = sorted([*_AGENT.rglob("*.cpp"), *_AGENT.rglob("*.h")])
    return {
        path.relative_to(_REPOSITORY).as_posix(): re.sub(
            r"//.*", "", path.read_text(encoding="utf-8")
        )
        for path in files
        if "generated" not in path.parts
    }


@cache
def _named(pattern: str) -> dict[str, list[str]]:
    """The files where each name stands that a group of `pattern` catches."""
    files: dict[str, list[str]] = defaultdict(list)
    for path, text in _sources().items():
        for name in {name for found in re.finditer(pattern, text) for name in found.groups()}:
            if name is not None:
                files[name].append(path)
    return files


def called_in(function: str) -> list[str]:
    """The files of the agent that call a function of JVM TI."""
    return _named(r"(?:->|::)(\w+)|\bk(\w+)Position\b").get(function, [])


def handled_in(event: str) -> list[str]:
    """The files of the agent that have a callback for an event."""
    return _named(r"\.(\w+) = |\bk(\w+)\b").get(event, [])


def document() -> str:
    """The text of the document."""
    parts = [_HEAD]
    for group, rows in table().items():
        parts.append(f"\n## {_TITLES[group]}\n\n")
        with_files = group in ("functions", "events")
        head = ["name", "reached by", *(["called in"] if with_files else [])]
        parts.append(f"| {' | '.join(head)} |\n|{'---|' * len(head)}\n")
        for row in rows:
            cells = [_name(row), _reached(row)]
            if with_files:
                files = called_in(row.name) if group == "functions" else handled_in(row.name)
                cells.append(", ".join(f"`{each.removeprefix('native/agent/')}`" for each in files))
            parts.append(f"| {' | '.join(cells)} |\n")
    return "".join(parts)


def _name(row: Row) -> str:
    return f"`{row.name}`" + (" `*`" if row.name in ONLY_AT_START else "")


def _reached(row: Row) -> str:
    words = [f"`{each}`" for each in (*row.calls, *row.commands)]
    if row.by_agent:
        words.append("the agent itself")
    if row.is_out_of_reach:
        words.append("not to be had")
    return ", ".join(words) + (f": {row.note}" if row.note else "")


def main() -> None:
    """Write the document, or with --check compare it."""
    text = document()
    if DOCUMENT.exists() and DOCUMENT.read_text(encoding="utf-8") == text:
        return
    if "--check" in sys.argv:
        raise SystemExit("docs/reference/jvmti.md is stale: make generate")
    DOCUMENT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
