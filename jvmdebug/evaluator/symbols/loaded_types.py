# SPDX-License-Identifier: Apache-2.0
"""The debuggee's classes as declarations: the TypeSource over the model.

Resolves names as one class (the frame's) does: where several loaders define a name, the class of
its own loader is preferred, then that of the bootstrap loader, then what its loader has found in
others before. What the JDK's loaders do not have is looked for as the class that has called the JDK
does. Classes not loaded yet, or only by loaders of others, are loaded by a ClassLoading; read-only
evaluations have none. Made by `expression` and `completion`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from jvmdebug.classfile.descriptors import descriptor_of, simple_name
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.class_reading import declared
from jvmdebug.evaluator.symbols.constant_fields import ConstantFields
from jvmdebug.evaluator.symbols.nested_names import NamedClasses
from jvmdebug.jdwp.generated.constants import ClassStatus
from jvmdebug.model.reference_type import ArrayType, ReferenceType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.evaluator.symbols.declarations import FieldDeclaration, TypeDeclaration
    from jvmdebug.evaluator.symbols.types import ConstantValue
    from jvmdebug.jdwp.ids import ReferenceTypeId
    from jvmdebug.model.values import ClassLoaderReference, ObjectReference


class ClassLoading(Protocol):
    """Loads classes in the debuggee, which runs code there: see `run.class_loading`."""

    async def load(self, name: str, home: ReferenceType) -> ReferenceType | None:
        """Load and link the class `name`, as Class.forName takes it, by the loader of `home`.

        None when there is none; DebuggeeException when its class file is not valid there.
        """

    async def initialize(self, type_: ReferenceType) -> None:
        """Run the static initializer, unless it has run.

        DebuggeeException with what Java throws: ExceptionInInitializerError when it fails,
        NoClassDefFoundError when it has failed before.
        """


class Caller(Protocol):
    """The class whose code runs the JDK's: see `bind.scope.CallerOfTheJdk`."""

    async def home(self) -> ReferenceType | None:
        """The class of the nearest frame that is not the JDK's, for a frame that is; else None."""


class Declarations:
    """Cache of the declarations of a VM, valid until a class is redefined.

    One for each VM: `vm.companion(Declarations)`.
    """

    def __init__(self) -> None:
        self._redefinitions = 0
        self._of_types: dict[ReferenceType, TypeDeclaration | None] = {}
        self._visible_from: dict[ReferenceType, dict[str, TypeDeclaration]] = {}
        self._absent: dict[ObjectReference | None, set[str]] = {}
        self._found_by: dict[ObjectReference, frozenset[ReferenceTypeId]] = {}
        self.initialized: set[ReferenceType] = set()
        """Classes whose static initializer has run; that stays so."""
        self.shared_names: set[str] = set()
        """Names under which several loaders were found to have a class."""

    def absent(self, loader: ObjectReference | None) -> set[str]:
        """The names for which a loader has found no class. Such a class may still be defined at
        run time: look among the loaded ones first.
        """
        return self._absent.setdefault(loader, set())

    def visible_from(self, home: ReferenceType) -> dict[str, TypeDeclaration]:
        """Classes by binary name, of the loader of `home` and of the bootstrap loader."""
        self._forget_outdated(home)
        return self._visible_from.setdefault(home, {})

    async def found_by(
        self, loader: ClassLoaderReference, namesakes: Sequence[ReferenceType]
    ) -> ReferenceType | None:
        """The one of several classes of a name that a loader has found, in another loader too."""
        known = self._found_by.get(loader, frozenset())
        if known.isdisjoint(each.id for each in namesakes):
            known = self._found_by[loader] = await loader.visible_classes()
        return next((each for each in namesakes if each.id in known), None)

    async def of(self, type_: ReferenceType) -> TypeDeclaration | None:
        """None for a class that is loaded but not linked: it counts as not loaded."""
        self._forget_outdated(type_)
        known = self._of_types.get(type_)
        if known is None:
            known = self._of_types[type_] = await declared(type_)
        return known

    def _forget_outdated(self, type_: ReferenceType) -> None:
        if self._redefinitions != type_.vm.redefinitions:
            self.forget()
            self._redefinitions = type_.vm.redefinitions

    def forget(self) -> None:
        """Clear the cache: a class was redefined or unloaded."""
        self._of_types.clear()
        self._visible_from.clear()
        self._found_by.clear()
        self.initialized.clear()

    async def close(self) -> None:
        """The connection is closed."""
        self.forget()


