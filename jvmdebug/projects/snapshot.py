# SPDX-License-Identifier: Apache-2.0
"""Tells which files of a source set changed since it was compiled.

Owns what is compared: time and size of sources and resources, and that the class files are still
there. Reads directories, not contents. Called by `compiling`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.classfile.release import HEAD_SIZE, release_of
from jvmdebug.projects.main_classes import source_files
from jvmdebug.regular_file import read_head

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jvmdebug.projects.layout import SourceSet

Stamp = list[int]
_WITHOUT_CLASS: Final = ("package-info.java", "module-info.java")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The files of one source set at one time."""

    sources: dict[str, Stamp] = field(default_factory=dict)
    resources: dict[str, Stamp] = field(default_factory=dict)
    classes: dict[str, Stamp] = field(default_factory=dict)
    is_stale: bool = False
    """Whether something that it was compiled against has changed since."""

    def to_json(self) -> dict[str, Any]:
        return {
            "sources": self.sources,
            "resources": self.resources,
            "classes": self.classes,
            "is_stale": self.is_stale,
        }

    @classmethod
    def from_json(cls, value: object) -> Snapshot | None:
        """None for anything that `to_json` did not make."""
        if not isinstance(value, dict):
            return None
        try:
            return cls(**{name: value[name] for name in cls.__slots__})
        except (KeyError, TypeError):
            return None


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs between two snapshots."""

    sources: tuple[Path, ...] = ()
    """New or changed."""
    removed: tuple[Path, ...] = ()
    resources: tuple[Path, ...] = ()
    """New, changed or removed."""
    everything: bool = False
    """Class files are gone, or something that the whole set was compiled against has changed."""
    lost_classes: bool = False
    """Whether it is that class files are gone: the output was cleaned."""
    by_others: bool = False
    """No change, since somebody else has compiled the newest sources."""

    def __bool__(self) -> bool:
        return bool(self.sources or self.removed or self.resources or self.everything)


def take_inputs(source_set: SourceSet) -> Snapshot:
    """The sources and resources as they are now; take it before compiling."""
    return Snapshot(
        _stamps(source_files(source_set)), _stamps(_all_files(source_set.resource_folders))
    )


def with_generated(inputs: Snapshot, source_set: SourceSet) -> Snapshot:
    """Adds the generated sources as they are now: a build tool writes them while it compiles."""
    folders = source_set.generated_folders
    written = {
        name: stamp
        for name, stamp in inputs.sources.items()
        if not any(Path(name).is_relative_to(each) for each in folders)
    }
    generated = _stamps(source_files(replace(source_set, source_folders=())))
    return Snapshot({**written, **generated}, inputs.resources)


def with_classes(inputs: Snapshot, source_set: SourceSet) -> Snapshot:
    """Adds the class files that were made of them."""
    return Snapshot(inputs.sources, inputs.resources, _classes(source_set))


def changes(before: Snapshot, now: Snapshot, source_set: SourceSet) -> Changes:
    """What has to be done to the outputs of `before`."""
    classes = _classes(source_set)
    if classes != before.classes and is_built(source_set, now):
        return Changes(by_others=True)
    changed, removed = _difference(before.sources, now.sources)
    resources, resources_removed = _difference(before.resources, now.resources)
    lost = not classes.keys() >= before.classes.keys()
    return Changes(
        changed,
        removed,
        (*resources, *resources_removed),
        everything=lost or before.is_stale or classes != before.classes,
        lost_classes=lost,
    )


def _classes(source_set: SourceSet) -> dict[str, Stamp]:
    files = _all_files(source_set.class_folders)
    return _stamps(each for each in files if each.suffix == ".class")


def is_built(source_set: SourceSet, now: Snapshot) -> bool:
    """Whether what somebody else has compiled is newer than the sources: the build tool before
    jvmdebug was used, an editor. Only certain for Java.
    """
    if source_set.output is None:
        return True
    for name, stamp in now.sources.items():
        source = Path(name)
        if source.suffix != ".java":
            return False
        if source.name in _WITHOUT_CLASS:
            continue
        root = next(each for each in source_set.all_source_folders if source.is_relative_to(each))
        made = source_set.output / source.relative_to(root).with_suffix(".class")
        if not _is_newer(made, stamp):
            return False
    for name, stamp in now.resources.items():
        copies = _copies(Path(name), source_set)
        if copies and not any(_is_newer(each, stamp) for each in copies):
            return False
    return True


def _copies(resource: Path, source_set: SourceSet) -> list[Path]:
    """The places where the build may have put a resource; empty if its own folder is on the class
    path.
    """
    root = next(each for each in source_set.resource_folders if resource.is_relative_to(each))
    if root in source_set.class_path:
        return []
    relative = resource.relative_to(root)
    return [folder / relative for folder in source_set.class_path if folder.suffix != ".jar"]


def _is_newer(file: Path, stamp: Stamp) -> bool:
    try:
        return file.stat().st_mtime_ns >= stamp[0]
    except OSError:
        return False


def _difference(
    before: dict[str, Stamp], now: dict[str, Stamp]
) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    changed = tuple(Path(name) for name, stamp in now.items() if before.get(name) != stamp)
    return changed, tuple(Path(name) for name in before if name not in now)


def _stamps(files: Iterable[Path]) -> dict[str, Stamp]:
    found: dict[str, Stamp] = {}
    for file in files:
        try:
            status = file.stat()
        except OSError:
            continue
        found[str(file)] = [status.st_mtime_ns, status.st_size]
    return found


def _all_files(folders: Iterable[Path]) -> Iterator[Path]:
    for root in folders:
        for folder, inner, files in os.walk(root):
            inner.sort()
            for name in sorted(files):
                yield Path(folder, name)


def any_class(folder: Path) -> int | None:
    """The Java release of some class in the folder; None if there is none."""
    for file in _all_files((folder,)):
        if file.suffix == ".class" and file.stem != "module-info":
            try:
                head = read_head(file, HEAD_SIZE)
            except OSError:
                continue
            return release_of(head)
    return None
