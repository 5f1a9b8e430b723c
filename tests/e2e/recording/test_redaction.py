# SPDX-License-Identifier: Apache-2.0
"""Secrets: what never gets into the file of a recording, and what is shown in its place."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import recording
from jvmdebug.recording import format as form
from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.format import BlockKind
from jvmdebug.recording.redaction import Redaction
from tests.support.debuggees import debuggee
from tests.support.sessions import launched

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_MAIN = "shop.Login"
_SECRETS = {
    "pass": "pass-7301847",
    "key": "key-7301854",
    "basic": "basic-7301861",
    "db": "db-7301868",
    "one": "one-7301875",
    "card": "card-7301889",
    "iban": "iban-7301896",
}
_PHRASE = "phrase-7301882"
_OPEN = "open-7301903"
_CVV = 918273645


async def _recorded(
    jdk: Jdk,
    agent_kind: AgentKind,
    path: Path,
    redact: Sequence[str] | recording.Redaction = (),
) -> None:
    if agent_kind == "stock":
        pytest.skip("needs our agent: see test_what_only_our_agent_can")
    async with (
        launched(debuggee("redacted", _MAIN), jdk, agent_kind) as session,
        session.record(path, redact=redact),
    ):
        await session.start()
        await session.wait()


def _content(path: Path) -> tuple[bytes, list[bytes]]:
    """All that is in a file, expanded; the values of its chunks, without the checkpoints."""
    whole, found, values = path.read_bytes(), b"", []
    at = len(form.MAGIC)
    while at < len(whole) - form.TRAILER.size:
        kind, method, size, stored = form.HEAD.unpack_from(whole, at)
        at += form.HEAD.size
        content = form.content_of(method, size, whole[at : at + stored])
        found += content
        if kind == BlockKind.CHUNK:
            values.append(content)
        at += stored
    return found, values


def _chars(text: str) -> bytes:
    return struct.pack(f"<{len(text)}Q", *map(ord, text))


async def test_no_secret_is_in_the_file(jdk: Jdk, agent_kind: AgentKind, tmp_path: Path) -> None:
    path = tmp_path / "a.jvmrec"
    names = (*recording.DEFAULT_REDACTED, "*iban")
    await _recorded(jdk, agent_kind, path, recording.Redaction(names, (r"card-\d+",)))
    content, chunks = _content(path)
    assert _OPEN.encode() in content
    for text in _SECRETS.values():
        assert text.encode() not in content, text
    assert _chars(_PHRASE[-7:]) not in content
    assert all(struct.pack("<Q", _CVV) not in each for each in chunks)
    with recording.open(path) as past:
        assert past.header.redacted == names
        assert past.header.pid > 0
        for name in ("password", "apiKey", "myIban", "passphrase", "cvv"):
            texts = {each.text for each in past.writes(name)}
            assert texts == {"<redacted>"}, name
        assert not list(past.writes("password", f'"{_SECRETS["pass"]}"'))
        assert not list(past.writes("cvv", str(_CVV)))
        assert [each.text for each in past.writes("card")] == ['"<redacted>"']
        assert [each.text for each in past.writes("line")] == ['"user=bob password=<redacted>"']
        (made,) = [each for each in past.calls() if each.name == f"{_MAIN}.<init>"]
        assert made.arguments[:2] == ('"bob"', "<redacted>")
        (given,) = [each for each in past.calls() if each.name == f"{_MAIN}.getPassword"][:1]
        assert given.result == "<redacted>"
        assert past.end is not None
        assert past.end.value("open") == f'"{_OPEN}"'
        assert past.end.value("login.password") == "<redacted>"
        with pytest.raises(RecordingError, match="may be a secret"):
            past.end.value("phrase[0]")
        assert past.end.when("login.pin != 5") is not None  # `pin` is no name that is known


async def test_front_ends_show_that_it_was_redacted(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    path = tmp_path / "a.jvmrec"
    await _recorded(jdk, agent_kind, path, ["pin", "*Secrets"])
    async with jvmdebug.replay(path) as session:
        stop = await session.next_stop(10)
        assert stop is not None
        found = {each.name: await each.as_text() for each in await stop.frame.variables()}
        assert found["allSecrets"] == "<redacted>"
        assert found["phrase"] == "<redacted>"
        assert found["open"] == f'"{_OPEN}"'
        for name in ("login.pin", "login.password", "Login.apiKey"):
            assert "<redacted>" in await (await stop.frame.evaluate(name)).as_text(), name


async def test_it_can_be_switched_off(jdk: Jdk, agent_kind: AgentKind, tmp_path: Path) -> None:
    path = tmp_path / "a.jvmrec"
    await _recorded(jdk, agent_kind, path, recording.Redaction(names=()))
    content, _ = _content(path)
    for text in _SECRETS.values():
        assert text.encode() in content
    with recording.open(path) as past:
        assert past.header.redacted == ()
        assert [each.text for each in past.writes("cvv")] == [str(_CVV)]


@pytest.mark.parametrize(
    ("name", "is_secret"),
    [
        *(("password", True), ("userPassword", True), ("PASSWORD_HASH", True), ("api_key", True)),
        *(("accessToken", True), ("tokens", False), ("tokenizer", False), ("total", False)),
        *(("Authorization", True), ("client-secret", True), ("key", False), ("pwd", True)),
    ],
)
def test_default_names(name: str, is_secret: bool) -> None:  # noqa: FBT001 - a parameter
    redaction = Redaction()
    assert redaction.has_name(name) is is_secret
    assert not is_secret or redaction.may_be_in(b"\1\0\7" + name.encode() + b"\1")


@pytest.mark.parametrize(
    ("names", "values", "why"),
    [
        (("a b",), (), "is no name"),
        (("*",), (), "is no name"),
        ((), ("(",), "is no regular expression"),
        ((), ("a*",), "matches the empty text"),
    ],
)
def test_wrong_patterns(names: tuple[str, ...], values: tuple[str, ...], why: str) -> None:
    with pytest.raises(RecordingError, match=why):
        Redaction(names, values)
