# SPDX-License-Identifier: Apache-2.0
"""Classes of a fake VM as declarations: loaders, classes that are not loaded, caches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.loaded_types import LoadedTypes
from jvmdebug.jdwp.generated.constants import TypeTag
from jvmdebug.jdwp.ids import ObjectId, ReferenceTypeId
from tests.support.fake_classes import FakeClass, FakeClasses, FakeField, FakeMethod

if TYPE_CHECKING:
    from jvmdebug.model import ReferenceType, VirtualMachine
    from tests.support.fake_vm import FakeVm
    from tests.support.wire_reading import Message

APP, PLUGIN, BOOT = 901, 902, 0


@dataclass
class Program:
    """The classes of a fake VM and their loaders."""

    vm: VirtualMachine
    classes: FakeClasses
    loaders: dict[int, int] = field(default_factory=dict)
    found_elsewhere: list[int] = field(default_factory=list)
    """The classes that the loader APP has found in other loaders."""

    def load(self, name: str, *members: FakeMethod | FakeField, loader: int = APP) -> FakeClass:
        made = self.classes.load(
            name,
            *(each for each in members if isinstance(each, FakeMethod)),
            fields=tuple(each for each in members if isinstance(each, FakeField)),
        )
        self.loaders[made.id] = loader
        return made

    def loader(self, request: Message) -> Message:
        return {"class_loader": self.loaders.get(request["type_id"], BOOT)}

    def visible(self, request: Message) -> Message:
        loader = request["class_loader"]
        own = [type_id for type_id, each in self.loaders.items() if each == loader]
        ids = own + (self.found_elsewhere if loader == APP else [])
        return {"classes": [{"type_tag": TypeTag.CLASS, "type_id": each} for each in ids]}

    def mirror(self, class_: FakeClass) -> ReferenceType:
        id_ = ReferenceTypeId(ObjectId(class_.id))
        return self.vm.known_type(TypeTag.CLASS, id_, class_.signature)


@dataclass
class Loading:
    """A ClassLoading that loads into the fake VM, but not what is called Missing."""

    program: Program
    loaded: list[str] = field(default_factory=list)
    initialized: list[str] = field(default_factory=list)

    async def load(self, name: str, home: ReferenceType) -> ReferenceType | None:
        assert home.name == "shop.Cart"
        self.loaded.append(name)
        return None if name.endswith("Missing") else self.program.mirror(self.program.load(name))

    async def initialize(self, type_: ReferenceType) -> None:
        self.initialized.append(type_.name)


@pytest.fixture
def program(fake_vm: FakeVm, vm: VirtualMachine) -> Program:
    made = Program(vm, FakeClasses(fake_vm))
    fake_vm.on("ReferenceType.ClassLoader", made.loader)
    fake_vm.on("ClassLoaderReference.VisibleClasses", made.visible)
    return made


@pytest.fixture
def home(program: Program) -> ReferenceType:
    """The class of the frame."""
    return program.mirror(program.load("shop.Cart"))


async def test_members_that_a_class_declares(program: Program, home: ReferenceType) -> None:
    add = FakeMethod("add", "(IJ)Ljava/lang/String;")
    program.load("shop.Item", FakeField("price", "D"), add)
    item = await LoadedTypes(home, None).declaration("shop.Item")
    assert item is not None
    assert [(each.name, str(each.type)) for each in item.fields] == [("price", "double")]
    assert [str(each) for each in item.methods] == ["add(int, long)"]
    assert str(item.superclass) == "java.lang.Object"
    assert item.origin is not None


@pytest.mark.parametrize(
    ("loaders", "chosen"),
    [((PLUGIN, APP), 1), ((APP, BOOT), 0), ((PLUGIN, BOOT), 1), ((PLUGIN, 903), 0)],
)
async def test_the_loader_of_the_frames_class_comes_first_then_the_bootstrap_loader(
    program: Program, home: ReferenceType, loaders: tuple[int, ...], chosen: int
) -> None:
    made = [program.load("lib.Util", loader=loader) for loader in loaders]
    found = await LoadedTypes(home, None).declaration("lib.Util")
    assert found is not None
    assert found.origin == program.mirror(made[chosen])


async def test_namesakes_that_the_frames_class_does_not_see_are_ambiguous(
    program: Program, home: ReferenceType
) -> None:
    for loader in (PLUGIN, 903):
        program.load("lib.Util", loader=loader)
    source = LoadedTypes(home, None)
    await source.declaration("lib.Util")
    assert source.is_ambiguous("lib.Util")


@pytest.mark.parametrize("chosen", [0, 1])
async def test_what_the_loader_has_found_in_another_one_is_seen(
    program: Program, home: ReferenceType, chosen: int
) -> None:
    made = [program.load("lib.Util", loader=loader) for loader in (PLUGIN, 903)]
    program.found_elsewhere.append(made[chosen].id)
    source = LoadedTypes(home, None)
    found = await source.declaration("lib.Util")
    assert found is not None
    assert found.origin == program.mirror(made[chosen])
    assert not source.is_ambiguous("lib.Util")
    assert source.has_namesakes("lib.Util")


async def test_a_class_of_another_loader_is_not_taken_for_one_that_is_not_loaded(
    program: Program, home: ReferenceType
) -> None:
    other = program.load("lib.Util", loader=PLUGIN)
    loading = Loading(program)
    source = LoadedTypes(home, loading)
    found = await source.declaration("lib.Util")
    assert found is not None
    assert found.origin == program.mirror(other)
    own = await source.load("lib.Util")
    assert own is not None
    assert own.origin != program.mirror(other)
    assert await source.declaration("lib.Util") is own
    assert loading.loaded == ["lib.Util"]


@dataclass
class CalledBy:
    """A Caller."""

    type: ReferenceType

    async def home(self) -> ReferenceType:
        return self.type


async def test_the_loader_of_the_class_that_has_called_the_jdk(program: Program) -> None:
    """A loader of classes that neither the frame's class nor the bootstrap loader sees."""
    caller = program.mirror(program.load("plug.In", loader=PLUGIN))
    jdk = program.mirror(program.load("java.lang.Integer", loader=BOOT))
    made = [program.load("lib.Util", loader=loader) for loader in (APP, PLUGIN)]
    source = LoadedTypes(jdk, None, CalledBy(caller))
    found = await source.declaration("lib.Util")
    assert found is not None
    assert found.origin == program.mirror(made[1])
    assert not source.is_ambiguous("lib.Util")


