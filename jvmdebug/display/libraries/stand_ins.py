# SPDX-License-Identifier: Apache-2.0
"""Objects that stand for others: proxies of Hibernate, Spring's AOP, Spring Data; lazy collections.

Such an object is shown by the one that it stands for, as far as that is there: nothing is loaded.
Found by the names that these libraries give to the classes they generate, then by fields.
Called by `rendering` and `children`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.display.libraries.annotations import HANDLER as _ANNOTATION
from jvmdebug.display.libraries.annotations import AnnotationStandIn
from jvmdebug.display.libraries.stand_in import StandIn
from jvmdebug.model.generated_names import Generator, generator_of
from jvmdebug.model.values import ObjectReference

if TYPE_CHECKING:
    from jvmdebug.model.reference_type import ReferenceType

_HIBERNATE: Final = "$$_hibernate_interceptor"
_HANDLER: Final = "handler"
_CGLIB: Final = "CGLIB$CALLBACK_0"
_OF_CLASS: Final = (Generator.HIBERNATE, Generator.CGLIB, Generator.JAVASSIST)
_COLLECTIONS: Final = "org.hibernate.collection."
_AOP_HANDLER: Final = "org.springframework.aop.framework.JdkDynamicAopProxy"
_PROXY: Final = "java.lang.reflect.Proxy"


async def find(reference: ObjectReference) -> StandIn | None:
    """What an object stands for; None for all objects but proxies of a known kind."""
    type_ = await reference.type()
    try:
        generator = generator_of(type_.name)
        if generator is Generator.JDK_PROXY:
            return await _of_interfaces(reference, type_)
        if generator in _OF_CLASS:
            return await _of_class(reference, type_)
        if type_.name.startswith(_COLLECTIONS):
            return await _of_collection(reference, type_)
    except UnknownLayoutError:
        pass
    return None


async def _of_interfaces(reference: ObjectReference, type_: ReferenceType) -> StandIn | None:
    """Spring's AOP behind a proxy of the JDK: repositories of Spring Data, services. Annotations
    are such proxies too.
    """
    (handler,) = await layout.read(reference, "h", of=_PROXY)
    if not isinstance(handler, ObjectReference):
        return None
    kind = (await handler.type()).name
    if kind not in (_AOP_HANDLER, _ANNOTATION):
        return None
    first = next(iter(await type_.interfaces()), None)
    if kind == _ANNOTATION:
        elements = await layout.read_object(handler, "memberValues")
        return None if first is None else AnnotationStandIn(first.name, elements)
    target = await _advised_target(handler)
    return None if first is None or target is None else StandIn(f"{first.name} proxy", target)


async def _of_class(reference: ObjectReference, type_: ReferenceType) -> StandIn | None:
    own = {each.name for each in await type_.fields() if not each.is_static}
    above = await type_.superclasses()
    name = f"{above[0].name if above else type_.name} proxy"
    if _CGLIB in own:
        callback = layout.as_object(await layout.read_nearest(reference, _CGLIB))
        target = None if callback is None else await _advised_target(callback)
        return None if target is None else StandIn(name, target)
    interceptor = next((each for each in (_HIBERNATE, _HANDLER) if each in own), None)
    if interceptor is None:
        return None
    state = layout.as_object(await layout.read_nearest(reference, interceptor))
    if state is None:
        return None
    is_loaded, held, key = await layout.read(state, "initialized", "target", "id")
    if layout.integer(is_loaded) and isinstance(held, ObjectReference):
        return StandIn(name, held)
    return StandIn(name, None, key)


async def _of_collection(reference: ObjectReference, type_: ReferenceType) -> StandIn | None:
    """A collection that is loaded when it is first used; one that is shows its elements."""
    is_loaded, key, role = await layout.read(reference, "initialized", "key", "role")
    if layout.integer(is_loaded):
        return None
    return StandIn(type_.name, None, key, await layout.text_or_none(role))


async def _advised_target(handler: ObjectReference) -> ObjectReference | None:
    """`advised.targetSource.target`; other sources of targets may make a new one each time."""
    advised = await layout.read_object(handler, "advised")
    source = None if advised is None else await layout.read_object(advised, "targetSource")
    return None if source is None else await layout.read_object(source, "target")
