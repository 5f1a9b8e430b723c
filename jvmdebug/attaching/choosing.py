# SPDX-License-Identifier: Apache-2.0
"""The one JVM that is meant among those of a container.

Pure. Called by `containers` and `pods`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from jvmdebug.errors import LaunchError

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class RunningJvm:
    """A JVM in a container."""

    pid: int
    """As who asks counts."""
    own_pid: int
    """The number that it has in its container."""
    program: str | None
    """Its main class or jar."""


Jvm = TypeVar("Jvm", bound=RunningJvm)


def chosen(jvms: Sequence[Jvm], program: str, where: str) -> Jvm:
    """The JVM that runs `program` (a main class or jar) or has this number in its container; the
    only one if that is empty. Raises LaunchError, which lists them. `where`: "the container 'x'".
    """
    if not jvms:
        raise LaunchError(f"no JVM runs in {where}")
    fitting = [each for each in jvms if not program or program in (str(each.own_pid), each.program)]
    if len(fitting) == 1:
        return fitting[0]
    listed = ", ".join(f"{each.own_pid} ({each.program or 'unknown program'})" for each in jvms)
    if not fitting:
        raise LaunchError(f"no JVM in {where} is {program!r}: there are {listed}")
    if program:
        raise LaunchError(
            f"several JVMs in {where} run {program}: {listed}; say which by --pid NUMBER"
        )
    raise LaunchError(
        f"several JVMs run in {where}: {listed}; say which by --pid NUMBER or --main-class NAME"
    )
