# SPDX-License-Identifier: Apache-2.0
"""Methods of a session that are those of one of its parts: `session.trace` is `session.observe`'s.

Owns nothing. Called where the class Session is made.
"""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")


def of_part(
    part: str, method: Callable[Concatenate[Any, P], R]
) -> Callable[Concatenate[Any, P], R]:
    """A method that calls `method` of the attribute `part`, with its signature and docstring."""
    name = method.__name__

    if inspect.iscoroutinefunction(method):

        async def awaited(self: object, *args: Any, **kwargs: Any) -> object:  # noqa: ANN401
            return await getattr(getattr(self, part), name)(*args, **kwargs)

        delegated: Callable[..., object] = awaited
    else:

        def called(self: object, *args: Any, **kwargs: Any) -> object:  # noqa: ANN401
            return getattr(getattr(self, part), name)(*args, **kwargs)

        delegated = called
    functools.update_wrapper(delegated, method)
    return cast("Callable[Concatenate[Any, P], R]", delegated)
