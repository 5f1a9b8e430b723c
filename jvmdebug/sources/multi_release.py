# SPDX-License-Identifier: Apache-2.0
"""Multi-release jars: which version of a class the VM has, and which of its sources that is.

Such a jar has classes for newer releases in `META-INF/versions/17`. Their sources are there in its
sources jar, and in projects in directories like `src/main/java17`. Reads the disk; called by the
finder of sources.
"""

from __future__ import annotations

import re
import zipfile
from typing import TYPE_CHECKING, Final

from jvmdebug.regular_file import open_archive, read_entry

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_IN_JAR: Final = re.compile(r"META-INF/versions/(\d+)/(.+)")
_IN_PROJECT: Final = re.compile(
    r"/(?:src/(?:main/)?(?:java|jdk)-?(\d+)(?:/java)?|META-INF/versions/(\d+))$"
)
_MARK: Final = re.compile(rb"^multi-release:\s*true\s*$", re.IGNORECASE | re.MULTILINE)
_MANIFEST: Final = "META-INF/MANIFEST.MF"


def version_of_entry(name: str) -> tuple[int, str] | None:
    """The release and the package-relative path of an entry that is for newer ones."""
    found = _IN_JAR.fullmatch(name)
    return None if found is None else (int(found[1]), found[2])


def version_of_directory(directory: str) -> int | None:
    """The release that the root of packages is for: 17 for `/shop/src/main/java17`."""
    found = _IN_PROJECT.search(directory)
    return None if found is None else int(found[1] or found[2])


class ReleaseVersions:
    """The classes that a VM of this release takes from the multi-release jars of its class path."""

    def __init__(self, jars: Sequence[Path], release: int) -> None:
        self._jars = jars
        self._release = release
        self._versions: dict[str, int] | None = None

    def of(self, source_path: str) -> int | None:
        """The version of the class in `shop/Cart.java`; None for the one that has none."""
        if self._versions is None:
            self._versions = {}
            for jar in self._jars:
                for name, version in self._of_jar(jar).items():
                    self._versions.setdefault(name, version)
        return self._versions.get(source_path.rpartition(".")[0])

    def _of_jar(self, jar: Path) -> dict[str, int]:
        """The highest version of each class; a damaged jar has none."""
        try:
            with open_archive(jar) as archive:
                entries = [
                    found for name in archive.namelist() if (found := version_of_entry(name))
                ]
                if not entries or not _MARK.search(read_entry(archive, _MANIFEST)):
                    return {}
        except (OSError, zipfile.BadZipFile, KeyError):
            return {}
        return {
            name.removesuffix(".class"): version
            for version, name in sorted(entries)
            if version <= self._release
        }
