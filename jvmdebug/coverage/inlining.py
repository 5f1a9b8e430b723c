# SPDX-License-Identifier: Apache-2.0
"""Lines of Kotlin's inline functions: they run where the compiler has copied them to.

A copy has lines of its own behind those of the source; the class's source map says what they are
copies of. They do not count where they are: a line of an inline function counts once, as one
instruction, and has run if one of its copies has.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from jvmdebug.coverage.counters import Bits, LineCoverage
from jvmdebug.sources.smap import SourceMap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.classfile.class_file import ClassFile
    from jvmdebug.coverage.model import CoveredClass, CoveredMethod
    from jvmdebug.sources.smap import Stratum

_ATTRIBUTE: Final = "SourceDebugExtension"
_STRATUM: Final = "Kotlin"


@dataclass
class CopiedLines:
    """The lines of all classes that were copied, and whether a copy has run."""

    ran: dict[tuple[str, int], bool] = field(default_factory=dict)
    """By the class, `shop.CartKt`, and the line."""
    files: dict[str, str] = field(default_factory=dict)
    """The source file of each class: `shop/Cart.kt`."""

    def add(self, origin: tuple[str, str, int], *, has_run: bool) -> None:
        """Note an instruction of a copy; `origin` is what `origin_of` gives."""
        class_name, file, line = origin
        self.files[class_name] = file
        key = class_name, line
        self.ran[key] = self.ran.get(key, False) or has_run

    def applied_to(self, classes: Iterable[CoveredClass]) -> list[CoveredClass]:
        """The classes, with what their copied lines have run anywhere."""
        return [each if each.name not in self.files else self._applied(each) for each in classes]

    def _applied(self, of: CoveredClass) -> CoveredClass:
        def applied(method: CoveredMethod) -> CoveredMethod:
            lines = {
                line: each if ran is None else LineCoverage(Bits.of([ran]))
                for line, each in method.lines.items()
                for ran in [self.ran.get((of.name, line))]
            }
            return replace(method, lines=lines)

        return replace(of, methods=tuple(map(applied, of.methods)))


class Copies:
    """The copies in one class."""

    def __init__(self, parsed: ClassFile) -> None:
        self._own = parsed.name
        self._stratum: Stratum | None = None
        attribute = parsed.attribute(_ATTRIBUTE)
        if attribute is not None and b"Lkotlin/Metadata;" in parsed.constants.raw:
            try:
                text = attribute.content.decode("utf-8", "replace")
                self._stratum = SourceMap.parse(text).strata.get(_STRATUM)
            except ValueError:
                self._stratum = None  # its lines count as they are

    def origin_of(self, line: int) -> tuple[str, str, int] | None:
        """The class, `shop.CartKt`, the source file, `shop/Cart.kt`, and the line that a line is a
        copy of; None for a line of the class's own.
        """
        found = None if self._stratum is None else self._stratum.source_line(line)
        if found is None:
            return None
        entry, source_line = found
        if entry.path is None or (entry.path == self._own and source_line == line):
            return None
        folder = entry.path.rpartition("/")[0]
        file = f"{folder}/{entry.name}" if folder else entry.name
        return entry.path.replace("/", "."), file, source_line
