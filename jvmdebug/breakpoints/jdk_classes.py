# SPDX-License-Identifier: Apache-2.0
"""Filters of class prepare requests that leave out the JDK's classes. Called by the resolver."""

from __future__ import annotations

from typing import Final

from jvmdebug.jdwp.generated.events import ClassExcludeModifier

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
    if not path.startswith("/"):
        return ()
    return tuple(
        ClassExcludeModifier(f"{package}.*")
        for package, parts in _JDK_PACKAGES.items()
        if not any(part in path for part in parts)
    )
