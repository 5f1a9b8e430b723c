# SPDX-License-Identifier: Apache-2.0
"""The declarations of the wire: complete, checked with clear errors, and their output fresh."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jvmdebug.jdwp.command import Command
from jvmdebug.jdwp.generated.catalog import COMMAND_NAMES, COMMAND_SETS
from native.protocol.generate.cli import generated_files, stale_files
from native.protocol.generate.declarations import read_declarations
from native.protocol.generate.errors import DeclarationError

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[3]
DECLARATIONS = ROOT / "native" / "protocol"

# Command set → the numbers of its commands, from the JDWP specification of JDK 25.
NUMBERS = {
    1: range(1, 23),
    2: range(1, 20),
    3: range(1, 5),
    4: range(1, 2),
    5: range(1, 2),
    6: range(1, 6),
    9: (1, 2, 3, 5, 6, 7, 8, 9, 10),
    10: range(1, 2),
    11: range(1, 16),
    12: range(1, 4),
    13: range(1, 4),
    14: range(1, 2),
    15: range(1, 4),
    16: range(1, 5),
    17: range(1, 2),
    18: range(1, 3),
    64: (100,),
}
# The same for what is ours: JDWP leaves the sets from 128 on to implementations.
OUR_NUMBERS = {
    128: (*range(1, 13), 20, 100, 101, 102, 110),
    129: (1,),
    130: (*range(1, 12), *range(100, 104)),
    131: (1, 2, 3),
    133: range(1, 11),
    134: range(1, 17),
    135: (1, 2, 3),
    136: (1, 2, 3, 4),
    137: (1, 2, 3),
}
# After these a debugger cannot rely on what it has read: `changes = true`.
CHANGING = {
    "VirtualMachine": {
        "Resume",
        "Dispose",
        "Exit",
        "RedefineClasses",
        "DisposeObjects",
        "SetDefaultStratum",
        "ReleaseEvents",
    },
    "ClassType": {"SetValues", "InvokeMethod", "NewInstance"},
    "InterfaceType": {"InvokeMethod"},
    "ArrayType": {"NewInstance"},
    "ObjectReference": {"SetValues", "InvokeMethod"},
    "ArrayReference": {"SetValues"},
    "StackFrame": {"SetValues", "PopFrames"},
    "ThreadReference": {"Resume", "Stop", "Interrupt", "ForceEarlyReturn"},
    "Agent": {"ResumeWith", "StopThread", "Jump"},
    "Jvmti": {"Change", "RedirectNative"},
    "Coverage": {"Start", "Stop"},
    "Origins": {"Start", "Stop"},
    "Recording": {"Start", "Stop"},
    "Probes": {"Install", "Change", "Remove", "Silence", "Complete", "Clear"},
}


def test_all_95_commands_of_17_sets_are_declared() -> None:
    declarations = read_declarations(DECLARATIONS)
    numbers = {
        command_set.number: sorted(command.number for command in command_set.commands)
        for command_set in declarations.command_sets
        if not command_set.is_ours
    }
    assert numbers == {number: sorted(commands) for number, commands in NUMBERS.items()}
    assert len(numbers) == 17
    assert sum(map(len, numbers.values())) == 95


def test_which_commands_change_the_vm() -> None:
    expected = {f"{name}.{command}" for name, commands in CHANGING.items() for command in commands}
    classes = [
        value
        for module in COMMAND_SETS
        for value in vars(import_module(f"jvmdebug.jdwp.generated.{module}")).values()
        if isinstance(value, type) and issubclass(value, Command) and value is not Command
    ]
    assert {one.NAME for one in classes if one.CHANGES} == expected
    page = generated_files(read_declarations(DECLARATIONS))[Path("docs/reference/jdwp.md")]
    sections = ("\n" + page).split("\n### ")[1:]
    assert {one.split(" (")[0] for one in sections if "\nChanges the VM.\n" in one} == expected


def test_the_catalog_names_them_all() -> None:
    numbers = NUMBERS | OUR_NUMBERS
    expected = {(number, command) for number, commands in numbers.items() for command in commands}
    assert set(COMMAND_NAMES) == expected
    assert set(COMMAND_SETS.values()) == set(numbers)


def test_the_reference_separates_our_commands_from_the_standard() -> None:
    text = generated_files(read_declarations(DECLARATIONS))[Path("docs/reference/jdwp.md")]
    introduction, _, rest = text.partition("## VirtualMachine")
    assert "95 commands in 17 command sets" in introduction
    ours = [line for line in introduction.splitlines() if line.startswith("| 128")]
    assert ["Ours" in line for line in ours] == [True]
    section = rest.partition("## Agent\n")[2].partition("###")[0]
    assert "not part of JDWP" in section


def test_the_reference_says_of_everything_how_it_is_supported() -> None:
    declarations = read_declarations(DECLARATIONS)
    page = generated_files(declarations)[Path("docs/reference/jdwp.md")]
    table, _, rest = page.partition("## Support\n")[2].partition("\n## ")
    rows = {line.split("]")[0][3:]: line for line in table.splitlines() if line.startswith("| [")}
    commands = {
        f"{command_set.name}.{command.name}": command.support
        for command_set in declarations.command_sets
        for command in command_set.commands
    }
    everything = commands | {
        case.name: case.support for variant in declarations.variants for case in variant.cases
    }
    assert rows.keys() == everything.keys()
    sections = {
        section.partition(" (")[0]: section for section in ("\n" + rest).split("\n### ")[1:]
    }
    bits = next(
        command.reply
        for command_set in declarations.command_sets
        for command in command_set.commands
        if command.name == "CapabilitiesNew"
    )
    for name, support in everything.items():
        assert support.capability is None or support.capability in {bit.name for bit in bits}
        for known in (support.capability, support.fast_mode, support.since):
            assert known is None or (str(known) in rows[name] and str(known) in sections[name])
    for one in declarations.differences:
        for name in one.about:
            assert one.why in sections[name]
            assert rows[name].split("|")[5].strip()
        assert one.about or one.why in table


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('about = ["StackFrame.PopFrames"]', 'about = ["PopFrames"]', "there is no command"),
        ('about = ["StackFrame.PopFrames"]', 'abut = ["x"]', "'abut' means nothing here"),
        ('about = ["CountModifier"]', 'about = ["CountFilter"]', "event or modifier 'CountFilter'"),
    ],
)
def test_a_difference_is_about_something(
    edited: Callable[[str, str, str], Path], old: str, new: str, message: str
) -> None:
    with pytest.raises(DeclarationError, match=message):
        read_declarations(edited("differences.toml", old, new))


OUR_MODIFIERS = {100, 101, 102, 103, 104, 105}
OUR_EVENTS = {110}


def test_modifiers_and_events_are_those_of_the_specification() -> None:
    variants = {variant.name: variant for variant in read_declarations(DECLARATIONS).variants}
    modifiers = {case.tag for case in variants["Modifier"].cases}
    assert modifiers - OUR_MODIFIERS == set(range(1, 14))
    assert modifiers >= OUR_MODIFIERS
    expected = {1, 2, 4, 6, 7, 8, 9, 20, 21, 40, 41, 42, 43, 44, 45, 46, 90, 99}
    assert {case.tag for case in variants["Event"].cases} == expected | OUR_EVENTS


def test_generated_files_are_fresh() -> None:
    stale = stale_files(ROOT, generated_files(read_declarations(DECLARATIONS)))
    assert stale == [], "run: python native/protocol/generate"


@pytest.mark.parametrize(
    "command", [["native/protocol/generate"], ["-m", "native.protocol.generate"]]
)
def test_the_generator_runs_as_a_program(command: list[str]) -> None:
    finished = subprocess.run(
        [sys.executable, *command, "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (finished.returncode, finished.stderr) == (0, "")


def test_a_changed_a_missing_and_a_leftover_file_are_stale(tmp_path: Path) -> None:
    files = generated_files(read_declarations(DECLARATIONS))
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    assert stale_files(tmp_path, files) == []

    changed = Path("jvmdebug/jdwp/generated/method.py")
    missing = Path("native/codec/generated/method.h")
    leftover = Path("native/codec/generated/field.h")
    (tmp_path / changed).write_text("# by hand\n", encoding="utf-8")
    (tmp_path / missing).unlink()
    (tmp_path / leftover).write_text("// of a set that is gone\n", encoding="utf-8")
    assert stale_files(tmp_path, files) == sorted([changed, missing, leftover])


@pytest.fixture
def edited(tmp_path: Path) -> Callable[[str, str, str], Path]:
    """A copy of the declarations with one text replaced by another."""

    def edit(file: str, old: str, new: str) -> Path:
        for path in DECLARATIONS.glob("*.toml"):
            shutil.copy(path, tmp_path)
        text = (tmp_path / file).read_text(encoding="utf-8")
        assert old in text
        (tmp_path / file).write_text(text.replace(old, new, 1), encoding="utf-8")
        return tmp_path

    return edit


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "thread_reference.toml",
            "start_frame     int ",
            "start_frame     integer ",
            r"thread_reference\.toml:\d+: Frames: field start_frame: 'integer' is not a type",
        ),
        (
            "thread_reference.toml",
            "int:ThreadStatus",
            "byte:ThreadStatus",
            r"thread_reference\.toml:\d+: Status: .*ThreadStatus is int on the wire, not byte",
        ),
        (
            "thread_reference.toml",
            "  frame_id ",
            "  class ",
            r"thread_reference\.toml:\d+: Frames: 'class' cannot be the name of a field",
        ),
        (
            "thread_reference.toml",
            "  location      location        where the frame is\n]",
            "  location      location        where the frame is\n",
            r"thread_reference\.toml:\d+: Frames: list frames is not closed",
        ),
        (
            "thread_reference.toml",
            '"INVALID_INDEX"',
            '"INVALID_INDICES"',
            r"thread_reference\.toml:\d+: Frames: constants\.toml has no error 'INVALID_INDICES'",
        ),
        (
            "thread_reference.toml",
            "number = 2\n",
            "number = 1\n",
            r"thread_reference\.toml:\d+: Suspend: two commands have the number 1",
        ),
        (
            "array_reference.toml",
            "values          raw_values      the untagged values",
            "values          raw_values      the untagged values\nlast int one more",
            r"array_reference\.toml:\d+: SetValues: field values: raw_values can only be last",
        ),
        (
            "method.toml",
            'doc = "A method of a type."',
            'doc = "A method of a type."\ndeferred = true',
            r"method\.toml:\d+: file: 'deferred' means nothing here",
        ),
        (
            "stack_frame.toml",
            "changes = true",
            "changed = true",
            r"stack_frame\.toml:\d+: SetValues: 'changed' means nothing here",
        ),
        (
            "stack_frame.toml",
            "changes = true",
            'changes = "yes"',
            r"stack_frame\.toml:\d+: SetValues: changes is true or false",
        ),
        (
            "stack_frame.toml",
            'role = "debug"\n',
            "",
            r"stack_frame\.toml:\d+: SetValues: needs role",
        ),
        (
            "stack_frame.toml",
            'role = "debug"',
            'role = "owner"',
            r"stack_frame\.toml:\d+: SetValues: the roles are read-only, observe, debug",
        ),
        (
            "event.toml",
            "from_agent = true",
            'from_agent = true\nrole = "debug"',
            r"event\.toml:\d+: Composite: what the agent sends needs no role",
        ),
        (
            "method.toml",
            "number = 6",
            "number = 5",
            r"method\.toml: number 5 is that of interface_type\.toml",
        ),
        (
            "constants.toml",
            "INVALID_THREAD = [10,",
            "INVALID_THREAD = [11,",
            r"constants\.toml:\d+: error: INVALID_THREAD_GROUP and INVALID_THREAD are both 11",
        ),
        (
            "events.toml",
            "tag = 90",
            "tag = 91",
            r"events\.toml:\d+: variant\.Event\.case\.VmStart: EventKind has no 91",
        ),
        (
            "thread_reference.toml",
            "never.THREAD_NOT_ALIVE",
            "never.DUPLICATE",
            r"thread_reference\.toml:\d+: ForceEarlyReturn: DUPLICATE is not one of its errors",
        ),
        (
            "events.toml",
            'kinds = ["CLASS_PREPARE"]',
            'kinds = ["CLASS_PREPARED"]',
            r"SourceNameMatch: EventKind has no 'CLASS_PREPARED'",
        ),
        ("events.toml", "[variant.Event]", "[variant.Event", r"events\.toml: not TOML: "),
    ],
)
def test_a_wrong_declaration_is_refused_with_its_place(
    edited: Callable[[str, str, str], Path], file: str, old: str, new: str, message: str
) -> None:
    with pytest.raises(DeclarationError, match=message):
        read_declarations(edited(file, old, new))


def test_an_error_in_a_field_names_its_line(edited: Callable[[str, str, str], Path]) -> None:
    folder = edited("thread_reference.toml", "start_frame     int ", "start_frame     integer ")
    lines = (folder / "thread_reference.toml").read_text(encoding="utf-8").splitlines()
    number = next(index for index, line in enumerate(lines, 1) if "integer" in line)
    with pytest.raises(DeclarationError, match=rf"thread_reference\.toml:{number}:"):
        read_declarations(folder)