async def test_without_loading_nothing_is_loaded(home: ReferenceType) -> None:
    source = LoadedTypes(home, None)
    assert await source.load("lib.Other") is None
    with pytest.raises(EvaluationError, match="cannot be loaded here"):
        await source.array_class(types.ArrayType(types.INT))


async def test_a_class_is_loaded_once(program: Program, home: ReferenceType) -> None:
    loading = Loading(program)
    source = LoadedTypes(home, loading)
    assert await source.declaration("lib.Other") is None
    first = await source.load("lib.Other")
    assert first is not None
    assert await source.load("lib.Other") is first
    assert loading.loaded == ["lib.Other"]
    assert await source.load("lib.Missing") is None


async def test_a_missing_class_is_looked_up_again_in_the_next_evaluation(
    program: Program, home: ReferenceType
) -> None:
    source = LoadedTypes(home, None)
    assert await source.declaration("lib.Late") is None
    program.load("lib.Late")
    assert await source.declaration("lib.Late") is None
    assert await source.loading_by(None).declaration("lib.Late") is not None


async def test_a_class_that_is_not_prepared_counts_as_not_loaded(
    program: Program, home: ReferenceType
) -> None:
    early = program.classes.load("lib.Early", is_prepared=False)
    assert await LoadedTypes(home, None).declaration("lib.Early") is None
    program.classes.prepare(early)
    assert await LoadedTypes(home, None).declaration("lib.Early") is not None


async def test_declarations_are_shared_until_a_class_is_redefined(
    fake_vm: FakeVm, program: Program, home: ReferenceType
) -> None:
    item = program.load("shop.Item", FakeMethod("old"))
    await LoadedTypes(home, None).declaration("shop.Item")
    asked = len(fake_vm.received)
    await LoadedTypes(home, None).declaration("shop.Item")
    assert len(fake_vm.received) == asked
    program.classes.redefine(item, FakeMethod("new"))
    program.mirror(item).forget_members()
    program.vm.redefinitions += 1
    found = await LoadedTypes(home, None).declaration("shop.Item")
    assert found is not None
    assert [each.name for each in found.methods] == ["new"]


async def test_names_of_nested_and_local_classes(program: Program, home: ReferenceType) -> None:
    for name in ("a.Entry", "a.Map$Entry", "b.Main$1Entry", "b.Main$1", "c.Entry2"):
        program.load(name)
    found = await LoadedTypes(home, None).by_simple_name("Entry")
    assert found == ["a.Entry", "a.Map$Entry", "b.Main$1Entry"]
