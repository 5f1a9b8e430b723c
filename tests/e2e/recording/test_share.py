# SPDX-License-Identifier: Apache-2.0
"""A recording that takes more than its share of the processor records less of what takes most."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import recording
from tests.support.dap_client import local_client
from tests.support.debuggees import debuggee
from tests.support.prompt import ask
from tests.support.sessions import launched
from tests.support.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

_THINNED = re.compile(r"thinned\.Shop\.(\w+)\(.*\).: (only its calls|nothing|only its calls and)")
_IN_ROUND = 10
_ROUNDS = "6000"
"""More than six seconds."""


@pytest.fixture
def shop() -> Debuggee:
    return debuggee("thinned", "thinned.Shop")


def _priced(seed: int) -> int:
    """What the program computes, for small numbers: no sum is beyond an int."""
    return seed + sum((i + seed) * 31 ^ (i + seed) >> 3 for i in range(20))


def _thinned(notes: tuple[str, ...] | list[str]) -> dict[str, str]:
    found = (_THINNED.match(each) for each in notes)
    return {each[1]: each[2] for each in found if each}


async def test_what_records_most_is_recorded_less(shop: Debuggee, jdk: Jdk, tmp_path: Path) -> None:
    path, end = tmp_path / "shop.jvmrec", tmp_path / "end"
    texts: list[str] = []
    async with launched(
        shop,
        jdk,
        "jvmdebug",
        args=[str(end)],
        on_output=lambda output: texts.append(output.text),
    ) as session:
        async with session.record(path, share=5) as recorder:
            await session.start()
            await until(lambda: "mixed" in _thinned(recorder.notes))
            before = recorder.records
            await until(lambda: recorder.records > before + 1_000)  # it goes on
            end.touch()
            assert await session.wait() == 0
        done = await recorder.stop()
    rounds, total, served = map(int, "".join(texts).split())
    assert total == rounds * sum(map(_priced, range(_IN_ROUND)))
    assert served == rounds
    thinned = _thinned(done.notes)
    assert "mixed" in thinned, done.notes
    assert "serve" not in thinned
    with recording.open(path) as found:
        assert _thinned(found.notes) == thinned
        writes = [int(each.text) for each in found.writes("served")]
        assert writes[-20:] == list(range(rounds - 19, rounds + 1))
        last = found.end
        assert last is not None
        assert last.value("round") == str(rounds)


async def test_a_recording_within_its_share_is_whole(
    shop: Debuggee, jdk: Jdk, tmp_path: Path
) -> None:
    path, end = tmp_path / "shop.jvmrec", tmp_path / "end"
    async with launched(shop, jdk, "jvmdebug", args=[str(end)]) as session:
        async with session.record(path, share=100, method="thinned.Shop#serve") as recorder:
            await session.start()
            await until(lambda: recorder.records > 2_000)
            end.touch()
            await session.wait()
        done = await recorder.stop()
    assert not _thinned(done.notes)


@pytest.mark.parametrize("share", [0, 101, 2.5, True])
async def test_what_is_no_share(shop: Debuggee, jdk: Jdk, tmp_path: Path, share: object) -> None:
    async with launched(shop, jdk, "jvmdebug", args=[str(tmp_path)]) as session:
        with pytest.raises(jvmdebug.ArgumentError, match=r"share is .*: .* from 1 to 100"):
            session.record(tmp_path / "a.jvmrec", share=share)  # type: ignore[arg-type]


async def test_a_launch_has_it_by_an_attribute(shop: Debuggee, jdk: Jdk, tmp_path: Path) -> None:
    async with local_client() as client:
        starting = await client.begin_debugging(
            "launch",
            mainClass="thinned.Shop",
            classPaths=[str(shop.class_path[0])],
            javaExec=str(jdk.java),
            agent="jvmdebug",
            args=[str(tmp_path / "end"), _ROUNDS],
            recording=str(tmp_path / "shop.jvmrec"),
            recordingShare=5,
        )
        await client.configured(starting)
        await client.event("terminated")
        said = client.output("console")
    assert "thinned.Shop.mixed(I)I: only its calls" in said or "mixed(I)I: nothing" in said, said


async def test_the_command_line_has_it(shop: Debuggee, jdk: Jdk, tmp_path: Path) -> None:
    path = str(tmp_path / "shop.jvmrec")
    code, _, said = await ask(
        *("record", "--share", "5", "-o", path, "--java", str(jdk.java)),
        *("-cp", str(shop.class_path[0]), "--", "thinned.Shop", str(tmp_path / "end"), _ROUNDS),
    )
    assert code == 0
    assert "thinned.Shop.mixed(I)I: " in said, said
    for wrong in ("0", "101", "2.5"):
        code, _, said = await ask("record", "--share", wrong, "--", "thinned.Shop")
        assert (code, "--share" in said) == (2, True), said
