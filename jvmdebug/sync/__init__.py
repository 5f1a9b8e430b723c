# SPDX-License-Identifier: Apache-2.0
"""The whole API of jvmdebug without `await`, for scripts, prompts and notebooks.

    with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"]) as session:
        for stop in session.stops():
            print(stop.frame.location)

Names, arguments, values and errors are those of `jvmdebug`; what is awaited there is waited for.
Begin with `proxies`, which makes the classes; `generated` has their types.
"""

from __future__ import annotations

from jvmdebug.sync.generated.members import FUNCTIONS, MEMBERS
from jvmdebug.sync.proxies import function_named, proxy_class

_CLASSES = {full.partition(":")[2]: full for full in MEMBERS}

__all__ = sorted([*_CLASSES, *FUNCTIONS])  # noqa: PLE0605 - the stub has the list


def __getattr__(name: str) -> object:
    if name in _CLASSES:
        made: object = proxy_class(_CLASSES[name])
    elif name in FUNCTIONS:
        made = function_named(name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    globals()[name] = made
    return made


def __dir__() -> list[str]:
    return list(__all__)
