# SPDX-License-Identifier: Apache-2.0
"""Each platform's last line says what ran, and a platform on which nothing ran is a failure."""

from __future__ import annotations

import sys

import pytest

from tools import other_vms, platforms
from tools.platforms import Platform, PlatformError, Result


def _nothing_to_run_it(short: bool) -> Result:  # noqa: FBT001 - called as those of the table
    raise PlatformError(f"no emulator, {short}")


def _no_vm(short: bool) -> Result:  # noqa: FBT001 - called as those of the table
    raise other_vms.OtherVmError(f"no apt-get, {short}")


def run(monkeypatch: pytest.MonkeyPatch, *tried: Platform) -> object:
    """The exit code of the program with these platforms."""
    monkeypatch.setattr(platforms, "PLATFORMS", tried)
    monkeypatch.setattr(sys, "argv", ["platforms", "--short"])
    with pytest.raises(SystemExit) as ended:
        platforms.main()
    return ended.value.code


def test_what_ran_is_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, Platform("one", lambda _: Result(5, 0, 2))) == 0
    assert capsys.readouterr().out == "one: 5 ran, 0 failed, 2 skipped\n"


@pytest.mark.parametrize(
    ("tried", "said"),
    [
        (Platform("one", lambda _: Result(0, 0, 7)), "one: 0 ran, 0 failed, 7 skipped\n"),
        (Platform("one", lambda _: Result(3, 1, 0)), "one: 3 ran, 1 failed, 0 skipped\n"),
        (Platform("one", _nothing_to_run_it), "one: 0 ran: no emulator, True\n"),
        (Platform("one", _no_vm), "one: 0 ran: no apt-get, True\n"),
    ],
    ids=["all skipped", "failed", "no emulator", "no VM"],
)
def test_a_platform_that_is_not_tried_is_a_failure(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tried: Platform,
    said: str,
) -> None:
    code = run(monkeypatch, tried, Platform("two", lambda _: Result(1, 0, 0)))
    assert code == "not as it should be: one"
    assert capsys.readouterr().out == f"{said}two: 1 ran, 0 failed, 0 skipped\n"
