# SPDX-License-Identifier: Apache-2.0
"""What a VS Code window shows of a stop, and that saving a source leaves it as it is."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.e2e.vscode.conftest import line_of
from tests.e2e.vscode.test_vscode import GREETING

if TYPE_CHECKING:
    from tests.e2e.vscode.conftest import Person

pytestmark = [
    pytest.mark.vscode,
    pytest.mark.slow,
    pytest.mark.timeout(780),
    pytest.mark.skipif(shutil.which("node") is None, reason="VS Code needs Node.js"),
]
BURIED = """\
import java.util.ArrayList;
import java.util.List;

public class %(name)s {
    public static void main(String[] args) throws Exception {
        List<Object> changed = new ArrayList<>(List.of(1, 2));
        Object nested = changed.subList(0, 1);
        changed.add(3);
        for (int i = 0; i < 30; i++) {
            nested = new ArrayList<>(List.of(nested));
        }
        Object all = nested;
        %(calls)s
    }
}
"""


@pytest.mark.parametrize(
    "is_own", [True, pytest.param(False, marks=pytest.mark.variant)], ids=["own", "alone"]
)
def test_a_stop_below_many_frames_of_libraries_shows_itself(
    person: Person, *, is_own: bool
) -> None:
    name = "BuriedOwn" if is_own else "BuriedAlone"
    thread = 'Thread alone = new Thread(all::hashCode, "alone"); alone.start(); alone.join();'
    calls = "System.out.println(all.hashCode());" if is_own else thread
    (person.folder / f"{name}.java").write_text(BURIED % {"name": name, "calls": calls})
    seen = person.does("buried", file=f"{name}.java", calls=calls if is_own else "")
    assert "ConcurrentModificationException" in seen["exception"]
    if is_own:
        assert any(row.startswith("all =") for row in seen["variables"])
        assert f"{name}.java" in seen["tab"]
        assert any("main" in row and name in row for row in seen["callStack"])
    else:
        assert "ArrayList" in seen["tab"]
        assert any("checkForComodification" in row for row in seen["callStack"])


def test_a_refused_restart_that_is_mended_and_saved(person: Person) -> None:
    text = GREETING.replace("Greeting", "Refused")  # a window finds files by their names
    (person.folder / "Refused.java").write_text(text)
    seen = person.does("refused-restart", line=line_of(text, "greeted"), named=("Not restarted",))
    assert re.search(r"1 class replaced in \d+\.\d s", seen["replaced"])
    assert seen["problems"] == []
    assert [each.strip() for each in seen["tabs"]] == ["Refused.java"], "none was opened"


def test_a_file_that_is_saved_stays_in_front(person: Person) -> None:
    text = GREETING.replace('"old " +', "Word.said() +").replace("Greeting", "Elsewhere")
    (person.folder / "Elsewhere.java").write_text(text)
    word = 'public class Word {\n    static String said() {\n        return "old ";\n    }\n}\n'
    (person.folder / "Word.java").write_text(word)
    seen = person.does(
        "save-elsewhere",
        line=line_of(text, "greeted"),
        file="Word.java",
        edited=3,
        text='return "new ";',
    )
    assert "Word.java" in seen["active"]
    assert len(seen["before"]) == len(seen["after"])
    assert any("Elsewhere.greet" in row for row in seen["callStack"])
