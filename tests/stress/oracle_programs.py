# SPDX-License-Identifier: Apache-2.0
"""The programs that run bare and under a storm: real ones with checks of their own, from Maven
Central, and small ones that check each value that they compute (tests/debuggees/checked).

Owns which they are, with what they need. Each is a workload of tests/debuggees/oracle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tests.support.debuggees import SOURCES, debuggee
from tests.support.libraries import kotlin_compiler, real_programs

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.debuggees import Debuggee

_OF_SPRING: Final = ("spring", "tomcat", "micrometer")
_PURE: Final = frozenset(
    f"checked.{name}" for name in ("Getter", "Pair", "Switches", "Loop", "Text", "Op", "Coin")
)


@dataclass(frozen=True)
class OracleProgram:
    """One of them."""

    name: str
    topic: str
    workload: str
    prefixes: tuple[str, ...]
    """What the names of its classes begin with."""
    least: int = 11
    """The oldest JDK that runs it."""
    heap: str = "256m"
    pure: frozenset[str] = frozenset()
    """Classes whose methods may run once more."""

    def debuggee(self) -> Debuggee:
        """Compiled, with its libraries."""
        jars = real_programs() if self.topic.startswith("real") else ()
        if self.topic == "real_spring":
            jars = tuple(each for each in jars if each.name.startswith(_OF_SPRING))
        elif self.topic == "real_programs":
            jars = tuple(each for each in jars if not each.name.startswith(_OF_SPRING))
            jars += kotlin_compiler()
        return debuggee(self.topic, "oracle.Oracle", libraries=jars)

    def sources(self) -> tuple[Path, ...]:
        """The folders with the sources of the small ones."""
        topics = {"checked": ("checked",), "checked_records": ("checked_records", "checked")}
        return tuple(SOURCES / each for each in topics.get(self.topic, ()))


def _real(name: str, workload: str, *prefixes: str, heap: str = "256m") -> OracleProgram:
    classes = ("real.", *prefixes)
    return OracleProgram(name, "real_programs", f"real.{workload}", classes, heap=heap)


SMALL: Final = (
    OracleProgram("checked", "checked", "checked.Checked", ("checked.",), heap="48m", pure=_PURE),
    OracleProgram(
        "records",
        "checked_records",
        "checked.CheckedRecords",
        ("checked.",),
        least=17,
        heap="48m",
        pure=_PURE,
    ),
)
REAL: Final = (
    _real("lang", "Suites$Lang", "org.apache.commons.lang3."),
    _real("collections", "Suites$Collections", "org.apache.commons.collections4."),
    _real("h2", "Database", "org.h2."),
    _real("ecj", "Compilers$Ecj", "org.eclipse.jdt."),
    _real("kotlin", "Compilers$Kotlin", "org.jetbrains.kotlin.", heap="600m"),
    _real("scala", "Compilers$Scala", "scala.", heap="600m"),
    OracleProgram(
        "spring", "real_spring", "real.Spring", ("real.", "org.springframework."), least=17
    ),
)
PROGRAMS: Final = {each.name: each for each in (*SMALL, *REAL)}
