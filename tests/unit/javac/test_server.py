# SPDX-License-Identifier: Apache-2.0
"""The compile server: shared, kept warm, started from kept classes, ended when nobody waits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from jvmdebug.javac import FilesToCompile, JavacFailedError, shared, starting
from jvmdebug.javac.server import TextToCompile
from jvmdebug.javac.tasks import compile_files, compile_text
from jvmdebug.jdk import Jdk, jdk_to_compile

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Sequence
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("own_javac")


@pytest.fixture
def jdk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Jdk:
    """A JDK with a compiler; nothing is kept of earlier runs."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = jdk_to_compile(11)
    assert found is not None
    return found


@pytest.fixture
def request_of(tmp_path: Path) -> FilesToCompile:
    source = tmp_path / "Cart.java"
    source.write_text("class Cart {\n\tint size() { return sise; }\n}\n")
    output = tmp_path / "classes"
    output.mkdir()
    return FilesToCompile((source,), output, (output,), (), ("-proc:none",))


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> list[Path | None]:
    """Tells from which classes each server was started."""
    found: list[Path | None] = []
    start = starting.started

    def started(jdk: Jdk, classes: Path | None) -> subprocess.Popen[bytes]:
        found.append(classes)
        return start(jdk, classes)

    monkeypatch.setattr(starting, "started", started)
    return found


def test_the_next_start_takes_the_kept_classes_and_survives_damaged_ones(
    jdk: Jdk, request_of: FilesToCompile, starts: list[Path | None]
) -> None:
    kept = starting.kept_classes(jdk)
    assert kept is not None
    for begins in ([None], [kept], [kept, None]):
        starts.clear()
        with shared(jdk) as server, server.turn() as turn:
            (found,) = turn.compile_files(request_of).diagnostics
            assert (found.line, found.column, found.is_error) == (2, 22, True)  # a tab is one
            turn.compile_files(request_of)
        assert starts == begins
        if begins == [kept]:
            (kept / "JavacServer.class").write_bytes(b"no class file")
    assert starting.is_complete(kept)


async def test_all_share_one_process_until_the_last_has_gone(
    jdk: Jdk, request_of: FilesToCompile, starts: list[Path | None]
) -> None:
    with shared(jdk) as server:
        assert not (await compile_files(jdk, request_of)).is_done
        request_of.files[0].write_text("class Cart { }")
        with shared(jdk) as other, other.turn() as turn:
            assert other is server
            assert turn.compile_files(request_of).is_done
        assert len(starts) == 1
        server.kill()
        assert (await compile_files(jdk, request_of)).is_done
    assert len(starts) == 2
    with shared(jdk) as later:
        assert later is not server


class _NeverAnswers:
    outermost = "Cart"

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def names(self, package: str) -> Sequence[str]:
        del package
        self.asked.set()
        await asyncio.Event().wait()
        return ()

    async def content(self, name: str) -> bytes | None:
        raise AssertionError(name)


async def test_a_caller_that_goes_frees_the_compiler(
    jdk: Jdk, request_of: FilesToCompile, tmp_path: Path
) -> None:
    text = TextToCompile("Code", "class Code { Cart cart; }", (), None, tmp_path, "Cart")
    with shared(jdk) as server:
        classes = _NeverAnswers()
        first = asyncio.create_task(compile_text(server, text, classes))
        second = asyncio.create_task(compile_text(server, text, _NeverAnswers()))
        await classes.asked.wait()
        second.cancel()  # it may still be waiting for its turn
        first.cancel()
        await asyncio.wait((first, second))
        assert first.cancelled()
        assert second.cancelled()
        assert not (await compile_files(jdk, request_of)).is_done


async def test_a_program_that_is_no_java_is_told(
    jdk: Jdk, request_of: FilesToCompile, tmp_path: Path
) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\nexit 1\n")
    java.chmod(0o755)
    with pytest.raises(JavacFailedError, match=r"the compiler of .* ended"):
        await compile_files(Jdk(tmp_path, jdk.feature_version), request_of)
