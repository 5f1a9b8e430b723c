# SPDX-License-Identifier: Apache-2.0
"""Settings that stay, the JDK among them, and what VS Code shows in its themes."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.e2e.vscode.conftest import line_of
from tests.support.debuggees import debuggee
from tests.support.jdks import newest_compiler

if TYPE_CHECKING:
    from tests.e2e.vscode.conftest import Person

OWN_SERVER = True
pytestmark = [
    pytest.mark.vscode,
    pytest.mark.slow,
    pytest.mark.timeout(780),
    pytest.mark.skipif(shutil.which("node") is None, reason="VS Code needs Node.js"),
]


@pytest.mark.variant
def test_a_jdk_is_chosen_and_what_is_turned_on_stays_on(newcomer: Person) -> None:
    program = debuggee("shown", "Shown")
    shutil.copy(program.source_dir / "Shown.java", newcomer.folder)
    newcomer.configure(
        program="${workspaceFolder}/Shown.java",
        console="internalConsole",
        mode="full",
        noSuchThing=True,
    )
    settings = newcomer.workspace / ".vscode" / "settings.json"
    settings.write_text(json.dumps({"jvmdebug.javaHome": "/no/such/jdk"}))
    home = str(newest_compiler().home)
    seen = newcomer.does(
        "settings",
        home=home,
        file=str(settings),
        line=program.marker("step"),
        unused="noSuchThing",
        named=(
            "the settings name for the JDK, /no/such/jdk, has no bin/java",
            "`noSuchThing` is not used",
            "IllegalStateException: the end",
        ),
    )
    assert json.loads(settings.read_text())["jvmdebug.javaHome"] == home
    assert seen["tab"].startswith("Remote")
    assert "Integers in Hexadecimal" in seen["before"]
    assert "✓ Integers in Hexadecimal" in seen["after"]
    assert "Integers in Hexadecimal" not in seen["after"]
    assert {name for name, ratio in seen["contrast"].items() if ratio < 4.5} == set()
    assert len(seen["contrast"]) == 3
    locals_at = next(at for at, row in enumerate(seen["rows"]) if row.startswith("Locals"))
    assert "twice" in seen["rows"][locals_at + 1]
    assert not any(row.startswith("Return value") for row in seen["rows"])
    assert seen["exception"].count("IllegalStateException") == 1
    assert seen["exception"].count("the end") == 1
    assert {"Choose a JDK", "Stop at a line", "Save and go on"} <= set(seen["steps"])


KEYS = """\
public class Keys {
    static int seen;

    static class Item {
        final String name;

        Item(String name) {
            this.name = name;
        }

        @Override public String toString() {
            return "item " + name;
        }
    }

    static final Item[] ITEMS = {new Item("tea"), new Item("cake"), new Item("milk")};

    public static void main(String[] args) {
        for (Item item : ITEMS) {
            seen += item.name.length(); // @each
        }
    }
}
"""


@pytest.mark.variant
def test_the_keyboard_alone_reaches_all_and_a_screen_reader_says_it(newcomer: Person) -> None:
    """The focus is in the views when the program stops again: VS Code moves it to the editor
    otherwise.
    """
    (newcomer.folder / "Keys.java").write_text(KEYS)
    settings = newcomer.workspace / ".vscode" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"debug.focusEditorOnBreak": False}))
    seen = newcomer.does("keyboard", line=line_of(KEYS, "each"))
    assert "tea1" in seen["evaluated"]
    assert "item tea" in seen["hit"]
    assert "Item@" in seen["object"]
    assert not seen["afterwards"].startswith("Keys$Item")
