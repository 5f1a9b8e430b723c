# SPDX-License-Identifier: Apache-2.0
"""The types of the asynchronous API as a stub of the synchronous one.

A coroutine becomes its result, an asynchronous iterator or context an ordinary one, and a class
that has a counterpart its counterpart. Called by `sync_api`.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from mypy import nodes, types
from mypy.types import get_proper_type

from tools.typed_api import ASYNC_CONTEXTS, ASYNC_ITERATORS, docstring

if TYPE_CHECKING:
    from tools.typed_api import Api, Class, Member

_RENAMED: Final = {
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "__aiter__": "__iter__",
    "__anext__": "__next__",
}
_FROM_TYPING: Final = {
    "AsyncIterator": ("collections.abc", "Iterator"),
    "Awaitable": ("collections.abc", "Awaitable"),
    **{
        name: ("collections.abc", name)
        for name in ("Iterable", "Iterator", "Mapping", "Sequence", "Collection", "Hashable")
    },
}
_AWAITED: Final = frozenset({"typing.Coroutine", "typing.Awaitable"})
_OPENS: Final = {"open_launch": "open"}
"""Public name → its name here."""


class Stub:
    """The stub of one API."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._imports: dict[str, set[str]] = {}
        self._modules: dict[str, str] = {}
        """Where each imported class comes from."""
        self._variables: dict[str, types.TypeVarType] = {}
        self._own = {full.rpartition(".")[2] for full in api.classes}

    def text(self) -> str:
        """All of it."""
        classes = [self._class(full, each) for full, each in self._api.classes.items()]
        functions = [
            self._function(_OPENS.get(name, name), type_, indent="", doc=f"As jvmdebug.{name}.")
            for name, type_ in self._api.functions.items()
        ]
        variables = [self._variable(each) for each in self._variables.values()]
        names = sorted([*self._own, *(_OPENS.get(name, name) for name in self._api.functions)])
        exported = "".join(f'    "{name}",\n' for name in names)
        parts = [
            '"""The API of jvmdebug without `await`, for type checkers."""\n',
            self._import_lines(),
            *variables,
            *classes,
            *functions,
            f"__all__ = [\n{exported}]\n",
        ]
        return "\n".join(parts)

    def members_text(self) -> str:
        """The table for the classes that are made when the program runs."""
        lines = ['"""The classes of `jvmdebug.sync` and their members, by their full names."""\n\n']
        lines += [
            "from typing import Final\n\n",
            "MEMBERS: Final[dict[str, tuple[str, ...]]] = {\n",
        ]
        for full, each in self._api.classes.items():
            module, _, name = full.rpartition(".")
            members = "".join(f'        "{member}",\n' for member in each.members)
            inside = f"(\n{members}    )" if members else "()"
            lines.append(f'    "{module}:{name}": {inside},\n')
        lines.append("}\n\nFUNCTIONS: Final = {\n")
        lines += [f'    "{_OPENS.get(name, name)}": "{name}",\n' for name in self._api.functions]
        lines.append('}\n"""Name here → its name in jvmdebug."""\n')
        return "".join(lines)

    # Parts

    def _import_lines(self) -> str:
        lines = [
            f"from {module} import {', '.join(sorted(names))}\n"
            for module, names in sorted(self._imports.items())
        ]
        return "".join(lines)

    def _class(self, full: str, found: Class) -> str:
        name = full.rpartition(".")[2]
        bases = ", ".join([*filter(None, map(self._base, found.info.bases)), *self._generic(found)])
        lines = [f"class {name}({bases}):" if bases else f"class {name}:"]
        lines += _doc(docstring(full), "    ")
        for member in found.members.values():
            lines += self._member(full, member)
        if len(lines) == 1:
            lines.append("    ...")
        return "\n".join(lines) + "\n"

    def _base(self, base: types.Instance) -> str | None:
        full = base.type.fullname
        is_kept = full in self._api.classes or full == "typing.Sequence"
        return self._type(base) if is_kept else None

    def _generic(self, found: Class) -> list[str]:
        """mypy leaves that base out."""
        variables = [self._type(each) for each in found.info.defn.type_vars]
        return (
            [f"{self._imported('typing', 'Generic')}[{', '.join(variables)}]"] if variables else []
        )

    def _member(self, full: str, member: Member) -> list[str]:
        doc = docstring(full, member.name)
        name = _RENAMED.get(member.name, member.name)
        if not member.is_method:
            head = f"    @property\n    def {name}(self) -> {self._type(member.type)}:"
            return [head, *(_doc(doc, "        ") or ["        ..."])]
        found = []
        for signature in member.signatures:
            if len(member.signatures) > 1:
                found.append("    @" + self._imported("typing", "overload"))
            found.append(self._function(name, signature, indent="    ", doc=doc))
        return found

    def _function(
        self, name: str, signature: types.CallableType, *, indent: str, doc: str | None
    ) -> str:
        head = f"{indent}def {name}({self._arguments(signature)}) -> "
        head += self._type(signature.ret_type) + ":"
        return "\n".join([head, *(_doc(doc, f"{indent}    ") or [f"{indent}    ..."])])

    def _arguments(self, signature: types.CallableType) -> str:
        parts: list[str] = []
        has_star = False
        triples = zip(signature.arg_names, signature.arg_kinds, signature.arg_types, strict=True)
        for name, kind, type_ in triples:
            if name in ("self", None) and not parts:
                parts.append("self")
                continue
            if name is None:
                parts += [f"argument{len(parts)}: {self._type(type_)}"]
                continue
            if kind.is_named() and not has_star:
                parts.append("*")
                has_star = True
            stars = {nodes.ARG_STAR: "*", nodes.ARG_STAR2: "**"}.get(kind, "")
            has_star = has_star or stars == "*"
            default = " = ..." if kind.is_optional() else ""
            parts.append(f"{stars}{name}: {self._type(type_)}{default}")
        if None in signature.arg_names[1:]:
            parts.append("/")  # no argument of these methods has a name
        return ", ".join(parts)

    def _variable(self, variable: types.TypeVarType) -> str:
        maker = self._imported("typing", "TypeVar")
        bound = self._type(variable.upper_bound)
        return f'{variable.name} = {maker}("{variable.name}", bound={bound})'

    # Types

    def _imported(self, module: str, name: str) -> str:
        if module != "builtins":
            self._imports.setdefault(module, set()).add(name)
        return name

    def _type(self, type_: types.Type) -> str:  # noqa: C901, PLR0911 - the kinds of types
        proper = get_proper_type(type_)
        match proper:
            case types.NoneType():
                return "None"
            case types.AnyType():
                return "object"
            case types.LiteralType():
                return f"{self._imported('typing', 'Literal')}[{proper.value!r}]"
            case types.UnionType():
                return " | ".join(dict.fromkeys(self._type(each) for each in proper.items))
            case types.TupleType():
                if proper.partial_fallback.type.fullname != "builtins.tuple":
                    return self._instance(proper.partial_fallback)
                return f"tuple[{', '.join(self._type(each) for each in proper.items)}]"
            case types.CallableType():
                if proper.is_type_obj():
                    return f"type[{self._type(proper.ret_type)}]"
                arguments = ", ".join(self._type(each) for each in proper.arg_types)
                result = self._type(proper.ret_type)
                return f"{self._imported('collections.abc', 'Callable')}[[{arguments}], {result}]"
            case types.TypeVarType():
                return self._type_variable(proper)
            case types.TypeType():
                return f"type[{self._type(proper.item)}]"
            case types.Instance():
                return self._instance(proper)
            case _:
                return "object"

    def _type_variable(self, variable: types.TypeVarType) -> str:
        if variable.name == "Self":
            return self._imported("typing", "Self")
        self._variables[variable.name] = variable
        return variable.name

    def _instance(self, type_: types.Instance) -> str:
        full = type_.type.fullname
        if type_.last_known_value is not None and full == "builtins.bool":
            return "bool"
        if full in _AWAITED:
            return self._type(type_.args[-1])
        if full in ASYNC_ITERATORS:
            inner = self._type(type_.args[0])
            return f"{self._imported('collections.abc', 'Iterator')}[{inner}]"
        if full in ASYNC_CONTEXTS:
            inner = self._type(type_.args[0])
            return f"{self._imported('contextlib', 'AbstractContextManager')}[{inner}]"
        name = self._class_name(type_.type)
        if not type_.args:
            return name
        arguments = [self._type(each) for each in type_.args]
        if full == "builtins.tuple":
            arguments.append("...")
        return f"{name}[{', '.join(arguments)}]"

    def _class_name(self, info: nodes.TypeInfo) -> str:
        full, name = info.fullname, info.name
        if full in self._api.classes:
            return name
        if full in self._api.public:
            module, _, name = f"jvmdebug.{self._api.public[full]}".rpartition(".")
        elif info.module_name == "typing":
            module, name = _FROM_TYPING.get(name, ("typing", name))
        else:
            module = info.module_name
        taken = self._modules.setdefault(name, module) != module
        if name in self._own or taken:  # another class of the same name
            alias = f"{module.rpartition('.')[2].title()}{name}"
            self._imported(module, f"{name} as {alias}")
            return alias
        return self._imported(module, name)


def _doc(text: str | None, indent: str) -> list[str]:
    if not text:
        return []
    lines = textwrap.dedent(f"    {text}" if "\n    " in text else text).strip().splitlines()
    body = [lines[0].strip(), *(line.strip() for line in lines[1:])]
    ends = '"""' if len(body) == 1 else f'\n{indent}"""'
    joined = "\n".join(f"{indent}{line}" if line and at else line for at, line in enumerate(body))
    raw = "r" if "\\" in joined else ""
    return [f'{indent}{raw}"""{joined}{ends}']
