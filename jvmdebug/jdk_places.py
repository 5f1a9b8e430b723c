# SPDX-License-Identifier: Apache-2.0
"""The places where Java runtimes are looked for, in order, and what was found in each.

The order: JVMDEBUG_JAVA_HOME (the setting `jvmdebug.javaHome` of VS Code), JAVA_HOME, PATH, the
folders of JVMDEBUG_JDKS (`jvmdebug.jdks`), Maven's toolchains.xml, the folders of SDKMAN, jenv,
asdf, mise, Gradle and IntelliJ, and those of the system. Reads folders and starts nothing. Called
by `jdk`.
"""

from __future__ import annotations

import html
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.platform.programs import program
from jvmdebug.regular_file import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

JAVA_HOME_SETTING: Final = "JVMDEBUG_JAVA_HOME"
"""The variable with the Java runtime to use unless another one is named."""
JDKS_SETTING: Final = "JVMDEBUG_JDKS"
"""The variable with further runtimes, or folders of some, separated as those of PATH are."""

_MANAGERS: Final = (
    ("SDKMAN", "SDKMAN_DIR", "~/.sdkman", "candidates/java"),
    ("jenv", "JENV_ROOT", "~/.jenv", "versions"),
    ("asdf", "ASDF_DATA_DIR", "~/.asdf", "installs/java"),
    ("mise", "MISE_DATA_DIR", "~/.local/share/mise", "installs/java"),
    ("Gradle", "GRADLE_USER_HOME", "~/.gradle", "jdks"),
)
"""What installs runtimes: the variable of its folder, the usual one, and where in it they are."""
_FOLDERS: Final = (
    *("~/.jdks", "/usr/lib/jvm", "/usr/java", "/opt", "/usr/local"),
    "/Library/Java/JavaVirtualMachines",
)
_TOOLCHAINS: Final = "~/.m2/toolchains.xml"
_JDK_HOME: Final = re.compile(r"<jdkHome>\s*(.+?)\s*</jdkHome>", re.DOTALL)
_VARIABLE: Final = re.compile(r"\$\{env\.(\w+)\}")
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)


def candidates(env: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    """What may be a runtime, its home or its java, each with the place that names it."""
    for name in (JAVA_HOME_SETTING, "JAVA_HOME"):
        if env.get(name):
            yield name, Path(env[name]).expanduser()
    on_path = shutil.which("java", path=env.get("PATH"))
    if on_path is not None:
        yield "PATH", Path(on_path)
    for each in named_folders(env):
        yield JDKS_SETTING, each
        yield from ((JDKS_SETTING, below) for below in _homes_in(each))
    yield from ((_TOOLCHAINS, each) for each in _of_toolchains(env))
    for name, folder in _searched(env):
        yield from ((name, each) for each in _homes_in(folder))


def tried(env: Mapping[str, str]) -> list[str]:
    """Every place in which a runtime is looked for, and what is there."""
    found = [f"{JAVA_HOME_SETTING}: {env[JAVA_HOME_SETTING]}"] if env.get(JAVA_HOME_SETTING) else []
    java_home = env.get("JAVA_HOME")
    found.append(f"JAVA_HOME: {java_home}" if java_home else "JAVA_HOME: not set")
    on_path = shutil.which("java", path=env.get("PATH"))
    found.append(f"PATH: {on_path}" if on_path else "PATH: no java")
    found += [f"{JDKS_SETTING}: {each}" for each in named_folders(env)]
    found += [f"{_TOOLCHAINS}: {each}" for each in _of_toolchains(env)]
    for name, folder in _searched(env):
        what = "no Java runtime" if folder.is_dir() else "no such folder"
        shown = str(folder) if name == str(folder) else f"{name}: {folder}"
        found.append(f"{shown}: {what}")
    return found


def named_folders(env: Mapping[str, str]) -> list[Path]:
    """The folders that the user named for runtimes, besides the one to use."""
    given = (env.get(JDKS_SETTING) or "").split(os.pathsep)
    return [Path(each).expanduser() for each in given if each]


def _searched(env: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    for name, variable, usual, below in _MANAGERS:
        yield name, Path(env.get(variable) or usual).expanduser() / below
    for each in _FOLDERS:
        folder = Path(each).expanduser()
        yield str(folder), folder


def _homes_in(folder: Path) -> list[Path]:
    """The runtimes in a folder; the one that is current, as SDKMAN links it, before newer names."""
    try:
        below = sorted(folder.iterdir(), key=lambda each: each.name, reverse=True)
    except OSError:
        return []
    below.sort(key=lambda each: each.name != "current")
    return [each for each in below if _is_home(each) or _is_home(each / "Contents" / "Home")]


def _is_home(folder: Path) -> bool:
    return (folder / "bin" / program("java")).is_file()


def _of_toolchains(env: Mapping[str, str]) -> list[Path]:
    """The runtimes in Maven's toolchains.xml; none if there is no such file."""
    try:
        text = read_text(Path(_TOOLCHAINS).expanduser(), errors="replace")
    except OSError:
        return []
    named = _JDK_HOME.findall(_COMMENT.sub("", text))
    named = [html.unescape(each).replace("${user.home}", str(Path.home())) for each in named]
    return [Path(_VARIABLE.sub(lambda found: env.get(found[1], ""), each)) for each in named]
