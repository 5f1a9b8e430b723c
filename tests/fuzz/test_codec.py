# SPDX-License-Identifier: Apache-2.0
"""The native codec against the independent reading of the same declarations.

For every request, reply, modifier and event, with ids of 4 and 8 bytes in any mix: both write the
same bytes and read the same values, and what one refuses the other refuses too.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jvmdebug._native import Codec, IdSizes, WireError
from tests.fuzz.messages import MESSAGES, SIZES, WIRE, MessageKind, build, comparable, plain, values
from tests.support.matrix import has_all_sets
from tests.support.wire_reading import ReadingError, Sizes

# There are about 200 messages; each gets its share of what the profile allows.
ALL_EXAMPLES = settings().max_examples
SHARE = settings(
    max_examples=max(10 if has_all_sets() else 5, ALL_EXAMPLES // 8),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

IS_WHOLE = has_all_sets() or os.environ.get("HYPOTHESIS_PROFILE") == "fuzz"
"""Whether each test is asked of each message: not in CI, see `each_message`."""


def each_message(first: int) -> pytest.MarkDecorator:
    """Asks a test of each fifth message, beginning with that one; of all in `make matrix` and
    `make fuzz`.
    """
    messages = MESSAGES if IS_WHOLE else MESSAGES[first::5]
    return pytest.mark.parametrize("message", messages, ids=lambda kind: kind.name)


def codec_of(sizes: Sizes) -> Codec:
    """The native codec for these id sizes."""
    return Codec(
        IdSizes(sizes.field, sizes.method, sizes.object, sizes.reference_type, sizes.frame)
    )


def verdicts(message: MessageKind, sizes: Sizes, payload: bytes) -> tuple[Any, Any]:
    """What the native codec and the independent reading make of these bytes; None: refused."""
    try:
        native = plain(codec_of(sizes).decode(message.message_class, payload))
        native.pop("kind", None)
    except WireError:
        native = None
    try:
        independent = comparable(WIRE.with_sizes(sizes).decode(message.shape, payload))
    except ReadingError:
        independent = None
    return native, independent


@each_message(0)
@given(data=st.data(), sizes=SIZES)
@SHARE
def test_both_write_and_read_the_same(
    message: MessageKind, data: st.DataObject, sizes: Sizes
) -> None:
    content = data.draw(values(message.shape, sizes))
    payload = WIRE.with_sizes(sizes).encode(message.shape, content)

    codec = codec_of(sizes)
    assert codec.encode(build(message.message_class, content)) == payload

    decoded = codec.decode(message.message_class, payload)
    assert codec.encode(decoded) == payload
    native, independent = verdicts(message, sizes, payload)
    assert native == independent == comparable(content)


@each_message(1)
@given(data=st.data(), sizes=SIZES)
@settings(SHARE, max_examples=max(3, SHARE.max_examples // 4))
def test_a_truncated_message_is_an_error(
    message: MessageKind, data: st.DataObject, sizes: Sizes
) -> None:
    content = data.draw(values(message.shape, sizes))
    payload = WIRE.with_sizes(sizes).encode(message.shape, content)
    for length in range(len(payload)):
        native, independent = verdicts(message, sizes, payload[:length])
        assert native == independent
        assert native is None or message.ends_raw
    native, independent = verdicts(message, sizes, payload + b"\0")
    assert native == independent
    assert native is None or message.ends_raw


@each_message(2)
@given(data=st.data(), sizes=SIZES)
@SHARE
def test_garbage_gets_the_same_verdict(
    message: MessageKind, data: st.DataObject, sizes: Sizes
) -> None:
    payload = data.draw(st.binary(max_size=80))
    native, independent = verdicts(message, sizes, payload)
    assert native == independent


@each_message(3)
@given(data=st.data(), sizes=SIZES)
@SHARE
def test_a_garbled_message_gets_the_same_verdict(
    message: MessageKind, data: st.DataObject, sizes: Sizes
) -> None:
    content = data.draw(values(message.shape, sizes))
    payload = bytearray(WIRE.with_sizes(sizes).encode(message.shape, content))
    for _ in range(data.draw(st.integers(1, 3)) if payload else 0):
        payload[data.draw(st.integers(0, len(payload) - 1))] = data.draw(st.integers(0, 255))
    native, independent = verdicts(message, sizes, bytes(payload))
    assert native == independent
