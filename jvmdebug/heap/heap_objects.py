# SPDX-License-Identifier: Apache-2.0
"""What is said of the objects of a heap: plain values, good for JSON (`as_dict`).

Sizes are bytes. A shallow size is that of the object alone, a retained size what would be freed
with it. Made by `heap_file` and by the session.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ClassUsage:
    """How many objects of exactly one class there are."""

    type_name: str
    instances: int
    shallow_size: int

    def as_dict(self) -> dict[str, Any]:
        """Returns a dict for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class HeapObject:
    """One object of a dump."""

    id: int
    """Its number in the dump, most often its address."""
    type_name: str
    shallow_size: int
    length: int | None = None
    """Elements of an array."""
    text: str | None = None
    """The beginning of a string; of a class object the name of the class."""

    def __str__(self) -> str:
        if self.type_name == "java.lang.Class" and self.text is not None:
            return f"class {self.text}"
        if self.text is not None:
            return f'{self.type_name}@{self.id:x} "{self.text}"'
        name = self.type_name
        if self.length is not None:
            name = name.replace("[]", f"[{self.length}]", 1)
        return f"{name}@{self.id:x}"

    def as_dict(self) -> dict[str, Any]:
        """Returns a dict for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class HeapRoot:
    """An object that the VM keeps alive by itself, once for each reason."""

    object: HeapObject
    root: str
    """What it is: `system class`, `local variable`, `thread` …"""
    thread: str | None
    """The name of the thread that has it."""


@dataclass(frozen=True, slots=True)
class StackPlace:
    """A frame that holds an object."""

    thread: str
    """The thread's name."""
    depth: int
    """0 is the topmost frame."""
    method: str
    """`shop.Main.run(Main.java:12)`; empty where the dump does not tell."""
    slot: int | None = None
    """Of the local variable; None where the dump does not tell."""

    def __str__(self) -> str:
        where = f"frame {self.depth}" + (f", {self.method}" if self.method else "")
        slot = "" if self.slot is None else f", slot {self.slot}"
        return f"thread {self.thread}, {where}{slot}"


@dataclass(frozen=True, slots=True)
class PathStep:
    """An object on a path, and how it refers to the next one."""

    object: HeapObject
    via: str
    """`.entries`, `[3]`; empty for the last step."""

    def __str__(self) -> str:
        if self.object.type_name == "java.lang.Class" and self.object.text is not None and self.via:
            return f"static {self.object.text}{self.via}"
        return f"{self.object}{' ' if self.via else ''}{self.via}"


@dataclass(frozen=True, slots=True)
class RootPath:
    """Why an object is not garbage: one of the shortest ways to it from a root."""

    root: str
    """What the root is: `system class`, `local variable`, `thread`, `JNI global` …"""
    steps: tuple[PathStep, ...]
    """From the object that the root holds to the object that was asked about."""
    place: StackPlace | None = None
    """Of a local variable."""

    @property
    def described_root(self) -> str:
        """The root, with its place."""
        return self.root if self.place is None else f"{self.root} ({self.place})"

    def __str__(self) -> str:
        return "\n".join([self.described_root, *(f"  {step}" for step in self.steps)])

    def as_dict(self) -> dict[str, Any]:
        """Returns a dict for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class DuplicateString:
    """A text that several strings have."""

    text: str
    """Its beginning."""
    length: int
    """Of the whole text, in UTF-16 units."""
    count: int
    wasted: int
    """Bytes that one string for all of them would save."""

    def as_dict(self) -> dict[str, Any]:
        """Returns a dict for JSON."""
        return asdict(self)
