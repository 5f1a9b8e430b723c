# SPDX-License-Identifier: Apache-2.0
"""What is known of the JVMs of this machine: command lines, agents, the file that a VM keeps."""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug.attaching.debug_agent import (
    DebugAgent,
    ListeningSocket,
    listening_agent,
    stated_agent,
)
from jvmdebug.attaching.java_command import program_of
from jvmdebug.attaching.performance_data import strings_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("words", "program"),
    [
        ("-Xmx1g -cp a.jar:b.jar shop.Main one -jar", "shop.Main"),
        ("--class-path a --add-opens x/y=z -ea shop.Main", "shop.Main"),
        ("-jar app.jar --port 80", "app.jar"),
        ("-p mods -m shop/shop.Main", "shop/shop.Main"),
        ("--module=shop/shop.Main", "shop/shop.Main"),
        ("@arguments Hello.java", "Hello.java"),
        ("-version", None),
        ("-jar", None),
        ("", None),
    ],
)
def test_the_program_of_a_command_line(words: str, program: str | None) -> None:
    assert program_of(words.split()) == program


STOCK = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n"
OURS = "-agentpath:/opt/x=1/libjvmdebug.so"


@pytest.mark.parametrize(
    ("words", "agent"),
    [
        ([f"{STOCK},address=*:5005"], DebugAgent("stock", "*:5005")),
        (["-Xrunjdwp:transport=dt_socket,address=8000,server=y"], DebugAgent("stock", "8000")),
        (
            ["-agentlib:jdwp=transport=dt_socket,address=h:1"],
            DebugAgent("stock", "h:1", connects=True),
        ),
        ([STOCK, "-agentpath:/opt/libjvmdebug.so=server=y,address=7"], DebugAgent("jvmdebug", "7")),
        (
            ["-agentpath:/a/libjvmdebug.so=transport=unix,server=y,address=/run/a"],
            DebugAgent("jvmdebug", "unix:/run/a"),
        ),
        (["-agentpath:/opt/libasyncProfiler.so=start", "-Xmx1g"], None),
    ],
)
def test_the_agent_of_a_command_line(words: list[str], agent: DebugAgent | None) -> None:
    assert stated_agent(words) == agent


def test_where_an_agent_listens() -> None:
    app, debug = ListeningSocket("::", 8080, 40), ListeningSocket("127.0.0.1", 36763, 5)
    chosen = listening_agent(DebugAgent("jvmdebug", "127.0.0.1:0"), [app, debug], frozenset())
    assert (chosen.address, chosen.is_listening) == ("127.0.0.1:36763", True)
    every = listening_agent(DebugAgent("stock", "*:8080"), [app, debug], frozenset())
    assert (every.address, every.is_listening) == ("127.0.0.1:8080", True)
    held = listening_agent(DebugAgent("stock", "*:5005"), [app, debug], frozenset())
    assert (held.address, held.is_listening) == ("*:5005", False)
    unix = DebugAgent("jvmdebug", "unix:/run/a")
    assert listening_agent(unix, [], frozenset({"/run/a"})).is_listening
    assert not listening_agent(unix, [debug], frozenset()).is_listening
    connecting = DebugAgent("stock", "host:36763", connects=True)
    assert listening_agent(connecting, [debug], frozenset()) == connecting


def _entry(name: bytes, value: bytes) -> bytes:
    content = name + b"\0" + value + b"\0"
    head = struct.pack(
        "<iii4Bi", 20 + len(content), 20, len(value) + 1, ord("B"), 0, 5, 1, 21 + len(name)
    )
    return head + content


def test_the_file_that_a_vm_keeps(tmp_path: Path) -> None:
    path = tmp_path / "4711"
    entries = _entry(b"sun.rt.javaCommand", b"shop.Main one") + _entry(b"java.rt.vmArgs", b"-ea")
    head = b"\xca\xfe\xc0\xc0\x01\x02\x00\x01" + struct.pack("<iiqii", 0, 0, 0, 32, 2)
    path.write_bytes(head + entries)
    assert strings_of(path) == {"sun.rt.javaCommand": "shop.Main one", "java.rt.vmArgs": "-ea"}
    for cut in range(len(head + entries)):
        path.write_bytes((head + entries)[:cut])
        strings_of(path)  # what can be read, and no error
    assert strings_of(tmp_path / "none") == {}


def test_what_is_no_jvm() -> None:
    assert jvmdebug.local_jvm(os.getpid()) is None
    assert jvmdebug.local_jvm(2**22 + 1) is None
