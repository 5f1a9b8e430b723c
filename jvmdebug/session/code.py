# SPDX-License-Identifier: Apache-2.0
"""The code of the program as the public API shows it: listings of classes, addresses, instructions.

Owns the listings that were made (one for each class, so that its lines stay true) and the addresses
that were assigned. A session has one, `session.code`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jvmdebug.classfile.descriptors import descriptor_of
from jvmdebug.errors import SourceError
from jvmdebug.model.lifetimes import Memo
from jvmdebug.session.loaded_sources import LoadedSources
from jvmdebug.session.modules import Modules
from jvmdebug.session.program_names import ProgramNames
from jvmdebug.sources import ClassListing, CodeAddresses, code_lines, source_paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jvmdebug.events import Router
    from jvmdebug.model.location import Location
    from jvmdebug.model.method import Method
    from jvmdebug.model.module import Module
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.thread import Thread
    from jvmdebug.session.events import EventFeed
    from jvmdebug.session.modules import LoadedModule
    from jvmdebug.sources import CodeLine, SourceFile, SourceFinder


class Code:
    """What one session knows about the code of its program."""

    def __init__(self, router: Router, sources: SourceFinder, feed: EventFeed) -> None:
        self._vm = vm = router.vm
        self._modules = Modules(vm)
        self._sources = LoadedSources(router, sources, feed)
        self.names = ProgramNames(vm, sources)
        """What there is to name: classes, members, files."""
        self._listings = Memo()
        self._before: dict[tuple[Thread, int], Location] = {}
        self._addresses = CodeAddresses()

    def __repr__(self) -> str:
        return f"Code(of {self._vm.connection.peer})"

    async def listing(self, type_name: str) -> ClassListing:
        """The bytecode of a loaded class as text: `listing("shop.Cart$Item")`.

        Raises SourceError if no such class is loaded, UnsupportedError if the VM cannot read
        bytecode.
        """
        try:
            descriptor = descriptor_of(type_name)
        except ValueError:
            raise SourceError(f"{type_name!r} is not the name of a class") from None
        found = await self._vm.classes_by_signature(descriptor)
        if not found or descriptor.startswith("["):
            raise SourceError(
                f"no class {type_name} is loaded; nested classes are written shop.Cart$Item"
            )
        return await self.listing_of(found[0])

    async def listing_of(self, type_: ReferenceType) -> ClassListing:
        """The listing of a class; the same one until the class is redefined."""

        async def make() -> ClassListing:
            return await ClassListing.of(type_)

        return await self._listings.get(type_, make)

    async def source_path(self, type_: ReferenceType) -> str:
        """`shop/Cart.java`: where the source of a class should be."""
        return (await source_paths(type_))[0]

    async def address_of(self, location: Location) -> int | None:
        """A number for an instruction, valid for the whole session; None where there is no code."""
        return await self._addresses.address_of(location)

    async def location_at(self, address: int) -> Location | None:
        """The instruction with this address; None for one that was never assigned."""
        return await self._addresses.location_at(address)

    async def lines(
        self, address: int, offset: int = 0, count: int = 1
    ) -> list[tuple[int, CodeLine] | None]:
        """`count` instructions with their addresses, from `offset` instructions behind `address`.

        None stands for positions before and after the code of the class. SourceError for an
        address that was never assigned.
        """
        start = await self.location_at(address)
        if start is None:
            raise SourceError(f"there is no code at the address {address:#x}")
        found = await code_lines(start, offset, count)
        locations = [line.location for line in found if line is not None]
        known = dict(
            zip(locations, await asyncio.gather(*map(self.address_of, locations)), strict=True)
        )
        shown: list[tuple[int, CodeLine] | None] = []
        for line in found:
            at = None if line is None else known[line.location]
            shown.append(None if line is None or at is None else (at, line))
        return shown

    async def modules(self) -> tuple[LoadedModule, ...]:
        """The modules that are loaded, the unnamed ones of class loaders too; none before Java 9.

        One round trip when called again, plus some for each new module.
        """
        return await self._modules.all()

    async def module_of(self, type_: ReferenceType) -> Module | None:
        """The module of a type; None before Java 9."""
        return await self._modules.of(type_)

    async def sources(self) -> tuple[SourceFile, ...]:
        """The sources of all loaded classes that are found, without those of the JDK.

        From now on the session posts SourceLoaded for each further one.
        """
        return await self._sources.all()

    def remember(self, frames: Mapping[tuple[Thread, int], Location]) -> None:
        """Locations of frames, by thread and height from the bottom, before code is replaced."""
        self._before.update((key, each) for key, each in frames.items() if each.method.has_code)

    def replaced(self, thread: Thread, height: int) -> Method | None:
        """The method of a frame that runs old code; None if it was not recorded before."""
        found = self._before.get((thread, height))
        return None if found is None else found.method

    def forget(self, types: Iterable[ReferenceType]) -> None:
        """These classes were redefined: their listings are created again."""
        for type_ in types:
            self._listings.drop(type_)
