# SPDX-License-Identifier: Apache-2.0
"""Bytes to messages: every cut, every kind of garbage."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug_dap.framing import (
    MAX_BODY_BYTES,
    MAX_HEADER_BYTES,
    FramingError,
    Malformed,
    MessageDecoder,
    encode,
)

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


@given(
    st.lists(st.dictionaries(st.text(), _JSON), max_size=4),
    st.lists(st.integers(0, 500), max_size=6),
)
def test_messages_survive_any_cut(messages: list[dict[str, object]], cuts: list[int]) -> None:
    stream = b"".join(encode(message) for message in messages)
    places = sorted({0, len(stream), *(cut % (len(stream) + 1) for cut in cuts)})
    decoder = MessageDecoder()
    received = [
        message
        for start, end in itertools.pairwise(places)
        for message in decoder.feed(stream[start:end])
    ]
    assert received == messages
    assert not decoder.is_mid_message


@pytest.mark.parametrize("header", ["content-length:12", "X-Other: 1\r\nContent-Length:  12 "])
def test_headers_as_http_writes_them(header: str) -> None:
    assert MessageDecoder().feed(header.encode() + b'\r\n\r\n{"seq": 123}') == [{"seq": 123}]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"{", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[1]", "a JSON object, got list"),
        (b"null", "a JSON object, got NoneType"),
        (b"", "not JSON"),
    ],
)
def test_a_bad_body_spoils_only_itself(body: bytes, reason: str) -> None:
    bad, good = MessageDecoder().feed(framed(body) + encode({"seq": 1}))
    assert isinstance(bad, Malformed)
    assert reason in bad.reason
    assert good == {"seq": 1}


@pytest.mark.parametrize(
    ("stream", "reason"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "this is HTTP"),
        (b"POST / HTTP/1.1\r\n", "this is HTTP"),
        (b"Origin: null\r\nContent-Length: 2\r\n\r\n{}", "this is HTTP"),
        (b"content-length: 2\r\nhost:x\r\n\r\n{}", "this is HTTP"),
        (b"Sec-Fetch-Mode: cors\r\nContent-Length: 2\r\n\r\n{}", "this is HTTP"),
        (b"X-Other: 1\r\n\r\n", "no Content-Length"),
        (b"Content-Length: 2\r\nno field\r\n\r\n", "not `Name: value`"),
        (b"Content-Length: twelve\r\n\r\n", "should be a number"),
        (b"Content-Length: -1\r\n\r\n", "should be a number"),
        (b"Content-Length: %d\r\n\r\n" % (MAX_BODY_BYTES + 1), "was announced"),
        (b"Content-Length: " + b"9" * 4000 + b"\r\n\r\n", "was announced"),
        (b"\x00\x01\x02", "expected a `Content-Length"),
        (b"a" * (MAX_HEADER_BYTES + 1), "expected a `Content-Length"),
    ],
)
def test_a_stream_that_is_not_dap_is_refused(stream: bytes, reason: str) -> None:
    with pytest.raises(FramingError, match=reason.replace("`", ".")):
        MessageDecoder().feed(stream)


def test_the_decoder_detects_truncated_input() -> None:
    decoder = MessageDecoder()
    decoder.feed(b"Content-Length: 10\r\n\r\n")
    assert decoder.is_mid_message


def test_lone_surrogates_become_replacement_characters() -> None:
    (message,) = MessageDecoder().feed(encode({"text": "a\ud800b \U0001f600"}))
    assert message == {"text": "a\ufffdb \U0001f600"}


def test_lengths_count_bytes() -> None:
    head, _, body = encode({"name": "Größe"}).partition(b"\r\n\r\n")
    assert head == b"Content-Length: %d" % len(body)
    assert json.loads(body) == {"name": "Größe"}
