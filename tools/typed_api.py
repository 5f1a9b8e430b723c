# SPDX-License-Identifier: Apache-2.0
"""The public API with all its types, as mypy infers them: classes, members, functions.

Owns which classes need a synchronous counterpart: those with something to wait for, and those that
give access to them. Called by `sync_api`.
"""

from __future__ import annotations

import ast
import functools
import importlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mypy import build, main, nodes, types
from mypy.types import get_proper_type

import jvmdebug

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY: Final = Path(__file__).resolve().parents[1]
# Their types have no counterpart, but are plain values.
_PLAIN_HOMES: Final = (
    "jvmdebug.classfile.",
    "jvmdebug.jdwp.generated.constants.",
    "jvmdebug.jdwp.ids.",
    "jvmdebug.model.",
    "jvmdebug.printable.",
)
_PROTOCOLS: Final = ("jvmdebug.jvmti.", "jvmdebug.heap.named_objects.")
"""Where protocols are that say which of several objects a method takes."""
_WRITTEN_BY_USERS: Final = frozenset({"Renderer", "RenderedObject"})
"""What they implement or get runs in the event loop: it stays asynchronous."""
_SPECIAL: Final = frozenset(
    {
        *("__aenter__", "__aexit__", "__aiter__", "__anext__", "__len__", "__getitem__"),
        *("__contains__", "__str__"),
    }
)
_OF_VALUES: Final = frozenset(
    {
        *("__iter__", "__int__", "__index__", "__float__", "__bool__", "__format__", "__hash__"),
        *("__eq__", "__lt__", "__le__", "__gt__", "__ge__"),
    }
)
"""Shown where they wait in the synchronous API (`jvmdebug.in_sync`)."""
ASYNC_ITERATORS: Final = frozenset({"typing.AsyncIterator", "typing.AsyncGenerator"})
ASYNC_CONTEXTS: Final = frozenset(
    {"contextlib.AbstractAsyncContextManager", "contextlib._AsyncGeneratorContextManager"}
)
_WAITED_FOR: Final = frozenset({"typing.Coroutine", *ASYNC_ITERATORS})


@dataclass
class Member:
    """A method, a property or an attribute."""

    name: str
    type: types.ProperType
    is_method: bool
    signatures: list[types.CallableType] = field(default_factory=list)


@dataclass
class Class:
    """A class with its public members, inherited ones left out."""

    info: nodes.TypeInfo
    members: dict[str, Member]


@dataclass
class Api:
    """What gets a counterpart."""

    classes: dict[str, Class]
    """By full name, the bases first."""
    functions: dict[str, types.CallableType]
    public: dict[str, str]
    """Full name of a class → its public name."""


def read_api() -> Api:
    """Check the types of the core and collect its API."""
    sources, options = main.process_options(
        ["--config-file", str(REPOSITORY / "pyproject.toml"), "-p", "jvmdebug"]
    )
    # With mypy's own cache; its errors are the check `mypy`'s.
    result = build.build(sources, options)
    known = [name for name, state in result.graph.items() if state.tree is None]
    build.process_fresh_modules(result.graph, known, result.manager)
    trees = {name: state.tree for name, state in result.graph.items() if state.tree is not None}
    public, functions = {}, {}
    for name in _public_names(trees):
        package, _, last = f"jvmdebug.{name}".rpartition(".")
        symbol = trees[package].names.get(last)
        node = None if symbol is None else symbol.node
        if isinstance(node, nodes.TypeInfo):
            public[node.fullname] = name
        elif isinstance(node, nodes.FuncDef | nodes.Decorator | nodes.Var):
            type_ = get_proper_type(node.type)
            if package != "jvmdebug" or not isinstance(type_, types.CallableType):
                continue
            if is_waited_for(type_.ret_type):
                functions[name] = type_
    return _Reader(trees, public).read(functions)


def _public_names(trees: dict[str, nodes.MypyFile]) -> Iterator[str]:
    """`Session`, `heap.LiveObject`: those of packages that are public as a whole, too."""
    for name in jvmdebug.__all__:
        symbol = trees["jvmdebug"].names.get(name)
        if symbol is None or not isinstance(symbol.node, nodes.MypyFile):
            yield name
            continue
        package = importlib.import_module(f"jvmdebug.{name}")
        yield from (f"{name}.{each}" for each in getattr(package, "__all__", ()))


