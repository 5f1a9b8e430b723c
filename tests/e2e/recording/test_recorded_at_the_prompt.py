# SPDX-License-Identifier: Apache-2.0
"""`record` at the prompt: from a stop back into what was recorded so far, and forward again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug import recording
from tests.support.prompt import ask_process

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk


async def _batch(till: Debuggee, jdk: Jdk, commands: tuple[str, ...]) -> tuple[int, str]:
    (classes,) = till.class_path
    words: list[str | Path] = ["launch", "--batch", "--java", jdk.home, "-cp", classes]
    words += ["--source-path", till.source_dir]
    words += [word for each in commands for word in ("-c", each)]
    code, output, errors = await ask_process(*words, till.main_class)
    return code, output + errors


def _in_order(said: str, *texts: str) -> None:
    at = 0
    for text in texts:
        found = said.find(text, at)
        assert found >= 0, (text, said)
        at = found + len(text)


async def test_back_and_forward_again(till: Debuggee, jdk: Jdk, tmp_path: Path) -> None:
    file, added = tmp_path / "till.jvmrec", till.marker("added")
    code, said = await _batch(
        till,
        jdk,
        (
            *(f"record {file}", f"break shop.Till:{till.marker('deepest')}"),
            *("run", "back", "print left", f"break shop.Till:{added}", "rc", "print price"),
            *("who-wrote this.total", "continue", "continue", "back", "next", "print left"),
            *("up", "who-wrote left", "continue", "delete 2", "print depth(3)", "continue"),
        ),
    )
    assert code == 0, said
    deepest = f"shop.Till.depth(Till.java:{till.marker('deepest')})"
    _in_order(
        said,
        f"Recording into {file}.",
        f"Breakpoint 1, {deepest}",
        "shop.Till.depth(Till.java:",
        "0  (int)",
        f"shop.Till.add(Till.java:{added})",
        "20  (int)",
        f"10 was written in shop.Till.add(Till.java:{added})",
        f"shop.Till.add(Till.java:{added})",
        "Back in the present.",
        f"Breakpoint 1, {deepest}",
        "Back in the present.",
        f"Breakpoint 1, {deepest}",
        "0  (int)",
        f"1 was written in shop.Till.depth(Till.java:{till.marker('deepest') - 1})",
        "Back in the present.",
        f"Breakpoint 1, {deepest}",
        "3  (int)",
        "The program has ended with exit code 0.",
        f"recorded: {file} (",
    )
    with recording.open(file) as opened:
        assert opened.end is not None
        assert opened.end.frames[0].place.endswith(f"(Till.java:{till.marker('end')})")


async def test_what_record_refuses(till: Debuggee, jdk: Jdk, tmp_path: Path) -> None:
    file = tmp_path / "till.jvmrec"
    code, said = await _batch(
        till,
        jdk,
        (
            *("record stop", "rs", f"record {tmp_path / 'none' / 'a.jvmrec'}"),
            *(f"record {file}", f"record {file}", "record stop", "run"),
        ),
    )
    assert code == 1
    for text in (
        "nothing is recorded\n",
        "only what is recorded has a past",
        "cannot write",
        f"{file} is recorded: `record stop` ends that first",
        f"recorded: {file} (0 records)",
    ):
        assert text in said, (text, said)
