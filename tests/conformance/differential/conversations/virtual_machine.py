# SPDX-License-Identifier: Apache-2.0
"""What the agents say about the VM as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.registry import conversation
from tests.conformance.differential.scene import ZOO

if TYPE_CHECKING:
    from tests.conformance.differential.talk import Talk


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
