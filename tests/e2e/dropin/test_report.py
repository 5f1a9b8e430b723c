# SPDX-License-Identifier: Apache-2.0
"""The program of the report in docs/reference/hotspot.md shows the defect, on each JDK.

A test that fails here is good news: this JDK does not have the defect any more. Then that page and
native/agent/code/older_versions.h have to say so.
"""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.support.jdks import REPOSITORY, newest_compiler

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk

TIMEOUT_S = 120.0
LEFT_ALONE = (" static int b() { return 3; }", " static int b() { return 2; }")
"""With this b() the last redefinition leaves a method as it was, and all is right."""


def _program() -> str:
    page = (REPOSITORY / "docs/reference/hotspot.md").read_text("utf-8")
    found = re.findall(r"```java\n(.*?)```", page, re.DOTALL)
    assert len(found) == 1
    return str(found[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("replaced", "printed"), [(None, "-13592"), (LEFT_ALONE, "1000")], ids=["all", "one-is-left"]
)
def test_a_breakpoint_is_written_into_older_code(
    jdk: Jdk, tmp_path: Path, replaced: tuple[str, str] | None, printed: str
) -> None:
    if not jdk.has_jdwp:
        pytest.skip("this runtime has no agent of its own")
    text = _program()
    if replaced is not None:
        assert replaced[0] in text
        text = text.replace(*replaced)
    (tmp_path / "Report.java").write_text(text, "utf-8")
    # The JDI of a newer JDK gives the VM options that an older one does not know.
    tools = jdk if jdk.has_javac else newest_compiler()
    command = [str(tools.java), "--add-modules", "jdk.jdi", "Report.java"]
    done = subprocess.run(
        [*command, str(jdk.home)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    assert done.stdout.splitlines() == ["breakpoint at index 10", printed]
