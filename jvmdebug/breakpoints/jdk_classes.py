# SPDX-License-Identifier: Apache-2.0
"""Leaves out the JDK's classes where a source is meant that they are not of: filters of class
prepare requests, and of the loaded types. Called by the resolver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.breakpoints.subtypes import is_of_jdk
from jvmdebug.jdwp.generated.events import ClassExcludeModifier
from jvmdebug.platform.paths import is_absolute, last_part, with_slashes

if TYPE_CHECKING:
    from collections.abc import Collection

    from jvmdebug.model.reference_type import ReferenceType

_OF_JAVA: Final = (
    *("applet", "awt", "beans", "io", "lang", "math", "net", "nio", "rmi", "security"),
    *("sql", "text", "time", "util"),
)
_JDK_PACKAGES: Final = {
    **{name: (f"/{name.replace('.', '/')}/",) for name in ("javax", "jdk", "sun", "com.sun")},
    "java": tuple(f"/java/{name}/" for name in _OF_JAVA),
}
"""Packages of the JDK, and what the paths of their sources contain."""

NOT_OF_JDK: Final = tuple(
    ClassExcludeModifier(f"{prefix}*") for prefix in ("java.", "javax.", "jdk.", "sun.", "com.sun.")
)


def exclusions(path: str) -> tuple[ClassExcludeModifier, ...]:
    """The filters that leave out classes of the JDK which are not of this source, because the
    program waits at each event.

    The JDK's own agent would wait for ever if the thread that serves us initialized such a class
    (by JNI, for instance in a command about modules) while all threads are suspended.
    """
    if not is_absolute(path):
        return ()
    shown = with_slashes(path)
    return tuple(
        ClassExcludeModifier(f"{package}.*")
        for package, parts in _JDK_PACKAGES.items()
        if not any(part in shown for part in parts)
    )


def without_others_of_jdk(path: str, types: Collection[ReferenceType]) -> list[ReferenceType]:
    """The types that may be of a source, as each one costs two commands: some 450 are loaded when a
    program starts. A class of the JDK is of a file that has the name of its outermost class, or of
    another class of its package, which is loaded before it (`TimerThread`: Timer.java).
    """
    stem, _, suffix = last_part(path).rpartition(".")
    packages = {
        each.name.rpartition(".")[0]
        for each in types
        if suffix == "java" and each.name.endswith(f".{stem}")
    }
    return [
        each
        for each in types
        if not is_of_jdk(each.name) or each.name.rpartition(".")[0] in packages
    ]
