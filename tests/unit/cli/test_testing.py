# SPDX-License-Identifier: Apache-2.0
"""What `jvmdebug test` says of what it cannot run, and its exit code then."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from jvmdebug_cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

TEST = """\
package shop;
class CartTest { @org.junit.Test public void adds() {} }
"""


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("Nope",), 3, "jvmdebug: the project in .* has no Nope; it has tests in shop.CartTest"),
        (("--project", "/no"), 3, "jvmdebug: there is no project in /no: no such file"),
        (("--json", "--debug"), 2, "jvmdebug: --json is for running tests"),
        (("--failed", "CartTest"), 2, "jvmdebug: name tests, or take those that failed"),
        (("--batch",), 2, "go with --debug"),
        (("--nope",), 2, "jvmdebug test: error: there is no option --nope"),
    ],
)
def test_what_cannot_be_run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    code: int,
    said: str,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    source = tmp_path / "shop" / "src" / "shop" / "CartTest.java"
    source.parent.mkdir(parents=True)
    source.write_text(TEST)
    monkeypatch.chdir(tmp_path / "shop")
    try:
        found: object = main(["test", *arguments])
    except SystemExit as ended:
        found = ended.code
    told = capsys.readouterr()
    assert (found, told.out) == (code, "")
    assert re.search(said, told.err), told.err
