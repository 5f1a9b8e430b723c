# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug replay` of what is empty, and of texts that would disturb a terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_cli import command_line, view
from jvmdebug_mcp.investigation import Investigation
from jvmdebug_mcp.server import Tools
from tests.support.debuggees import debuggee
from tests.support.recordings import HandMade

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

HOSTILE = "evil\n\x1b[31mrow"


def _made(path: Path, writes: int) -> Path:
    """A recording of that many writes of `left`, by a thread with a hostile name; of many, they are
    not of the frame at its end.
    """
    till = debuggee("replayed", "shop.Till")
    content = (till.class_path[0] / "shop/Till.class").read_bytes()
    with HandMade(path) as made:
        made.begin_thread(1, HOSTILE)
        shop = made.class_("shop.Till", content)
        if writes > 2:
            shop.enter("main")
        for each in range(writes):
            shop.enter("depth")
            shop.local("depth", 0, each)
            shop.exit("depth", 0, "I")
        if writes > 2:
            shop.line("main", till.marker("end"))
    return path


def _said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = command_line.main(["replay", *words])
    captured = capsys.readouterr()
    return code, captured.out + captured.err


def test_an_empty_recording_answers_what_needs_no_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(_made(tmp_path / "empty.jvmrec", 0))
    assert _said(capsys, path, "--search", "left") == (0, "No such write was recorded.\n")
    code, said = _said(capsys, path, "--json")
    assert (code, json.loads(said)["stack"]) == (0, [])
    for question in ("--values", "--who-wrote", "--when"):
        assert _said(capsys, path, question, "left == 1") == (
            1,
            "jvmdebug: nothing was recorded in it\n",
        )


async def test_an_assistant_is_told_the_last_writes_of_all(tmp_path: Path) -> None:
    tools = Tools(Investigation())
    path = str(_made(tmp_path / "empty.jvmrec", 0))
    assert "nothing was recorded in it" in await tools.recording(path)
    assert await tools.recording(path, "left") == "no write of left was recorded"
    path = str(_made(tmp_path / "many.jvmrec", 10_100))
    lines = (await tools.recording(path, "left")).splitlines()
    assert lines[0] == "the last 40 of 10100 writes:"
    assert lines[1].startswith("10060 written in shop.Till.depth")
    assert lines[40].startswith("10099 written in shop.Till.depth")


def test_a_hostile_name_stays_in_its_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(_made(tmp_path / "hostile.jvmrec", 2))
    visible = jvmdebug.one_line(HOSTILE)
    for words in (("--search", "left"), ("--batch", "-c", "values left")):
        code, said = _said(capsys, path, *words)
        assert "\x1b" not in said
        rows = [each for each in said.splitlines() if "row" in each and "shop.Till" in each]
        assert rows, (code, said)
        assert all(each.endswith(visible) for each in rows), said


async def test_the_greeting_takes_any_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = property(lambda _: ["", "a\nb"])
    async with jvmdebug.replay(_made(tmp_path / "one.jvmrec", 1)) as session:
        monkeypatch.setattr(jvmdebug.SessionPast, "notes", notes)
        assert r" A\nb. `back`" in view.greeting(session)
