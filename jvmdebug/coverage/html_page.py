# SPDX-License-Identifier: Apache-2.0
"""One HTML page that needs nothing else: a table of the files, and each source with its lines.

Sources are read from disk; a file that was not found is shown by its line numbers.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Final

from jvmdebug.regular_file import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmdebug.coverage.counters import Counter, LineCoverage
    from jvmdebug.coverage.model import Coverage, CoveredFile

_PAGE: Final = "coverage.html"
_MOST_BYTES: Final = 4_000_000
"""Of a source: a larger one is not shown."""
_MARKS: Final = {"full": "ran", "partial": "ran in part", "none": "did not run", "empty": ""}


def written(coverage: Coverage, title: str) -> str:
    """The text of the page."""
    page = Path(__file__).with_name(_PAGE).read_text(encoding="utf-8")
    total = coverage.counters
    return Template(page).substitute(
        title=escape(title),
        lines=_share(total.lines),
        branches=_share(total.branches),
        methods=_share(total.methods),
        classes=_share(total.classes),
        remark=escape(_remark(coverage)),
        rows="".join(_row(number, each) for number, each in enumerate(coverage.files)),
        sources="".join(
            _source(number, each, coverage.tests) for number, each in enumerate(coverage.files)
        ),
    )


def _remark(coverage: Coverage) -> str:
    found = []
    if not coverage.is_complete:
        found.append("The program was killed: what it ran last is missing.")
    if coverage.waiting:
        found.append(
            f"{coverage.waiting} classes have methods that were not observed, because threads ran"
            " them all the time."
        )
    if coverage.left_out:
        found.append(f"Nothing is known of {', '.join(coverage.left_out)}.")
    return " ".join(found)


def _share(of: Counter) -> str:
    return f"{of.ratio:.1%} ({of.covered} of {of.total})" if of.total else "none"


def _row(number: int, file: CoveredFile) -> str:
    counters = file.counters
    cells = "".join(
        f'<td data-sort="{each.ratio:.4f}"><meter min="0" max="1" value="{each.ratio:.4f}"></meter>'
        f" {each.ratio:.0%}</td><td data-sort='{each.missed}'>{each.missed}</td>"
        for each in (counters.lines, counters.branches)
    )
    return f'<tr><th scope="row"><a href="#f{number}">{escape(file.name)}</a></th>{cells}</tr>\n'


def _source(
    number: int, file: CoveredFile, tests: Mapping[str, Mapping[str, tuple[int, ...]]]
) -> str:
    rows = "".join(_source_rows(file, tests))
    return (
        f'<section id="f{number}"><h2>{escape(file.name)}</h2>'
        f'<p><a href="#files">all files</a> · lines {_share(file.counters.lines)} · branches'
        f' {_share(file.counters.branches)}</p><table class="source">{rows}</table></section>\n'
    )


def _source_rows(
    file: CoveredFile, tests: Mapping[str, Mapping[str, tuple[int, ...]]]
) -> Iterator[str]:
    texts = _text_of(file)
    covering = {test: set(ran[file.name]) for test, ran in tests.items() if ran.get(file.name)}
    numbers = range(1, len(texts) + 1) if texts else list(file.lines)
    for line in numbers:
        of = file.lines.get(line)
        text = escape(texts[line - 1]) if texts else ""
        if of is None:
            yield f"<tr><td>{line}</td><td></td><td><pre>{text}</pre></td></tr>\n"
            continue
        by = [escape(test) for test, ran in covering.items() if line in ran]
        said = _said(of) + (f"; by {', '.join(by)}" if by else "")
        branches = f"{of.branches_covered}/{of.branch_count}" if of.branch_count else ""
        yield (
            f'<tr class="{of.status}" title="{said}"><td>{line}</td><td>{branches}</td>'
            f"<td><pre>{text}</pre></td></tr>\n"
        )


def _said(of: LineCoverage) -> str:
    text = _MARKS[of.status]
    if of.branch_count:
        text += f": {of.branches_covered} of {of.branch_count} ways of its branches"
    return text


def _text_of(file: CoveredFile) -> list[str]:
    if file.path is None:
        return []
    try:
        return read_text(file.path, errors="replace", limit=_MOST_BYTES).splitlines()
    except (OSError, ValueError):
        return []
