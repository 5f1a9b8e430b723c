# SPDX-License-Identifier: Apache-2.0
"""Tells which classes a storm is about, and the record of what it does."""

from __future__ import annotations

import contextlib
import time
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_MADE: Final = ("$$Lambda", "$Proxy", "CGLIB", "/", "[", "Generated")


@dataclass
class StormOutcome:
    """What was done, in its order, and what came of it."""

    deeds: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    at_stops: Counter[str] = field(default_factory=Counter)
    """What was done where a thread had stopped."""
    swapped: set[str] = field(default_factory=set)
    """Classes that had other code."""
    stops: int = 0
    logged: int = 0
    during: float = 0.0
    """How many times as long as bare the quickest round took in the storm, and afterwards."""
    afterwards: float = 0.0
    said: Callable[[str], object] = lambda _: None
    """Called with each deed, before it is done and with what it says."""

    def begin(self, text: str) -> None:
        """One more deed."""
        self.deeds.append(text)
        self.said(f"{time.monotonic():.2f} {text}")

    def add(self, text: str) -> None:
        """What the last one does."""
        self.deeds[-1] += f" {text}"
        self.said(f"  {text}")

    def __str__(self) -> str:
        done = Counter(each.split()[1] for each in self.deeds)
        times = f"{self.during:.1f} times as long, afterwards {self.afterwards:.1f}"
        said = f"{self.stops} stops, {dict(self.at_stops)}, {self.logged} logged, {dict(done)}"
        return f"{said}, refused {dict(self.refused)}, {times}"


@dataclass(frozen=True)
class Targets:
    """Says of which classes it is, and where their class files are."""

    prefixes: tuple[str, ...]
    class_path: tuple[Path, ...]
    pure: frozenset[str] = frozenset()
    """Classes whose methods may run once more: their frames are popped."""
    returning: str = ""
    """Of a package with methods `pass` that return their argument, or throw a `Thrown` with it."""
    equivalents: Path | None = None
    """The folder with other code that does the same."""
    sources: tuple[Path, ...] = ()

    def takes(self, name: str) -> bool:
        """Whether the class is one of them."""
        return name.startswith(self.prefixes) and not any(made in name for made in _MADE)

    def class_file(self, name: str) -> bytes | None:
        """The class file as it is on the class path."""
        return self._read(name, self.class_path)

    def equivalent(self, name: str) -> bytes | None:
        """Other code that does the same."""
        return None if self.equivalents is None else self._read(name, (self.equivalents,))

    def source(self, name: str) -> Path | None:
        """The source file of a class."""
        path = name.partition("$")[0].replace(".", "/") + ".java"
        found = [each / path for each in self.sources if (each / path).is_file()]
        return found[0] if found else None

    @staticmethod
    def outer_name(source: Path) -> str:
        """`checked.Fields` of `checked/Fields.java`."""
        return f"{source.parent.name}.{source.stem}"

    @staticmethod
    def _read(name: str, class_path: tuple[Path, ...]) -> bytes | None:
        path = name.replace(".", "/") + ".class"
        for each in class_path:
            if (each / path).is_file():
                return (each / path).read_bytes()
            if each.suffix == ".jar":
                with zipfile.ZipFile(each) as jar, contextlib.suppress(KeyError):
                    return jar.read(path)
        return None
