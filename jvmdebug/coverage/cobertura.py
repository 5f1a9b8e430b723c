# SPDX-License-Identifier: Apache-2.0
"""Cobertura's XML report (coverage-04.dtd), which GitLab, Azure and Jenkins read."""

from __future__ import annotations

import os
import time
from itertools import groupby
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from jvmdebug.coverage.counters import Counters, LineCoverage
    from jvmdebug.coverage.model import Coverage, CoveredClass

_HEAD: Final = (
    '<?xml version="1.0"?>\n'
    '<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">\n'
)


def written(coverage: Coverage, _title: str) -> str:
    """The text of the report."""
    total = coverage.counters
    when = round((coverage.read_at or time.time()) * 1000)
    rows = [
        _HEAD,
        (
            f'<coverage {_rates(total)} lines-covered="{total.lines.covered}"'
            f' lines-valid="{total.lines.total}" branches-covered="{total.branches.covered}"'
            f' branches-valid="{total.branches.total}" complexity="{total.complexity.total}"'
            f' version="jvmdebug" timestamp="{when}">'
        ),
        "<sources>",
        *(f"<source>{escape(each)}</source>" for each in _roots(coverage)),
        "</sources><packages>",
    ]
    classes = sorted(coverage.classes, key=lambda each: (each.package, each.name))
    for package, group in groupby(classes, key=lambda each: each.package):
        inside = list(group)
        counters = type(coverage)(tuple(inside)).counters
        rows.append(
            f"<package name={quoteattr(package)} {_rates(counters)}"
            f' complexity="{counters.complexity.total}"><classes>'
        )
        for each in inside:
            rows.extend(_class(each))
        rows.append("</classes></package>")
    rows.append("</packages></coverage>\n")
    return "".join(rows)


def _roots(coverage: Coverage) -> list[str]:
    """The folders that the names of the files begin in."""
    found = {
        file.path[: -len(file.name) - 1]
        for file in coverage.files
        if file.path and file.path.replace(os.sep, "/").endswith("/" + file.name)
    }
    return sorted(found) or ["."]


def _rates(counters: Counters) -> str:
    return f'line-rate="{counters.lines.ratio:.4f}" branch-rate="{counters.branches.ratio:.4f}"'


def _class(of: CoveredClass) -> Iterator[str]:
    yield (
        f"<class name={quoteattr(of.name)} filename={quoteattr(of.file)} {_rates(of.counters)}"
        f' complexity="{of.counters.complexity.total}"><methods>'
    )
    for method in of.methods:
        counters = method.counters
        yield (
            f"<method name={quoteattr(method.name)} signature={quoteattr(method.descriptor)}"
            f' {_rates(counters)} complexity="{counters.complexity.total}"><lines>'
        )
        yield from _lines(method.lines)
        yield "</lines></method>"
    yield "</methods><lines>"
    yield from _lines(of.lines)
    yield "</lines></class>"


def _lines(lines: Mapping[int, LineCoverage]) -> Iterable[str]:
    for number, each in lines.items():
        if number == 0:
            continue
        hits = int(each.instructions.covered > 0)
        total, covered = each.branch_count, each.branches_covered
        if not total:
            yield f'<line number="{number}" hits="{hits}" branch="false"/>'
            continue
        ratio = f"{covered * 100 // total}%"
        yield (
            f'<line number="{number}" hits="{hits}" branch="true"'
            f' condition-coverage="{ratio} ({covered}/{total})"/>'
        )
