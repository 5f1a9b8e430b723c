# SPDX-License-Identifier: Apache-2.0
"""What the session tells the evaluator of a VM, before there is any expression.

Imported at the start of every session, so it imports nothing of the evaluator that is slow to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.evaluator.bind.imports import Imports

if TYPE_CHECKING:
    from pathlib import Path

    from jvmdebug.evaluator.bind.imports import ImportLookup
    from jvmdebug.model.virtual_machine import VirtualMachine


class AddedClassPath:
    """More places of classes of the program: `vm.companion(AddedClassPath)`."""

    def __init__(self) -> None:
        self.paths: tuple[Path, ...] = ()
        """What the user names besides: the program may run on another machine."""

    async def close(self) -> None:
        """Nothing is to be ended."""


def use_imports(vm: VirtualMachine, lookup: ImportLookup) -> None:
    """Use the imports of source files for expressions in the VM, from now on."""
    vm.companion(Imports).lookup = lookup


def use_class_path(vm: VirtualMachine, paths: tuple[Path, ...]) -> None:
    """Look in these directories and jars for classes of the program, from now on."""
    vm.companion(AddedClassPath).paths = paths
