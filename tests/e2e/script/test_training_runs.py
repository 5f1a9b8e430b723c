# SPDX-License-Identifier: Apache-2.0
"""Programs that the JVM records classes of (AOT caches): they end as without a debugger."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING, Any

import pytest

import jvmdebug
from tests.support import process
from tests.support.sessions import compiled

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_AOT_SINCE = 25
_WAYS = ("output", "record", "file", "variable")


def _options(way: str, directory: Path) -> dict[str, Any]:
    output = f"-XX:AOTCacheOutput={directory}/app.aot"
    (directory / "options").write_text(output)
    match way:
        case "output":
            return {"vm_args": [output]}
        case "record":
            return {"vm_args": ["-XX:AOTMode=record", f"-XX:AOTConfiguration={directory}/app.aot"]}
        case "file":
            return {"vm_args": [f"@{directory}/options"]}
        case _:
            return {"env": {"JDK_JAVA_OPTIONS": output}}


@pytest.mark.parametrize("way", _WAYS)
async def test_a_training_run_with_exception_breakpoints_and_a_condition(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path, way: str
) -> None:
    if jdk.version < _AOT_SINCE:
        pytest.skip("this JDK has no AOT cache")
    program = compiled("shop", "shop.Main", jdk)
    jar = tmp_path / "classes" / "program.jar"
    jar.parent.mkdir()
    with zipfile.ZipFile(jar, "w") as archive:
        for file in program.class_path[0].rglob("*.class"):
            archive.write(file, file.relative_to(program.class_path[0]))
    options = _options(way, tmp_path) | {"java": jdk.home, "class_path": [jar]}
    with pytest.MonkeyPatch.context() as patch:
        told: list[str] = []
        patch.setattr("jvmdebug.warning.warn", told.append)
        opening = jvmdebug.launch(
            program.main_class,
            source_path=[program.source_dir],
            **options,
            **process.launch_options(agent_kind),
        )
        async with opening as session:
            await session.break_on_exception("java.lang.NumberFormatException", uncaught=True)
            await session.break_on_exception("java.util.MissingResourceException", caught=True)
            await session.resume()
            assert await session.wait() == 7
            assert session.mode == "full"
    expected = ["makes the JVM record classes"] if agent_kind == "jvmdebug" else []
    assert [each in text for each, text in zip(expected, told, strict=True)] == [True] * len(told)
    assert (tmp_path / "app.aot").is_file()


async def test_a_cds_archive_is_refused_with_what_to_do(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    program = compiled("shop", "shop.Main", jdk)
    with pytest.raises(jvmdebug.LaunchError, match="in a run without the debugger"):
        await jvmdebug.open_launch(
            program.main_class,
            class_path=program.class_path,
            java=jdk.home,
            vm_args=[f"-XX:ArchiveClassesAtExit={tmp_path}/app.jsa"],
            **process.launch_options(agent_kind),
        )
