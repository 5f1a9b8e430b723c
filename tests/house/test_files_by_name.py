# SPDX-License-Identifier: Apache-2.0
"""Files are read with `jvmdebug.regular_file`: their names come from clients, settings and class
files, and may lead to devices, pipes, or more than fits into memory.
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING, Final

from tests.house.tracked import is_generated, tracked_files, tree_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OF_THE_SYSTEM: Final = "what the kernel says about a process"
OUR_OWN: Final = "a file that we have written, or that comes with us"
WRITES: Final = "it is written"
ALLOWED: Final = {
    "jvmdebug/regular_file.py": (2, "the reader"),
    "jvmdebug/recording/new_file.py": (3, WRITES),
    "jvmdebug/jdwp/peer.py": (4, OF_THE_SYSTEM),
    "jvmdebug/jdwp/silence.py": (1, OF_THE_SYSTEM),
    "jvmdebug/jdwp/networks.py": (1, OF_THE_SYSTEM),
    "jvmdebug/attaching/containers.py": (1, OF_THE_SYSTEM),
    "jvmdebug/attaching/files_of_process.py": (1, OF_THE_SYSTEM),
    "jvmdebug/attaching/local_jvms.py": (1, OF_THE_SYSTEM),
    "jvmdebug/attaching/attach_protocol.py": (3, OF_THE_SYSTEM),
    "jvmdebug/attaching/agent_loading.py": (2, OF_THE_SYSTEM),
    "adapters/jvmdebug_cli/addresses.py": (1, OF_THE_SYSTEM),
    "adapters/jvmdebug_dap/terminals.py": (1, OF_THE_SYSTEM),
    "jvmdebug/javac/starting.py": (1, OUR_OWN),
    "jvmdebug/projects/maven.py": (2, OUR_OWN),
    "jvmdebug/projects/gradle.py": (2, OUR_OWN),
    "jvmdebug/projects/kept.py": (1, OUR_OWN),
    "jvmdebug/projects/testing/runner.py": (3, OUR_OWN),
    "jvmdebug/profiling/flame_graph.py": (1, OUR_OWN),
    "jvmdebug/coverage/html_page.py": (1, OUR_OWN),
    "jvmdebug/heap/report.py": (1, OUR_OWN),
    "jvmdebug/launch/kept_classes.py": (1, OUR_OWN),
    "jvmdebug/launch/terminal_command.py": (1, OUR_OWN),
    "adapters/jvmdebug_dap/requests.py": (1, OUR_OWN),
    "adapters/jvmdebug_dap/greeting.py": (1, OUR_OWN),
    "adapters/jvmdebug_cli/editor.py": (2, OUR_OWN),
    "jvmdebug/session/test_results.py": (1, "a pipe that we have made"),
    "jvmdebug/stepping/class_path.py": (1, "an archive in memory"),
    "jvmdebug/heap/live.py": (1, WRITES),
    "jvmdebug/audit_log.py": (1, WRITES),
    "adapters/jvmdebug_cli/command_line.py": (1, "the null device"),
}
"""File → how many reads it has of its own, and of what."""


def _reads(path: Path) -> Iterator[int]:
    """The lines that open or read a file, whatever the mode is."""
    for node in ast.walk(tree_of(path)):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Attribute(attr="read_bytes"):
                yield node.lineno
            case ast.Attribute(attr="read_text", value=value) if not _is(value, "layout"):
                yield node.lineno
            case ast.Attribute(attr="ZipFile" | "is_zipfile"):
                yield node.lineno
            case ast.Attribute(attr="open", value=ast.Name(id="os" | "io" | "gzip" | "mmap")):
                yield node.lineno
            case ast.Attribute(attr="open") if _has_mode(node):
                yield node.lineno
            case ast.Name(id="open" | "ZipFile"):
                yield node.lineno


def _is(value: ast.expr, name: str) -> bool:
    return isinstance(value, ast.Name) and value.id == name


def _has_mode(call: ast.Call) -> bool:
    """Whether it is `path.open("rb")` and no other method of that name."""
    first = call.args[0] if call.args else None
    return isinstance(first, ast.Constant) and isinstance(first.value, str)


def test_files_are_read_by_the_reader_that_knows_what_a_name_may_lead_to() -> None:
    found: Counter[str] = Counter()
    lines: dict[str, list[int]] = {}
    for path in tracked_files():
        is_code = path.parts[0] in ("jvmdebug", "adapters") and path.suffix == ".py"
        if not is_code or is_generated(path):
            continue
        for line in _reads(path):
            found[str(path)] += 1
            lines.setdefault(str(path), []).append(line)
    assert len(found) > 10
    expected = {path: count for path, (count, _why) in ALLOWED.items()}
    differing = {
        path: (found[path], expected.get(path, 0), lines.get(path))
        for path in found.keys() | expected.keys()
        if found[path] != expected.get(path, 0)
    }
    assert differing == {}, "use jvmdebug.regular_file, or say in ALLOWED what is read there"
