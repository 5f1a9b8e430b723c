# SPDX-License-Identifier: Apache-2.0
"""Sources in archives: shown by reference, and breakpoints set in them."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


async def test_a_source_in_a_jar_is_shown_and_takes_breakpoints(
    client: DapClient, attributes: AttributesOf, tmp_path: Path
) -> None:
    program = debuggee("basics", "Loop")
    jar = tmp_path / "loop-sources.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.write(program.source("Loop.java"), "Loop.java")
    started = {**attributes(program), "sourcePaths": [str(jar)]}
    launched = await client.begin_debugging("launch", **started)
    await client.request("setFunctionBreakpoints", {"breakpoints": [{"name": "Loop.square"}]})
    await client.configured(launched)
    stop = await client.event("stopped", reason="function breakpoint")
    frame, *_rest = await client.top_frames(stop["threadId"])
    source = frame["source"]
    assert (source["name"], source["origin"]) == ("Loop.java", "loop-sources.jar")
    text = await client.request(
        "source", {"sourceReference": source["sourceReference"], "source": source}
    )
    assert text["content"] == program.source("Loop.java").read_text(encoding="utf-8")

    line = program.marker("squared")
    asked = {"source": source, "breakpoints": [{"line": line}]}
    (placed,) = (await client.request("setBreakpoints", asked))["breakpoints"]
    assert (placed["verified"], placed["line"]) == (True, line)
    await client.request("continue", {"threadId": stop["threadId"]})
    assert (await client.event("stopped"))["hitBreakpointIds"] == [placed["id"]]
    await client.request("disconnect")


async def test_a_class_without_source_is_shown_as_its_code(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = debuggee("basics", "Loop")
    started = {**attributes(program), "sourcePaths": []}
    launched = await client.begin_debugging("launch", **started)
    await client.request("setFunctionBreakpoints", {"breakpoints": [{"name": "Loop.square"}]})
    await client.configured(launched)
    stop = await client.event("stopped")
    thread = {"threadId": stop["threadId"]}
    top, below = await client.top_frames(stop["threadId"])
    source = top["source"]
    assert (source["name"], source["origin"]) == ("Loop.class", "bytecode, no source")
    assert "presentationHint" not in source
    assert below["source"]["sourceReference"] == source["sourceReference"]
    text = await client.request("source", {"sourceReference": source["sourceReference"]})
    lines = text["content"].splitlines()
    line_of_the_file = str(program.marker("square"))
    assert lines[top["line"] - 1].split() == [
        line_of_the_file,
        *["|", "0:", "getstatic", "Loop.calls", ":", "int"],
    ]
    assert "invokestatic Loop.square(int) : int" in lines[below["line"] - 1]

    await client.request("next", {**thread, "granularity": "instruction"})
    await client.event("stopped", reason="step")
    stepped, *_rest = await client.top_frames(stop["threadId"])
    assert stepped["line"] == top["line"] + 1
    await client.request("next", thread)
    await client.event("stopped", reason="step")
    stepped, *_rest = await client.top_frames(stop["threadId"])
    assert lines[stepped["line"] - 1].split()[0] == str(program.marker("square") + 1)

    await _disassemble(client, top, lines)

    await client.request("setFunctionBreakpoints", {"breakpoints": []})
    head = next(number for number, line in enumerate(lines, 1) if "static int square(int)" in line)
    asked = {"source": source, "breakpoints": [{"line": head, "condition": "number == 3"}]}
    (placed,) = (await client.request("setBreakpoints", asked))["breakpoints"]
    assert (placed["verified"], placed["line"]) == (True, head + 1)
    around = {"source": source, "line": head, "endLine": head + 2}
    body = await client.request("breakpointLocations", around)
    assert [each["line"] for each in body["breakpoints"]] == [head + 1, head + 2]
    await client.request("continue", thread)
    assert (await client.event("stopped"))["hitBreakpointIds"] == [placed["id"]]
    frame, *_rest = await client.top_frames(stop["threadId"])
    assert frame["line"] == head + 1
    assert (await client.locals_of(frame))["number"]["value"] == "3"
    await client.request("disconnect")


async def _disassemble(client: DapClient, frame: dict[str, Any], lines: list[str]) -> None:
    """The requests of the disassembly view: around the frame, and past both ends of the class."""
    asked = {"memoryReference": frame["instructionPointerReference"], "instructionCount": 4}
    found = (await client.request("disassemble", asked))["instructions"]
    assert found[0]["address"] == frame["instructionPointerReference"]
    assert found[0]["symbol"] == "Loop.square(int)"
    shown = [line.split(": ", 1)[1] for line in lines[frame["line"] - 1 : frame["line"] + 3]]
    assert [each["instruction"] for each in found] == shown
    sizes = [len(each["instructionBytes"].split()) for each in found[:3]]
    addresses = [int(each["address"], 0) for each in found]
    assert [addresses[0] + sum(sizes[:count]) for count in range(4)] == addresses

    whole = {**asked, "instructionOffset": -500, "instructionCount": 1000}
    found = (await client.request("disassemble", whole))["instructions"]
    assert len(found) == 1000
    assert found[500]["address"] == frame["instructionPointerReference"]
    hints = [each.get("presentationHint") for each in found]
    assert hints[0] == hints[-1] == "invalid"
    addresses = [int(each["address"], 0) for each in found]
    assert addresses == sorted(set(addresses))
    behind = {**asked, "offset": sizes[0], "instructionOffset": 0, "instructionCount": 1}
    (second,) = (await client.request("disassemble", behind))["instructions"]
    assert second["instruction"] == shown[1]


async def test_lines_that_can_hold_a_breakpoint(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = debuggee("basics", "Loop")
    frame = await client.run_to(program, "square", attributes(program))
    first, last = program.marker("square"), program.marker("squared")
    asked = {"source": frame["source"], "line": first, "endLine": last + 3}
    body = await client.request("breakpointLocations", asked)
    assert [each["line"] for each in body["breakpoints"]] == list(range(first, last + 1))

    asked = {"memoryReference": frame["instructionPointerReference"], "instructionCount": 5}
    found = (await client.request("disassemble", asked))["instructions"]
    places = [(each["line"], each["location"]) for each in found if "location" in each]
    assert places == [(first, frame["source"]), (first + 1, frame["source"])]
    await client.request("disconnect")


@pytest.mark.parametrize("is_project", [False, True])
async def test_a_source_has_the_path_that_the_client_uses(
    client: DapClient,
    attributes: AttributesOf,
    tmp_path: Path,
    is_project: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """The same goes for a file that it has not named, where the build has real paths."""
    folder = tmp_path / "real" / "duke"
    folder.mkdir(parents=True)
    text = "package duke;\npublic class Duke {\n  public static void main(String[] a) {\n"
    text += "    Other.greet();\n  }\n}\n"
    (folder / "Duke.java").write_text(text, encoding="utf-8")
    text = (
        'package duke;\nclass Other {\n  static void greet() {\n    System.out.print("");\n  }\n}\n'
    )
    (folder / "Other.java").write_text(text, encoding="utf-8")
    link = tmp_path / "link"
    link.symlink_to("real")
    started = attributes(debuggee("basics", "Loop"))
    for name in ("mainClass", "classPaths", "sourcePaths"):
        del started[name]
    if is_project:
        started |= {"project": str(link), "mainClass": "duke.Duke"}
    else:
        started |= {"program": str(link / "duke" / "Duke.java")}
    launched = await client.begin_debugging("launch", **started)
    duke = str(link / "duke" / "Duke.java")
    asked = {"source": {"path": duke}, "breakpoints": [{"line": 4}]}
    await client.request("setBreakpoints", asked)
    await client.request("setFunctionBreakpoints", {"breakpoints": [{"name": "duke.Other.greet"}]})
    await client.configured(launched)
    stop = await client.event("stopped")
    (frame,) = await client.top_frames(stop["threadId"])
    assert frame["source"]["path"] == duke
    await client.request("continue", {"threadId": stop["threadId"]})
    stop = await client.event("stopped")
    other, _main = await client.top_frames(stop["threadId"])
    assert other["source"]["path"] == str(link / "duke" / "Other.java")
    await client.request("disconnect")


async def test_a_source_that_ends_before_the_frame_s_line_is_not_shown(
    client: DapClient, attributes: AttributesOf, tmp_path: Path
) -> None:
    """A sources jar of another version, for instance: the code is shown as what it is."""
    program = debuggee("basics", "Loop")
    (tmp_path / "Loop.java").write_text("public class Loop {\n}\n", encoding="utf-8")
    started = {**attributes(program), "sourcePaths": [str(tmp_path)]}
    launched = await client.begin_debugging("launch", **started)
    await client.request("setFunctionBreakpoints", {"breakpoints": [{"name": "Loop.square"}]})
    await client.configured(launched)
    stop = await client.event("stopped", reason="function breakpoint")
    top, below = await client.top_frames(stop["threadId"])
    for frame in (top, below):
        assert frame["source"]["origin"] == "bytecode, no source"
    await client.request("disconnect")


async def test_the_original_source_of_a_relocated_class_is_named(
    client: DapClient, attributes: AttributesOf, tmp_path: Path
) -> None:
    """A library that was shaded: the source that it had before is there, under its own package."""
    program = debuggee("relocated", "mine.Main")
    jar = tmp_path / "text-sources.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr(
            "org/text/Words.java", program.source("shaded/org/text/Words.java").read_text()
        )
    own = tmp_path / "mine"
    own.mkdir()
    (own / "Main.java").write_text(program.source("mine/Main.java").read_text("utf-8"), "utf-8")
    started = {**attributes(program), "sourcePaths": [str(tmp_path), str(jar)]}
    launched = await client.begin_debugging("launch", **started)
    name = "shaded.org.text.Words.count"
    await client.request("setFunctionBreakpoints", {"breakpoints": [{"name": name}]})
    await client.configured(launched)
    stop = await client.event("stopped", reason="function breakpoint")
    top, below = await client.top_frames(stop["threadId"])
    origin = "bytecode, no source; org/text/Words.java in text-sources.jar may be the original"
    assert top["source"]["origin"] == origin
    assert below["source"]["path"] == str(own / "Main.java")
    await client.request("disconnect")
