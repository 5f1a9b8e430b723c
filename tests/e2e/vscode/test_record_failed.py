# SPDX-License-Identifier: Apache-2.0
"""The Test Explorer's profile "Record and Debug Failed", with the example of the tutorial."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.e2e.vscode.conftest import REPOSITORY
from tests.support.libraries import frameworks, maven

if TYPE_CHECKING:
    from tests.e2e.vscode.conftest import Person

pytestmark = [
    pytest.mark.vscode,
    pytest.mark.slow,
    pytest.mark.variant,
    pytest.mark.timeout(420),
    pytest.mark.skipif(shutil.which("node") is None, reason="VS Code needs Node.js"),
    pytest.mark.skipif(maven() is None, reason="JUnit is fetched by Maven; no mvn here"),
]

FLAKY = """// SPDX-License-Identifier: Apache-2.0
package shop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FlakyTest {
    @Test
    void failsOnce() throws Exception {
        Path mark = Path.of("%s");
        boolean isSecond = Files.exists(mark);
        if (!isSecond) {
            Files.createFile(mark);
        }
        assertTrue(isSecond);
    }
}
"""


def test_basket(person: Person) -> None:
    shutil.copytree(REPOSITORY / "examples" / "past" / "src", person.folder / "src")
    (person.folder / "lib").mkdir()
    for jar in frameworks():
        (person.folder / "lib" / jar.name).symlink_to(jar)
    flaky = person.folder / "src" / "test" / "java" / "shop" / "FlakyTest.java"
    flaky.write_text(FLAKY % (person.folder / "ran").as_posix(), encoding="utf-8")
    seen = person.does(
        "failed",
        file="BasketTest.java",
        root=person.folder.name,
        test="keepsTheDiscount",
        flaky="failsOnce",
        line="assertEquals(405, total)",
        cause="discountPercent = 0;",
        named=("Failed, and passed when run again with recording: failsOnce",),
    )
    assert seen["opened"].startswith("assertEquals(405, total);")
    assert "The past: BasketTest " in seen["said"]
    assert any("total" in row and "450" in row for row in seen["atFailure"])
    assert any("keepsTheDiscount" in row and "Failed" in row for row in seen["tests"])
    assert any("Basket.remove" in row for row in seen["stack"])
