# SPDX-License-Identifier: Apache-2.0
"""The extension for one platform, on a machine that has a JDK and neither Python nor jvmdebug."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.e2e.vscode.conftest import Person, vs_code
from tests.e2e.vscode.test_first_start import HELLO
from tests.support.jdks import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.e2e.vscode.conftest import Driver

pytestmark = [
    pytest.mark.vscode,
    pytest.mark.slow,
    pytest.mark.variant,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(shutil.which("node") is None, reason="VS Code needs Node.js"),
]


@pytest.fixture(scope="module")
def extension() -> Path:
    """The extension with the frozen program in it; building it takes minutes."""
    if not (found := sorted((REPOSITORY / "dist").glob("jvmdebug-linux-*-*.vsix"))):
        command = [sys.executable, "-m", "tools.frozen", "--vsix", "--untried"]
        subprocess.run(command, cwd=REPOSITORY, check=True)
        found = sorted((REPOSITORY / "dist").glob("jvmdebug-linux-*-*.vsix"))
    return found[-1]


@pytest.fixture
def url(packaged: Path, extension: Path, tmp_path: Path) -> Iterator[str]:
    """A VS Code with that extension, whose PATH has the tools of a shell and no Python."""
    assert packaged.exists(), "VS Code is there too then"
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "bash", "cat", "dirname", "readlink", "sed", "uname"):
        if (found := shutil.which(name)) is not None:
            (tools / name).symlink_to(found)
    home = tmp_path / "home"
    home.mkdir()
    kept = {name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ}
    environment = {**kept, "HOME": str(home), "PATH": str(tools)}
    with vs_code(tmp_path / "profile", [extension], {}, environment) as found_url:
        yield found_url


def test_a_program_is_debugged_with_what_the_extension_contains(
    url: str, driver: Driver, tmp_path: Path
) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "Hello.java").write_text(HELLO)
    seen = Person(url, driver, workspace, workspace).does("brought")
    assert {"Run", "Debug"} <= {each.strip() for each in seen["lenses"]}
