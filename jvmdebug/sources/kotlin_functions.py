# SPDX-License-Identifier: Apache-2.0
"""What the functions of Kotlin classes are called in their source, for the frames of a stack.

A class file has names for the VM: `secret$main` for an internal function, `pay-TkVOhxk` for one of
a value class, `greet$default`, `total$lambda$0`, the class `ShopKt` for what stands outside of
classes. An accessor keeps its name, `getLabel`: the class file does not say whether the source has
a property or a function. Called by the session.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import java_name, simple_name

if TYPE_CHECKING:
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType

_CONTINUATION: Final = "Lkotlin/coroutines/Continuation;"
_DEFAULTED_CONSTRUCTOR: Final = "Lkotlin/jvm/internal/DefaultConstructorMarker;"
_DEFAULT: Final = "$default"
_LAMBDA: Final = "$lambda$"
_BODIES: Final = ("invoke", "invokeSuspend")
_MANGLED: Final = re.compile(r"(.+)-[A-Za-z0-9_-]{7}")
_OF_VALUE_CLASS: Final = "-impl"
_INTERNAL: Final = re.compile(r"([^$]+)\$[^$]+")
_TYPES: Final = {
    **{each: each.capitalize() for each in ("boolean", "byte", "char", "short", "int", "long")},
    "float": "Float",
    "double": "Double",
    "Integer": "Int",
    "Character": "Char",
    "Object": "Any",
}
_ARRAYS: Final = frozenset(_TYPES) - {"Integer", "Character", "Object"}


async def kotlin_function(method: Method, source_name: str) -> str:
    """`Cart.add(Item, Int)`, `main()`, `lambda in Cart.total`."""
    type_ = method.declaring_type
    owner, around = _owner(type_.name.rpartition(".")[2], source_name)
    if method.name in _BODIES and around is not None:
        return await _body_text(type_, _joined(owner, around))
    if _LAMBDA in method.name:
        return f"lambda in {_joined(owner, method.name.partition(_LAMBDA)[0])}"
    types = list(method.argument_types)
    if types and types[-1] == _CONTINUATION:
        types.pop()  # a suspend function
    name, note = method.name, ""
    if name.endswith(_DEFAULT):
        name, note = name.removesuffix(_DEFAULT), ", default arguments"
        types = _without_defaults(types, type_.signature)
    elif types and types[-1] == _DEFAULTED_CONSTRUCTOR:
        types, note = types[:-2], ", default arguments"
    if method.is_static_initializer:
        return f"initializer of {owner or source_name}"
    name = _plain_name(name, method)
    shown = ", ".join(map(_type_text, types))
    if method.is_constructor or name == "constructor":
        return f"new {owner}({shown}){note}"
    return f"{_joined(owner, name)}({shown}){note}"


def _owner(name: str, source_name: str) -> tuple[str, str | None]:
    """The class as in the source, empty for what stands outside of classes; and the function that
    an anonymous class is in.
    """
    parts = name.split("$")
    around = None
    if len(parts) > 2 and parts[-1].isdigit():
        around = parts[-2]
        parts = parts[:-2]
    stem = source_name.rpartition(".")[0]
    facade = f"{stem[:1].upper()}{stem[1:]}Kt".replace("-", "_")
    if parts[0] == facade or "Kt__" in parts[0]:
        parts = parts[1:]
    return ".".join(each for each in parts if each), around


async def _body_text(type_: ReferenceType, around: str) -> str:
    """A lambda that is a class, or the rest of a suspend function that waited."""
    is_lambda = any(each.name.endswith("Lambda") for each in await type_.superclasses())
    return f"lambda in {around}" if is_lambda else f"{around}, resumed"


def _plain_name(name: str, method: Method) -> str:
    mangled = _MANGLED.fullmatch(name)
    if name.endswith(_OF_VALUE_CLASS):
        return name.removesuffix(_OF_VALUE_CLASS)
    if mangled is not None:
        return mangled.group(1)
    internal = _INTERNAL.fullmatch(name)
    if internal is not None and not method.is_synthetic:
        return internal.group(1)
    return name


def _without_defaults(types: list[str], owner: str) -> list[str]:
    """The arguments as declared: without the receiver, the mask and the mark behind it."""
    declared = types[:-2]
    return declared[1:] if declared[:1] == [owner] else declared


def _type_text(descriptor: str) -> str:
    name = simple_name(java_name(descriptor))
    if name.endswith("[]"):
        element = name.removesuffix("[]")
        inner = _TYPES.get(element, element)
        return f"{inner}Array" if element in _ARRAYS else f"Array<{inner}>"
    return _TYPES.get(name, name).replace("$", ".")


def _joined(owner: str, name: str) -> str:
    return f"{owner}.{name}" if owner else name
