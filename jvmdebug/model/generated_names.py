# SPDX-License-Identifier: Apache-2.0
"""The names that generators give to the classes that they make: proxies, subclasses, accessors.

The one table of them. Used by `stepping`, which stops in no such class, and by `display`, which
shows some of their objects by those that they stand for.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import Final


class Generator(StrEnum):
    """What makes classes while a program runs or is built; the value is for display."""

    HIDDEN = "the VM"
    """Hidden classes: lambdas, method handles."""
    JDK_PROXY = "java.lang.reflect.Proxy"
    REFLECTION = "reflection of the JDK"
    CGLIB = "CGLIB"
    """Of its own, and in Spring."""
    GUICE = "Guice"
    HIBERNATE = "Hibernate"
    BYTE_BUDDY = "Byte Buddy"
    """Of its own, and in Mockito."""
    JAVASSIST = "Javassist"
    """Of its own, in older Hibernate and RESTEasy."""
    WELD = "Weld"
    ARC = "Quarkus"
    MICRONAUT = "Micronaut"
    OPEN_TELEMETRY = "OpenTelemetry"


_NAMES: Final = {
    Generator.HIDDEN: r"/",
    Generator.JDK_PROXY: r"(?:^|\.)\$Proxy\d+$",
    Generator.REFLECTION: (
        r"\.Generated(?:Method|Constructor|SerializationConstructor)Accessor\d+$"
    ),
    Generator.GUICE: r"\$\$(?:Enhancer|FastClass)ByGuice\$\$",
    Generator.CGLIB: r"CGLIB\$\$|\$\$FastClassBy|\$\$KeyFactoryBy",
    Generator.HIBERNATE: r"\$Hibernate(?:Proxy|Instantiator|AccessOptimizer)\$",
    Generator.BYTE_BUDDY: r"\$ByteBuddy\$|\$auxiliary\$|\$MockitoMock\$",
    Generator.WELD: r"\$\$_Weld\w*Proxy|\$Proxy\$_\$\$_",
    Generator.JAVASSIST: r"_\$\$_jvst|_\$\$_javassist",
    Generator.ARC: r"_ClientProxy$|_Subclass(?:\$\d+)?$",
    Generator.MICRONAUT: r"(?:^|\.)\$[\w$]+\$(?:Definition|Introspection)(?:\$|$)",
    Generator.OPEN_TELEMETRY: r"\.VirtualField(?:Impl|Accessor)\$",
}
_ANY: Final = re.compile(
    "|".join(f"(?P<{generator.name}>{pattern})" for generator, pattern in _NAMES.items())
)


@lru_cache(maxsize=4096)
def generator_of(name: str) -> Generator | None:
    """What has made a class of this Java name; None if no generator gives such names."""
    found = _ANY.search(name)
    return None if found is None or found.lastgroup is None else Generator[found.lastgroup]
