# SPDX-License-Identifier: Apache-2.0
"""A recording in VS Code."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.interpreted import interpreted

if TYPE_CHECKING:
    from tests.e2e.vscode.conftest import Person

pytestmark = [
    pytest.mark.vscode,
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("node") is None, reason="VS Code needs Node.js"),
]


def test_a_recording_goes_back(person: Person) -> None:
    till = debuggee("replayed", "shop.Till")
    source = till.source_dir / "shop" / "Till.java"
    (person.folder / "shop").mkdir(exist_ok=True)
    shutil.copy(source, person.folder / "shop" / "Till.java")
    content = (till.class_path[0] / "shop" / "Till.class").read_bytes()
    recording = interpreted(person.folder / "till.jvmrec", [content], "shop.Till")
    person.configure(request="attach", recording=str(recording), sourcePaths=[str(person.folder)])
    seen = person.does(
        "replay",
        file="Till.java",
        end="}",
        named=(r"Till\.java has changed since it was recorded",),
    )
    assert "The past: till.jvmrec" in seen["said"]
    assert any("sum" in row and "4" in row for row in seen["atEnd"])
    assert seen["back"].startswith("System.out.println")
    assert any("Till.main" in row for row in seen["calls"])
