# SPDX-License-Identifier: Apache-2.0
"""LCOV's trace files (geninfo(1)), written and read.

A line has no count of its passes, only whether it ran: 1 or 0. A branch instruction is a block.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from jvmdebug.coverage.counters import Bits, LineCoverage
from jvmdebug.coverage.errors import CoverageError
from jvmdebug.coverage.model import Coverage, CoveredClass, CoveredMethod

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmdebug.coverage.model import CoveredFile


def written(coverage: Coverage, _title: str) -> str:
    """The text of a trace file."""
    return "".join(f"{line}\n" for file in coverage.files for line in _file(file))


def _file(file: CoveredFile) -> Iterator[str]:
    yield "TN:"
    yield f"SF:{file.path or file.name}"
    methods = [
        (method.line, f"{each.name}.{method.name}{method.descriptor}", method)
        for each in file.classes
        for method in each.methods
        if method.line is not None
    ]
    for line, name, _ in methods:
        yield f"FN:{line},{name}"
    ran = [int(method.counters.methods.covered > 0) for _, _, method in methods]
    for count, (_, name, _) in zip(ran, methods, strict=True):
        yield f"FNDA:{count},{name}"
    yield f"FNF:{len(methods)}"
    yield f"FNH:{sum(ran)}"
    for line, each in file.lines.items():
        for block, branch in enumerate(each.branches):
            for way, is_taken in enumerate(branch):
                taken = "-" if branch.covered == 0 else int(is_taken)
                yield f"BRDA:{line},{block},{way},{taken}"
    counters = file.counters
    yield f"BRF:{counters.branches.total}"
    yield f"BRH:{counters.branches.covered}"
    for line, each in file.lines.items():
        yield f"DA:{line},{int(each.instructions.covered > 0)}"
    yield f"LF:{counters.lines.total}"
    yield f"LH:{counters.lines.covered}"
    yield "end_of_record"


def read(text: str) -> Coverage:
    """Lines and branches of a trace file; a source file counts as one class with one method.

    CoverageError for what is no trace file.
    """
    classes: dict[str, CoveredClass] = {}
    path = ""
    lines: dict[int, bool] = {}
    branches: dict[int, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for number, row in enumerate(text.splitlines(), 1):
        kind, _, rest = row.partition(":")
        try:
            if kind == "SF":
                path, lines = rest, {}
                branches.clear()
            elif kind == "DA":
                line, count = rest.split(",")[:2]
                lines[int(line)] = lines.get(int(line), False) or int(count) > 0
            elif kind == "BRDA":
                line, block, _, taken = rest.split(",")
                branches[int(line)][block].append(taken not in ("-", "0"))
            elif row == "end_of_record":
                made = _read_file(path, lines, branches)
                known = classes.get(made.name)
                classes[made.name] = made if known is None else known.merged_with(made)
        except ValueError:
            raise CoverageError(f"line {number} is not of an LCOV file: {row!r}") from None
    return Coverage(tuple(classes.values()), known_from="lcov")


def _read_file(
    path: str, lines: dict[int, bool], branches: dict[int, dict[str, list[bool]]]
) -> CoveredClass:
    found = {
        line: LineCoverage(
            Bits.of([ran]), tuple(Bits.of(ways) for ways in branches.get(line, {}).values())
        )
        for line, ran in sorted(lines.items())
    }
    folder, _, name = path.rpartition("/")
    package = folder.strip("/").replace("/", ".")
    simple = name.rpartition(".")[0] or name
    return CoveredClass(
        f"{package}.{simple}" if package else simple,
        name,
        (CoveredMethod("(all)", "", found),),
        path,
    )
