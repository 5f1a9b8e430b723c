# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug replay`: the prompt of a recording, one question, and its exit codes."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from jvmdebug_cli import command_line

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.support.debuggees import Debuggee


def _said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = command_line.main(["replay", *words])
    captured = capsys.readouterr()
    return code, captured.out + captured.err


def test_a_batch_walks_back(
    recorded: Path, till: Debuggee, capsys: pytest.CaptureFixture[str]
) -> None:
    line = till.marker("added")
    commands = (
        *("where", "who-wrote till.total", "locals", "back", "where 1"),
        *("when sum == 5", "values price", f"break shop.Till:{line} if price == 10", "rc"),
        *(
            "print before + 1",
            """print "sum " + before""",
            "reverse-finish",
            "print add(1)",
            "continue",
            "continue",
        ),
    )
    options = [word for each in commands for word in ("-c", each)]
    code, said = _said(
        capsys, str(recorded), "--source-path", str(till.source_dir), "--batch", *options
    )
    assert code == 1  # `print add(1)` was refused
    texts = (
        f"shop.Till.main(Till.java:{till.marker('end')})",
        f"30 was written in shop.Till.add(Till.java:{line})",
        "price = 20",
        f"shop.Till.add(Till.java:{line}), thread main",
        "'sum' is no variable or field here",
        f"shop.Till.add(Till.java:{till.marker('before')})",
        "Breakpoint 1",
        "1  (int)",
        '"sum 0"  (java.lang.String)',
        f"shop.Till.main(Till.java:{till.marker('called')})",
        "add",
        "Breakpoint 1",
        "End of the recording",
    )
    at = 0
    for text in texts:
        found = said.find(text, at)
        assert found >= 0, (text, said)
        at = found


def test_one_question(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = _said(capsys, str(recorded), "--values", "till.total", "--json")
    assert (code, [each["value"] for each in json.loads(said)]) == (0, ["0", "10", "30"])
    code, said = _said(capsys, str(recorded), "--search", "price=20")
    assert (code, re.findall(r"shop\.Till\.add", said)) == (0, ["shop.Till.add"])
    code, said = _said(capsys, str(recorded), "--when", "sum == 30", "--json")
    assert "shop.Till.main" in json.loads(said)[0]["where"]
    code, said = _said(capsys, str(recorded), "--json")
    assert json.loads(said)["exit_code"] == 0
    code, said = _said(capsys, str(recorded), "--who-wrote", "nothing")
    assert (code, said.count("is no variable or field here")) == (1, 1)


def test_what_cannot_be_read_has_its_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.jvmrec"
    other.write_text("nothing of the kind", encoding="utf-8")
    for path, why in ((other, "not a recording of jvmdebug"), (tmp_path / "none", "no such file")):
        for more in ((), ("--json",)):
            code, said = _said(capsys, str(path), *more)
            assert (code, said.startswith("jvmdebug: cannot read"), why in said) == (3, True, True)


def test_what_would_run_the_past_changes_nothing(
    recorded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = (
        *("kill", "run", "pop", "set args = null", "set sum += 1", "print sum = 2"),
        *("back", "where", "continue"),
    )
    options = [word for each in commands for word in ("-c", each)]
    code, said = _said(capsys, str(recorded), "--batch", *options)
    assert code == 1
    assert said.count("the past cannot be run") == 3, said
    assert said.count("this is a recording: the past cannot be changed\n") == 3, said
    assert "is over" not in said
    assert said.count("shop.Till.main") >= 3
