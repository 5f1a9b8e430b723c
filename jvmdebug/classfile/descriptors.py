# SPDX-License-Identifier: Apache-2.0
"""JVM descriptors ↔ Java names: `[Ljava/lang/String;` is `java.lang.String[]`.

Pure functions on strings; generic signatures (`Ljava/util/List<TE;>;`) are the evaluator's. Called
by the whole core. Source: JVMS 4.3; names of hidden classes: JVM TI GetClassSignature.
"""

from __future__ import annotations

from typing import Final, NamedTuple

_PRIMITIVE_NAMES: Final = {
    "Z": "boolean",
    "B": "byte",
    "C": "char",
    "S": "short",
    "I": "int",
    "J": "long",
    "F": "float",
    "D": "double",
    "V": "void",
}
_PRIMITIVE_DESCRIPTORS: Final = {name: letter for letter, name in _PRIMITIVE_NAMES.items()}


class MethodDescriptor(NamedTuple):
    """A parsed method descriptor: descriptors of the parameters and of the result."""

    parameters: tuple[str, ...]
    result: str


def is_primitive(descriptor: str) -> bool:
    """Whether the descriptor is one of the eight primitive types or void."""
    return descriptor in _PRIMITIVE_NAMES


def slot_count(descriptor: str) -> int:
    """Slots that a value of this type takes in a frame: 2 for long and double, 0 for void, else
    1.
    """
    return {"J": 2, "D": 2, "V": 0}.get(descriptor, 1)


def java_name(descriptor: str) -> str:
    """The name as Java's Class.getName would spell the element type: `[[La/B$C;` → `a.B$C[][]`.

    A hidden class, `La/B.0x0000;`, is `a.B/0x0000`, and what the VM made in their place before
    JDK 15, `La/B$$Lambda$1/4711;`, is `a.B$$Lambda$1/4711`. Raises ValueError for what is no
    field descriptor.
    """
    element = descriptor.lstrip("[")
    dimensions = len(descriptor) - len(element)
    if element in _PRIMITIVE_NAMES:
        name = _PRIMITIVE_NAMES[element]
    elif len(element) > 2 and element.startswith("L") and element.endswith(";"):
        binary, dot, suffix = element[1:-1].partition(".")
        if not dot and binary[-1].isdecimal():
            binary, suffix = _without_number(binary)
        name = binary.replace("/", ".") + ("/" + suffix if suffix else "")
    else:
        raise ValueError(f"not a type descriptor: {descriptor!r}")
    return name + "[]" * dimensions


def _without_number(binary: str) -> tuple[str, str]:
    """The class that the VM numbered after `/`, and the number; an empty one if it did not."""
    host, _, number = binary.rpartition("/")
    is_numbered = number.isdecimal() and "$" in host.rpartition("/")[2]
    return (host, number) if is_numbered else (binary, "")


def descriptor_of(name: str) -> str:
    """The descriptor of a Java name: `int[]` → `[I`, `a.B$C` → `La/B$C;`, `a.B/0x1` →
    `La/B.0x1;`.
    """
    element = name.strip()
    dimensions = 0
    while element.endswith("[]"):
        element = element[:-2].rstrip()
        dimensions += 1
    # A VM takes names that Java does not, such as the `my test` of Kotlin (JVMS 4.2.1).
    if not element or any(letter in element for letter in "[;"):
        raise ValueError(f"not the name of a Java type: {name!r}")
    primitive = _PRIMITIVE_DESCRIPTORS.get(element)
    if primitive is not None:
        return "[" * dimensions + primitive
    binary, slash, suffix = element.partition("/0x")
    hidden = f".0x{suffix}" if slash else ""
    return "[" * dimensions + "L" + binary.replace(".", "/") + hidden + ";"


def binary_names(name: str) -> tuple[str, ...]:
    """What a Java name that a user wrote may be called in the VM: `shop.Cart.Item` may be the
    nested `shop.Cart$Item`, by the way it is capitalised.
    """
    parts = name.split(".")
    outer = next((i for i, part in enumerate(parts[:-1]) if part[:1].isupper()), None)
    if outer is None:
        return (name,)
    return (name, ".".join([*parts[:outer], "$".join(parts[outer:])]))


def simple_name(name: str) -> str:
    """The last part of a Java name: `a.b.C$D[]` → `D[]`; anonymous `a.C$1` → `C$1`."""
    without_package = name.split("/", 1)[0].rsplit(".", 1)[-1]
    last = without_package.rsplit("$", 1)[-1]
    return last if last and not last[0].isdigit() else without_package


def package_name(name: str) -> str:
    """The package of a Java name, empty for the unnamed one: `a.b.C$D` → `a.b`."""
    return name.split("/", 1)[0].rpartition(".")[0]


def parse_method_descriptor(descriptor: str) -> MethodDescriptor:
    """`(I[JLa/B;)V` → (("I", "[J", "La/B;"), "V"). Raises ValueError for what is no method
    descriptor.
    """
    if not descriptor.startswith("("):
        raise ValueError(f"not a method descriptor: {descriptor!r}")
    parameters: list[str] = []
    position = 1
    while descriptor[position : position + 1] != ")":
        end = _end_of_type(descriptor, position)
        parameters.append(descriptor[position:end])
        position = end
    result = descriptor[position + 1 :]
    if result != "V" and _end_of_type(descriptor, position + 1) != len(descriptor):
        raise ValueError(f"not a method descriptor: {descriptor!r}")
    return MethodDescriptor(tuple(parameters), result)


def method_text(name: str, descriptor: str) -> str:
    """The text for messages: `add` and `(ILjava/lang/String;)V` → `add(int, java.lang.String)`."""
    parameters = parse_method_descriptor(descriptor).parameters
    return f"{name}({', '.join(java_name(parameter) for parameter in parameters)})"


def _end_of_type(descriptor: str, position: int) -> int:
    start = position
    while descriptor[position : position + 1] == "[":
        position += 1
    letter = descriptor[position : position + 1]
    if letter == "L":
        end = descriptor.find(";", position)
        if end > position + 1:
            return end + 1
    elif letter and letter in _PRIMITIVE_NAMES and letter != "V":
        return position + 1
    raise ValueError(f"not a type at {start} of the descriptor {descriptor!r}")
