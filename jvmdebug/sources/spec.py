# SPDX-License-Identifier: Apache-2.0
"""The notation in which users say where to stop.

    shop/Cart.java:42        a line of a source file; the path may be absolute, or just the name
    shop.Cart:42             a line of the source file that the class came from
    shop.Cart#add            every method `add` of the class
    shop.Cart#add(int,java.lang.String)    one overload; simple names of types will do
    shop.Cart#<init>         the constructors; `shop.Cart#Cart` too

Pure text: whether such a class or line exists is the breakpoint's business.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from jvmdebug.errors import BreakpointError
from jvmdebug.model.signature import java_name, parse_method_descriptor, simple_name

_SOURCE_NAME: Final = re.compile(r"\.(java|kt|kts|scala|groovy|clj|jsp|aj)$")
_FORMS: Final = (
    "use shop/Cart.java:42 (file and line), shop.Cart:42 (class and line), shop.Cart#add (method), "
    "or shop.Cart#add(int,java.lang.String) (one overload)"
)


@dataclass(frozen=True, slots=True)
class LineSpec:
    """A line (1-based) of a source file or of a class: one of the two is given, the other None."""

    line: int
    path: str | None = None
    type_name: str | None = None

    def __str__(self) -> str:
        return f"{self.path or self.type_name}:{self.line}"


@dataclass(frozen=True, slots=True)
class MethodSpec:
    """Methods of a class; `parameters` None means every overload.

    `type_name` is a binary name when the user wrote `$`; with dots only it may still be nested
    (`shop.Cart.Item`). `method` is `<init>` for constructors.
    """

    type_name: str
    method: str
    parameters: tuple[str, ...] | None = None

    def __str__(self) -> str:
        arguments = "" if self.parameters is None else f"({','.join(self.parameters)})"
        return f"{self.type_name}#{self.method}{arguments}"

    def selects(self, name: str, descriptor: str) -> bool:
        """Whether a method of the class with that name and JVM descriptor is meant."""
        if name != self.method:
            return False
        if self.parameters is None:
            return True
        actual = [java_name(each) for each in parse_method_descriptor(descriptor).parameters]
        return len(actual) == len(self.parameters) and all(
            _is_same_type(asked, found)
            for asked, found in zip(self.parameters, actual, strict=True)
        )


Spec: TypeAlias = LineSpec | MethodSpec


def parse_spec(text: str) -> Spec:
    """Read a place as users write it; BreakpointError shows the forms that there are."""
    stripped = text.strip()
    if "#" in stripped:
        return _method(stripped)
    place, colon, line_text = stripped.rpartition(":")
    if not colon or not place:
        raise BreakpointError(f"{text!r} does not say a line or a method: {_FORMS}")
    if not (line_text.strip().isascii() and line_text.strip().isdigit()):
        raise BreakpointError(f"{line_text!r} in {text!r} is not a line number: {_FORMS}")
    line = int(line_text)
    if line < 1:
        raise BreakpointError(f"lines are counted from 1, so {text!r} has no line {line}")
    place = place.strip()
    if "/" in place or "\\" in place or _SOURCE_NAME.search(place):
        return LineSpec(line, path=place.replace("\\", "/"))
    _check_type_name(place, text)
    return LineSpec(line, type_name=place)


def _method(text: str) -> MethodSpec:
    type_name, _, rest = text.partition("#")
    name, parenthesis, parameters_text = rest.partition("(")
    type_name, name = type_name.strip(), name.strip()
    _check_type_name(type_name, text)
    if name == simple_name(type_name):
        name = "<init>"
    if name not in ("<init>", "<clinit>") and not name.isidentifier() and not _is_vm_name(name):
        raise BreakpointError(f"{name!r} in {text!r} is not the name of a method: {_FORMS}")
    if not parenthesis:
        return MethodSpec(type_name, name)
    if not parameters_text.rstrip().endswith(")"):
        raise BreakpointError(f"the parenthesis in {text!r} is not closed: {_FORMS}")
    inside = parameters_text.rstrip()[:-1].strip()
    parameters = tuple(_parameter(each, text) for each in inside.split(",")) if inside else ()
    return MethodSpec(type_name, name, parameters)


def _parameter(text: str, spec: str) -> str:
    """`java.lang.String... ` → `java.lang.String[]`; type arguments are not part of a method."""
    name = re.sub(r"<.*>", "", text).strip()
    if name.endswith("..."):
        name = name[:-3].rstrip() + "[]"
    element = name.replace("[]", "").strip()
    _check_type_name(element, spec)
    return name.replace(" ", "")


def _check_type_name(name: str, spec: str) -> None:
    parts = name.split(".")
    if not all(part and _is_vm_name(part) for part in parts):
        raise BreakpointError(f"{name!r} in {spec!r} is not the name of a type: {_FORMS}")


def _is_vm_name(name: str) -> bool:
    """An unqualified name as the VM allows it (JVMS 4.2.2), less what a spec uses itself."""
    return bool(name) and not any(mark in ".;[/<>:()#, " for mark in name)


def _is_same_type(asked: str, found: str) -> bool:
    """`String` and `Map.Entry` stand for every `java.lang.String` and `java.util.Map$Entry`."""
    dotted = found.replace("$", ".")
    return asked.replace("$", ".") == dotted or dotted.endswith("." + asked.replace("$", "."))