def is_waited_for(type_: types.Type) -> bool:
    """Whether a result has to be waited for: a coroutine, an asynchronous iterator or context."""
    proper = get_proper_type(type_)
    if not isinstance(proper, types.Instance):
        return False
    name = proper.type.fullname
    return name in _WAITED_FOR or name in ASYNC_CONTEXTS


def instances_in(type_: types.Type) -> Iterator[nodes.TypeInfo]:
    """All classes that a type mentions."""
    proper = get_proper_type(type_)
    match proper:
        case types.Instance():
            yield proper.type
            for each in proper.args:
                yield from instances_in(each)
        case types.UnionType() | types.TupleType():
            for each in proper.items:
                yield from instances_in(each)
        case types.CallableType():
            for each in (*proper.arg_types, proper.ret_type):
                yield from instances_in(each)
        case types.Overloaded():
            for signature in proper.items:
                yield from instances_in(signature)
        case types.TypeType():
            yield from instances_in(proper.item)
        case _:
            pass


class _Reader:
    """Finds the classes by what gives access to what."""

    def __init__(self, trees: dict[str, nodes.MypyFile], public: dict[str, str]) -> None:
        self._trees = trees
        self._public = public
        self._infos: dict[str, nodes.TypeInfo] = {}

    def read(self, functions: dict[str, types.CallableType]) -> Api:
        for full in self._public:
            info = self._info(full)
            if self._public[full] not in _WRITTEN_BY_USERS and not info.is_enum:
                self._infos[full] = info
        reachable = self._reachable()
        awaited = {name for name, info in reachable.items() if self._has_async(info)}
        while True:
            more = {
                name
                for name, info in reachable.items()
                if name not in awaited and self._leads_to(info, awaited)
            }
            if not more:
                break
            awaited |= more
        kept = {name: info for name, info in reachable.items() if name in awaited}
        ordered = sorted(kept.values(), key=lambda info: (len(info.mro), info.fullname))
        classes = {info.fullname: Class(info, self._members(info, awaited)) for info in ordered}
        return Api(classes, functions, self._public)

    def _info(self, full: str) -> nodes.TypeInfo:
        module, _, name = full.rpartition(".")
        node = self._trees[module].names[name].node
        assert isinstance(node, nodes.TypeInfo), full
        return node

    def _reachable(self) -> dict[str, nodes.TypeInfo]:
        """The public classes, and those of the model that their members and bases mention."""
        found = dict(self._infos)
        waiting = list(found.values())
        while waiting:
            info = waiting.pop()
            mentioned = [each for member in self._own(info) for each in instances_in(member.type)]
            mentioned += info.mro[1:]
            if info.fullname.startswith("jvmdebug.model."):
                mentioned += self._subclasses(info)
            for each in mentioned:
                if each.fullname in found or each.is_enum:
                    continue
                is_base = each in info.mro and each.fullname.startswith("jvmdebug.")
                if is_base or each.fullname.startswith("jvmdebug.model."):
                    found[each.fullname] = each
                    waiting.append(each)
        return found

    def _subclasses(self, info: nodes.TypeInfo) -> list[nodes.TypeInfo]:
        module = self._trees[info.module_name]
        infos = [each.node for each in module.names.values()]
        return [each for each in infos if isinstance(each, nodes.TypeInfo) and info in each.mro[1:]]

    def _own(self, info: nodes.TypeInfo) -> list[Member]:
        found = []
        path = self._trees[info.module_name].path
        for name in _in_order(path, info):
            if name.startswith("_") and not _is_shown_here(name, info):
                continue
            member = _member(name, info.names[name].node)
            if member is not None:
                found.append(member)
        return found

    def _has_async(self, info: nodes.TypeInfo) -> bool:
        return any(
            is_waited_for(signature.ret_type)
            for each in info.mro
            if each.fullname.startswith("jvmdebug.")
            for member in self._own(each)
            for signature in (member.signatures or [])
        ) or any(is_waited_for(m.type) for m in self._own(info) if not m.is_method)

    def _leads_to(self, info: nodes.TypeInfo, awaited: set[str]) -> bool:
        """Whether an attribute or a result is of a class with a counterpart. What users make
        themselves (specs) is passed as it is.
        """
        if not info.fullname.startswith("jvmdebug.session."):
            return False
        return any(
            each.fullname in awaited
            for member in self._own(info)
            for each in instances_in(
                member.signatures[0].ret_type if member.signatures else member.type
            )
        )

    def _members(self, info: nodes.TypeInfo, awaited: set[str]) -> dict[str, Member]:
        return {
            member.name: member for member in self._own(info) if self._is_shown(member, awaited)
        }

    def _is_shown(self, member: Member, awaited: set[str]) -> bool:
        if any(_has_own_variables(each) for each in member.signatures):
            return False
        return all(
            each.fullname in awaited
            or each.fullname in self._public
            or (each.is_protocol and each.fullname.startswith(_PROTOCOLS))
            or not each.fullname.startswith(("jvmdebug.", "asyncio."))
            or each.fullname.startswith(_PLAIN_HOMES)
            for each in instances_in(member.type)
        )


