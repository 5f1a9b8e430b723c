# SPDX-License-Identifier: Apache-2.0
"""What a step of `make setup` shows while it works, when it is done, and when it fails."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.support.jdks import REPOSITORY
from tools import progress

if TYPE_CHECKING:
    from pathlib import Path

PRINTS = "import time; print('[3/7] Building CXX object', flush=True); time.sleep(1.2)"


def test_a_step_in_a_log_has_a_line_at_its_start_and_its_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    output = progress.step("[1/1] words", [sys.executable, "-c", "print('hello')"], about_s=40)
    assert output == "hello\n"
    first, last = capsys.readouterr().out.splitlines()
    assert first == "[1/1] words (about 40 s) …"
    assert last.startswith("[1/1] words: done, ")


def test_a_long_step_shows_signs_of_life(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_LOG_INTERVAL_S", 0.2)
    progress.step("build", [sys.executable, "-c", PRINTS])
    assert ", 3/7 files built" in capsys.readouterr().out


def test_what_a_failed_step_printed_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(progress.StepError) as failed:
        progress.step("build", ["sh", "-c", "echo no such header >&2; exit 3"])
    assert failed.value.code == 3
    shown = capsys.readouterr().out
    assert "build: FAILED, " in shown
    assert "no such header" in shown


def test_a_terminal_sees_one_line_that_changes() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "tools.progress", "build", "5", "--", sys.executable]
    with subprocess.Popen([*command, "-c", PRINTS], cwd=REPOSITORY, stdout=theirs) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            shown += part
    os.close(ours)
    assert process.returncode == 0
    assert b"3/7 files built" in shown
    assert shown.count(b"\n") == 1


def test_an_interrupt_ends_the_command_too(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    code = f"import os,time; open({str(mark)!r},'w').write(str(os.getpid())); time.sleep(50)"
    # A job in the background of a shell without job control inherits an ignored SIGINT.
    command = ["env", "--default-signal=INT", sys.executable, "-m", "tools.progress", "wait", "0"]
    command += ["--", sys.executable, "-c"]
    process = subprocess.Popen([*command, code], cwd=REPOSITORY, stdout=subprocess.DEVNULL)
    while not (mark.exists() and mark.read_text(encoding="utf-8")):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int(mark.read_text(encoding="utf-8")), 0)
