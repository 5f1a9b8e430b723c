# SPDX-License-Identifier: Apache-2.0
"""The end of a conversation: dispose and exit; and a class that is redefined with the same code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.finds import Finds
from tests.conformance.differential.fixture import TARGET
from tests.conformance.differential.registry import conversation
from tests.support.jdwp_session import ALL, LISTENING, NONE, VM_DEATH

if TYPE_CHECKING:
    from tests.conformance.differential.recording_client import RecordingClient


@conversation(TARGET, fresh=True)
def disposed(client: RecordingClient) -> None:
    """The program goes on without a debugger."""
    client.ask("VirtualMachine.Dispose")
    client.vm.drain()
    output, _ = client.session.jvm.communicate(timeout=20)
    # The program may end before the agent has said that it listens again.
    printed = [line for line in output.splitlines() if not LISTENING.match(line)]
    client.note("lines of output", len(printed))


@conversation(TARGET, fresh=True)
def exited(client: RecordingClient) -> None:
    """Ends with this exit code."""
    client.ask("VirtualMachine.Exit", exit_code=7)
    client.vm.drain()
    client.note("exit code", client.session.jvm.wait(timeout=20))


@conversation(TARGET, fresh=True)
def run_to_the_end(client: RecordingClient) -> None:
    """One's own request for the death of the VM, and the automatic event."""
    client.ask("EventRequest.ClearAllBreakpoints")
    for policy in (NONE, ALL):
        client.ask("EventRequest.Set", event_kind=VM_DEATH, suspend_policy=policy, modifiers=[])
    client.ask("VirtualMachine.Resume")
    client.next_set()
    client.ask("VirtualMachine.Resume")
    client.vm.drain()
    client.note("exit code", client.session.jvm.wait(timeout=20))


@conversation(TARGET, fresh=True)
def replaced_by_itself(client: RecordingClient) -> None:
    """The same class file once more; methods that are not on a stack keep their ids."""
    find = Finds(client)
    signature = "Ltarget/Target$Cat;"
    (folder,) = client.session.program.class_path
    class_file = (folder / "target" / "Target$Cat.class").read_bytes()
    classes = [{"type_id": find.type(signature), "class_file": class_file}]
    client.ask("VirtualMachine.RedefineClasses", classes=classes)
    listed = client.ask("ReferenceType.Methods", type_id=find.type(signature))["methods"]
    for one in listed:
        where = {"type_id": find.type(signature), "method_id": one["method_id"]}
        client.ask("Method.IsObsolete", **where)
        client.ask("Method.LineTable", **where)
