# SPDX-License-Identifier: Apache-2.0
"""Tests where options stand that make the VM record classes, and the mode of such a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug.errors import LaunchError
from jvmdebug.launch.agent_library import choose_mode
from jvmdebug.launch.training_run import archive_option, training_option

if TYPE_CHECKING:
    from pathlib import Path

OUTPUT = "-XX:AOTCacheOutput=app.aot"
RECORD = "-XX:AOTMode=record"


@pytest.mark.parametrize(
    ("vm_args", "env", "found"),
    [
        ((), {}, None),
        (("-XX:AOTCache=app.aot", "-XX:AOTMode=auto", "-XX:AOTMode=create"), {}, None),
        (("-Dname=-XX:AOTMode=record", "-Xmx1g"), {}, None),
        (("-Xmx1g", OUTPUT), {}, OUTPUT),
        ((RECORD, "-XX:AOTConfiguration=app.conf"), {}, RECORD),
        (("@options",), {}, f"{RECORD} (in options)"),
        (("@@options", "@none"), {}, None),
        (("-XX:VMOptionsFile=options",), {}, f"{RECORD} (in options)"),
        ((), {"JAVA_TOOL_OPTIONS": f"-Xmx1g {OUTPUT}"}, f"{OUTPUT} (in JAVA_TOOL_OPTIONS)"),
        ((), {"_JAVA_OPTIONS": f"'{RECORD}'"}, f"{RECORD} (in _JAVA_OPTIONS)"),
        ((), {"JDK_JAVA_OPTIONS": "@options"}, f"{RECORD} (in options) (in JDK_JAVA_OPTIONS)"),
        ((), {"JDK_JAVA_OPTIONS": f'-Dopen=" {RECORD}'}, f"{RECORD} (in JDK_JAVA_OPTIONS)"),
        ((), {"OTHER": RECORD}, None),
    ],
)
def test_the_option(
    tmp_path: Path, vm_args: tuple[str, ...], env: dict[str, str], found: str | None
) -> None:
    (tmp_path / "options").write_text(f'# for the build\n-Xmx1g "{RECORD}"\n')
    assert training_option(vm_args, env, tmp_path) == found


def test_the_mode() -> None:
    assert choose_mode("auto", "jvmdebug", "auto", RECORD) == "full"
    assert choose_mode("full", "jvmdebug", "auto", RECORD) == "full"
    assert choose_mode("auto", "stock", "auto", RECORD) == "full"
    with pytest.raises(LaunchError, match="AOTMode=record makes the JVM record classes"):
        choose_mode("fast", "jvmdebug", "auto", RECORD)


@pytest.mark.parametrize(
    ("vm_args", "env", "found"),
    [
        ((OUTPUT, "-Xshare:auto", "-XX:SharedArchiveFile=app.jsa"), {}, None),
        (("-XX:ArchiveClassesAtExit=a.jsa",), {}, "-XX:ArchiveClassesAtExit=a.jsa"),
        (("-Xshare:dump",), {}, "-Xshare:dump"),
        ((), {"JAVA_TOOL_OPTIONS": "-Xshare:dump"}, "-Xshare:dump (in JAVA_TOOL_OPTIONS)"),
    ],
)
def test_the_option_for_an_archive(
    tmp_path: Path, vm_args: tuple[str, ...], env: dict[str, str], found: str | None
) -> None:
    assert archive_option(vm_args, env, tmp_path) == found
