# SPDX-License-Identifier: Apache-2.0
"""Writes the names of methods in a call stack: `Cart.add(Item, int)`. Kotlin's are in `sources`.

Called by frame handles, and by all that names a method to the user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.classfile.descriptors import java_name, simple_name
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from jvmdebug.model.method import Method


def argument_type_names(method: Method) -> list[str]:
    """Simple names, as a call stack shows them."""
    return [simple_name(java_name(each)) for each in method.argument_types]


def function_text(method: Method) -> str:
    """`Cart.add(Item, int)`, `new Cart(int)`, `static {...} of Cart`."""
    class_name = method.declaring_type.name.rpartition(".")[2]
    if method.is_static_initializer:
        return f"static {{...}} of {class_name}"
    types = ", ".join(argument_type_names(method))
    name = f"new {class_name}" if method.is_constructor else f"{class_name}.{method.name}"
    return one_line(f"{name}({types})")
