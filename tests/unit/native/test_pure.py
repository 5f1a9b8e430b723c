# SPDX-License-Identifier: Apache-2.0
"""What stands in for the compiled module does the same: the tests of that one pass with it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from jvmdebug import _native, pure
from tests.support.jdks import REPOSITORY

CONSTANTS = (
    *("BUSY", "HANDSHAKE", "HEADER_SIZE", "MAXIMUM_PACKET_SIZE", "NOT_REJOINED", "REJOIN"),
    *("TAKE_OVER", "TOKEN_GREETING", "TOKEN_NEEDED"),
)


def run(*words: str) -> str:
    """What Python prints with these words, where the compiled module is not used."""
    ran = subprocess.run(
        [sys.executable, *words],
        cwd=REPOSITORY,
        env={**os.environ, "JVMDEBUG_CODEC": "python"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_it_has_the_same_names_and_constants() -> None:
    names = {each for each in vars(_native) if not each.startswith("_")} - {"PacketIterator"}
    assert names <= set(pure.__all__)
    for name in CONSTANTS:
        assert getattr(pure, name) == getattr(_native, name)


@pytest.mark.timeout(150)
def test_the_tests_of_the_compiled_module_pass() -> None:
    code = "import jvmdebug.jdwp; from jvmdebug._native import Codec; print(Codec.__module__)"
    assert run("-c", code) == "jvmdebug.pure.codec\n"
    deselected = ("--deselect", "tests/unit/native/test_pure.py")
    run("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/unit/native", *deselected)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_independent_reading_agrees() -> None:
    files = ("tests/fuzz/test_codec.py", "tests/fuzz/test_framer.py")
    run("-m", "pytest", "-q", "-p", "no:cacheprovider", *files)


def test_heap_dumps_say_what_they_need() -> None:
    with pytest.raises(pure.HeapFileError, match="no compiled module, which reads heap dumps"):
        pure.HeapDump("app.hprof")
