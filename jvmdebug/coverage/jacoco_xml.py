# SPDX-License-Identifier: Apache-2.0
"""JaCoCo's XML report (its report.dtd, version 1.1), written, and read to be merged."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET
from xml.sax.saxutils import quoteattr

from jvmdebug.coverage.counters import Bits, LineCoverage
from jvmdebug.coverage.errors import CoverageError
from jvmdebug.coverage.model import Coverage, CoveredClass, CoveredMethod

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmdebug.coverage.counters import Counters
    from jvmdebug.coverage.model import CoveredFile

_HEAD: Final = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    '<!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">'
)
_KINDS: Final = (
    ("INSTRUCTION", "instructions"),
    ("BRANCH", "branches"),
    ("LINE", "lines"),
    ("COMPLEXITY", "complexity"),
    ("METHOD", "methods"),
    ("CLASS", "classes"),
)


def written(coverage: Coverage, title: str) -> str:
    """The text of the report."""
    rows = [_HEAD, f"<report name={quoteattr(title)}>"]
    files = sorted(coverage.files, key=lambda each: each.name.rpartition("/")[0])
    for package, group in groupby(files, key=lambda each: each.name.rpartition("/")[0]):
        inside = list(group)
        rows.append(f"<package name={quoteattr(package)}>")
        for file in inside:
            rows.extend(_classes(file))
        for file in inside:
            rows.extend(_lines(file))
        rows.extend(_counters(Coverage(tuple(c for f in inside for c in f.classes)).counters))
        rows.append("</package>")
    rows.extend(_counters(coverage.counters))
    rows.append("</report>\n")
    return "".join(rows)


def _classes(file: CoveredFile) -> Iterator[str]:
    for each in file.classes:
        name = each.name.replace(".", "/")
        source = f" sourcefilename={quoteattr(each.source)}" if each.source else ""
        yield f"<class name={quoteattr(name)}{source}>"
        for method in each.methods:
            line = "" if method.line is None else f' line="{method.line}"'
            yield (
                f"<method name={quoteattr(method.name)} desc={quoteattr(method.descriptor)}{line}>"
            )
            yield from _counters(method.counters)
            yield "</method>"
        yield from _counters(each.counters)
        yield "</class>"


def _lines(file: CoveredFile) -> Iterator[str]:
    yield f"<sourcefile name={quoteattr(file.name.rpartition('/')[2])}>"
    for number, each in file.lines.items():
        of, covered = each.instructions, each.branches_covered
        yield (
            f'<line nr="{number}" mi="{of.missed}" ci="{of.covered}"'
            f' mb="{each.branch_count - covered}" cb="{covered}"/>'
        )
    yield from _counters(file.counters)
    yield "</sourcefile>"


def _counters(counters: Counters) -> Iterator[str]:
    for kind, name in _KINDS:
        each = getattr(counters, name)
        if each.total:
            yield f'<counter type="{kind}" missed="{each.missed}" covered="{each.covered}"/>'


def read(text: str) -> Coverage:
    """Lines and branches of a report. The instructions and ways that have run are only counted
    there, so merging takes the larger count of a line. CoverageError for another document.
    """
    if "<!ENTITY" in text:
        raise CoverageError("it is no report of JaCoCo's: it declares entities")
    try:
        root = ET.fromstring(text)  # noqa: S314 - without entities it cannot grow
        if root.tag != "report":
            raise CoverageError("it is XML, but no report of JaCoCo's")
        return Coverage(tuple(_read_files(root)), known_from="jacoco")
    except (ET.ParseError, KeyError, ValueError) as error:
        raise CoverageError(f"it is no report of JaCoCo's ({error})") from None


def _read_files(root: ET.Element) -> Iterator[CoveredClass]:
    for package in root.iter("package"):
        prefix = package.attrib["name"].replace("/", ".")
        for file in package.iter("sourcefile"):
            name = file.attrib["name"]
            simple = name.rpartition(".")[0] or name
            lines = {int(each.attrib["nr"]): _read_line(each) for each in file.iter("line")}
            yield CoveredClass(
                f"{prefix}.{simple}" if prefix else simple,
                name,
                (CoveredMethod("(all)", "", lines),),
            )


def _read_line(of: ET.Element) -> LineCoverage:
    missed, covered, missed_ways, ways = (int(of.attrib[each]) for each in ("mi", "ci", "mb", "cb"))
    branches = (_first(missed_ways, ways),) if missed_ways + ways else ()
    return LineCoverage(_first(missed, covered), branches)


def _first(missed: int, covered: int) -> Bits:
    return Bits(missed + covered, (1 << covered) - 1)
