# SPDX-License-Identifier: Apache-2.0
"""The filters of class prepare requests for the classes of a source, because the program waits at
each event. Called by the resolver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.breakpoints.jdk_classes import exclusions
from jvmdebug.breakpoints.subtypes import if_loaded
from jvmdebug.jdwp.generated.events import ClassMatchModifier, SourceNameMatchModifier
from jvmdebug.sources import guessed_name

if TYPE_CHECKING:
    from jvmdebug.breakpoints.class_watch import PrepareFilter
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.virtual_machine import VirtualMachine

_REFERENCE: Final = "Java Debug Wire Protocol (Reference Implementation)"
"""How the description of a VM with the JDK's agent begins."""


def filters_of_source(vm: VirtualMachine, path: str) -> tuple[PrepareFilter, ...]:
    """The filters for the classes of a source, one request each: all classes from a VM whose agent
    cannot look at the names of sources.
    """
    if not _knows_sources(vm):
        return ((*exclusions(path), ClassMatchModifier("*")),)
    name = path.rpartition("/")[2]  # some compilers put a path into the attribute
    by_source = (SourceNameMatchModifier(f"*{name}"),)
    guessed = guessed_name(name)
    return (by_source,) if guessed is None else (by_source, (ClassMatchModifier(f"*{guessed}"),))


async def is_guessed(type_: ReferenceType) -> bool:
    """Whether it is an outermost class whose file does not name the source. Those of classes that
    are nested in it do not either, and their prepare events are requested by their names.
    """
    return "$" not in type_.name and await if_loaded(type_.source_file) is None


def _knows_sources(vm: VirtualMachine) -> bool:
    """Whether class prepare events may be limited to classes of a source. The agents of OpenJDK
    can, but do not say so in their capabilities.
    """
    is_known = vm.agent is not None or vm.version.description.startswith(_REFERENCE)
    return is_known or vm.capabilities.can_use_source_name_filters
