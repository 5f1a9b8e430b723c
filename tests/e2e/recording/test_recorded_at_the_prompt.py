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


async def test_a_program_that_is_started_again_has_no_past(
    till: Debuggee, jdk: Jdk, tmp_path: Path
) -> None:
    deepest = till.marker("deepest")
    code, said = await _batch(
        till,
        jdk,
        (
            *(f"record {tmp_path / 'one.jvmrec'}", f"break shop.Till:{deepest}", "run", "continue"),
            *("run", "back", f"record {tmp_path / 'two.jvmrec'}", "continue"),
        ),
    )
    assert code == 1, said
    _in_order(
        said,
        "The program has ended with exit code 0.",
        f"recorded: {tmp_path / 'one.jvmrec'} (",
        f"Breakpoint 1, shop.Till.depth(Till.java:{deepest})",
        "only what is recorded has a past",
        f"Recording into {tmp_path / 'two.jvmrec'}.",
        "The program has ended with exit code 0.",
        f"recorded: {tmp_path / 'two.jvmrec'} (",
    )


async def test_breakpoints_have_the_same_numbers_in_the_past(
    till: Debuggee, jdk: Jdk, tmp_path: Path
) -> None:
    lines = {name: f"shop.Till:{till.marker(name)}" for name in ("added", "deepest", "caught")}
    code, said = await _batch(
        till,
        jdk,
        (
            *(
                f"record {tmp_path / 'till.jvmrec'}",
                f"break {lines['added']}",
                "tbreak shop.Till#main",
            ),
            *(f"break {lines['deepest']}", "disable 1", "run", "continue"),
            *("back", "enable 1", "rc", "delete 3", f"break {lines['caught']}", "continue"),
            *("continue", "breakpoints", "continue"),
        ),
    )
    _in_order(
        said,
        f"Breakpoint 3, shop.Till.depth(Till.java:{till.marker('deepest')})",
        f"Breakpoint 1, shop.Till.add(Till.java:{till.marker('added')})",
        "Breakpoint 4: ",
        "Back in the present.",
        f"Breakpoint 4, shop.Till.main(Till.java:{till.marker('caught')})",
        "#  breakpoint",
        f"1  {lines['added']}",
        f"4  {lines['caught']}",
    )
    assert f"3  {lines['deepest']}" not in said
    assert code == 0, said


async def test_who_leaves_takes_the_recording_along(
    till: Debuggee, jdk: Jdk, tmp_path: Path
) -> None:
    for end in ("detach", "kill"):
        file = tmp_path / f"{end}.jvmrec"
        commands = (
            f"record {file}",
            f"break shop.Till:{till.marker('deepest')}",
            "run",
            "back",
            end,
        )
        code, said = await _batch(till, jdk, commands)
        assert code in ((0, 143) if end == "kill" else (0,)), said
        assert "cannot end the program" not in said
        assert f"recorded: {file} (" in said
        with recording.open(file) as opened:
            assert any(each.name == "shop.Till.depth" for each in opened.calls()), said


async def test_questions_from_the_present(till: Debuggee, jdk: Jdk, tmp_path: Path) -> None:
    added, deepest = till.marker("added"), till.marker("deepest")
    code, said = await _batch(
        till,
        jdk,
        (
            *(f"record {tmp_path / 'till.jvmrec'}", f"break shop.Till:{deepest}", "run"),
            *(
                "values left",
                "where",
                "who-wrote nothing_such",
                "where",
                "when left == 2",
                "when left == 0",
                "where",
            ),
            *("continue", "log shop.Till:" + str(added) + " price {price}", "rc", "rc"),
            *("continue", "continue", "continue"),
        ),
    )
    assert code == 1, said
    _in_order(
        said,
        f"Breakpoint 1, shop.Till.depth(Till.java:{deepest})",
        "Back in the present.",
        "value  written in",
        f"* #0  shop.Till.depth(Till.java:{deepest})",
        "Back in the present.",
        "error: 'nothing_such' is no variable or field here",
        f"* #0  shop.Till.depth(Till.java:{deepest})",
        "left == 2 did not come to hold before here",
        "0 was written in shop.Till.depth(",
        "Back in the present.",
        "price 20",
        "Back in the present.",
    )
