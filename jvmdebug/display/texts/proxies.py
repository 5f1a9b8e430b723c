# SPDX-License-Identifier: Apache-2.0
"""One line for objects that stand for another: the JDK's dynamic proxies.

Each text says what the object is for the program (the interfaces) and who answers (the handler).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout

if TYPE_CHECKING:
    from jvmdebug.display.line import Line, TextOf
    from jvmdebug.model.values import ObjectReference

_PROXY: Final = "java.lang.reflect.Proxy"
_MOST_NAMED: Final = 3


async def _proxy(reference: ObjectReference, line: Line) -> str:
    """`Service, Closeable proxy[RetryHandler@1f]`"""
    (handler,) = await layout.read(reference, "h", of=_PROXY)
    interfaces = await (await reference.type()).interfaces()
    names = [line.style.class_name(each.name) for each in interfaces]
    more = ["…"] if len(names) > _MOST_NAMED else []
    head = f"{', '.join([*names[:_MOST_NAMED], *more]) or 'empty'} proxy"
    return head if line.is_brief else f"{head}[{await line.part(handler, line.room)}]"


PROXY_TEXTS: Final[dict[str, TextOf]] = {_PROXY: _proxy}
