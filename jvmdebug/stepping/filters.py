# SPDX-License-Identifier: Apache-2.0
"""Where a step into may not stop: class patterns, as values. Called by `step` and the settings."""

from __future__ import annotations

from dataclasses import dataclass

JDK_PATTERNS: tuple[str, ...] = (
    "java.*",
    "javax.*",
    "jdk.*",
    "sun.*",
    "com.sun.*",
)
"""The JDK's own packages, as patterns of the protocol: one `*` at the start or the end."""


@dataclass(frozen=True, slots=True)
class StepFilters:
    """Classes that a step does not stop in; it goes on until it is out of them."""

    skip_classes: tuple[str, ...] = JDK_PATTERNS
    """Patterns with one `*` at the start or the end; `$JDK` stands for `JDK_PATTERNS`."""
    skip_synthetic: bool = True
    """Go through methods that the compiler made (bridges, accessors), except lambda bodies."""
    skip_static_initializers: bool = False
    skip_constructors: bool = False

    def class_patterns(self) -> tuple[str, ...]:
        """`skip_classes` with `$JDK` written out, each once."""
        patterns: dict[str, None] = {}
        for pattern in self.skip_classes:
            for one in JDK_PATTERNS if pattern == "$JDK" else (pattern,):
                patterns[one] = None
        return tuple(patterns)

    def skips_class(self, name: str) -> bool:
        """Whether a class of this Java name is filtered out."""
        return any(_matches(name, pattern) for pattern in self.class_patterns())


NO_FILTERS = StepFilters(skip_classes=(), skip_synthetic=False)
"""Stop wherever the step leads."""


def _matches(name: str, pattern: str) -> bool:
    if pattern.startswith("*"):
        return name.endswith(pattern[1:])
    if pattern.endswith("*"):
        return name.startswith(pattern[:-1])
    return name == pattern