def _is_shown_here(name: str, info: nodes.TypeInfo) -> bool:
    if name == "__aiter__" and isinstance(_node(info, "__iter__"), nodes.Decorator):
        return False
    return name in _SPECIAL or (
        name in _OF_VALUES and isinstance(_node(info, name), nodes.Decorator)
    )


def _node(info: nodes.TypeInfo, name: str) -> nodes.SymbolNode | None:
    return info.names[name].node if name in info.names else None


@functools.cache
def _in_order(path: str, info: nodes.TypeInfo) -> list[str]:
    """The names of a class as its source has them, attributes of methods last; the cache of mypy
    sorts them.
    """
    order: dict[str, None] = {}
    attributes: dict[str, None] = {}
    for node in _class_of(path, info.name).body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                order.setdefault(node.name)
                for each in ast.walk(node):
                    if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store):
                        attributes.setdefault(each.attr)
            case ast.AnnAssign(target=ast.Name(id=name)):
                order.setdefault(name)
            case ast.Assign(targets=targets):
                order.update(
                    dict.fromkeys(each.id for each in targets if isinstance(each, ast.Name))
                )
            case _:
                pass
    known = [name for name in {**order, **attributes} if name in info.names]
    return [*known, *sorted(info.names.keys() - set(known))]


def _class_of(path: str, name: str) -> ast.ClassDef:
    for node in _source(path).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return node
    raise LookupError(f"no class {name} at the top of {path}")


@functools.cache
def _source(path: str) -> ast.Module:
    return ast.parse(Path(path).read_text(encoding="utf-8"))


def _has_own_variables(signature: types.CallableType) -> bool:
    return any(each.name != "Self" for each in signature.variables)


def _member(  # noqa: PLR0911 - the kinds of nodes
    name: str, node: nodes.SymbolNode | None
) -> Member | None:
    match node:
        case nodes.FuncDef(type=types.CallableType() as signature) if not node.is_property:
            return Member(name, signature, is_method=True, signatures=[signature])
        case nodes.OverloadedFuncDef(type=types.Overloaded() as overloaded):
            return Member(name, overloaded, is_method=True, signatures=list(overloaded.items))
        case nodes.OverloadedFuncDef(items=[nodes.Decorator() as first, *_]):
            return _member(name, first)
        case nodes.Decorator():
            type_ = get_proper_type(node.type)
            if isinstance(type_, types.CallableType) and node.func.is_property:
                return Member(name, get_proper_type(type_.ret_type), is_method=False)
            if isinstance(type_, types.CallableType) and node.func.is_class:
                return None  # other ways to make one
            if isinstance(type_, types.CallableType):
                return Member(name, type_, is_method=True, signatures=[type_])
            return None
        case nodes.Var(type=types.CallableType() as signature) if (
            node.is_inferred and node.is_initialized_in_class
        ):  # a method of a part, which a class has as its own
            return Member(name, signature, is_method=True, signatures=[signature])
        case nodes.Var(type=types.Type() as type_):
            return Member(name, get_proper_type(type_), is_method=False)
        case _:
            return None


def docstring(full: str, member: str | None = None) -> str | None:
    """What the class or its member says of itself."""
    module, _, name = full.rpartition(".")
    target = getattr(importlib.import_module(module), name)
    if member is not None:
        target = vars(target).get(member)
        if not (callable(target) or isinstance(target, property)):
            return None
    text: object = getattr(target, "__doc__", None)
    return text if isinstance(text, str) and not text.startswith(f"{name}(") else None