class LoadedTypes:
    """Types as the class `home` sees them. `loading` loads more; with None, nothing is loaded."""

    def __init__(
        self, home: ReferenceType, loading: ClassLoading | None, caller: Caller | None = None
    ) -> None:
        self._home = home
        self._loading = loading
        self._caller = caller
        self._declarations = home.vm.companion(Declarations)
        self._known: dict[str, TypeDeclaration | None] = {}
        self._ambiguous: set[str] = set()
        self._of_others: set[str] = set()
        """Found in a loader that the one of `home` may not look in."""
        self._all_names: dict[str, list[str]] | None = None

    @property
    def can_load(self) -> bool:
        return self._loading is not None

    def loading_by(self, loading: ClassLoading | None) -> LoadedTypes:
        """The same types for another evaluation."""
        other = LoadedTypes(self._home, loading, self._caller)
        # A class that was missing may have been loaded in the meantime.
        missing = [name for name, known in self._known.items() if known is None]
        for name in missing:
            del self._known[name]
        other._known = self._known
        other._ambiguous, other._of_others = self._ambiguous, self._of_others
        return other

    def seen_by(self, type_: ReferenceType) -> LoadedTypes:
        """Types as another class sees them."""
        return LoadedTypes(type_, self._loading)

    @property
    def has_missed(self) -> bool:
        """Whether a class was looked for that is not loaded: it may be later."""
        return None in self._known.values()

    async def declaration(self, name: str) -> TypeDeclaration | None:
        if name not in self._known:
            self._known[name] = await self._found(name)
        return self._known[name]

    async def _found(self, name: str) -> TypeDeclaration | None:
        seen = self._declarations.visible_from(self._home)
        if name in seen:
            return seen[name]
        found = await self._loaded(descriptor_of(name))
        declaration = None if found is None else await self._declarations.of(found)
        if found is not None and declaration is not None:
            home, loader = await asyncio.gather(self._home.class_loader(), found.class_loader())
            if loader in (home, None):
                seen[name] = declaration
            elif home is not None:
                self._of_others.add(name)
        return declaration

    async def _is_seen(self, name: str) -> bool:
        """Whether what was found under a name is what `home` sees under it."""
        known = self._known.get(name)
        if known is None or known.origin is None or name not in self._of_others:
            return known is not None
        home = await self._home.class_loader()
        if home is None or await self._declarations.found_by(home, (known.origin,)) is None:
            return False
        self._keep(name, known)
        return True

    def _keep(self, name: str, declaration: TypeDeclaration) -> None:
        self._known[name] = self._declarations.visible_from(self._home)[name] = declaration
        self._of_others.discard(name)
        self._ambiguous.discard(name)

    async def load(
        self, name: str, beside: TypeDeclaration | None = None
    ) -> TypeDeclaration | None:
        known = await self.declaration(name)
        if self._loading is None or await self._is_seen(name):
            return known
        loaded = None
        if beside is not None and beside.origin is not None:
            loaded = await self._load_by(self._loading, beside.origin, name)
        if loaded is None:
            loaded = await self._load_by(self._loading, self._home, name)
        if loaded is None:
            caller = await self._calling()
            if caller is not None:
                loaded = await self._load_by(self._loading, caller, name)
        declaration = None if loaded is None else await self._declarations.of(loaded)
        if declaration is not None and known is not None:
            self._keep(name, declaration)
        elif loaded is not None:
            self._known[name] = declaration
        return self._known[name]

    async def _load_by(
        self, loading: ClassLoading, home: ReferenceType, name: str
    ) -> ReferenceType | None:
        absent = self._declarations.absent(await home.class_loader())
        if name in absent:
            return None
        loaded = await loading.load(name, home)
        if loaded is None:
            absent.add(name)
        return loaded

    async def _calling(self) -> ReferenceType | None:
        return None if self._caller is None else await self._caller.home()

    def has_namesakes(self, name: str) -> bool:
        """Whether several loaders were found to have a class of that name."""
        return name in self._declarations.shared_names

    def is_ambiguous(self, name: str) -> bool:
        return name in self._ambiguous

    async def names(self, declaration: TypeDeclaration, name: str) -> bool:
        if declaration.origin is None:
            return False
        known = await self._home.vm.companion(NamedClasses).of(declaration.origin)
        return known is not None and name in known

    async def constant(self, field: FieldDeclaration) -> ConstantValue | None:
        is_final = field.is_static and field.is_final and types.is_constant_type(field.type)
        if not is_final or field.origin is None:
            return None
        return await self._home.vm.companion(ConstantFields).value(field.origin)

    async def all_names(self) -> Sequence[str]:
        return [
            each.name
            for each in await self._home.vm.all_classes()
            if not isinstance(each, ArrayType)
        ]

    async def by_simple_name(self, name: str) -> Sequence[str]:
        if self._all_names is None:
            self._all_names = {}
            for each in await self._home.vm.all_classes():
                if not isinstance(each, ArrayType):
                    simple = simple_name(each.name).rpartition("$")[2].lstrip("0123456789")
                    self._all_names.setdefault(simple, []).append(each.name)
        return sorted(set(self._all_names.get(name, ())))

    async def array_class(self, type_: types.ArrayType) -> ArrayType:
        """The class of arrays of that type; loaded if necessary."""
        found = await self._loaded(type_.descriptor)
        is_clear = found is not None and not self.is_ambiguous(found.name)
        if not is_clear and self._loading is not None:
            found = await self._loading.load(type_.descriptor.replace("/", "."), self._home)
        if not isinstance(found, ArrayType):
            raise EvaluationError(f"the class {type_} is not loaded, and cannot be loaded here")
        return found

    async def initialize(self, type_: ReferenceType) -> None:
        """Initialize a class, as its first use in Java would; not without loading."""
        initialized = self._declarations.initialized
        if type_ in initialized or self._loading is None:
            return
        if not await type_.status() & ClassStatus.INITIALIZED:
            await self._loading.initialize(type_)
        initialized.add(type_)

    # --- finding ---------------------------------------------------------------------------------

    async def _loaded(self, descriptor: str) -> ReferenceType | None:
        if descriptor == self._home.signature:
            return self._home
        found = await self._home.vm.classes_by_signature(descriptor)
        if len(found) < 2:
            return found[0] if found else None
        self._declarations.shared_names.add(found[0].name)
        home, *loaders = await asyncio.gather(
            self._home.class_loader(), *(each.class_loader() for each in found)
        )
        by_loader = dict(zip(loaders, found, strict=True))
        visible = by_loader.get(home) or by_loader.get(None)
        if visible is None and home is not None:
            visible = await self._declarations.found_by(home, found)
        if visible is not None:
            return visible
        caller = await self._calling()
        by_caller = None if caller is None else by_loader.get(await caller.class_loader())
        if by_caller is None:
            self._ambiguous.add(found[0].name)
        return by_caller or found[0]
