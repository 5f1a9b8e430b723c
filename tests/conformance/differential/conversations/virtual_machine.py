# SPDX-License-Identifier: Apache-2.0
"""What the agents say about the VM as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.registry import conversation, conversations_over
from tests.conformance.differential.scene import ZOO

if TYPE_CHECKING:
    from tests.conformance.differential.talk import Talk
    from tests.support.wire_reading import Message


@conversation(ZOO)
def version(talk: Talk) -> None:
    talk.ask("VirtualMachine.Version")


@conversation(ZOO)
def id_sizes(talk: Talk) -> None:
    talk.ask("VirtualMachine.IDSizes")


@conversation(ZOO)
def capabilities(talk: Talk) -> None:
    talk.ask("VirtualMachine.Capabilities")
    talk.ask("VirtualMachine.CapabilitiesNew")


@conversation(ZOO)
def threads(talk: Talk) -> None:
    talk.ask("VirtualMachine.AllThreads")
    talk.ask("VirtualMachine.TopLevelThreadGroups")


@conversation(ZOO)
def modules(talk: Talk) -> None:
    talk.ask("VirtualMachine.AllModules")


@conversation(ZOO)
def class_paths(talk: Talk) -> None:
    talk.ask("VirtualMachine.ClassPaths")


@conversations_over(
    {
        "class": "Lzoo/Zoo;",
        "interface": "Lzoo/Zoo$Named;",
        "array": "[Ljava/lang/String;",
        "array_of_arrays": "[[I",
        "primitive_array": "[I",
        "dots": "Lzoo.Zoo;",
        "no_semicolon": "Lzoo/Zoo",
        "name_alone": "zoo/Zoo",
        "primitive": "I",
        "empty": "",
        "not_loaded": "Lno/such/Type;",
        "other_letters": "Lzoo/\u00e9\U0001f600;",
        "method": "(I)V",
        "array_of_nothing": "[",
    },
    ZOO,
)
def classes_by_signature(talk: Talk, signature: str) -> None:
    talk.ask("VirtualMachine.ClassesBySignature", signature=signature)


def _of_the_zoo(reply: Message) -> Message:
    own = ("Lzoo/", "[Lzoo/", "Ljava/lang/Object;", "[I", "[[I")
    return {"classes": [one for one in reply["classes"] if one["signature"].startswith(own)]}


@conversation(ZOO)
def all_classes(talk: Talk) -> None:
    """Of thousands, those that both runs must have."""
    talk.ask("VirtualMachine.AllClasses", only=_of_the_zoo)
    talk.ask("VirtualMachine.AllClassesWithGeneric", only=_of_the_zoo)


@conversation(ZOO)
def default_stratum(talk: Talk) -> None:
    """Set, and set back."""
    for stratum in ("Kotlin", "", "Java"):
        talk.ask("VirtualMachine.SetDefaultStratum", stratum_id=stratum)


@conversation(ZOO)
def strings_for_everyone(talk: Talk) -> None:
    """Created twice, two objects."""
    for _ in range(2):
        talk.ask("VirtualMachine.CreateString", text="same")


@conversation(ZOO)
def held_and_released(talk: Talk) -> None:
    """Events are held and released, once too often."""
    for command in ("HoldEvents", "HoldEvents", "ReleaseEvents", "ReleaseEvents"):
        talk.ask(f"VirtualMachine.{command}")


@conversation(ZOO)
def suspended_and_resumed(talk: Talk) -> None:
    """Counted on top of the suspension of the breakpoint."""
    thread = talk.stage.main_thread
    for command in ("Suspend", "Suspend", "Resume", "Resume"):
        talk.ask(f"VirtualMachine.{command}")
        talk.ask("ThreadReference.SuspendCount", thread=thread)


@conversation(ZOO)
def commands_that_are_not(talk: Talk) -> None:
    """Numbers without command, in sets with and without."""
    for command_set, number in ((1, 99), (2, 20), (0, 1), (7, 1), (64, 100), (99, 1)):
        talk.ask_raw(command_set, number, b"")


@conversation(ZOO)
def command_zero(talk: Talk) -> None:
    assert talk.ask_raw(1, 0, b"") == 99


@conversation(ZOO)
def cut_requests(talk: Talk) -> None:
    """Requests that end too early, or go on too long."""
    for command_set, number in ((2, 1), (9, 1), (11, 1), (13, 2), (16, 1), (15, 1), (1, 2)):
        for payload in (b"", b"\0", b"\0\0\0\0"):
            talk.ask_raw(command_set, number, payload)
    talk.ask_raw(1, 7, b"more than nothing")
