# SPDX-License-Identifier: Apache-2.0
"""How a JVM in a container or a pod is written, in place of a host.

`container:NAME[/PROGRAM]` and `pod:NAMESPACE/POD[/CONTAINER[/PROGRAM]]`, where PROGRAM is a main
class or the number of the process in the container. Pure. Used by the session and front ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from jvmdebug.errors import LaunchError

CONTAINER_PREFIX: Final = "container:"
POD_PREFIX: Final = "pod:"
PREFIXES: Final = (CONTAINER_PREFIX, POD_PREFIX)
_MOST_PARTS: Final = 4


@dataclass(frozen=True, slots=True)
class ContainerPlace:
    """A JVM in a container of this machine."""

    name: str
    program: str = ""
    """Its main class or its number in the container; empty for the only one."""


@dataclass(frozen=True, slots=True)
class PodPlace:
    """A JVM in a pod of Kubernetes."""

    namespace: str
    pod: str
    container: str = ""
    """Empty for the only one, or the pod's default one."""
    program: str = ""

    def __str__(self) -> str:
        of = f"/{self.container}" if self.container else ""
        return f"{self.namespace}/{self.pod}{of}"


def place_in(text: str) -> ContainerPlace | PodPlace | None:
    """The place that a text names; None for one without these prefixes. Raises LaunchError."""
    if text.startswith(CONTAINER_PREFIX):
        name, _, program = text.removeprefix(CONTAINER_PREFIX).partition("/")
        if not _is_name(name):
            raise LaunchError(f"{text!r} is no container: write container:NAME[/PROGRAM]")
        return ContainerPlace(name, program)
    if text.startswith(POD_PREFIX):
        parts = text.removeprefix(POD_PREFIX).split("/", _MOST_PARTS - 1)
        if not _is_pod(parts):
            raise LaunchError(f"{text!r} is no pod: write pod:NAMESPACE/POD[/CONTAINER[/PROGRAM]]")
        return PodPlace(*parts)
    return None


def text_of(container: str | None, pod: str | None, program: str) -> str:
    """The text for one of the two, as options give it. Raises LaunchError for both."""
    if container is not None and pod is not None:
        raise LaunchError("a container, or a pod: not both")
    if container is not None:
        return f"{CONTAINER_PREFIX}{container}" + (f"/{program}" if program else "")
    parts = (pod or "").split("/")
    if len(parts) not in (2, 3):
        raise LaunchError(f"{pod!r} is no pod: write NAMESPACE/POD or NAMESPACE/POD/CONTAINER")
    if program and len(parts) == 2:
        parts.append("")
    return f"{POD_PREFIX}{'/'.join(parts)}" + (f"/{program}" if program else "")


def _is_pod(parts: list[str]) -> bool:
    """Whether these are a namespace, a pod, and perhaps a container, which may be left empty."""
    container = parts[2:3] or [""]
    has_names = len(parts) > 1 and all(map(_is_name, parts[:2]))
    return has_names and (not container[0] or _is_name(container[0]))


def _is_name(text: str) -> bool:
    """Whether it can be the name of a container or pod, and no option of a command."""
    return bool(text) and not text.startswith("-") and not any(each.isspace() for each in text)
