# SPDX-License-Identifier: Apache-2.0
"""How the server is started: compiled by the java launcher the first time, and from kept classes
later, which takes half as long.

Owns the kept classes, one set for each Java version and each content of `JavacServer.java`, in the
cache folder. Called by `server`.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.cache import cache_folder
from jvmdebug.names_of_files import environment_for
from jvmdebug.platform.processes import own_group

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmdebug.jdk import Jdk

PROGRAM: Final = Path(__file__).with_name("JavacServer.java")
_ANY_NAME: Final = "größe"
_OPTION_VARIABLES: Final = ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")
_OPTIONS: Final = (
    *("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"),
    "-Dfile.encoding=UTF-8",
)


def kept_classes(jdk: Jdk) -> Path | None:
    """The folder for the server's classes, which may not be there yet; None if this runtime does
    not say its version.
    """
    if jdk.feature_version is None:
        return None
    digest = hashlib.sha256(PROGRAM.read_bytes()).hexdigest()[:16]
    return cache_folder() / "javac" / f"server-{jdk.feature_version}-{digest}"


def started(jdk: Jdk, classes: Path | None) -> subprocess.Popen[bytes]:
    """The process. `classes`: where those of the server are; None compiles it first."""
    program = [str(PROGRAM)] if classes is None else ["-cp", str(classes), PROGRAM.stem]
    return subprocess.Popen(  # noqa: S603 - the JDK's own java
        [str(jdk.java), *_OPTIONS, *program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(),
        **own_group(has_console=False),  # Ctrl-C at a terminal is for the debugger
    )


@contextlib.contextmanager
def folder_beside(kept: Path) -> Iterator[Path]:
    """A temporary folder that can be moved to `kept`."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=".server-", dir=kept.parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _environment() -> Mapping[str, str]:
    """The environment without options for all JVMs, such as to wait for a debugger, in which paths
    may have any characters.
    """
    given = {name: value for name, value in os.environ.items() if name not in _OPTION_VARIABLES}
    return environment_for(given, [_ANY_NAME])


def is_complete(kept: Path) -> bool:
    """Whether the classes are there; they are moved there at once."""
    return (kept / f"{PROGRAM.stem}.class").is_file()


def complete(folder: Path, kept: Path) -> None:
    """Keep the classes in `folder`, unless another process did meanwhile."""
    with contextlib.suppress(OSError):
        folder.rename(kept)


def forget(kept: Path) -> None:
    """Delete classes that do not run."""
    shutil.rmtree(kept, ignore_errors=True)
