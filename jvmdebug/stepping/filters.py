# SPDX-License-Identifier: Apache-2.0
"""Step filters: patterns of classes where a step does not stop, as values. Called by `step` and the
settings.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

JDK_PATTERNS: tuple[str, ...] = (
    "java.*",
    "javax.*",
    "jdk.*",
    "sun.*",
    "com.sun.*",
)
"""The JDK's own packages, as patterns of the protocol: one `*` at the start or the end."""

GROOVY_PATTERNS: tuple[str, ...] = ("groovy.lang.*", "org.codehaus.groovy.*", "org.apache.groovy.*")
"""The runtime of Groovy: each call of a program in Groovy goes through it."""

LIBRARIES: Final = "$Libraries"


@dataclass(frozen=True, slots=True)
class StepFilters:
    """Classes that a step does not stop in; it goes on until it is out of them."""

    skip_classes: tuple[str, ...] = (*JDK_PATTERNS, *GROOVY_PATTERNS)
    """Names and patterns with `*`; `$JDK` stands for `JDK_PATTERNS`, `$Libraries` for the code in
    archives and what is generated (`libraries`). The JDK and the runtime of Groovy unless given.
    """
    skip_synthetic: bool = True
    """Step through methods that the compiler made (bridges, accessors), except lambda bodies."""
    skip_static_initializers: bool = False
    skip_constructors: bool = False
    allow_classes: tuple[str, ...] = ()
    """If any: names and patterns of the only classes that a step stops in."""

    @property
    def skips_libraries(self) -> bool:
        """Whether `$Libraries` is among the classes."""
        return LIBRARIES in self.skip_classes

    def class_patterns(self) -> tuple[str, ...]:
        """The patterns that the agent can filter itself, with `*` at an end only. Each once."""
        return tuple(
            each for each in self._patterns() if "*" not in each[1:-1] and _is_simple(each)
        )

    def skips_class(self, name: str) -> bool:
        """Whether a class of this Java name is filtered out; `$Libraries` counts for none."""
        is_allowed = not self.allow_classes or fits(name, self.allow_classes)
        return not is_allowed or fits(name, self._patterns())

    def _patterns(self) -> tuple[str, ...]:
        patterns: dict[str, None] = {}
        for pattern in self.skip_classes:
            if pattern == LIBRARIES:
                continue
            for one in JDK_PATTERNS if pattern == "$JDK" else (pattern,):
                patterns[one] = None
        return tuple(patterns)


NO_FILTERS = StepFilters(skip_classes=(), skip_synthetic=False)
"""No filter."""


JUST_MY_CODE = StepFilters(skip_classes=("$JDK", LIBRARIES))
"""Stop only in code from directories, or from the archive that was started."""


def fits(name: str, patterns: Iterable[str]) -> bool:
    """Whether a Java name fits one of the patterns."""
    return any(_matches(name, pattern) for pattern in patterns)


def _is_simple(pattern: str) -> bool:
    return not (pattern.startswith("*") and pattern.endswith("*"))


def _matches(name: str, pattern: str) -> bool:
    return fnmatchcase(name, pattern.replace("[", "[[]"))
