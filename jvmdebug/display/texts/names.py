# SPDX-License-Identifier: Apache-2.0
"""One line for names (paths, addresses, UUIDs, locales, patterns) and for buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.together import together

if TYPE_CHECKING:
    from jvmdebug.display.line import Line, TextOf
    from jvmdebug.model.values import ObjectReference


async def _texts(reference: ObjectReference, *names: str) -> list[str | None]:
    values = await layout.read(reference, *names)
    return await together(layout.text_or_none(each) for each in values)


def _field(name: str) -> TextOf:
    async def text(reference: ObjectReference, _line: Line) -> str:
        return await layout.read_text(reference, name)

    return text


async def _unix_path(reference: ObjectReference, _line: Line) -> str:
    """`sun.nio.fs.UnixPath` keeps the bytes of the file system."""
    array = await layout.read_array(reference, "path")
    elements = () if array is None else await array.get()
    content = bytes(layout.integer(each) & 0xFF for each in elements)
    return content.decode("utf-8", "replace")


async def _uri(reference: ObjectReference, _line: Line) -> str:
    """The class builds its text when it is first asked for; until then there are only the parts."""
    string, scheme, authority, path, query, fragment, opaque = await _texts(
        reference,
        *("string", "scheme", "authority", "path", "query", "fragment", "schemeSpecificPart"),
    )
    if string is not None:
        return string
    text = "" if scheme is None else f"{scheme}:"
    if path is None:
        text += opaque or ""
    else:
        if authority is None:
            authority = await _server(reference)
        text += ("" if authority is None else f"//{authority}") + path
        text += "" if query is None else f"?{query}"
    return text if fragment is None else f"{text}#{fragment}"


async def _server(reference: ObjectReference) -> str | None:
    """A URI's user, host and port."""
    user, host = await _texts(reference, "userInfo", "host")
    if host is None:
        return None
    port = await layout.read_int(reference, "port")
    return f"{'' if user is None else user + '@'}{host}{'' if port < 0 else f':{port}'}"


async def _url(reference: ObjectReference, _line: Line) -> str:
    protocol, authority, file, ref = await _texts(reference, "protocol", "authority", "file", "ref")
    server = f"//{authority}" if authority else ""
    return f"{protocol}:{server}{file or ''}{'' if ref is None else f'#{ref}'}"


async def _uuid(reference: ObjectReference, _line: Line) -> str:
    most, least = (
        layout.integer(each) & (2**64 - 1)
        for each in await layout.read(reference, "mostSigBits", "leastSigBits")
    )
    digits = f"{most:016x}{least:016x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


async def _locale(reference: ObjectReference, _line: Line) -> str:
    """`en_US`, `zh_CN_#Hans`, `th_TH_#u-nu-thai`"""
    base = await layout.read_object(reference, "baseLocale")
    extensions = await layout.read_object(reference, "localeExtensions")
    if base is None:
        raise UnknownLayoutError("a locale that is being made")
    texts = await _texts(base, "language", "script", "region", "variant")
    language, script, region, variant = (each or "" for each in texts)
    text = language
    extra = "" if extensions is None else await layout.read_text(extensions, "id")
    if region or (language and (variant or script or extra)):
        text += f"_{region}"
    if language or region:
        text += (f"_{variant}" if variant else "") + (f"_#{script}" if script else "")
        text += f"_{'' if script else '#'}{extra}" if extra else ""
    return text


async def _address(reference: ObjectReference, _line: Line) -> str:
    """`host.example/10.0.0.1`"""
    holder = await layout.read_object(reference, "holder")
    if holder is None or (await reference.type()).name != "java.net.Inet4Address":
        raise UnknownLayoutError("an address that is not of the Internet of old")
    (name,) = await _texts(holder, "hostName")
    number = await layout.read_int(holder, "address") & 0xFFFFFFFF
    return f"{name or ''}/{'.'.join(map(str, number.to_bytes(4, 'big')))}"


async def _buffer(reference: ObjectReference, line: Line) -> str:
    """`HeapByteBuffer[pos=0 lim=10 cap=10]`"""
    values = await layout.read(reference, "position", "limit", "capacity", of="java.nio.Buffer")
    position, limit, capacity = (layout.integer(each) for each in values)
    name = line.style.class_name((await reference.type()).name)
    return f"{name}[pos={position} lim={limit} cap={capacity}]"


NAME_TEXTS: Final[dict[str, TextOf]] = {
    "java.io.File": _field("path"),
    "java.lang.ThreadGroup": _field("name"),
    "java.net.InetAddress": _address,
    "java.net.URI": _uri,
    "java.net.URL": _url,
    "java.nio.Buffer": _buffer,
    "java.nio.charset.Charset": _field("name"),
    "java.util.Currency": _field("currencyCode"),
    "java.util.Locale": _locale,
    "java.util.UUID": _uuid,
    "java.util.regex.Pattern": _field("pattern"),
    "sun.nio.fs.UnixPath": _unix_path,
}
