# SPDX-License-Identifier: Apache-2.0
"""Makes lines, branches and methods from class files and the flags that the agent has set."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from jvmdebug.classfile.class_file import ClassFile
from jvmdebug.coverage import filters
from jvmdebug.coverage.counters import Bits, LineCoverage
from jvmdebug.coverage.inlining import Copies
from jvmdebug.coverage.method_code import MethodCode, Sites, methods_of
from jvmdebug.coverage.model import CoveredClass, CoveredMethod
from jvmdebug.errors import ClassFileError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.coverage.inlining import CopiedLines


class ClassShape:
    """What is in a class file, whatever has run: read once, used with many sets of flags."""

    def __init__(self, class_file: bytes) -> None:
        """Raises ClassFileError for anything but a class file."""
        parsed = ClassFile.read(class_file)
        self._name = parsed.java_name
        self._source = _source_of(parsed)
        self._copies = Copies(parsed)
        self._methods: list[tuple[int, MethodCode, filters.Filtered]] = []
        if not filters.is_left_out(parsed):
            self._methods = [
                (number, method, filters.filtered(method))
                for number, method in methods_of(parsed)
                if not filters.is_method_left_out(method)
            ]

    def covered(self, sites: Mapping[int, Sites], copied: CopiedLines) -> CoveredClass | None:
        """What of the class has run; None if nothing in it counts. `sites`: by the number of the
        method; nothing has run of a method that is not in it. What is copied into the class by
        Kotlin's compiler is added to `copied`.
        """
        methods = tuple(
            self._covered(method, filtered, sites.get(number, Sites()), copied)
            for number, method, filtered in self._methods
        )
        methods = tuple(each for each in methods if each.lines)
        return CoveredClass(self._name, self._source, methods) if methods else None

    def _covered(
        self, method: MethodCode, filtered: filters.Filtered, sites: Sites, copied: CopiedLines
    ) -> CoveredMethod:
        ran, ways = method.ran(sites) if sites.reached else (set(), {})
        counted: dict[int, bool] = {}
        branches: dict[int, list[bool]] = {}
        for position in range(len(method)):
            if position in filtered.ignored:
                continue
            origin = self._copies.origin_of(method.lines[position] or 0)
            if origin is not None:
                copied.add(origin, has_run=position in ran)
                continue
            to = filtered.counted(position)
            counted[to] = counted.get(to, False) or position in ran
            if not method.is_branch(position):
                continue
            gone = _ways(method, position, ways.get(position), filtered)
            before = branches.get(to)
            if before is None or len(before) != len(gone):
                branches[to] = gone
            else:
                branches[to] = [one or two for one, two in zip(before, gone, strict=True)]
        return CoveredMethod(
            method.member.name, method.member.descriptor, _lines(method, counted, branches)
        )


def unseen_class(class_file: bytes, copied: CopiedLines) -> CoveredClass | None:
    """A class that was never loaded; None also for what is no class file."""
    try:
        return ClassShape(class_file).covered({}, copied)
    except ClassFileError:
        return None


def _source_of(parsed: ClassFile) -> str | None:
    attribute = parsed.attribute("SourceFile")
    return None if attribute is None else parsed.constants.utf8(int.from_bytes(attribute.content))


def _ways(
    method: MethodCode,
    position: int,
    ways: tuple[bool, ...] | None,
    filtered: filters.Filtered,
) -> list[bool]:
    targets = method.targets(position)
    gone = (False,) * len(targets) if ways is None else ways
    wanted = filtered.branches.get(position)
    if wanted is None:
        return list(gone)
    return [is_gone for target, is_gone in zip(targets, gone, strict=True) if target in wanted]


def _lines(
    method: MethodCode, counted: dict[int, bool], branches: dict[int, list[bool]]
) -> dict[int, LineCoverage]:
    instructions: dict[int, list[bool]] = defaultdict(list)
    in_line: dict[int, list[Bits]] = defaultdict(list)
    for position in sorted(counted):
        line = method.lines[position] or 0
        instructions[line].append(counted[position])
        if len(branches.get(position, ())) > 1:
            in_line[line].append(Bits.of(branches[position]))
    return {
        line: LineCoverage(Bits.of(instructions[line]), tuple(in_line[line]))
        for line in sorted(instructions)
    }
