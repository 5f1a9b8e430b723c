# SPDX-License-Identifier: Apache-2.0
"""The command line of the server."""

from __future__ import annotations

import argparse

import pytest

from jvmdebug_dap import main
from jvmdebug_dap.options import address


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("127.0.0.1:4711", ("127.0.0.1", 4711)),
        ("localhost:0", ("localhost", 0)),
        ("[::1]:1", ("::1", 1)),
        (":4711", ("127.0.0.1", 4711)),
    ],
)
def test_addresses(text: str, expected: tuple[str, int]) -> None:
    assert address(text) == expected


@pytest.mark.parametrize("text", ["", "4711", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536"])
def test_invalid_addresses(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="should be HOST:PORT"):
        address(text)


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]", "192.0.2.1"])
def test_without_a_token_only_loopback_is_served(
    host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Any client that connects can run programs."""
    assert main(["--listen", f"{host}:0", "--no-token"]) == 2
    assert "will not listen on" in capsys.readouterr().err
