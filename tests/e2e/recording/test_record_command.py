# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug record`: the program's output and exit code, and what it refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug import recording
from tests.support.debuggees import debuggee
from tests.support.prompt import ask, ask_process

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk


async def test_a_program_keeps_its_output_and_its_exit_code(jdk: Jdk, tmp_path: Path) -> None:
    (classes,) = debuggee("recorded", "recorded.Cases").class_path
    file = tmp_path / "fail.jvmrec"
    words: list[str | Path] = ["record", "-o", file, "--what", "calls", "--java", jdk.home]
    code, output, errors = await ask_process(*words, "-cp", classes, "--", "recorded.Cases", "exit")
    assert code == 7
    assert "recursion=610" in output
    assert "written" not in output
    assert f"written: {file}" in errors
    with recording.open(file) as found:
        assert any(each.name == "recorded.Cases.fib" for each in found.calls())
    # A program that cannot be started has no recording.
    code, _, errors = await ask_process(*words, "-cp", classes, "--", "recorded.Missing")
    assert code == 3
    assert "recorded.Missing" in errors
    # What fails in jvmdebug is 3, whatever it is: 1 is the program's.
    for more, said in (
        (["--only", "a/b"], "no pattern of classes"),
        (["--agent", "stock"], "recordings"),
        (["fib"], "is no method"),
    ):
        code, _, errors = await ask_process(*words, "-cp", classes, *more, "--", "recorded.Cases")
        assert said in errors
        assert code == 3


async def test_names_and_texts_that_are_not_recorded(jdk: Jdk, tmp_path: Path) -> None:
    (classes,) = debuggee("redacted", "shop.Login").class_path
    file = tmp_path / "login.jvmrec"
    words: list[str | Path] = ["record", "-o", file, "--java", jdk.home, "-cp", classes]
    for more, shown in (
        ([], {"password": "<redacted>", "open": '"open-7301903"', "card": '"card-7301889"'}),
        (["--redact", "open", "--redact-value", "7301889"], {"open": "<redacted>"}),
        (["--redact-value", r".\d{7}"], {"card": '"card<redacted>"'}),
        (["--no-default-redaction"], {"password": '"pass-7301847"'}),
        (["--no-default-redaction", "--redact", "pass*"], {"password": "<redacted>"}),
    ):
        code, _, errors = await ask_process(*words, *more, "--", "shop.Login")
        assert code == 0, errors
        with recording.open(file) as found:
            for name, text in shown.items():
                assert {each.text for each in found.writes(name)} == {text}, (more, name)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["record"], "say which program"),
        (["record", "--redact", "a b", "--", "shop.Main"], "'a b' is no name"),
        (["record", "--redact-value", "(", "--", "shop.Main"], "no regular expression"),
        (["test", "--record", "--redact-value", "("], "no regular expression"),
        (["record", "--at", "1", "--", "shop.Main"], "not both"),
        (["record", "--at", "1", "--once"], "--once needs the method"),
        (["record", "-o", "missing/a.jvmrec", "--", "shop.Main"], "no such folder"),
        (["test", "--record", "--coverage"], "--record goes neither"),
    ],
)
async def test_what_it_refuses(words: list[str], said: str) -> None:
    code, _, errors = await ask(*words)
    assert code == 2
    assert said in errors
