# SPDX-License-Identifier: Apache-2.0
"""The notation in which users say where to stop.

    shop/Cart.java:42        a line of a source file; the path may be absolute, or just the name
    shop.Cart:42             a line of the source file that the class came from
    shop.Cart:42:lambda1     the first lambda that begins on the line, and not the line's own code
    shop.Cart:42:all         the line's own code and all lambdas on it
    Cart:42                  the same of every class of that name, in any package
    shop.Cart#add            every method `add` of the class
    shop.Cart#add(int,java.lang.String)    one overload; simple names of types will do
    shop.Cart#<init>         the constructors; `shop.Cart#Cart` too
    *Service#find*           every method whose name and class match
    add                      every method `add` of a class that is not of the JDK; `add(int)` too
    shop.Cart#add(int)#12    the instruction at code index 12; `shop.Cart.add(I)V#12` too

A method may be written with a dot before its name, as it stands in a stack trace, or a colon.

Only text: whether such a class or line exists is found out by the breakpoint.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Final, Literal, TypeAlias

from jvmdebug.classfile.descriptors import java_name, parse_method_descriptor, simple_name
from jvmdebug.errors import BreakpointError

_SOURCE_NAME: Final = re.compile(r"\.(java|kt|kts|scala|groovy|cljc?|jspx?|tag|aj)$")
_FORMS: Final = (
    "use shop/Cart.java:42 (file and line), shop.Cart:42 (class and line), shop.Cart#add (method), "
    "shop.Cart#add(int,java.lang.String) (one overload), or shop.Cart#add#12 (one instruction)"
)
_BARE_METHOD: Final = re.compile(r"[^\W\dA-Z][\w$]*\s*(?:\(.*\))?", re.DOTALL)
_TYPE_ARGUMENTS: Final = re.compile(r"<[^<>]*>")
_COLON_METHOD: Final = re.compile(r"([\w.$*]+):\s*([^\W\d][\w$]*\s*(?:\(.*\))?)", re.DOTALL)
_PART: Final = re.compile(r"(.*:\s*\d+)\s*:\s*(?:(line|all)|lambda\s*(\d+))", re.DOTALL)
_INSTRUCTION: Final = re.compile(r"(.*)#\s*(\d+)", re.DOTALL)


LinePart: TypeAlias = Literal["line", "all"] | int
"""What of a line is meant: its own code, all, or the lambda with that number, from 1."""


@dataclass(frozen=True, slots=True)
class LineSpec:
    """A line (1-based) of a source file or of a class: one of the two is given, the other None."""

    line: int
    path: str | None = None
    type_name: str | None = None
    part: LinePart = "line"
    """What of the line; its lambdas are counted in the order of the text."""
    column: int | None = None
    """A position in the line, in UTF-16 code units from 1, which says the part: that of the
    innermost lambda there. None: `part` says it.
    """

    def __str__(self) -> str:
        part = f"lambda{self.part}" if isinstance(self.part, int) else self.part
        shown = "" if part == "line" else f":{part}"
        return f"{self.path or self.type_name}:{self.line}{shown}"


@dataclass(frozen=True, slots=True)
class MethodSpec:
    """Methods of a class, or with an empty `type_name` of every class that is not of the JDK;
    `parameters` None means every overload.

    `type_name` is a binary name when the user wrote `$`; with dots only it may still be nested
    (`shop.Cart.Item`). `method` is `<init>` for constructors. Either may be a pattern with `*`.
    """

    type_name: str
    method: str
    parameters: tuple[str, ...] | None = None

    def __str__(self) -> str:
        arguments = "" if self.parameters is None else f"({','.join(self.parameters)})"
        type_name = f"{self.type_name}#" if self.type_name else ""
        return f"{type_name}{self.method}{arguments}"

    @property
    def is_pattern(self) -> bool:
        """Whether it may mean methods of several classes by design."""
        return not self.type_name or "*" in self.type_name or "*" in self.method

    def selects(self, name: str, descriptor: str) -> bool:
        """Whether a method of the class with that name and JVM descriptor is meant."""
        if not _is_named(name, self.method):
            return False
        return self.parameters is None or _takes(descriptor, self.parameters)


@dataclass(frozen=True, slots=True)
class InstructionSpec:
    """One instruction of a method: its code index (bci), where an instruction must begin.

    Of overloads one is said by `parameters`, or exactly by its JVM `descriptor`.
    """

    type_name: str
    method: str
    index: int
    parameters: tuple[str, ...] | None = None
    descriptor: str | None = None

    def __str__(self) -> str:
        arguments = self.descriptor or ""
        if self.parameters is not None:
            arguments = f"({','.join(self.parameters)})"
        return f"{self.type_name}#{self.method}{arguments}#{self.index}"

    def selects(self, name: str, descriptor: str) -> bool:
        """Whether a method of the class with that name and JVM descriptor is meant."""
        if name != self.method or self.descriptor not in (None, descriptor):
            return False
        return self.parameters is None or _takes(descriptor, self.parameters)


Spec: TypeAlias = LineSpec | MethodSpec | InstructionSpec


def parse_spec(text: str) -> Spec:
    """Read a location as users write it; BreakpointError shows the forms that there are."""
    stripped = text.strip()
    parted = _PART.fullmatch(stripped)
    if parted is not None:
        return _part_of(parse_spec(parted[1]), parted, text)
    colon_method = _COLON_METHOD.fullmatch(stripped)
    if colon_method is not None and not _SOURCE_NAME.search(colon_method[1]):
        return parse_method(f"{colon_method[1]}#{colon_method[2]}")
    if _BARE_METHOD.fullmatch(stripped):
        return parse_function(stripped)
    instruction = _INSTRUCTION.fullmatch(stripped)
    if instruction is not None:
        return _instruction(instruction[1], int(instruction[2]), text)
    if "#" in stripped or stripped.endswith(")") or _is_dotted_method(stripped):
        return parse_method(stripped)
    name, colon, line_text = stripped.rpartition(":")
    if not colon or not name:
        raise BreakpointError(f"{text!r} does not say a line or a method: {_FORMS}")
    if not (line_text.strip().isascii() and line_text.strip().isdigit()):
        raise BreakpointError(f"{line_text!r} in {text!r} is not a line number: {_FORMS}")
    line = int(line_text)
    if line < 1:
        raise BreakpointError(f"lines are counted from 1, so {text!r} has no line {line}")
    return _line_of(name.strip(), line, text)


def _line_of(name: str, line: int, text: str) -> LineSpec:
    if "/" in name or "\\" in name or _SOURCE_NAME.search(name):
        return LineSpec(line, path=name.replace("\\", "/"))
    _check_type_name(name, text)
    return LineSpec(line, type_name=name)


def _part_of(spec: Spec, parted: re.Match[str], text: str) -> LineSpec:
    part: LinePart = int(parted[3]) if parted[3] else ("all" if parted[2] == "all" else "line")
    if not isinstance(spec, LineSpec) or part == 0:
        first = "shop.Cart:42:lambda1"
        raise BreakpointError(f"{text!r} names no lambda of a line: the first is {first}")
    return replace(spec, part=part)


def parse_method(text: str) -> MethodSpec:
    """`shop.Cart#add(int)`; `shop.Cart.add(int)`, the notation of editors, is taken too."""
    type_name, name, arguments = _parts(text.strip(), text)
    _check_type_name(type_name, text)
    if name == simple_name(type_name) and "*" not in name:
        name = "<init>"
    if not _is_method_name(name):
        raise BreakpointError(f"{name!r} in {text!r} is not the name of a method: {_FORMS}")
    if arguments is None:
        return MethodSpec(type_name, name)
    if not arguments.endswith(")"):
        raise BreakpointError(f"the parenthesis in {text!r} is not closed: {_FORMS}")
    return MethodSpec(type_name, name, _parameters(arguments[:-1], text))


def parse_function(text: str) -> MethodSpec:
    """Reads what `parse_method` does, and a bare name: `add`, `add(int)`, in every class."""
    if not _BARE_METHOD.fullmatch(text.strip()):
        return parse_method(text)
    return replace(parse_method(f"_#{text.strip()}"), type_name="")


def _instruction(method: str, index: int, text: str) -> InstructionSpec:
    type_name, name, arguments = _parts(method.strip(), text)
    descriptor = f"({arguments}" if arguments is not None and arguments[-1:] != ")" else None
    if descriptor is None:
        spec = parse_method(method)
        return InstructionSpec(spec.type_name, spec.method, index, spec.parameters)
    try:
        parse_method_descriptor(descriptor)
    except ValueError:
        raise BreakpointError(f"{descriptor!r} in {text!r} is no descriptor: {_FORMS}") from None
    _check_type_name(type_name, text)
    return InstructionSpec(type_name, name, index, descriptor=descriptor)


def _parts(method: str, text: str) -> tuple[str, str, str | None]:
    """Type, name, and what follows the first parenthesis."""
    named, parenthesis, arguments = method.partition("(")
    type_name, mark, name = named.partition("#") if "#" in named else named.rpartition(".")
    if not mark:
        raise BreakpointError(f"{text!r} names no type: write shop.Cart#add or shop.Cart.add")
    return type_name.strip(), name.strip(), arguments.strip() if parenthesis else None


def _is_dotted_method(text: str) -> bool:
    """`shop.Cart.add`, `*.add`: not `shop.Cart`, a type, and not `Cart.java`, a file."""
    type_name, dot, name = text.rpartition(".")
    simple = type_name.rpartition(".")[2]
    is_type = bool(dot) and (simple[:1].isupper() or "*" in simple)
    if not is_type or ":" in text or "/" in text or _SOURCE_NAME.search(text):
        return False
    return name[:1].islower() or name.startswith(("<init>", "*"))


def _is_method_name(name: str) -> bool:
    plain = name.replace("*", "")
    return name in ("<init>", "<clinit>") or (bool(name) and (not plain or _is_vm_name(plain)))


def _parameters(inside: str, text: str) -> tuple[str, ...]:
    while (plain := _TYPE_ARGUMENTS.sub("", inside)) != inside:  # they are no part of a method
        inside = plain
    return tuple(_parameter(each, text) for each in inside.split(",")) if inside.strip() else ()


def _parameter(text: str, spec: str) -> str:
    """`java.lang.String... ` → `java.lang.String[]`."""
    name = text.strip()
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
    """`String` and `Map.Entry` match every `java.lang.String` and `java.util.Map$Entry`."""
    dotted = found.replace("$", ".")
    return asked.replace("$", ".") == dotted or dotted.endswith("." + asked.replace("$", "."))


def _takes(descriptor: str, parameters: tuple[str, ...]) -> bool:
    actual = [java_name(each) for each in parse_method_descriptor(descriptor).parameters]
    return len(actual) == len(parameters) and all(
        _is_same_type(asked, found) for asked, found in zip(parameters, actual, strict=True)
    )


def _is_named(name: str, pattern: str) -> bool:
    """`*` does not match constructors and static initialisers; they must be written out."""
    if "*" not in pattern:
        return name == pattern
    return not name.startswith("<") and fnmatchcase(name, pattern.replace("[", "[[]"))
