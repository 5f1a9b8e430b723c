# SPDX-License-Identifier: Apache-2.0
"""The debuggee's standard output: the agent's line is taken out, and nothing else."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug.launch.decoding import ListeningLine, StreamDecoder

LINE = b"Listening for transport dt_socket at address: 45829\n"


def passed(pieces: list[bytes]) -> tuple[bytes, int | None]:
    """What comes through, and the port."""
    line = ListeningLine()
    out = b"".join(line.filter(piece) for piece in pieces)
    return out + line.filter(b"", final=True), line.port


@pytest.mark.parametrize(
    ("written", "through", "port"),
    [
        (LINE + b"hello\n", b"hello\n", 45829),
        (b"[0.1s][info] log\n" + LINE + b"x", b"[0.1s][info] log\nx", 45829),
        (LINE.replace(b"45829", b"localhost:5005"), b"", 5005),
        (LINE.replace(b"\n", b"\r\n") + b"x", b"x", 45829),
        (LINE + LINE, LINE, 45829),
        (b"Listening to music\n", b"Listening to music\n", None),
        (b"I said: " + LINE, b"I said: " + LINE, None),
        (b"Listening for tr", b"Listening for tr", None),
        (b"", b"", None),
    ],
)
def test_the_output_of_the_program_is_passed_through(
    written: bytes, through: bytes, port: int | None
) -> None:
    assert passed([written]) == (through, port)


@given(
    before=st.sampled_from([b"", b"a\n", b"\n\n", b"Listening for\n"]),
    after=st.binary(max_size=40),
    cuts=st.lists(st.integers(0, 140), max_size=6),
)
def test_cut_anywhere(before: bytes, after: bytes, cuts: list[int]) -> None:
    written = before + LINE + after
    edges = [0, *sorted(min(cut, len(written)) for cut in cuts), len(written)]
    pieces = [written[a:b] for a, b in itertools.pairwise(edges)]
    assert passed(pieces) == (before + after, 45829)


def test_a_prompt_is_not_held_back() -> None:
    line = ListeningLine()
    assert line.filter(b"name? ") == b"name? "
    assert line.filter(b"Listen") == b""
    assert line.filter(b"er: ") == b"Listener: "


def test_characters_cut_in_two() -> None:
    decoder = StreamDecoder("utf-8")
    data = "grün €".encode()
    assert "".join(decoder.decode(data[i : i + 1]) for i in range(len(data))) == "grün €"
    assert decoder.decode(b"\xff\xc3", final=True) == "\ufffd\ufffd"
