# SPDX-License-Identifier: Apache-2.0
"""Programs with a module-info.java: what of the class path belongs on the module path.

Only what the program's module requires, directly or not, is a module; the rest stays on the class
path, which automatic modules read. So do Maven and Gradle. Reads module-info.java, its class file
and manifests; called by `project`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import ClassFileError
from jvmdebug.regular_file import open_archive, read_bytes, read_entry, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from jvmdebug.projects.layout import Layout, SourceSet

SOURCE: Final = "module-info.java"
_COMMENTS: Final = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_DECLARED: Final = re.compile(r"\bmodule\s+([\w.]+)\s*\{")
_REQUIRED: Final = re.compile(r"\brequires\s+(?:(?:transitive|static)\s+)*([\w.]+)\s*;")
_COMPILED: Final = "module-info.class"
_OF_RELEASE: Final = re.compile(r"META-INF/versions/\d+/module-info\.class")
_AUTOMATIC: Final = re.compile(r"^Automatic-Module-Name: *(\S+)", re.MULTILINE)
_VERSION: Final = re.compile(r"-(\d+(\.|$))")
_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class Module:
    """A module and the names of those that it requires."""

    name: str
    requires: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModulePaths:
    """How a program that is a module is started."""

    module: str
    module_path: tuple[Path, ...]
    class_path: tuple[Path, ...]
    patches: tuple[Path, ...]
    """Folders with more of the module: resources, classes of another language."""

    @property
    def vm_args(self) -> tuple[str, ...]:
        if not self.patches:
            return ()
        return ("--patch-module", f"{self.module}={':'.join(map(str, self.patches))}")


def declared_in(folders: Iterable[Path]) -> Module | None:
    """The module that one of these source folders declares."""
    for folder in folders:
        try:
            text = read_text(folder / SOURCE, errors="replace")
        except OSError:
            continue
        text = _COMMENTS.sub(" ", text)
        declared = _DECLARED.search(text)
        if declared is not None:
            return Module(declared[1], tuple(_REQUIRED.findall(text)))
    return None


def paths_of(source_set: SourceSet, layout: Layout) -> ModulePaths | None:
    """The paths for a source set with a module-info.java; None for another one, and for tests,
    which build tools run with their module patched in many ways: here they are on the class path.
    """
    own = None if source_set.is_test else declared_in(source_set.all_source_folders)
    if own is None or source_set.output is None:
        return None
    of_sets = {
        folder: each
        for each in layout.sets
        if each is not source_set
        for folder in each.class_folders
    }
    patches: list[Path] = []
    others: list[Path] = []
    for path in source_set.class_path:
        is_own = not others and path.suffix != ".jar" and path not in of_sets
        if path != source_set.output:
            (patches if is_own else others).append(path)
    wanted = _required(own, _modules(others, of_sets))
    return ModulePaths(
        own.name,
        (source_set.output, *(path for path in others if path in wanted)),
        tuple(path for path in others if path not in wanted),
        tuple(patches),
    )


def _modules(
    paths: Sequence[Path], of_sets: dict[Path, SourceSet]
) -> dict[str, tuple[Path, Module]]:
    """The first of each name, as the VM takes it."""
    found: dict[str, tuple[Path, Module]] = {}
    for path in paths:
        other = of_sets.get(path)
        module = _of_path(path) if other is None else declared_in(other.all_source_folders)
        if module is not None:
            found.setdefault(module.name, (path, module))
    return found


def _required(own: Module, known: dict[str, tuple[Path, Module]]) -> set[Path]:
    wanted: set[Path] = set()
    names = list(own.requires)
    while names:
        found = known.get(names.pop())
        if found is not None and found[0] not in wanted:
            wanted.add(found[0])
            names += found[1].requires
    return wanted


def _of_path(path: Path) -> Module | None:
    if path.suffix == ".jar":
        return _of_jar(path)
    try:
        return _read(read_bytes(path / _COMPILED))
    except OSError:
        return None


def _of_jar(jar: Path) -> Module | None:
    import zipfile  # noqa: PLC0415 - slow to import

    try:
        with open_archive(jar) as archive:
            entries = archive.namelist()
            compiled = [each for each in entries if _OF_RELEASE.fullmatch(each)]
            if _COMPILED in entries:
                compiled.append(_COMPILED)
            if compiled and (module := _read(read_entry(archive, compiled[-1]))) is not None:
                return module
            manifest = b""
            if "META-INF/MANIFEST.MF" in entries:
                manifest = read_entry(archive, "META-INF/MANIFEST.MF")
    except (OSError, zipfile.BadZipFile):
        return None
    named = _AUTOMATIC.search(manifest.decode("utf-8", "replace"))
    return Module(named[1] if named else automatic_name(jar.stem))


def automatic_name(stem: str) -> str:
    """The name that the VM derives for a module from the name of its jar, see ModuleFinder.of."""
    version = _VERSION.search(stem)
    name = stem if version is None else stem[: version.start()]
    return _NOT_IN_NAMES.sub(".", name).strip(".")


def _read(content: bytes) -> Module | None:
    from jvmdebug.classfile import ClassFile  # noqa: PLC0415 - slow to import

    try:
        parsed = ClassFile.read(content)
        attribute = parsed.attribute("Module")
        if attribute is None:
            return None
        numbers = memoryview(attribute.content).cast("B")
        words = [int.from_bytes(numbers[at : at + 2]) for at in range(0, len(numbers) & ~1, 2)]
        requires = [parsed.constants.class_name(words[4 + 3 * each]) for each in range(words[3])]
        return Module(parsed.constants.class_name(words[0]), tuple(requires))
    except (ClassFileError, IndexError):
        return None
