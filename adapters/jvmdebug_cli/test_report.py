# SPDX-License-Identifier: Apache-2.0
"""How the results of tests are shown: as a tree that grows, or a line of JSON for each event.

Owns what is said of a test and at the end, and which tests to run again. Called by `testing` and,
while tests are debugged, by the shell.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

import jvmdebug

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from jvmdebug_cli.printer import Printer

_WORDS: Final = {"passed": ("ok     ", "green"), "failed": ("FAILED ", "bold red")}
_SKIPPED: Final = ("skipped", "yellow")
_STEP: Final = "  "
_MOST_OF_A_MESSAGE: Final = 2_000


class TestReport:
    """What has come of the tests so far; several programs may add to it."""

    __test__ = False

    def __init__(self, out: Printer, *, is_json: bool = False) -> None:
        self._out = out
        self._is_json = is_json
        self._nodes: dict[str, jvmdebug.projects.TestEvent] = {}
        self._headed: tuple[str, ...] = ()
        self.counts: Counter[str] = Counter()
        self.failed: list[str] = []
        """What selects the tests that failed."""
        self.ran: set[str] = set()
        """What selects the tests and classes that have run to their end."""
        self.seconds = 0.0
        self.is_complete = False
        """Whether the newest program has run all its tests."""

    def take(self, event: jvmdebug.projects.TestEvent) -> None:
        """Count and show an event."""
        match event.event:
            case "begin":
                self._nodes.clear()
                self._headed = ()
                self.is_complete = False
            case "started":
                self._nodes[event.id] = event
            case "finished":
                self._finished(event)
            case "end":
                self.is_complete = True
                self.counts.update({str(status): n for status, n in (event.counts or {}).items()})
        if self._is_json:
            self._out.write_json(as_dict(event))

    def _finished(self, event: jvmdebug.projects.TestEvent) -> None:
        if event.kind in ("method", "call"):
            self._nodes.pop(event.id, None)
        if event.parent is None:
            self.seconds += event.seconds
        is_test = event.kind in ("method", "call")
        selector = event.selector
        if selector is not None and event.status != "skipped":
            self.ran.add(selector)
        if event.status == "failed" and selector is not None and selector not in self.failed:
            self.failed.append(selector)
        if not self._is_json and (is_test or event.status != "passed"):
            self._show(event, is_test=is_test)

    def _show(self, event: jvmdebug.projects.TestEvent, *, is_test: bool) -> None:
        above = self._above(event)
        for depth, id_ in enumerate(above):
            if self._headed[depth : depth + 1] != (id_,):
                self._headed = above[: depth + 1]
                node = self._nodes[id_]
                name = (node.class_name or node.name) if depth == 0 else node.name
                self._out.write(Text(f"{_STEP * depth}{jvmdebug.one_line(name)}", "bold"))
        word, style = _WORDS.get(event.status or "", _SKIPPED)
        indent = _STEP * len(above)
        name = event.name if is_test or above else event.class_name or event.name
        line = Text.assemble(indent, (word, style), " ", jvmdebug.one_line(name))
        if event.status == "skipped":
            line.append(f": {jvmdebug.one_line(event.reason)}" if event.reason else "", "dim")
        else:
            line.append(f"  {event.seconds:.3f} s", "dim")
        self._out.write(line)
        if event.failure is not None:
            self._show_failure(event.failure, f"{indent}{_STEP * 4}")

    def _show_failure(self, failure: jvmdebug.projects.TestFailure, indent: str) -> None:
        kind = failure.type.rpartition(".")[2]
        said = f"{kind}: {failure.message}" if failure.message else kind
        for line in jvmdebug.several_lines(said[:_MOST_OF_A_MESSAGE]).splitlines():
            self._out.write(f"{indent}{line}")
        if failure.file is not None:
            line_text = f":{failure.line}" if failure.line else ""
            self._out.write(Text(f"{indent}{_shortest(failure.file)}{line_text}", "cyan"))

    def _above(self, event: jvmdebug.projects.TestEvent) -> tuple[str, ...]:
        """The ids of the nodes above it, the outermost first."""
        found: list[str] = []
        parent = event.parent
        while parent is not None and parent in self._nodes:
            found.append(parent)
            parent = self._nodes[parent].parent
        return tuple(reversed(found))

    @property
    def summary(self) -> str:
        """`2 failed, 5 passed, 1 skipped in 0.4 s`."""
        parts = [
            f"{self.counts[each]} {each}"
            for each in ("failed", "passed", "skipped")
            if self.counts[each]
        ]
        return f"{', '.join(parts) or 'no test was run'} in {self.seconds:.1f} s"

    @property
    def has_passed(self) -> bool:
        """Whether tests were run, and none failed."""
        return bool(self.counts) and not self.counts["failed"]

    def to_run_again(self, before: Sequence[str], whole: Collection[str]) -> list[str]:
        """What selects the tests that failed when they last ran. `before`: what did before these
        programs; `whole`: the classes that have run from the first test to the last.
        """
        interrupted = [] if self.is_complete or self.running is None else [self.running]
        left = (
            each
            for each in before
            if each not in self.ran and jvmdebug.projects.class_of(each) not in whole
        )
        return list(dict.fromkeys((*left, *self.failed, *interrupted)))

    @property
    def running(self) -> str | None:
        """The newest test that has begun and not finished."""
        running = [each for each in self._nodes.values() if each.kind in ("method", "call")]
        return running[-1].selector if running else None


def as_dict(event: jvmdebug.projects.TestEvent) -> dict[str, Any]:
    """Returns JSON values, without what is not known."""
    counts = None if event.counts is None else dict(event.counts)
    told = dataclasses.asdict(dataclasses.replace(event, counts=None)) | {"counts": counts}
    fields = {name: _json(value) for name, value in told.items()}
    if event.event in ("begin", "end"):
        fields = {name: fields[name] for name in ("event", "counts")}
    elif event.event == "started":
        del fields["seconds"]
    if not event.is_ambiguous:
        fields.pop("is_ambiguous", None)
    if event.selector is not None:
        fields["selector"] = event.selector
    return {name: value for name, value in fields.items() if value is not None}


def _json(value: object) -> object:
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, dict):
        return {name: _json(each) for name, each in value.items() if each is not None}
    return value


def _shortest(file: Path) -> str:
    """The path from the working directory, if it is below that."""
    here = Path.cwd()
    shown = file.relative_to(here) if file.is_relative_to(here) else file
    return jvmdebug.one_line(str(shown))
