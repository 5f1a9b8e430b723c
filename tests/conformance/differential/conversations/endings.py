# SPDX-License-Identifier: Apache-2.0
"""The end of a conversation: dispose and exit; and a class that is replaced by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.finds import Finds
from tests.conformance.differential.registry import conversation
from tests.conformance.differential.scene import ZOO
from tests.conformance.jdwp.stage import ALL, NONE, VM_DEATH

if TYPE_CHECKING:
    from tests.conformance.differential.talk import Talk


@conversation(ZOO, fresh=True)
def disposed(talk: Talk) -> None:
    """The program goes on without a debugger."""
    talk.ask("VirtualMachine.Dispose")
    output, _ = talk.stage.jvm.communicate(timeout=20)
    talk.note("lines of output", len(output.splitlines()))


@conversation(ZOO, fresh=True)
def exited(talk: Talk) -> None:
    """With this exit code."""
    talk.ask("VirtualMachine.Exit", exit_code=7)
    talk.note("exit code", talk.stage.jvm.wait(timeout=20))


@conversation(ZOO, fresh=True)
def run_to_the_end(talk: Talk) -> None:
    """One's own request for the death of the VM, and the automatic event."""
    talk.ask("EventRequest.ClearAllBreakpoints")
    for policy in (NONE, ALL):
        talk.ask("EventRequest.Set", event_kind=VM_DEATH, suspend_policy=policy, modifiers=[])
    talk.ask("VirtualMachine.Resume")
    talk.next_set()
    talk.ask("VirtualMachine.Resume")
    talk.note("exit code", talk.stage.jvm.wait(timeout=20))


@conversation(ZOO, fresh=True)
def replaced_by_itself(talk: Talk) -> None:
    """The same class file once more; methods that are not on a stack keep their ids."""
    find = Finds(talk)
    signature = "Lzoo/Zoo$Cat;"
    (folder,) = talk.stage.program.class_path
    class_file = (folder / "zoo" / "Zoo$Cat.class").read_bytes()
    classes = [{"type_id": find.type(signature), "class_file": class_file}]
    talk.ask("VirtualMachine.RedefineClasses", classes=classes)
    listed = talk.ask("ReferenceType.Methods", type_id=find.type(signature))["methods"]
    for one in listed:
        where = {"type_id": find.type(signature), "method_id": one["method_id"]}
        talk.ask("Method.IsObsolete", **where)
        talk.ask("Method.LineTable", **where)
