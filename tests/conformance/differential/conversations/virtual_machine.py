# SPDX-License-Identifier: Apache-2.0
"""What the agents say about the VM as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.fixture import TARGET
from tests.conformance.differential.registry import conversation, conversations_over

if TYPE_CHECKING:
    from tests.conformance.differential.recording_client import RecordingClient
    from tests.support.wire_reading import Message


@conversation(TARGET)
def version(client: RecordingClient) -> None:
    client.ask("VirtualMachine.Version")


@conversation(TARGET)
def id_sizes(client: RecordingClient) -> None:
    client.ask("VirtualMachine.IDSizes")


@conversation(TARGET)
def capabilities(client: RecordingClient) -> None:
    client.ask("VirtualMachine.Capabilities")
    client.ask("VirtualMachine.CapabilitiesNew")


@conversation(TARGET)
def threads(client: RecordingClient) -> None:
    client.ask("VirtualMachine.AllThreads")
    client.ask("VirtualMachine.TopLevelThreadGroups")


@conversation(TARGET)
def modules(client: RecordingClient) -> None:
    client.ask("VirtualMachine.AllModules")


@conversation(TARGET)
def class_paths(client: RecordingClient) -> None:
    client.ask("VirtualMachine.ClassPaths")


@conversations_over(
    {
        "class": "Ltarget/Target;",
        "interface": "Ltarget/Target$Named;",
        "array": "[Ljava/lang/String;",
        "array_of_arrays": "[[I",
        "primitive_array": "[I",
        "dots": "Ltarget.Target;",
        "no_semicolon": "Ltarget/Target",
        "name_alone": "target/Target",
        "primitive": "I",
        "empty": "",
        "not_loaded": "Lno/such/Type;",
        "other_letters": "Ltarget/\u00e9\U0001f600;",
        "method": "(I)V",
        "array_of_nothing": "[",
    },
    TARGET,
)
def classes_by_signature(client: RecordingClient, signature: str) -> None:
    client.ask("VirtualMachine.ClassesBySignature", signature=signature)


def _of_the_target(reply: Message) -> Message:
    own = ("Ltarget/", "[Ltarget/", "Ljava/lang/Object;", "[I", "[[I")
    return {"classes": [one for one in reply["classes"] if one["signature"].startswith(own)]}


@conversation(TARGET)
def all_classes(client: RecordingClient) -> None:
    """The classes, of thousands those that both runs must have."""
    client.ask("VirtualMachine.AllClasses", only=_of_the_target)
    client.ask("VirtualMachine.AllClassesWithGeneric", only=_of_the_target)


@conversation(TARGET)
def default_stratum(client: RecordingClient) -> None:
    """Set, and set back."""
    for stratum in ("Kotlin", "", "Java"):
        client.ask("VirtualMachine.SetDefaultStratum", stratum_id=stratum)


@conversation(TARGET)
def strings_for_everyone(client: RecordingClient) -> None:
    """Created twice, two objects."""
    for _ in range(2):
        client.ask("VirtualMachine.CreateString", text="same")


@conversation(TARGET)
def held_and_released(client: RecordingClient) -> None:
    """Events are held and released, once too often."""
    for command in ("HoldEvents", "HoldEvents", "ReleaseEvents", "ReleaseEvents"):
        client.ask(f"VirtualMachine.{command}")


@conversation(TARGET)
def suspended_and_resumed(client: RecordingClient) -> None:
    """Counted on top of the suspension of the breakpoint."""
    thread = client.session.main_thread
    for command in ("Suspend", "Suspend", "Resume", "Resume"):
        client.ask(f"VirtualMachine.{command}")
        client.ask("ThreadReference.SuspendCount", thread=thread)


@conversation(TARGET)
def commands_that_are_not(client: RecordingClient) -> None:
    """Numbers without command, in sets with and without."""
    for command_set, number in ((1, 99), (2, 20), (0, 1), (7, 1), (64, 100), (99, 1)):
        client.ask_raw(command_set, number, b"")


@conversation(TARGET)
def command_zero(client: RecordingClient) -> None:
    assert client.ask_raw(1, 0, b"") == 99


@conversation(TARGET)
def cut_requests(client: RecordingClient) -> None:
    """Requests that end too early, or go on too long."""
    for command_set, number in ((2, 1), (9, 1), (11, 1), (13, 2), (16, 1), (15, 1), (1, 2)):
        for payload in (b"", b"\0", b"\0\0\0\0"):
            client.ask_raw(command_set, number, payload)
    client.ask_raw(1, 7, b"more than nothing")
