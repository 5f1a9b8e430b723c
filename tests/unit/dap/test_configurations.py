# SPDX-License-Identifier: Apache-2.0
"""launch.json attributes as java-debug names them, to what the core takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jvmdebug_dap.convert.configurations import (
    attach_options,
    just_my_code,
    launch_options,
    notes,
    step_filters,
)
from jvmdebug_dap.errors import RequestError
from jvmdebug_dap.models.launch import AttachArguments, LaunchArguments, StepFilterAttributes
from jvmdebug_dap.router import parse_arguments


def launched(**attributes: Any) -> LaunchArguments:
    parsed = parse_arguments(LaunchArguments, attributes)
    assert isinstance(parsed, LaunchArguments)
    return parsed


def attached(**attributes: Any) -> AttachArguments:
    parsed = parse_arguments(AttachArguments, attributes)
    assert isinstance(parsed, AttachArguments)
    return parsed


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({"mainClass": "shop.Main"}, {"main_class": "shop.Main"}),
        ({"mainClass": "shop/shop.Main"}, {"module": "shop/shop.Main"}),
        ({"mainClass": "/src/Main.java"}, {"program": "/src/Main.java"}),
        ({"program": "/lib/app.jar"}, {"program": "/lib/app.jar"}),
        ({"program": "app.jar", "cwd": "/shop"}, {"program": "/shop/app.jar"}),
        (
            {"program": "/src/Main.java", "mainClass": "Main$In"},
            {"program": "/src/Main.java", "main_class": "Main$In"},
        ),
    ],
)
def test_what_to_run(attributes: dict[str, str], expected: dict[str, str]) -> None:
    options = launch_options(launched(**attributes))
    assert {k: options[k] for k in ("main_class", "program", "module") if k in options} == expected


@pytest.mark.parametrize(
    "attributes", [{}, {"mainClass": "a.B", "program": "b.jar"}, {"mainClass": ""}]
)
def test_one_program_is_needed(attributes: dict[str, str]) -> None:
    with pytest.raises(RequestError, match="either `mainClass`"):
        launch_options(launched(**attributes))


def test_arguments_as_string_or_list() -> None:
    options = launch_options(launched(mainClass="M", args="a 'b c'", vmArgs=["-Xmx1g", "-ea"]))
    assert options["args"] == ["a", "b c"]
    assert options["vm_args"] == ["-Xmx1g", "-ea"]


def test_an_unclosed_quote_is_reported_with_the_attribute() -> None:
    with pytest.raises(RequestError, match=r"arguments\.vmArgs: No closing quotation"):
        launch_options(launched(mainClass="M", vmArgs="-Dx='1"))


@pytest.mark.parametrize("attribute", ["sourcePaths", "classPaths", "modulePaths"])
def test_relative_paths_belong_to_the_working_directory(attribute: str) -> None:
    options = launch_options(launched(mainClass="M", cwd="/shop", **{attribute: ["x", "/abs"]}))
    name = {"sourcePaths": "source_path", "classPaths": "class_path", "modulePaths": "module_path"}
    assert options[name[attribute]] == [Path("/shop/x"), Path("/abs")]


def test_null_is_absent() -> None:
    assert launched(mainClass="M", args=None, env=None, cwd=None) == launched(mainClass="M")


@pytest.mark.parametrize(
    ("attributes", "path"),
    [
        ({"args": 5}, "arguments.args"),
        ({"classPaths": "a.jar"}, "arguments.classPaths"),
        ({"classPaths": ["a", 1]}, r"arguments\.classPaths\[1\]"),
        ({"env": {"A": 1}}, "arguments.env.A"),
        ({"console": "window"}, "arguments.console.*integratedTerminal"),
        ({"encoding": "klingon"}, "arguments.encoding.*known encoding"),
        ({"agent": "best"}, "arguments.agent.*auto, jvmdebug, stock"),
        ({"stopOnEntry": "yes"}, "arguments.stopOnEntry: should be true or false, got 'yes'"),
        ({"env": {"A": "1", "B": 2}}, "arguments.env.B: should be a string, got 2"),
        ({"suspend": "none"}, "arguments.suspend: should be 'all' or 'thread', got 'none'"),
        ({"args": {}}, "arguments.args: should be a string or a list, got {}"),
        ({"cwd": "a\0b"}, "arguments: cwd has a NUL character"),
    ],
)
def test_an_ill_typed_attribute_is_named(attributes: dict[str, Any], path: str) -> None:
    with pytest.raises(RequestError, match=path):
        launched(mainClass="M", **attributes)


def test_attributes_without_effect_are_reported() -> None:
    given = launched(
        mainClass="M",
        type="jvmdebug",
        name="Launch",
        __sessionId="1",
        noSuchThing="shop",
        classPaths=["$Other", "a.jar", "!b.jar"],
        sourcePaths=["$Auto"],
        stepFilters={"skipClass": ["java.*"], "skipSynthetics": True},
        values={"hexadecimal": True},
    )
    first, filters, values, second, third = notes(given)
    assert "`noSuchThing` is not used" in first
    assert "`stepFilters.skipClass` is not used" in filters
    assert "`values.hexadecimal` is not used" in values
    assert second == "`classPaths`: $Other was left out: list directories and jars"
    assert third == "`sourcePaths`: $Auto was left out: list directories and jars"
    assert launch_options(given)["class_path"] == [Path.cwd() / "a.jar", "!b.jar"]


def test_the_paths_of_java_debug_are_those_of_the_project(tmp_path: Path) -> None:
    given = launched(mainClass="M", cwd=str(tmp_path), classPaths=["$Auto", "a.jar", "$Test"])
    assert notes(given) == []
    options = launch_options(given)
    assert options["class_path"] == ["$Auto", tmp_path / "a.jar", "$Test"]
    assert options["project"] is None, "that of the working directory: launch knows the words"
    file = launched(program="src/M.java", cwd=str(tmp_path), modulePaths=["$Runtime"])
    assert launch_options(file)["project"] == str(tmp_path / "src/M.java")
    jar = launched(program="app.jar", classPaths=["$Auto"])
    assert launch_options(jar)["project"] is None


def test_attributes_of_one_system_come_before_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    given = launched(mainClass="M", linux={"vmArgs": "-Xmx1g"}, osx={"vmArgs": "-Xmx2g"})
    assert (given.vm_args, notes(given)) == ("-Xmx1g", [])


def test_attach() -> None:
    assert attach_options(attached(port="5005", timeout=1500)) == {
        "host": "localhost",
        "port": 5005,
        "class_path": [],
        "source_path": [],
        "take_over": False,
        "token_file": None,
        "fingerprint": None,
        "on_disconnect": "resume",
        "reconnect_s": 60,
        "read_only": False,
        "timeout_s": 1.5,
    }


def test_attaching_to_a_container_or_a_pod() -> None:
    given = attached(container="shop", processId="7", sourceMap={"/app": "/here"})
    options = attach_options(given)
    assert (options["container"], options["pid"]) == ("shop", 7)
    assert options["source_map"] == {"/app": "/here"}
    options = attach_options(attached(pod="n/p", mainClass="shop.Main", debugImage="a-jdk"))
    assert (options["pod"], options["main_class"], options["debug_image"]) == (
        "n/p",
        "shop.Main",
        "a-jdk",
    )
    assert attach_options(attached(hostName="container:shop"))["host"] == "container:shop"


def test_a_class_path_of_which_nothing_exists_is_told(tmp_path: Path) -> None:
    given = attached(port=5005, classPaths=["/nope", "/neither"])
    assert attach_options(given)["class_path"] == []
    assert notes(given) == ["`classPaths`: nothing of /nope, /neither exists on this machine"]
    given = attached(port=5005, classPaths=["/nope", str(tmp_path)])
    assert attach_options(given)["class_path"] == [str(tmp_path)]
    assert notes(given) == []


@pytest.mark.parametrize("port", [0, 65536, "x", -1, "", 1.5, True])
def test_a_port_is_a_port(port: object) -> None:
    with pytest.raises(RequestError, match=r"arguments\.port"):
        attached(port=port)


def test_step_filters_of_java_debug() -> None:
    asked = StepFilterAttributes(skip_classes=["$JDK", "$Libraries", "$Other", "junit.*"])
    made = step_filters(asked)
    assert made.skip_classes == ("$JDK", "$Libraries", "junit.*")
    assert step_filters(StepFilterAttributes(class_name_filters=["a.*"])).skip_classes == ("a.*",)
    more = just_my_code(step_filters(StepFilterAttributes(skip_classes=["junit.*"])))
    assert more.skip_classes == ("$JDK", "$Libraries", "junit.*")


def test_attach_takes_class_paths(tmp_path: Path) -> None:
    given = attached(port=5005, classPaths=["$Auto", str(tmp_path)])
    assert attach_options(given)["class_path"] == [str(tmp_path)]
    assert notes(given) != []


def test_variables_of_files(tmp_path: Path) -> None:
    (tmp_path / "a.env").write_text(
        "# all kinds\n\nexport A=plain # not this\nB=\"two\\nlines\"\nC='x # y'\nD=a#b\nE=\n"
    )
    (tmp_path / "b.env").write_text("A=later\n")
    asked = {"cwd": str(tmp_path), "mainClass": "M", "env": {"E": "mine"}}
    options = launch_options(launched(**asked, envFile=["a.env", "b.env"]))
    assert options["env"] == {
        "A": "later",
        "B": "two\nlines",
        "C": "x # y",
        "D": "a#b",
        "E": "mine",
    }
    assert launch_options(launched(**asked, envFile="b.env"))["env"]["A"] == "later"


@pytest.mark.parametrize(
    ("content", "words"), [(None, "cannot read"), ("A\n", ":1 should be NAME")]
)
def test_a_file_of_variables_that_is_none(tmp_path: Path, content: str | None, words: str) -> None:
    if content is not None:
        (tmp_path / ".env").write_text(content)
    with pytest.raises(RequestError, match=words):
        launch_options(launched(mainClass="M", cwd=str(tmp_path), envFile=".env"))


def test_the_command_line_is_shortened_by_an_argument_file() -> None:
    assert launch_options(launched(mainClass="M"))["shorten"] == "auto"
    options = launch_options(launched(mainClass="M", shortenCommandLine="jarmanifest"))
    assert options["shorten"] == "argfile"


def test_a_process_by_its_number() -> None:
    options = attach_options(attached(processId="7"))
    assert options["pid"] == 7
    assert "port" not in options
    with pytest.raises(RequestError, match="should be the number of a process, got 'many'"):
        attach_options(attached(processId="many"))
