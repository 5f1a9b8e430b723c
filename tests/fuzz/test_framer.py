# SPDX-License-Identifier: Apache-2.0
"""The framer, fed with whole streams in pieces of any size."""

from __future__ import annotations

import struct
from contextlib import suppress
from itertools import pairwise
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug._native import (
    HEADER_SIZE,
    MAXIMUM_PACKET_SIZE,
    Framer,
    Packet,
    WireError,
    pack_command,
    pack_reply,
)

Commands: TypeAlias = tuple[int, int, int, bytes]
Replies: TypeAlias = tuple[int, int, bytes]

BYTES = st.integers(0, 255)
IDS = st.integers(0, 2**32 - 1)
COMMANDS = st.tuples(IDS, BYTES, BYTES, st.binary(max_size=40))
REPLIES = st.tuples(IDS, st.integers(0, 2**16 - 1), st.binary(max_size=40))


def pieces(stream: bytes, cuts: list[int]) -> list[bytes]:
    """The stream, cut at these places."""
    places = sorted({cut % (len(stream) + 1) for cut in cuts} | {0, len(stream)})
    return [stream[start:end] for start, end in pairwise(places)]


def content(packet: Packet) -> Commands | Replies:
    """The packet as it was packed."""
    if packet.is_reply:
        return packet.id, packet.error, packet.payload
    return packet.id, packet.command_set, packet.command, packet.payload


def expected_bytes(packet: Commands | Replies) -> bytes:
    """The packet, laid out by hand."""
    if len(packet) == 3:
        identifier, error, payload = packet
        return struct.pack(">IIBH", 11 + len(payload), identifier, 0x80, error) + payload
    identifier, command_set, command, payload = packet
    return struct.pack(">IIBBB", 11 + len(payload), identifier, 0, command_set, command) + payload


@given(st.lists(COMMANDS | REPLIES, max_size=8), st.lists(st.integers(0, 1000), max_size=30))
def test_packets_are_framed_unchanged(packets: list[Commands | Replies], cuts: list[int]) -> None:
    stream = b"".join(map(expected_bytes, packets))
    framer = Framer()
    received: list[Packet] = []
    for piece in pieces(stream, cuts):
        framer.feed(piece)
        received.extend(framer.packets())
    assert [content(packet) for packet in received] == packets
    assert framer.pending == 0


@given(COMMANDS, REPLIES)
def test_packing_is_as_laid_out_by_hand(command: Commands, reply: Replies) -> None:
    assert pack_command(*command) == expected_bytes(command)
    assert pack_reply(*reply) == expected_bytes(reply)


@given(st.lists(COMMANDS, max_size=3), st.integers(0, 2**32 - 1), st.lists(st.integers(0, 99)))
def test_a_wrong_length_is_an_error_after_the_packets_before_it(
    packets: list[Commands], length: int, cuts: list[int]
) -> None:
    wrong = not HEADER_SIZE <= length <= MAXIMUM_PACKET_SIZE
    stream = b"".join(map(expected_bytes, packets)) + struct.pack(">I", length) + bytes(7)
    framer = Framer()
    received: list[Packet] = []
    failed = False
    for piece in pieces(stream, cuts):
        framer.feed(piece)
        try:
            received.extend(framer.packets())
        except WireError:
            failed = True
    assert [content(packet) for packet in received][: len(packets)] == packets
    assert failed == wrong
    if failed:
        framer.feed(expected_bytes((1, 1, 1, b"")))
        with pytest.raises(WireError):
            list(framer.packets())


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=10))
def test_garbage_never_crashes(stream: bytes, cuts: list[int]) -> None:
    framer = Framer()
    for piece in pieces(stream, cuts):
        framer.feed(piece)
        with suppress(WireError):
            for packet in framer.packets():
                assert packet.is_reply == (packet.flags & 0x80 != 0)
    assert framer.pending <= len(stream)


def test_a_large_packet_passes_and_one_beyond_a_signed_length_does_not() -> None:
    payload = bytes(90_000_000)
    framer = Framer()
    framer.feed(pack_command(1, 1, 1, payload))
    (packet,) = framer.packets()
    assert packet.payload == payload
    too_long = bytes(MAXIMUM_PACKET_SIZE - HEADER_SIZE + 1)  # never looked at: takes no memory
    with pytest.raises(WireError, match="2 GiB"):
        pack_command(1, 1, 1, too_long)
    with pytest.raises(WireError, match="2 GiB"):
        pack_reply(1, 0, too_long)
