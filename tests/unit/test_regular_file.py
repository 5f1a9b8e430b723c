# SPDX-License-Identifier: Apache-2.0
"""Reading files by name: only regular ones, up to a size; and all that uses it stays alive."""

from __future__ import annotations

import contextlib
import resource
import threading
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

import jvmdebug.heap
from jvmdebug import hotswap, jdk, regular_file
from jvmdebug.attaching.performance_data import strings_of
from jvmdebug.errors import JvmDebugError, SourceError
from jvmdebug.launch.main_type import jar_main_class
from jvmdebug.projects import declared_tests, detection, main_classes, modules, naming, processors
from jvmdebug.projects.snapshot import any_class
from jvmdebug.projects.testing import frameworks
from jvmdebug.sources import ClassPathNames, SourceFile, SourceFinder
from jvmdebug.sources.archive_names import entry_names
from jvmdebug.sources.multi_release import ReleaseVersions
from jvmdebug.stepping.class_path import packages_on
from tests.support.special_files import KINDS, special_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SECONDS = 5
"""Nothing takes so long; a wait for a pipe or a read without an end takes longer."""


@pytest.fixture(autouse=True)
def little_memory() -> Iterator[None]:
    """What reads a file without an end fails, and not the machine."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 30), hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@pytest.mark.parametrize("kind", KINDS)
def test_only_regular_files_are_read(kind: str, tmp_path: Path) -> None:
    path = special_file(tmp_path, kind)
    for read in (regular_file.read_bytes, regular_file.read_text, _opened_archive):
        with pytest.raises(OSError):  # noqa: PT011 - each kind has its own text
            read(path)


def _opened_archive(path: Path) -> None:
    with regular_file.open_archive(path):
        pass


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("endless", "it is a device, not a regular file"),
        ("linked", "it is a device, not a regular file"),
        ("pipe", "it is a pipe, not a regular file"),
        ("directory", "it is a directory, not a regular file"),
        ("huge", "it has more than 16 MB, the most that is read of it"),
        ("missing", "no such file or directory"),
        ("dangling", "no such file or directory"),
        ("circle", "too many levels of symbolic links"),
    ],
)
def test_why_a_source_cannot_be_read(kind: str, text: str, tmp_path: Path) -> None:
    path = special_file(tmp_path, kind)
    with pytest.raises(SourceError) as refused:
        SourceFile(path).as_text()
    assert str(refused.value) == f"cannot read the source {path}: {text}"


def test_what_is_just_not_too_large_is_read(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"a\r\nb")
    assert regular_file.read_bytes(file, 4) == b"a\r\nb"
    assert regular_file.read_text(file) == "a\nb"
    assert regular_file.read_head(file, 2) == b"a\r"
    with pytest.raises(regular_file.UnsuitableFileError):
        regular_file.read_bytes(file, 3)


@pytest.mark.parametrize("name", ["/proc/kmsg", "/proc/self/environ", "/proc/self/mem"])
def test_files_of_the_kernel_are_not_read(name: str) -> None:
    """These are regular files without a size; a read of the log waits for the next message."""
    with contextlib.suppress(PermissionError):
        assert regular_file.read_bytes(name) == b""


def test_an_entry_that_unpacks_to_too_much(tmp_path: Path) -> None:
    jar = tmp_path / "shop.jar"
    with zipfile.ZipFile(jar, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("shop/Cart.java", bytes(20 << 20))
    assert jar.stat().st_size < 1 << 20
    with pytest.raises(SourceError, match="more than 16 MB"):
        SourceFile(jar, "shop/Cart.java").as_text()


READERS: dict[str, Callable[[Path], Any]] = {
    "source": lambda path: SourceFile(path).as_text(),
    "source path": lambda path: SourceFinder([path.parent, path]).find_path("shop/Special.java"),
    "sources": lambda path: SourceFinder([path], [path]).find("shop.Special"),
    "java home": lambda path: SourceFinder([], java_home=path).find("java.lang.String"),
    "class path": lambda path: ClassPathNames([path, path.parent]).read("Special"),
    "names": entry_names,
    "releases": lambda path: ReleaseVersions([path], 17).of("shop/Special.java"),
    "stepping": lambda path: packages_on([str(path), str(path.parent)]),
    "class file": lambda path: hotswap.find_class_file([path, path.parent], "Special"),
    "class files": lambda path: hotswap.class_files([path]),
    "main class": jar_main_class,
    "java": jdk._at,
    "dump": jvmdebug.heap.open,
    "counters": strings_of,
    "main classes": lambda path: list(main_classes._declared(path, None, None)),
    "tests": lambda path: list(declared_tests.classes_in(path)),
    "module": lambda path: modules.declared_in([path.parent]),
    "modules": modules._of_path,
    "processors": processors._has_processor,
    "frameworks": frameworks._classes_in,
    "release": lambda path: any_class(path.parent),
    "package": detection.source_root_of,
    "head": naming._head,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reader", READERS)
def test_nothing_that_reads_files_waits_for_one(reader: str, kind: str, tmp_path: Path) -> None:
    names = ("Special.java", "Special.class", "special.jar", "module-info.java", "release")
    paths = [special_file(tmp_path / name, kind, name) for name in names]
    failed: list[BaseException] = []

    def read() -> None:
        for path in paths:
            try:
                READERS[reader](path)
            except (JvmDebugError, OSError, zipfile.BadZipFile):
                continue
            except BaseException as error:  # noqa: BLE001 - shown by the assertion
                failed.append(error)

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    thread.join(SECONDS)
    assert not thread.is_alive()
    assert failed == []


def test_directories_in_which_no_classes_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The current directory, which an empty path would be, and one like the root."""
    with pytest.raises(SourceError, match="an empty path names no class file"):
        hotswap.class_files([""])
    for number in range(3):
        (tmp_path / f"{number}.class").touch()
    assert len(hotswap.class_files([tmp_path])) == 3
    monkeypatch.setattr("jvmdebug.hotswap.redefinition.MOST_FILES", 2)
    with pytest.raises(SourceError, match="more than 2 files are in"):
        hotswap.class_files([tmp_path])
