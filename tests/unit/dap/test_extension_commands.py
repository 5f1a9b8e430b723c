# SPDX-License-Identifier: Apache-2.0
"""Whatever the adapter can do beyond the protocol has a command or a view in VS Code."""

from __future__ import annotations

import json
from pathlib import Path

from jvmdebug_dap.requests import load_handlers

EXTENSION = Path(__file__).parents[3] / "vscode-extension"
COMMANDS = {
    "jvmdebug/forceEarlyReturn": "forceEarlyReturn",
    "jvmdebug/goToMoment": "whoWrote",
    "jvmdebug/heapDump": "heapDump",
    "jvmdebug/histogram": "histogram",
    "jvmdebug/instanceCounts": "refreshObjects",
    "jvmdebug/instances": "addObjectClass",
    "jvmdebug/keep": "keepObject",
    "jvmdebug/letJoin": "letAssistantJoin",
    "jvmdebug/loadedClasses": "addObjectClass",
    "jvmdebug/origins": "showOrigins",
    "jvmdebug/popFrame": "popFrame",
    "jvmdebug/probes": "explainConditions",
    "jvmdebug/profile": "profile",
    "jvmdebug/recordedWrites": "searchRecording",
    "jvmdebug/redefineClasses": "hotCodeReplace",
    "jvmdebug/release": "releaseObject",
    "jvmdebug/runTo": "runToBytecode",
    "jvmdebug/stepFilters": "toggleStepFilters",
    "jvmdebug/stopObserving": "stopObserving",
    "jvmdebug/streamStages": "streamStages",
    "jvmdebug/suspend": "toggleSuspend",
    "jvmdebug/threadDump": "refreshThreads",
    "jvmdebug/throw": "throwException",
    "jvmdebug/trace": "traceMethod",
    "jvmdebug/valueStyle": "toggleHex",
    "jvmdebug/whoSets": "whoSets",
}
WITHOUT = {
    "jvmdebug/endProfile": "Cancel, on the progress of Profile…",
    "jvmdebug/inlineValues": "values at the ends of lines; the setting debug.inlineValues",
    "jvmdebug/kept": "the view Objects asks it at each stop",
    "jvmdebug/recordedCalls": "the view Recorded Calls asks it",
    "jvmdebug/replaceSources": "saving a source; the setting jvmdebug.hotCodeReplace",
}


def test_each_request_of_our_own_has_a_command_or_a_reason() -> None:
    served = {each.command for each in load_handlers().specs if each.command.startswith("jvmdebug")}
    assert served == COMMANDS.keys() | WITHOUT.keys()


def test_each_is_sent_by_the_extension_and_its_command_is_declared() -> None:
    sources = "".join(each.read_text("utf-8") for each in (EXTENSION / "src").rglob("*.ts"))
    unsent = {each for each in COMMANDS.keys() | WITHOUT.keys() if f'"{each}"' not in sources}
    assert unsent == set()
    declared = json.loads((EXTENSION / "package.json").read_text("utf-8"))["contributes"]
    titled = {each["command"] for each in declared["commands"]}
    assert {f"jvmdebug.{each}" for each in COMMANDS.values()} - titled == set()
    handled = {each for each in titled if f'registerCommand("{each}"' in sources}
    assert titled == handled


def test_each_command_can_be_found_without_its_name() -> None:
    """It is in a menu or a view, for who does not know what to type; but what asks for nothing
    else.
    """
    contributes = json.loads((EXTENSION / "package.json").read_text("utf-8"))["contributes"]
    palette = {each["command"] for each in contributes["menus"]["commandPalette"]}
    hidden = {
        each["command"]
        for each in contributes["menus"]["commandPalette"]
        if each.get("when") == "false"
    }
    menus = {
        each["command"]
        for name, entries in contributes["menus"].items()
        if name != "commandPalette"
        for each in entries
    }
    welcome = " ".join(each["contents"] for each in contributes["viewsWelcome"])
    commands = {each["command"] for each in contributes["commands"]}
    assert commands >= palette | menus
    lost = {each for each in hidden - menus if f"command:{each})" not in welcome}
    # The lenses call these, and the hover on a line that tests have run.
    called = ("runMain", "debugMain", "runTest", "debugTest", "runCovering")
    assert lost == {f"jvmdebug.{each}" for each in called}
