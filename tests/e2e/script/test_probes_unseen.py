# SPDX-License-Identifier: Apache-2.0
"""Nobody sees that a class has probes, and it does not matter where the VM has the class from."""

from __future__ import annotations

import subprocess
import zipfile
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug.jdwp.generated import method
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent


async def test_clients_get_the_code_and_the_tables_of_the_program(
    launch_ours: Launch, jdk: Jdk
) -> None:
    program = compiled("probed", "Probed", jdk)
    seen = []
    async with launch_ours("probed", "Probed") as session:
        await session.break_at(f"Probed.java:{program.marker('ready')}")
        stop = await next_stop(session)
        for probes in ("off", "auto", "off"):
            session.settings.probes = probes
            spec = f"Probed.java:{program.marker('hot')}"
            hot = await session.break_at(spec, condition="i == -1")
            (location,) = hot.locations
            assert location.how == ("probe" if probes == "auto" else "event")
            assert location.code is not None
            at = (location.code.type.id, location.code.method.id)
            ask = session.vm.connection.request
            lines = (await ask(method.LineTable(*at))).lines
            code = (await ask(method.Bytecodes(*at))).bytecodes
            slots = (await ask(method.VariableTableWithGeneric(*at))).variables
            seen.append((location.index, lines, code, slots))
            await hot.remove()
        await stop.resume()
        assert await session.wait() == 0
    assert seen[0] == seen[1] == seen[2]


def archived(classes: Path, jdk: Jdk, folder: Path) -> tuple[Path, Path]:
    """The program as a jar, and the archive with what it loads."""
    jar, archive = folder / "probed.jar", folder / "probed.jsa"
    with zipfile.ZipFile(jar, "w") as file:
        for each in classes.glob("*.class"):
            file.write(each, each.name)
    dump = [str(jdk.java), f"-XX:ArchiveClassesAtExit={archive}", "-cp", str(jar), "Probed"]
    subprocess.run(dump, check=True, capture_output=True, timeout=60)
    return jar, archive


async def test_a_class_of_a_shared_archive(jdk: Jdk, tmp_path: Path) -> None:
    if jdk.version < 13:
        pytest.skip("JDK 13 was the first that makes an archive of a program when it ends")
    if not (jdk.home / "lib" / "server" / "classes.jsa").exists():
        pytest.skip("this JDK has no archive of its own, which one of a program needs")
    program = compiled("probed", "Probed", jdk)
    jar, archive = archived(program.class_path[0], jdk, tmp_path)
    written: list[str] = []
    async with jvmdebug.launch(
        "Probed",
        class_path=[jar],
        java=jdk.java,
        vm_args=[f"-XX:SharedArchiveFile={archive}", "-Xlog:class+load"],
        on_output=lambda piece: written.append(piece.text),
    ) as session:
        hot = await session.break_at(f"Probed.java:{program.marker('hot')}", condition="i == 7")
        await session.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (hot,)
        assert hot.locations[0].how == "probe"
        await hot.remove()
        await stop.resume()
        assert await session.wait() == 0
    loaded, *_ = [line for line in "".join(written).splitlines() if " Probed source" in line]
    assert "shared objects file (top)" in loaded


async def test_stack_traces_that_the_program_prints(launch_ours: Launch, jdk: Jdk) -> None:
    """Probes that never stop, one that does, and one that comes between: the lines are the same."""
    program = compiled("stacks", "Stacks", jdk)
    never = {
        "depth": "depth > 5",
        "caught": "e == null",
        "null": "nothing != null",
        "lambda": "PARKED == null",
        "parked": "OVER == null",
    }
    printed = []
    for probes in ("off", "auto"):
        written: list[str] = []
        async with launch_ours(
            "stacks",
            "Stacks",
            probes=probes,
            on_output=lambda piece, written=written: written.append(piece.text),
        ) as session:
            set_ = [
                await session.break_at(f"Stacks.java:{program.marker(each)}", condition=condition)
                for each, condition in never.items()
            ]
            walked = await session.break_at(
                f"Stacks.java:{program.marker('walked')}", condition="lines != null"
            )
            stop = await next_stop(session)
            assert stop.breakpoints == (walked,)
            for each in (*set_, walked):
                assert {at.how for at in each.locations} == {
                    "probe" if probes == "auto" else "event"
                }
            await stop.resume()
            assert await session.wait() == 1
        printed.append("".join(written))
    assert printed[1] == printed[0]
    assert printed[0].count("Stacks.java") > 12


async def test_lambdas_have_probes_and_hidden_classes_none(launch_ours: Launch, jdk: Jdk) -> None:
    """The code of a lambda is that of its class. No breakpoint is in a hidden class."""
    program = compiled("hidden_code", "HiddenCode", jdk)
    written: list[str] = []
    async with launch_ours(
        "hidden_code", "HiddenCode", on_output=lambda piece: written.append(piece.text)
    ) as session:
        at = {each: f"HiddenCode.java:{program.marker(each)}" for each in ("lambda", "part")}
        lambda_, part = [
            await session.break_at(spec, condition="i >= 0", hit_condition="% 500")
            for spec in at.values()
        ]
        for hits in (500, 1_000):
            for each in (lambda_, part):
                stop = await next_stop(session)
                assert stop.breakpoints == (each,)
                assert each.hits == hits
                assert [(at.how, at.why_event) for at in each.locations] == [("probe", None)]
                await stop.resume()
        assert await session.wait() == 0
    assert "sum 1501500\n" in "".join(written)
